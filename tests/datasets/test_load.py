"""From a name or a path to a data set: who is asked in which order, and what is said where none answers."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import mlfs.datasets
import mlfs.datasets.formats
from mlfs.datasets import (
    CATALOGUE,
    Dataset,
    bundled_names,
    list_datasets,
    load_bundled,
    load_dataset,
    make_synthetic,
)
from mlfs.datasets.cache import store
from mlfs.errors import DatasetError
from tests.datasets.formats.support import SHARED, needs_data

REPOSITORY = Path(__file__).resolve().parents[2]
MANUALLY = "put its files into a folder and name that folder in the environment variable MLFS_DATA."


def write_set(folder: Path, name: str, value: float = 1.0) -> Path:
    """A set of one MEKA file; ``value`` tells it from others."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.arff"
    path.write_text(
        f"@relation '{name}: -C 1'\n@attribute y {{0,1}}\n@attribute a numeric\n@data\n1,{value}\n0,2\n",
        encoding="utf-8",
    )
    return path


def cached(name: str, value: float) -> None:
    folder = Path(os.environ["MLFS_CACHE"])
    store(Dataset([[value], [2.0]], [[1], [0]], ["a"], ["y"], name), folder)


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """An empty working folder, an empty cache, no data folder."""
    (tmp_path / "cwd").mkdir()
    monkeypatch.chdir(tmp_path / "cwd")
    monkeypatch.setenv("MLFS_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("MLFS_DATA", raising=False)


@pytest.fixture
def data_folder(tmp_path, monkeypatch) -> Path:
    """The folder MLFS_DATA names."""
    folder = tmp_path / "own"
    folder.mkdir()
    monkeypatch.setenv("MLFS_DATA", str(folder))
    return folder


def test_bundled_and_synthetic():
    assert load_dataset("scene").fingerprint == load_bundled("scene").fingerprint
    assert load_dataset("synthetic").fingerprint == make_synthetic().fingerprint
    assert load_dataset("synthetic").truth is not None


@pytest.mark.parametrize("kind", [Path, str, lambda path: os.path.relpath(path)])
def test_path(kind, tmp_path):
    path = write_set(tmp_path / "sets", "toy", 7)
    ds = load_dataset(kind(path))
    assert (ds.name, ds.X[0, 0]) == ("toy", 7)


def test_path_without_separator(tmp_path):
    write_set(Path.cwd(), "toy", 7)
    assert load_dataset("toy.arff").X[0, 0] == 7
    write_set(Path.cwd() / "folder", "other", 8)
    assert load_dataset("folder").X[0, 0] == 8  # a word that is no name is taken for a path


def test_labels_are_handed_on(tmp_path):
    path = tmp_path / "toy.csv"
    path.write_text("a,b,y\n1,2,0\n3,4,1\n", encoding="utf-8")
    assert load_dataset(path, labels=["y"]).label_names == ("y",)
    assert load_dataset("toy", folder=tmp_path, labels=["y"]).label_names == ("y",)


@pytest.mark.parametrize("name", ["emotions", "synthetic", "birds"])
def test_labels_are_refused_where_they_are_known(name):
    cached("birds", 1)
    with pytest.raises(DatasetError, match=f"^labels= is for files .*, and {name} does: leave it out.$"):
        load_dataset(name, labels=["y"])


def test_order(tmp_path, data_folder):
    """folder, bundled, MLFS_DATA, cache; a file in the working folder only when nothing has the name."""
    cached("birds", 4)
    cached("flags", 4)
    for name in ("emotions", "birds", "flags", "here"):
        write_set(Path.cwd() / name, name, 5)
    for name in ("emotions", "birds", "mine"):
        write_set(data_folder, name, 3)
    for name in ("emotions", "mine"):
        write_set(tmp_path / "given", name, 1)

    def first_value(name, **options):
        return load_dataset(name, **options).X[0, 0]

    assert first_value("emotions", folder=tmp_path / "given") == 1
    assert load_dataset("emotions").fingerprint == load_bundled("emotions").fingerprint
    assert first_value("mine", folder=tmp_path / "given") == 1
    assert first_value("mine") == 3
    assert first_value("birds") == 3
    assert first_value("birds", folder=tmp_path / "given") == 3
    assert first_value("flags") == 4
    assert first_value("here") == 5
    assert list_datasets(tmp_path / "given") == {
        **dict.fromkeys(bundled_names(), "bundled"),
        "emotions": "folder",
        "mine": "folder",
        "synthetic": "made",
        "birds": "MLFS_DATA",
        "flags": "downloaded",
    }
    assert list_datasets()["emotions"] == "bundled"
    with pytest.raises(DatasetError, match="There is no data set 'here'"):  # with a folder, names only
        load_dataset("here", folder=tmp_path / "given")


def test_every_listed_name_loads(data_folder):
    write_set(data_folder, "mine")
    cached("birds", 1)
    for name in list_datasets():
        assert load_dataset(name).name == name


@pytest.mark.parametrize("name", ["../secret", "..", ".", "sub/../../secret", "/etc/passwd", "..\\secret", "a\0b", ""])
def test_a_name_cannot_leave_its_folder(name, tmp_path, data_folder):
    write_set(tmp_path, "secret")
    write_set(data_folder, "mine")
    with pytest.raises(DatasetError):
        load_dataset(name, folder=data_folder)
    with pytest.raises(DatasetError) as caught:
        load_dataset("../secret", folder=data_folder)
    assert (
        str(caught.value) == f"'../secret' is not the name of a data set in {data_folder}: give a name without a path."
    )


@pytest.mark.parametrize("path", ["", "not/there.arff", "a\0b", "..\\x", Path("nowhere")])
def test_missing_path_is_one_sentence(path):
    with pytest.raises(DatasetError) as caught:
        load_dataset(path)
    assert "\n" not in str(caught.value)


def test_catalogued_but_not_here():
    with pytest.raises(DatasetError) as caught:
        load_dataset("birds")
    assert str(caught.value) == (
        f"birds is in the catalogue but not on this machine: get it with download_dataset('birds'), or {MANUALLY}"
    )
    with pytest.raises(DatasetError) as caught:
        load_dataset("medical")
    assert str(caught.value) == f"medical is in the catalogue but not on this machine: {MANUALLY}"


def test_unknown_name(data_folder):
    write_set(data_folder, "mine")
    for wrong, right in (("emotion", "emotions"), ("mime", "mine"), ("medicl", "medical"), ("sinthetic", "synthetic")):
        with pytest.raises(DatasetError) as caught:
            load_dataset(wrong)
        assert str(caught.value) == f"There is no data set {wrong!r}: did you mean {right!r}?"


def test_data_folder_that_is_not_there(monkeypatch, tmp_path):
    """The bundled sets work on; what is missing is told why."""
    monkeypatch.setenv("MLFS_DATA", str(tmp_path / "gone"))
    assert load_dataset("emotions").name == "emotions"
    assert "emotions" in list_datasets()
    with pytest.raises(DatasetError, match=r"^birds is .* \(MLFS_DATA names .*gone, which is not a folder\): get it"):
        load_dataset("birds")
    with pytest.raises(DatasetError, match=r"^There is no data set 'emotion' \(MLFS_DATA names .*gone, which is not"):
        load_dataset("emotion")
    with pytest.raises(DatasetError, match=r"^There is no folder .*nowhere: check its name\.$"):
        load_dataset("emotions", folder=tmp_path / "nowhere")
    with pytest.raises(DatasetError, match=r"^There is no folder .*nowhere: check its name\.$"):
        list_datasets(tmp_path / "nowhere")


@needs_data
@pytest.mark.parametrize("name", ["emotions", "yeast", "birds", "genbase", "flags", "medical", "enron", "arts"])
def test_real_sets_are_those_of_the_catalogue(name):
    ds = load_dataset(name, folder=SHARED / "data")
    assert ds.name == name
    assert CATALOGUE[name].check(ds) == []


@needs_data
@pytest.mark.parametrize(("name", "spelt"), [("emotions", {("relaxing-calm", "relaxing-clam")}), ("yeast", set())])
def test_a_folder_goes_before_the_bundled_set_which_differs_in_the_order_of_rows_and_one_name(name, spelt):
    mulan, bundled = load_dataset(name, folder=SHARED / "data"), load_dataset(name)
    assert {files.parent for files in map(Path, mulan.source.split(", "))} == {SHARED / "data" / name}
    assert mulan.feature_names == bundled.feature_names
    assert {pair for pair in zip(mulan.label_names, bundled.label_names, strict=True) if len(set(pair)) > 1} == spelt
    for ours, theirs in zip(bundled.split, mulan.split, strict=True):
        np.testing.assert_array_equal(bundled.X[ours], mulan.X[theirs])
        np.testing.assert_array_equal(bundled.Y[ours], mulan.Y[theirs])


def test_public_names():
    """Those that are brought in late too; `profile` is the function, not the module of that name."""
    for name in ("Limits", "find_datasets", "read_dataset", "read_files", "write_dataset"):
        assert getattr(mlfs.datasets, name) is getattr(mlfs.datasets.formats, name)
    assert mlfs.datasets.profile(make_synthetic(n_labels=4)).labels == 4
    assert set(mlfs.datasets.__all__) == {name for name in mlfs.datasets.__all__ if hasattr(mlfs.datasets, name)}
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        mlfs.datasets.nothing  # noqa: B018


def test_importing_is_light():
    """Most sessions neither download nor read a file, and do not pay for what those need."""
    script = (
        "import sys, types\n"
        "sys.modules['mlfs'] = types.ModuleType('mlfs'); sys.modules['mlfs'].__path__ = ['mlfs']\n"  # datasets alone
        "import mlfs.datasets as d\n"
        "d.load_dataset('emotions'); d.load_dataset('synthetic'); d.profile(d.load_dataset('yeast'))\n"
        "heavy = {'sklearn', 'pandas', 'mlfs.datasets.formats'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
        "d.read_dataset\n"
        "assert 'mlfs.datasets.formats' in sys.modules\n"
    )
    environment = {**os.environ, "MLFS_CACHE": os.devnull}
    subprocess.run([sys.executable, "-c", script], cwd=REPOSITORY, env=environment, check=True)


def test_another_set_under_a_catalogued_name_is_noted_wherever_it_is_loaded(tmp_path, monkeypatch):
    """Science replaced by a table of another size: every page and command that loads it has the notes."""
    (tmp_path / "science.csv").write_text("x,y,label\n0.5,1,0\n0.25,2,1\n0.75,3,1\n")
    said = "science has 3 instances, but the catalogue lists 5000 for science."
    assert said in load_dataset("science", folder=tmp_path, labels=["label"]).notes
    monkeypatch.setenv("MLFS_DATA", str(tmp_path))
    assert said in load_dataset("science", labels=["label"]).notes
    (tmp_path / "mine.csv").write_bytes((tmp_path / "science.csv").read_bytes())
    assert not any("catalogue" in note for note in load_dataset("mine", labels=["label"]).notes)
    assert not any("catalogue" in note for note in load_dataset("emotions").notes)
