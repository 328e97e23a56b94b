"""Downloaded sets on disk: what goes in comes out, or nothing does."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from mlfs.datasets import Dataset, cache_folder, cached_names, load_bundled
from mlfs.datasets.cache import load_cached, store
from mlfs.errors import DatasetError


def birds(X) -> Dataset:
    """A tiny set under a name of the catalogue."""
    return Dataset(
        X=X,
        Y=[[1, 0], [0, 1]],
        feature_names=["größe", "b,c"],
        label_names=["'x'", "y"],
        name="birds",
        categories={1: ["no", "maybe", "yes"]},
        notes=["One.", "Two."],
        source="here",
    )


@pytest.mark.parametrize("X", [np.array([[0.1, 0], [1e-300, 2]]), sparse.csr_matrix([[0, 1.5], [0, 0]])])
def test_comes_out_as_it_went_in(X, tmp_path):
    ds = birds(X)
    path = store(ds, tmp_path)
    assert path == tmp_path / "birds.npz"
    back = load_cached("birds", tmp_path)
    assert back.fingerprint == ds.fingerprint
    assert sparse.issparse(back.X) == sparse.issparse(X)
    for what in ("name", "feature_names", "label_names", "categories", "notes", "source", "split"):
        assert getattr(back, what) == getattr(ds, what), what


def test_real_set(tmp_path):
    ds = replace(load_bundled("yeast"), split=None)
    store(ds, tmp_path)
    assert load_cached("yeast", tmp_path).fingerprint == ds.fingerprint


def test_names(tmp_path):
    assert cached_names(tmp_path / "not there") == ()
    store(birds(np.zeros((2, 2))), tmp_path)
    (tmp_path / "mine.npz").write_bytes(b"")
    assert cached_names(tmp_path) == ("birds",)


def test_not_downloaded(tmp_path):
    with pytest.raises(DatasetError, match=r"^birds has not been downloaded: call download_dataset\('birds'\)\.$"):
        load_cached("birds", tmp_path)


@pytest.mark.parametrize("name", ["../birds", "/birds", "mine", "", "birds.npz"])
def test_only_names_of_the_catalogue(name, tmp_path):
    with pytest.raises(DatasetError, match="is not a name of the catalogue"):
        load_cached(name, tmp_path)
    with pytest.raises(DatasetError, match="is not a name of the catalogue"):
        store(replace(birds(np.zeros((2, 2))), name=name), tmp_path)
    assert list(tmp_path.iterdir()) == []


def rewritten(path: Path, **changes) -> None:
    with np.load(path) as stored:
        content = {**stored, **changes}
    np.savez_compressed(path, **content)


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"not a zip at all"),
        lambda path: path.write_bytes(path.read_bytes()[:-200]),
        lambda path: rewritten(path, Y=np.array([[1, 1], [0, 1]])),  # fits, but is not what was stored
        lambda path: rewritten(path, Y=np.array([[1, 0]])),
        lambda path: rewritten(path, about=np.array("{}")),
        lambda path: rewritten(path, about=np.array(json.dumps({"fingerprint": "", "categories": {}, "truth": 1}))),
    ],
)
def test_damage_is_noticed(damage, tmp_path):
    path = store(birds(np.eye(2)), tmp_path)
    damage(path)
    with pytest.raises(DatasetError) as caught:
        load_cached("birds", tmp_path)
    assert str(caught.value) == (
        f"The downloaded file {path} is damaged: call download_dataset('birds') to replace it."
    )


class Bomb:
    def __reduce__(self):
        return pytest.fail, ("a pickle was opened",)


def test_pickles_are_not_opened(tmp_path):
    path = store(birds(np.eye(2)), tmp_path)
    rewritten(path, X=np.array([Bomb()], dtype=object))
    with pytest.raises(DatasetError, match="damaged"):
        load_cached("birds", tmp_path)
    path.write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(DatasetError, match="damaged"):
        load_cached("birds", tmp_path)


def test_a_write_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    store(birds(np.eye(2)), tmp_path)
    before = (tmp_path / "birds.npz").read_bytes()

    def half(file, **arrays):
        Path(file).write_bytes(before[:50])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez_compressed", half)
    with pytest.raises(OSError, match="No space"):
        store(birds(np.ones((2, 2))), tmp_path)
    assert (tmp_path / "birds.npz").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["birds.npz"]


def test_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("MLFS_CACHE", str(tmp_path / "mine"))
    assert cache_folder() == tmp_path / "mine"
    monkeypatch.delenv("MLFS_CACHE")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "mlfs"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert cache_folder() == tmp_path / ".cache" / "mlfs"
    monkeypatch.setattr("sys.platform", "darwin")
    assert cache_folder() == tmp_path / "Library" / "Caches" / "mlfs"
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert cache_folder() == tmp_path / "local" / "mlfs"
