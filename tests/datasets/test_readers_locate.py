"""From a path to the files of a data set, and the data sets of a folder."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from mlfs.datasets.readers import find_datasets, read_dataset
from mlfs.datasets.readers.gather import group_files
from mlfs.errors import DatasetError
from tests.datasets.readers_support import SHARED, XML, needs_data

ARFF = "@attribute x numeric\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n1,0,1\n2,1,0\n"
CSV = "x,a\n1,0\n2,1\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a pair, a single file and a zip-less crowd of things that are no data."""
    pair = tmp_path / "pair"
    pair.mkdir()
    (pair / "toy-train.arff.gz").write_bytes(gzip.compress(ARFF.encode()))
    (pair / "toy-test.arff").write_text(ARFF.replace("1,0,1", "3,1,1"))
    (pair / "toy.xml").write_bytes(XML)
    (tmp_path / "deep/er").mkdir(parents=True)
    (tmp_path / "deep/er/other.csv").write_text(CSV)
    (tmp_path / "packed.zip").write_bytes(b"PK")
    (tmp_path / "README.md").write_text("hello")
    (tmp_path / ".hidden.csv").write_text(CSV)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/x.csv").write_text(CSV)
    return tmp_path


def test_find_datasets(folder):
    assert find_datasets(folder) == {
        "toy": tuple(folder / "pair" / name for name in ("toy-train.arff.gz", "toy-test.arff", "toy.xml")),
        "other": (folder / "deep/er/other.csv",),
        "packed": (folder / "packed.zip",),
    }


def test_what_is_found_can_be_read(folder):
    found = find_datasets(str(folder))
    ds = read_dataset(found["toy"])
    assert ds.X[:, 0].tolist() == [1, 2, 3, 2]
    assert ds.source.endswith("toy.xml")
    assert read_dataset(found["other"], labels=["a"]).name == "other"


def test_same_names_are_told_apart(folder):
    (folder / "toy.csv").write_text(CSV)
    (folder / "toy.svm").write_text("1 1:1\n")
    assert set(find_datasets(folder)) == {"pair/toy-train.arff.gz", "toy.csv", "toy.svm", "other", "packed"}


def test_find_in_no_folder(tmp_path):
    with pytest.raises(DatasetError, match=r"There is no folder .*nowhere: check the path"):
        find_datasets(tmp_path / "nowhere")
    assert find_datasets(tmp_path) == {}


def test_stem_folder_and_xml_mean_the_pair(folder):
    whole = read_dataset(folder / "pair" / "toy")
    assert len(whole.split) == 2
    for path in (folder / "pair", folder / "pair/toy.xml", str(folder / "pair")):
        assert read_dataset(path).fingerprint == whole.fingerprint
    assert whole.source == str(folder / "pair" / "toy")


def test_a_part_by_its_own_name_is_read_alone(folder):
    ds = read_dataset(folder / "pair/toy-test.arff")
    assert ds.name == "toy-test"
    assert ds.split is None
    assert ds.label_names == ("a", "b")
    assert ds.X[:, 0].tolist() == [3, 2]


def test_a_file_takes_only_its_own_xml(folder):
    path = folder / "pair/meka.arff"
    path.write_text("@relation 'meka: -C -1'\n" + ARFF)
    assert read_dataset(path).label_names == ("b",)


def test_the_only_xml_of_a_folder_belongs_to_the_only_data_set(tmp_path):
    (tmp_path / "toy.arff").write_text(ARFF)
    (tmp_path / "labels.xml").write_bytes(XML)
    assert read_dataset(tmp_path).label_names == ("a", "b")


def test_a_name_for_the_data_set(folder):
    assert read_dataset(folder / "pair", name="emotions").name == "emotions"


def test_folders_with_several_data_sets(folder):
    (folder / "pair/more.csv").write_text(CSV)
    with pytest.raises(DatasetError, match=r"pair holds several data sets \(more, toy\); say which by its name or its"):
        read_dataset(folder / "pair")
    assert read_dataset(folder / "pair", name="toy").X.shape == (4, 1)


def test_folders_without_data(tmp_path):
    with pytest.raises(DatasetError, match=r"holds no data set; a file \.arff, \.csv, \.libsvm or \.zip is needed"):
        read_dataset(tmp_path)
    (tmp_path / "README.md").write_text("hello")
    (tmp_path / "notes.txt").write_text("hello")
    with pytest.raises(DatasetError, match=r"holds no data set"):
        read_dataset(tmp_path)


def test_misspelt_paths(folder):
    with pytest.raises(DatasetError, match=r"There is no data set .*toi: did you mean 'toy'\?"):
        read_dataset(folder / "pair/toi")
    with pytest.raises(DatasetError, match=r"There is no data set .*nowhere/toy: check the path"):
        read_dataset(folder / "nowhere/toy")


def test_two_files_for_one_purpose(folder):
    (folder / "pair/toy-train.arff").write_text(ARFF)
    with pytest.raises(
        DatasetError, match=r"Of toy-train\.arff, toy-train\.arff\.gz.*two are for the same part of toy"
    ):
        read_dataset(folder / "pair")
    assert read_dataset(folder / "pair/toy-train.arff").X.shape == (2, 1)


@pytest.mark.parametrize(
    ("names", "groups"),
    [
        (["a-train.arff", "a-test.arff"], {"a": 2}),
        (["a_TRAIN.csv", "a_test.csv.gz"], {"a": 2}),
        (["a.tra.svm", "a.tst.svm"], {"a": 2}),
        (["x/train.csv", "x/test.csv"], {"x": 2}),
        (["train.csv", "test.csv"], {"data": 2}),
        (["strain.csv", "contest.csv"], {"strain": 1, "contest": 1}),
        (["a-train.arff", "a.xml"], {"a-train": 2}),
        (["x/a.arff", "y/a.arff", "y/A.XML"], {"a": 1, "a ": 2}),
        (["a.arff", "b.arff", "c.xml"], {"a": 1, "b": 1}),
        (["a.svm", "a.xml"], {"a": 1}),
        (["a.txt", "a.xml", "a"], {}),
    ],
)
def test_names_that_belong_together(names, groups):
    found: dict[str, int] = {}
    for group in group_files(names):
        found[group.name + " " * (group.name in found)] = len(group.files)
    assert found == groups


@needs_data
def test_the_shared_folder():
    found = find_datasets(SHARED / "data")
    names = "arts bibtex birds business corel5k delicious emotions enron flags genbase health llog medical scene yeast"
    assert set(found) == {*names.split(), "Enron", "Scene"}
    assert len(found["emotions"]) == 3
    assert len(found["llog"]) == 2
    assert len(found["Enron"]) == 1
