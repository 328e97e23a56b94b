"""The estimate before a run: what is known, and what the seconds are based on."""

import importlib
from types import SimpleNamespace

from mlfs.studies import Plan, Store, estimate, run
from tests.studies.support import DATASETS, PLAN, QUICK, Here

# The function of that name hides the module.
module = importlib.import_module("mlfs.studies.run")


def test_from_a_timed_cell_then_from_past_cells(tmp_path):
    with Store(tmp_path / "s.db") as store:
        first = estimate(PLAN, store, datasets=DATASETS, workers=1)
        assert (first.cells, first.known) == (12, 0)
        assert first.basis == "Pairs of method and data set: 3 from one timed cell each."
        second = estimate(PLAN, store, datasets=DATASETS, workers=1)
        assert second.known == 3  # the timed ones were cells like any other
        assert second.basis == "Pairs of method and data set: 3 from past cells."
        assert second.seconds > 0
        run(PLAN, store, engine=Here(), datasets=DATASETS)
        third = estimate(PLAN, store, datasets=DATASETS)
        assert (third.known, third.seconds, third.basis) == (12, 0.0, "Every cell is already done.")


def test_preparation_counts_once_for_a_group(tmp_path):
    wide = Plan("w", ["small"], [{"method": "grro", "grid": {"alpha": [0.1, 1, 10]}}], settings=QUICK)
    with Store(tmp_path / "s.db") as store:
        first = wide.cells(DATASETS)[0]
        store.put(module.CellRunner().compute(first, DATASETS["small"]))
        prepare, rest = store.past_seconds(first.fingerprint, "grro")
        # Six cells in two groups, one of them known.
        found = estimate(wide, store, datasets=DATASETS, workers=1).seconds
        assert abs(found - (2 * prepare + 5 * rest)) < 1e-9
        assert abs(estimate(wide, store, datasets=DATASETS, workers=2).seconds - found / 2) < 1e-9


def test_a_long_list_is_guessed_after_a_while(monkeypatch):
    monkeypatch.setattr(module, "PROBE_SECONDS", 1e-9)
    found = estimate(PLAN, datasets=DATASETS)
    assert found.basis == (
        "Pairs of method and data set: 1 from one timed cell each, 2 guessed from the size of the data."
    )
    assert found.seconds > 0


def test_what_only_the_first_cell_of_a_process_takes_is_not_asked_of_all(monkeypatch):
    """It reads and compiles programs: three seconds here, where each cell takes a tenth."""
    ticks = iter([0.0, 3.0, 3.0, 3.1, *(4 + 0.1 * number for number in range(20))])
    monkeypatch.setattr(module, "time", SimpleNamespace(perf_counter=lambda: next(ticks)))
    one = Plan("o", ["small"], [{"method": "grro", "grid": {"alpha": [0.1, 1, 10]}}], settings=QUICK)
    assert 0 < estimate(one, datasets=DATASETS, workers=1).seconds < 6 * 0.11
