"""Cells measured alone: the same numbers, their own time and memory, and an end where a limit is exceeded."""

import sys
import threading

import numpy as np
import pytest

from mlfs.blocks import each
from mlfs.errors import TooLargeError
from mlfs.selectors import SELECTORS
from mlfs.studies import Plan, Store
from mlfs.studies.cell_runner import CellRunner
from mlfs.studies.limits import (
    JUDGING,
    SELECTING,
    CellLimits,
    LimitedCellRunner,
    _limited,
    _PeakMemory,
    exceeded_part,
    is_within,
)
from tests.studies.support import DATASETS, SMALL

AMPLE = CellLimits(selection_seconds=600, bytes=4 << 30)
linux = pytest.mark.skipif(sys.platform != "linux", reason="the system counts no peak memory")


def cells(*methods, **settings):
    return Plan("alone", ["small"], methods, settings={"sizes": [1, 3, 6], **settings}).cells(DATASETS)


@pytest.mark.parametrize("method", ["els", "grro", "mapd", "random", "elc"])
def test_the_numbers_are_those_of_any_study(method):
    [cell] = cells(method)
    alone, usual = (runner.compute(cell, SMALL) for runner in (LimitedCellRunner(AMPLE), CellRunner()))
    assert alone.error == usual.error == ""
    assert alone.ranking.tolist() == usual.ranking.tolist()
    assert alone.values.tolist() == usual.values.tolist()
    assert (alone.key, alone.n_selected, alone.again) == (usual.key, usual.n_selected, False)


def test_a_selection_that_takes_too_long_ends_with_a_sentence():
    [cell] = cells("jmi_br")
    found = LimitedCellRunner(CellLimits(0, 4 << 30)).compute(cell, SMALL)
    assert found.error == "The selection took more than 0 s, the limit."
    assert found.again
    assert len(found.values) == 0


def test_a_selection_that_knows_it_needs_too_much_is_not_begun(monkeypatch):
    [cell] = cells("grro")
    monkeypatch.setattr(SELECTORS["grro"], "prepare", lambda *_: pytest.fail("it was begun"))
    monkeypatch.setattr(SELECTORS["grro"], "required_bytes", lambda *_: 2 << 20)
    found = LimitedCellRunner(CellLimits(60, 1 << 20)).compute(cell, SMALL)
    assert found.error == "The selection needs more than 0.000976562 GiB, the limit."


@linux
def test_memory_beyond_the_limit_is_refused():
    said = r"^The classifier needs more than 0\.0625 GiB, the limit\.$"
    with pytest.raises(TooLargeError, match=said), _limited(CellLimits(60, 64 << 20), JUDGING):
        np.ones(32 << 20)
    assert np.ones(32 << 20).size  # and allowed again afterwards


@linux
def test_the_peak_is_what_was_held_at_once():
    with _PeakMemory() as peak:
        for _ in range(3):
            np.ones(8 << 20)  # 64 MiB each, one after another
    assert 60 << 20 < peak.bytes < 90 << 20


def test_methods_do_not_share_what_they_prepare_but_classifiers_share_the_selection(monkeypatch):
    prepared = []
    for method in ("els", "mim_br"):
        real = SELECTORS[method].prepare
        monkeypatch.setattr(
            SELECTORS[method], "prepare", lambda self, X, Y, real=real: prepared.append(self.id) or real(self, X, Y)
        )
    runner = LimitedCellRunner(AMPLE)
    both = [*cells("els", "mim_br", classifier="mlknn"), *cells("els", "mim_br", classifier="brlr", sizes=[1, 3])]
    results = [runner.compute(cell, SMALL) for cell in sorted(both, key=lambda cell: cell.method)]
    assert prepared == ["els", "mim_br"]
    assert results[0].seconds == results[1].seconds
    assert results[0].ranking[:3].tolist() == results[1].ranking[:3].tolist()


def test_a_selection_that_depends_on_how_many_are_selected_is_made_anew():
    runner = LimitedCellRunner(AMPLE)
    (large,), (few,) = cells("elc"), cells("elc", sizes=[1, 2])
    runner.compute(large, SMALL)
    assert runner.compute(few, SMALL).ranking.tolist() == CellRunner().compute(few, SMALL).ranking.tolist()


def test_what_exceeded_a_limit_is_tried_again_under_a_larger_one_only():
    limits = CellLimits(20, 2 << 30)
    slow, large = limits.too_long(SELECTING), limits.too_much(JUDGING)
    assert exceeded_part(CellLimits(1e6, 2 << 30).too_long(SELECTING)) == SELECTING
    assert [exceeded_part(error) for error in (slow, large, "n_bins must be 2.")] == [SELECTING, JUDGING, None]
    assert [is_within(slow, CellLimits(seconds, 0)) for seconds in (10, 20, 30)] == [False, False, True]
    assert [is_within(large, CellLimits(0, size << 30)) for size in (1, 2, 3)] == [False, False, True]


def test_the_classifier_may_have_a_limit_of_its_own():
    limits = CellLimits(20, 2 << 30, classifier_seconds=60)
    assert limits.too_long(SELECTING) == "The selection took more than 20 s, the limit."
    assert limits.too_long(JUDGING) == "The classifier took more than 60 s, the limit."
    alike = CellLimits(20, 2 << 30).too_long(JUDGING)
    assert (is_within(alike, limits), is_within(limits.too_long(JUDGING), limits)) == (True, False)
    [cell] = cells("els")
    found = LimitedCellRunner(CellLimits(600, 4 << 30, classifier_seconds=0)).compute(cell, SMALL)
    assert found.error == "The classifier took more than 0 s, the limit."


def test_all_that_is_limited_runs_on_the_thread_whose_time_is_measured():
    with _limited(AMPLE, JUDGING):
        assert each(lambda _: threading.get_ident(), list(range(4)), n_jobs=2) == [threading.get_ident()] * 4


def test_the_store_keeps_the_peak(tmp_path):
    [cell], others = cells("els"), cells("mfs")
    found = LimitedCellRunner(AMPLE).compute(cell, SMALL)
    with Store(tmp_path / "cells.sqlite") as store:
        store.put(found)
        assert store.cell_results([cell])[cell.key].peak_bytes == found.peak_bytes
        assert store.errors([cell.key]) == {}
        assert store.total_seconds([cell, cell, *others]) == pytest.approx(found.wall_seconds)
