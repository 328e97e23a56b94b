"""Work that nobody waits for ends at its next checkpoint, and harms nothing that others use."""

import contextlib
import threading
import time

import numpy as np
import pytest

from mlfs import make_selector
from mlfs.blocks import each
from mlfs.stopping import GivenUp, checkpoint, stoppable


def test_a_checkpoint_is_passed_where_nobody_may_stop_the_work():
    checkpoint()


def test_a_checkpoint_ends_work_once_the_event_is_set():
    stop = threading.Event()
    with stoppable(stop):
        checkpoint()
        stop.set()
        with pytest.raises(GivenUp):
            checkpoint()
    checkpoint()


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_blocks_hand_the_event_on_to_their_threads(n_jobs):
    stop, begun = threading.Event(), []

    def task(item):
        begun.append(item)
        stop.set()

    with stoppable(stop), pytest.raises(GivenUp):
        each(task, list(range(50)), n_jobs)
    assert len(begun) <= n_jobs


@pytest.mark.parametrize("method", ["jmi_br", "mifs", "elc", "mico", "relieff_ml"])
def test_a_long_selection_ends_soon(method):
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(400, 300)), (rng.random((400, 12)) < 0.4).astype(int)
    more = {"max_iter": 10**6, "tol": 0.0} if method in ("mifs", "elc") else {}
    selector = make_selector(method, n_features_to_select=300, **more)
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    start = time.perf_counter()
    with stoppable(stop), contextlib.suppress(GivenUp):
        selector.fit(X, Y)
    # Two seconds are what the app promises; a selection that is done before is as good.
    assert time.perf_counter() - start < 2.2
