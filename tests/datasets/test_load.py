"""From a name or a path to a data set: who is asked in which order, and what is said where none answers."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import mlfs.datasets
from mlfs.datasets import (
    CATALOGUE,
    Dataset,
    find_datasets,
    list_datasets,
    load_bundled,
    load_dataset,
    make_synthetic,
    profile,
    read_dataset,
)
from mlfs.datasets.cache import store
from mlfs.errors import DatasetError

REPOSITORY = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("MLFS_SHARED") or REPOSITORY.parent / "shared")
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
def own(tmp_path, monkeypatch) -> Path:
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


def test_order(tmp_path, own):
    """folder, bundled, MLFS_DATA, cache; a file in the working folder only when nothing has the name."""
    cached("birds", 4)
    cached("flags", 4)
    for name in ("emotions", "birds", "flags", "here"):
        write_set(Path.cwd() / name, name, 5)
    for name in ("emotions", "birds", "mine"):
        write_set(own, name, 3)
    for name in ("emotions", "mine"):
        write_set(tmp_path / "given", name, 1)

    def found(name, **options):
        return load_dataset(name, **options).X[0, 0]

    assert found("emotions", folder=tmp_path / "given") == 1
    assert load_dataset("emotions").fingerprint == load_bundled("emotions").fingerprint
    assert found("mine", folder=tmp_path / "given") == 1
    assert found("mine") == 3
    assert found("birds") == 3
    assert found("birds", folder=tmp_path / "given") == 3
    assert found("flags") == 4
    assert found("here") == 5
    assert list_datasets(tmp_path / "given") == {
        "emotions": "folder",
        "mine": "folder",
        "yeast": "bundled",
        "scene": "bundled",
        "synthetic": "made",
        "birds": "MLFS_DATA",
        "flags": "downloaded",
    }
    assert list_datasets()["emotions"] == "bundled"
    with pytest.raises(DatasetError, match="There is no data set 'here'"):  # with a folder, names only
        load_dataset("here", folder=tmp_path / "given")


def test_every_listed_name_loads(own):
    write_set(own, "mine")
    cached("birds", 1)
    for name in list_datasets():
        assert load_dataset(name).name == name


@pytest.mark.parametrize("name", ["../secret", "..", ".", "sub/../../secret", "/etc/passwd", "..\\secret", "a\0b", ""])
def test_a_name_cannot_leave_its_folder(name, tmp_path, own):
    write_set(tmp_path, "secret")
    write_set(own, "mine")
    with pytest.raises(DatasetError):
        load_dataset(name, folder=own)
    with pytest.raises(DatasetError) as caught:
        load_dataset("../secret", folder=own)
    assert str(caught.value) == f"'../secret' is not the name of a data set in {own}: give a name without a path."


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


def test_unknown_name(own):
    write_set(own, "mine")
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


@pytest.mark.skipif(not (SHARED / "data").is_dir(), reason="needs the Mulan files of the shared data folder")
@pytest.mark.parametrize("name", ["emotions", "yeast", "birds", "genbase", "flags", "medical", "enron", "arts"])
def test_real_sets_are_those_of_the_catalogue(name):
    ds = load_dataset(name, folder=SHARED / "data")
    assert ds.name == name
    assert CATALOGUE[name].check(ds) == []


@pytest.mark.skipif(not (SHARED / "data").is_dir(), reason="needs the Mulan files of the shared data folder")
def test_bundled_emotions_is_mulans(monkeypatch):
    """Read from Mulan's files, only the order of the rows and the spelling of one label differ at most."""
    for name in ("emotions", "yeast"):
        mulan, bundled = load_dataset(name, folder=SHARED / "data"), load_dataset(name)
        for ours, theirs in zip(bundled.split, mulan.split, strict=True):
            np.testing.assert_array_equal(bundled.X[ours], mulan.X[theirs])
            np.testing.assert_array_equal(bundled.Y[ours], mulan.Y[theirs])


def test_public_names():
    for name in mlfs.datasets.__all__:
        assert getattr(mlfs.datasets, name) is not None
    assert callable(profile)  # the function, not the module of that name
    assert callable(read_dataset)
    assert callable(find_datasets)
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


def test_does_not_change_what_is_loaded(own):
    ds = load_dataset("emotions")
    assert replace(ds, name="copy").fingerprint == load_dataset("emotions").fingerprint
