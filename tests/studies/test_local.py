"""The local engine: the same numbers on any number of workers, quick to stop, not stopped by a dying worker."""

import os
import threading
import time
from types import SimpleNamespace

import pytest

from mlfs.datasets import Dataset, make_synthetic
from mlfs.errors import StudyError
from mlfs.studies import Plan, Store, run
from mlfs.studies.engines import by_group, local, make_engine
from mlfs.studies.engines.local import (
    BASE,
    SHARE,
    LocalEngine,
    _Waiting,
    allowed_workers,
    available_bytes,
    required_bytes,
)
from tests.studies.failing import dies_at_once, never_ready
from tests.studies.support import DATASETS, PLAN, SMALL, Here, numbers
from tests.waiting import without_waiting


class Poisoned(Dataset):
    """Takes its process with it when it is judged, but for the process it was made in."""

    def one_hot(self):
        if os.getpid() != self.truth:
            os._exit(9)
        return super().one_hot()


class Slow(Dataset):
    def one_hot(self):
        time.sleep(600)
        return super().one_hot()


def of_class(kind, name):
    # The name among the features, so that the fingerprint is another.
    names = (name, *SMALL.feature_names[1:])
    return kind(SMALL.X, SMALL.Y, names, SMALL.label_names, name, truth=os.getpid())


@pytest.fixture(scope="module")
def engine():
    made = LocalEngine(2, keep=True)
    yield made
    made.close()


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "studies.db") as made:
        yield made


def test_the_same_bits_as_one_process(engine, store, tmp_path):
    seen = []
    summary = run(PLAN, store, engine=engine, datasets=DATASETS, progress=lambda *word: seen.append(word))
    with Store(tmp_path / "other.db") as other:
        run(PLAN, other, engine=Here(), datasets=DATASETS)
        assert numbers(store.results(PLAN)).equals(numbers(other.results(PLAN)))
    assert (summary.cells, summary.computed, summary.known, summary.cancelled) == (12, 12, 0, False)
    assert [done for done, _, _ in seen] == list(range(13))
    assert {total for _, total, _ in seen} == {12}
    assert seen[0][2] == "starting"
    assert "on small, split" in seen[-1][2]


def test_a_worker_that_dies_costs_its_cells_only(engine, store):
    datasets = {**DATASETS, "poisoned": of_class(Poisoned, "poisoned")}
    plan = Plan("p", ["poisoned", "small"], ["els"], settings={"sizes": [2]})
    summary = run(plan, store, engine=engine, datasets=datasets)
    assert (summary.computed, summary.failed) == (2, 1)
    table = store.results(plan)
    assert (table["error"] != "").tolist() == [True, False, False]
    assert table["error"][0] == "The worker process ended, probably for lack of memory: try fewer workers."
    # Not by their own doing: the next run tries again.
    poisoned, healthy = (cell.key for cell in plan.cells(datasets))
    assert store.finished([poisoned, healthy]) == {healthy}


@pytest.mark.parametrize("how", ["token", "store"])
def test_cancelling_does_not_wait_for_the_cell_under_way_and_what_is_done_stays(engine, store, how):
    datasets = {**DATASETS, "slow": of_class(Slow, "slow")}
    plan = Plan("p", ["small", "slow"], ["els"], settings={"sizes": [2]})
    token = threading.Event()

    def progress(done, total, text):
        if done == 1:
            token.set() if how == "token" else Store(store.path).cancel(1)

    summary = without_waiting(
        lambda: run(plan, store, engine=engine, datasets=datasets, progress=progress, cancel=token)
    )
    assert summary.cancelled
    assert summary.computed == 1
    assert store.study(1).done == 1


def test_a_group_is_shared_from_both_ends():
    cells = PLAN.cells(DATASETS)
    work = _Waiting(cells)
    first, front = work.take(None, True)
    assert front
    groups = by_group(cells)
    assert first is groups[first.group][0]
    assert work.take(first.group, True)[0] is groups[first.group][1]
    for _ in range(3):  # three other groups begin before anybody helps
        assert work.take(None, True)[0].group != first.group
    helper, front = work.take(None, True)
    assert not front
    assert helper in [group[-1] for group in groups.values()]


def test_memory_decides_how_many_workers():
    cells, datasets = PLAN.cells(DATASETS), DATASETS
    need = max(required_bytes(cell, SMALL) for cell in cells)
    assert need > BASE
    assert allowed_workers(cells, datasets, 8, None) == 8
    assert allowed_workers(cells, datasets, 8, int(3.5 * need / SHARE)) == 3
    assert allowed_workers(cells, datasets, 8, 0) == 1
    assert available_bytes() is None or available_bytes() > 0
    shapes = {"X": SimpleNamespace(shape=(10, 10**4)), "Y": SimpleNamespace(shape=(10, 5))}
    wide = SimpleNamespace(**shapes, categorical=())
    grro = next(cell for cell in cells if cell.method == "grro")
    assert required_bytes(grro, wide) > 32 * 10**8  # its table of all pairs of features


def test_messages():
    with pytest.raises(StudyError, match="workers must be a whole number from 1, not 0"):
        LocalEngine(0)
    with pytest.raises(StudyError, match=r"There is no engine 'loal': did you mean 'local'\?"):
        make_engine("loal")


def test_cancelled_while_a_worker_is_still_starting(monkeypatch):
    monkeypatch.setattr(local, "_work", never_ready)
    engine = LocalEngine(1, runner=object)  # whose process need not import mlfs
    large = make_synthetic(n_instances=3000, n_irrelevant=100)  # more than a pipe holds
    cells = Plan("one", ["large"], ["mfs"]).cells({"large": large})
    cancel = threading.Event()
    threading.Timer(0.3, cancel.set).start()
    assert not without_waiting(lambda: any(engine.compute(cells, {"large": large}, cancel)))


def test_workers_that_die_at_their_start_are_no_endless_story(monkeypatch):
    monkeypatch.setattr(local, "_work", dies_at_once)
    cells = PLAN.cells(DATASETS)[:1]
    engine = LocalEngine(1, runner=object)  # whose processes need not import mlfs
    results = [found for found in engine.compute(cells, DATASETS, threading.Event()) if found is not None]
    assert {found.key for found in results} == {cell.key for cell in cells}
    assert all(found.error == local.DIED and found.again for found in results)


def test_workers_that_wait_long_are_ended_and_others_start_for_the_next_call(tmp_path):
    engine = LocalEngine(1, keep=True)

    def results(name):
        with Store(tmp_path / name) as store:
            run(PLAN, store, engine=engine, datasets=DATASETS)
            return numbers(store.results(PLAN))

    try:
        first = results("first.sqlite")
        [worker] = engine._idle
        engine.end_idle(600)
        assert engine._idle == [worker]
        engine.end_idle(0)
        assert engine._idle == []
        assert not worker.alive
        assert results("second.sqlite").equals(first)
        assert len(engine._idle) == 1
    finally:
        engine.close()
