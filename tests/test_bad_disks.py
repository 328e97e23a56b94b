"""A full disk, and one that may not be written to: a sentence each, and nothing is lost."""

import numpy as np
import pytest

from mlfs.datasets import make_synthetic, read_dataset, write_dataset
from mlfs.errors import DatasetError, StudyError
from mlfs.papers.stored_runs import write
from mlfs.studies import Plan, Store, run
from tests.disks import KIB
from tests.studies.support import Here, numbers

DS = make_synthetic(n_instances=80, n_relevant=4, n_redundant=2, n_irrelevant=6, n_labels=4)
PLAN = Plan("on a small disk", ["small"], ["els", "igmf", "random"], settings={"repeats": 5, "sizes": [1, 3]})


def test_a_file_is_replaced_whole_or_not_at_all(disk):
    [path] = write_dataset(DS, disk.folder / "toy.csv")
    before = path.read_bytes()
    disk.fill(left=4 * KIB)
    other = make_synthetic(n_instances=500, n_labels=4)
    with pytest.raises(DatasetError, match=r"toy\.csv cannot be written \(.*\): check the folder"):
        write_dataset(other, path)
    assert path.read_bytes() == before
    disk.free()
    assert [file.name for file in disk.folder.iterdir()] == ["toy.csv"]
    assert read_dataset(path, labels=-4).X.shape == DS.X.shape


def test_a_kept_run_is_replaced_whole_or_not_at_all(disk):
    path = disk.folder / "kept" / "runs.csv"
    write(path, "before")
    disk.fill()
    with pytest.raises(DatasetError, match="cannot be written: give a folder that may be written to and has room"):
        write(path, "x" * 100_000)
    assert path.read_text() == "before"


def test_a_study_tells_and_goes_on_when_there_is_room(disk, tmp_path):
    path = disk.folder / "studies.db"
    disk.fill(left=140 * KIB)
    with Store(path) as store, pytest.raises(StudyError, match="disk is full"):
        run(PLAN, store, engine=Here(), datasets={"small": DS})
    disk.free()
    with Store(path) as store, Store(tmp_path / "elsewhere.db") as other:
        done = store.study(1).done
        summary = run(PLAN, store, engine=Here(), datasets={"small": DS})
        assert summary.known == done
        run(PLAN, other, engine=Here(), datasets={"small": DS})
        assert numbers(store.results(PLAN)).equals(numbers(other.results(PLAN)))


def test_a_disk_that_may_not_be_written_to(disk):
    path = disk.folder / "studies.db"
    with Store(path) as store:
        run(PLAN, store, engine=Here(), datasets={"small": DS})
        before = numbers(store.results(PLAN))
    content = path.read_bytes()
    disk.protect()
    with pytest.raises(StudyError, match=r"studies\.db cannot be opened for writing: check that its folder exists and"):
        Store(path)
    with pytest.raises(DatasetError, match="cannot be written"):
        write_dataset(DS, disk.folder / "toy.arff")
    with pytest.raises(DatasetError, match="cannot be written"):
        write(disk.folder / "runs.csv", "x")
    assert path.read_bytes() == content
    assert np.isfinite(before["value"]).all()
