"""The store: results as they were, shared by studies and writers, every trouble in a sentence."""

import re
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from mlfs.errors import StudyError
from mlfs.evaluation import compare, get_protocol
from mlfs.evaluation.cell_result import COLUMNS
from mlfs.studies import CellResult, Plan, Store, run
from mlfs.studies.database import CHANGES
from tests.studies.support import DATASETS, PLAN, QUICK, SMALL, Here, numbers
from tests.waiting import GUARD


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "studies.db") as made:
        yield made


def result(key="a", **more):
    found = {"sizes": (1, 2), "metrics": ("hamming_loss",), "values": np.array([[0.1 + 0.2], [np.pi]]), "seconds": 0.5}
    return CellResult(
        key=key,
        fingerprint="data",
        method="els",
        **{**found, "ranking": np.array([2, 0], dtype=np.int32), "n_selected": 2, **more},
    )


def test_the_same_table_as_compare(store):
    run(PLAN, store, engine=Here(), datasets=DATASETS)
    found = store.results(PLAN)
    assert list(found.columns) == [*COLUMNS, "seed", "n_selected"]
    methods = ["els", "random", *(("grro", {"alpha": a, "beta": b}) for a in (0.1, 1.0) for b in (0.1, 10.0))]
    expected = compare([SMALL], methods, get_protocol("quick", **{**QUICK, "sizes": tuple(QUICK["sizes"])}), seed=3)
    expected["dataset"] = "small"
    assert numbers(found[COLUMNS]).equals(numbers(expected))
    assert set(found["seed"]) == {3}
    assert set(found["n_selected"]) == {6}


def test_nothing_is_computed_twice_across_studies(store):
    first, second = Here(), Here()
    run(PLAN, store, engine=first, datasets=DATASETS)
    wider = Plan("wider", ["small"], ["els", "mim_br"], settings={**QUICK, "repeats": 3}, seeds=[3])
    summary = run(wider, store, engine=second, datasets=DATASETS)
    assert len(first.computed) == 12
    assert len(second.computed) == 4  # els has one split more, mim_br three
    assert (summary.cells, summary.known, summary.computed) == (6, 2, 4)
    assert len(store.results(wider)) == 6 * 3 * 2
    assert [study.plan.name for study in store.studies()] == ["small study", "wider"]


def test_numbers_that_no_study_can_have(store):
    for number in (-1, 0, 10**30, -(10**30)):
        with pytest.raises(StudyError, match=f"There is no study {number} in"):
            store.study(number)


def test_cells_that_must_be_equal_are_one(store):
    engine = Here()
    plan = Plan("p", ["emotions"], ["mim_br"], "given", {"sizes": [3]}, seeds=[0, 1, 2])
    run(plan, store, engine=engine)
    assert len(engine.computed) == 1
    assert store.results(plan)["seed"].tolist() == [0, 0, 1, 1, 2, 2]
    assert store.study(1).done == 3


def test_numbers_survive_exactly(store):
    store.put(result())
    assert store.finished(["a", "b"]) == {"a"}
    with sqlite3.connect(store.path) as raw:
        (blob,) = raw.execute("SELECT measured FROM cells").fetchone()
    assert np.frombuffer(blob).tolist() == [0.1 + 0.2, np.pi]


def test_a_failure_never_replaces_a_result(store):
    store.put(result(error="died", again=True))
    assert store.finished(["a"]) == set()  # a later run tries again
    store.put(result())
    store.put(result(error="late", again=True))
    assert store.finished(["a"]) == {"a"}


def test_failures_have_one_row_with_the_reason(store):
    plan = Plan("p", ["small"], ["els:n_labels=99", "mim_br"], settings={"sizes": [2]})
    summary = run(plan, store, engine=Here(), datasets=DATASETS)
    assert (summary.computed, summary.failed, summary.cancelled) == (2, 1, False)
    table = store.results(plan)
    assert len(table) == 3
    assert "n_labels must be a whole number from 0 to 4" in table["error"][0]
    assert store.study(1).failed == 1
    assert store.study(1).state == "done"
    # It failed by its own doing, so it is not tried again.
    assert run(plan, store, engine=Here(), datasets=DATASETS).computed == 0


def test_rankings(store):
    run(PLAN, store, engine=Here(), datasets=DATASETS)
    table = store.rankings(PLAN)
    assert len(table) == 12
    train, _ = next(iter(get_protocol("quick").splits(SMALL, 3)))
    from mlfs import make_selector

    expected = make_selector("els").fit(SMALL.X[train], SMALL.Y[train]).ranking_[:6]
    assert table["ranking"][0].tolist() == expected.tolist()


def test_exports(store, tmp_path):
    run(PLAN, store, engine=Here(), datasets=DATASETS)
    table = store.results(PLAN)
    csv = pd.read_csv(store.export_csv(PLAN, tmp_path / "r.csv"), keep_default_na=False)
    assert csv["value"].tolist() == table["value"].tolist()
    assert pd.read_parquet(store.export_parquet(1, tmp_path / "r.parquet")).equals(table)
    with pytest.raises(StudyError, match=r"cannot be written to .*r.csv: check that its folder exists"):
        store.export_csv(PLAN, tmp_path / "none" / "r.csv")


def test_no_name_of_an_export_is_a_formula(store, tmp_path):
    plan = Plan("p", ["=1+1"], ["random"], settings={"repeats": 1, "sizes": [1]})
    run(plan, store, engine=Here(), datasets={"=1+1": SMALL})
    content = store.export_csv(plan, tmp_path / "r.csv").read_text(encoding="utf-8")
    assert "\n'=1+1,random," in content


def test_studies_of_an_owner_are_seen_by_nobody_else(store):
    store.note_cells(PLAN, PLAN.cells(DATASETS))
    mine = store.note_cells(PLAN, PLAN.cells(DATASETS), "me")
    assert [study.owner for study in store.studies()] == [None]
    assert [study.owner for study in store.studies("me")] == [None, "me"]
    assert store.note_cells(PLAN, PLAN.cells(DATASETS), "me") == mine
    store.remove_study(mine)
    assert [study.owner for study in store.studies("me")] == [None]


def test_the_asker_of_a_study_is_known_after_a_restart(store):
    cells = PLAN.cells(DATASETS)
    store.note_cells(PLAN, cells, asker="ann")
    number = store.note_cells(PLAN, cells, asker="bob")
    assert Store(store.path).study(number).asker == "ann", "who asked first"
    store.remove_study(number)
    assert store.note_cells(PLAN, cells, asker="bob") == number
    assert store.study(number).asker == "bob"


def test_a_removed_study_can_be_restored_and_its_number_is_given_to_no_other(store):
    run(PLAN, store, engine=Here(), datasets=DATASETS)
    [study] = store.studies()
    table = store.results(study.id)
    store.remove_study(study.id)
    assert not store.studies()
    with pytest.raises(StudyError, match="There is no study 1 in"):
        store.study(study.id)
    mine = store.note_cells(replace(PLAN, name="another"), PLAN.cells(DATASETS), "me")
    assert mine == 2
    store.remove_study(mine)
    store.restore_study(mine)
    assert not store.studies("me"), "of somebody's own data nothing is left"
    assert store.note_cells(replace(PLAN, name="a third"), []) == 3
    store.restore_study(study.id)
    assert store.study(study.id) == study
    assert store.results(study.id).equals(table)


def test_a_study_that_is_not_listed_is_found_by_its_number(store):
    number = store.note_cells(PLAN, PLAN.cells(DATASETS), listed=False)
    assert not store.studies()
    assert store.study(number).plan == PLAN
    assert store.note_cells(PLAN, PLAN.cells(DATASETS)) == number
    assert store.note_cells(PLAN, PLAN.cells(DATASETS), listed=False) == number
    assert [study.id for study in store.studies()] == [number]


def test_a_store_of_the_first_version_is_brought_up_to_date(tmp_path):
    """One without the columns that came later, with a study and a cell in it."""
    path = tmp_path / "old.sqlite"
    with Store(path) as store:
        store.put(result("a"))
        store.note_cells(PLAN, PLAN.cells(DATASETS))
    with closing(sqlite3.connect(path)) as old:
        for table, column in re.findall(r"ALTER TABLE (\w+) ADD COLUMN (\w+)", ";".join(CHANGES.values())):
            old.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        old.execute("PRAGMA user_version = 1")
        old.commit()
    for _ in range(2):
        with Store(path) as store:
            [study] = store.studies()
            assert (study.plan, study.asker) == (PLAN, None)
            assert store.finished(["a"]) == {"a"}
    with Store(path) as store:
        store.put(result("b", peak_bytes=7))
    with closing(sqlite3.connect(path)) as new:
        assert dict(new.execute("SELECT key, peak_bytes FROM cells")) == {"a": 0, "b": 7}


def test_states(tmp_path):
    now = [1000.0]
    store = Store(tmp_path / "s.db", clock=lambda: now[0])
    study = store.note_cells(PLAN, PLAN.cells(DATASETS))
    assert store.study(study).state == "interrupted"
    store.begin(study)
    assert store.study(study).state == "running"
    assert store.beat(study) is False
    Store(store.path).cancel(study)  # from another process
    assert store.beat(study) is True
    now[0] += 60  # silent for a minute: dead
    assert store.study(study).state == "cancelled"
    store.begin(study)
    store.end(study)
    assert store.study(study).state == "interrupted"


def test_several_processes_write_at_once(store):
    script = (
        "import sys, numpy as np\nfrom mlfs.studies import CellResult, Store\nstore = Store(sys.argv[1])\n"
        "for i in range(150):\n"
        "    cell = {'key': f'{sys.argv[2]}-{i}', 'fingerprint': 'data', 'method': 'els'}\n"
        "    store.put(CellResult((1,), ('m',), np.array([[float(i)]]), **cell))\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", script, str(store.path), name]) for name in "ab"]
    threads = [threading.Thread(target=lambda n=n: [store.put(result(f"{n}-{i}")) for i in range(150)]) for n in "cd"]
    for thread in threads:
        thread.start()
    assert [writer.wait(GUARD) for writer in writers] == [0, 0]
    for thread in threads:
        thread.join()
    assert len(store.finished(f"{name}-{i}" for name in "abcd" for i in range(150))) == 600


def test_a_full_disk_is_said_and_what_is_there_stays(store):
    store.put(result())
    with store._database.read() as connection:
        connection.execute("PRAGMA max_page_count = 1")
    with pytest.raises(StudyError, match=r"The disk is full, so results cannot be kept in .*: free some space"):
        store.put(result("big", ranking=np.zeros(10**6, dtype=np.int32)))
    assert Store(store.path).finished(["a", "big"]) == {"a"}


def test_places_that_cannot_be_written(tmp_path):
    with pytest.raises(StudyError, match="cannot be opened for writing: check that its folder exists"):
        Store(tmp_path / "none" / "s.db")
    path = Store(tmp_path / "s.db").path
    # A read-only file system, as SQLite reports it.
    raw = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    with pytest.raises(sqlite3.OperationalError) as problem:
        raw.execute("DELETE FROM cells")
    from mlfs.studies.database import _sentence

    assert "cannot be opened for writing" in _sentence(path, problem.value)


def test_files_that_are_no_store(tmp_path):
    (tmp_path / "text").write_text("not a database " * 100, encoding="utf-8")
    with pytest.raises(StudyError, match="is not a database of mlfs, or is damaged"):
        Store(tmp_path / "text")
    with sqlite3.connect(tmp_path / "other.db") as raw:
        raw.execute("CREATE TABLE t (x)")
    with pytest.raises(StudyError, match="is a database, but not a store of studies"):
        Store(tmp_path / "other.db")
    with Store(tmp_path / "new.db"), sqlite3.connect(tmp_path / "new.db") as raw:
        raw.execute("PRAGMA user_version = 99")
    with pytest.raises(StudyError, match="was written by a newer mlfs: update mlfs"):
        Store(tmp_path / "new.db")


def test_a_study_that_is_not_there(store):
    with pytest.raises(StudyError, match="There is no study 7"):
        store.results(7)
    with pytest.raises(StudyError, match=r"'small study' is not in .*: run it first"):
        store.results(PLAN)


def test_cells_are_read_without_a_study_of_their_own(store):
    run(PLAN, store, engine=Here(), datasets=DATASETS)
    other = Plan("another name", ["small"], ["random", "mfs", "els"], settings=QUICK, seeds=[3])
    cells = other.cells(DATASETS)
    found = store.results(cells)
    assert list(found["method"].unique()) == ["random", "els"]  # in the plan's order, without what nobody computed
    expected = store.results(PLAN)
    for method in ("random", "els"):
        ours, theirs = (table[table["method"] == method].reset_index(drop=True) for table in (found, expected))
        assert ours.equals(theirs)
    assert list(store.rankings(cells)["method"]) == ["random", "els"] * 2
    assert len(store.studies()) == 1
