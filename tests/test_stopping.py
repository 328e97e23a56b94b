"""Work that nobody waits for ends at its next checkpoint, and harms nothing that others use."""

import itertools
import threading

import numpy as np
import pytest

from mlfs import make_selector
from mlfs.blocks import each
from mlfs.classifiers import BRLR
from mlfs.stopping import GivenUp, checkpoint, current_stop, stoppable
from tests.waiting import GUARD


def test_an_event_stops_only_the_work_it_was_set_up_for():
    stop, inside, looked = threading.Event(), threading.Event(), threading.Event()
    stop.set()
    given_up = []

    def other_work():
        with stoppable(stop):
            inside.set()
            looked.wait(GUARD)
            try:
                checkpoint()
            except GivenUp:
                given_up.append(True)

    thread = threading.Thread(target=other_work)
    thread.start()
    assert inside.wait(GUARD)
    try:
        checkpoint()
        assert current_stop() is None
    finally:
        looked.set()
        thread.join(GUARD)
    assert given_up == [True]


def test_a_checkpoint_ends_work_once_the_event_is_set():
    stop = threading.Event()
    with stoppable(stop):
        checkpoint()
        stop.set()
        with pytest.raises(GivenUp):
            checkpoint()
    checkpoint()


def test_work_inside_may_be_kept_from_stopping():
    stop = threading.Event()
    stop.set()
    with stoppable(stop), stoppable(None):
        checkpoint()
        assert current_stop() is None


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_blocks_hand_the_event_on_to_their_threads(n_jobs):
    stop, begun = threading.Event(), []

    def task(item):
        begun.append(item)
        stop.set()

    with stoppable(stop), pytest.raises(GivenUp):
        each(task, list(range(50)), n_jobs)
    assert len(begun) <= n_jobs


class StopAt(threading.Event):
    """Is set when it is asked for the last time that it allows."""

    def __init__(self, last):
        super().__init__()
        self.last, self.asked, self._times = last, 0, itertools.count(1)

    def is_set(self):
        # Threads may ask at once, and none of them is to be missed.
        self.asked = asked = next(self._times)
        if asked == self.last:
            self.set()
        return super().is_set()


@pytest.mark.parametrize(
    ("method", "parameters", "steps"),
    [
        ("jmi_br", {"n_features_to_select": 20}, 20),
        ("mifs", {"max_iter": 20, "tol": 0.0}, 20),
        ("elc", {"max_iter": 20, "tol": 0.0}, 20),
        ("mico", {}, 4),
        ("relieff_ml", {"n_jobs": 1}, 5),
    ],
)
def test_a_long_selection_can_be_given_up_in_each_of_its_steps(method, parameters, steps, monkeypatch):
    """Picks, iterations, blocks of rows."""
    monkeypatch.setattr("mlfs.selectors.relief.BLOCK_CELLS", 1 << 14)
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(400, 30)), (rng.random((400, 6)) < 0.4).astype(int)
    for last in (1, steps):
        stop = StopAt(last)
        with stoppable(stop), pytest.raises(GivenUp):
            make_selector(method, **parameters).fit(X, Y)
        assert stop.asked == last


@pytest.mark.parametrize(("n_jobs", "wide"), [(1, 200), (1, 0), (2, 0)])
def test_a_fit_of_brlr_can_be_given_up_in_each_of_its_steps(n_jobs, wide, monkeypatch):
    """Newton's, and where there are many features those of the conjugate gradients within each."""
    monkeypatch.setattr("mlfs.classifiers.brlr.WIDE", wide)
    monkeypatch.setattr("mlfs.classifiers.brlr.LABELS_AT_ONCE", 3)
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(200, 20)), (rng.random((200, 6)) < 0.4).astype(int)
    whole = StopAt(0)
    with stoppable(whole):
        steps = BRLR(n_jobs=n_jobs).fit(X, Y).n_iter_
    assert whole.asked > (20 if wide == 0 else 1) * steps
    with stoppable(StopAt(whole.asked)), pytest.raises(GivenUp):
        BRLR(n_jobs=n_jobs).fit(X, Y)
