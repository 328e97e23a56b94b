"""The real benchmark files: sizes as published, content as another program reads it, copies that agree."""

from __future__ import annotations

import bz2
import lzma
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from mlfs.datasets.formats import find_datasets, read_dataset
from tests.datasets.formats.support import SHARED, needs_bundled, needs_data

pytestmark = needs_data

# Name: training rows, test rows, features, labels, cardinality; from the README of the shared folder.
SIZES = {
    "emotions": (391, 202, 72, 6, 1.869),
    "yeast": (1500, 917, 103, 14, 4.237),
    "scene": (1211, 1196, 294, 6, 1.074),
    "birds": (322, 323, 260, 19, 1.014),
    "genbase": (463, 199, 1185, 27, 1.252),
    "medical": (333, 645, 1449, 45, 1.245),
    "enron": (1123, 579, 1001, 53, 3.378),
    "bibtex": (4880, 2515, 1836, 159, 2.402),
    "corel5k": (4500, 500, 499, 374, 3.522),
    "delicious": (12920, 3185, 500, 983, 19.02),
    "llog": (1460, 0, 1004, 75, 1.180),
    "flags": (129, 65, 19, 7, 3.392),
    "arts": (2000, 3000, 462, 26, None),
    "business": (2000, 3000, 438, 30, None),
    "health": (2000, 3000, 612, 32, None),
    "Enron": (1702, 0, 1001, 53, 3.378),
    "Scene": (2407, 0, 294, 6, 1.074),
}
SPARSE = {"medical", "enron", "bibtex", "corel5k", "delicious", "llog", "arts", "business", "health", "Enron"}
# Those of MEKA are compared with Mulan's below.
FILES = sorted(
    path.relative_to(SHARED / "data").as_posix()
    for path in (SHARED / "data").glob("*/*.arff.*")
    if path.parent.name != "meka"
)


@cache
def load(name: str):
    return read_dataset(find_datasets(SHARED / "data")[name])


def as_array(X) -> np.ndarray:
    return X.toarray() if sparse.issparse(X) else X


@pytest.mark.parametrize("name", SIZES)
def test_sizes(name):
    ds = load(name)
    n_train, n_test, d, q, cardinality = SIZES[name]
    assert ds.name == name
    assert ds.X.shape == (n_train + n_test, d)
    assert ds.Y.shape == (n_train + n_test, q)
    assert sparse.issparse(ds.X) == (name in SPARSE)
    if n_test:
        assert [rows.tolist() for rows in ds.split] == [[*range(n_train)], [*range(n_train, n_train + n_test)]]
    else:
        assert ds.split is None
    if cardinality is not None:
        assert ds.Y.sum() / len(ds.Y) == pytest.approx(cardinality, abs=1e-3)
    assert np.isfinite(ds.X.data if sparse.issparse(ds.X) else ds.X).all()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("yeast", r"^yeast\.xml lists the labels in another order"),
        ("enron", r"^enron\.xml lists the labels in another order"),
        ("birds", r"^294 rows have no label"),
        ("llog", r"^207 rows have no label"),
        ("llog", r"^The -C in @relation disagrees with llog\.xml"),
        ("medical", r"^The -C in @relation disagrees with medical\.xml"),
        ("genbase", r"value of protein: it names the rows"),
        ("genbase", r"^1,185 two-valued features: 'NO' was read as 0 and 'YES' as 1"),
        ("genbase", r"^1,07\d features are constant"),
        ("health", r"^2 labels are never positive"),
        ("business", r"^1 label is never positive"),
    ],
)
def test_quirks_are_noted(name, words):
    assert [note for note in load(name).notes if re.search(words, note)]


def test_nominal_features():
    flags = load("flags")
    assert [flags.feature_names[j] for j in flags.categorical] == ["landmass", "zone", "language", "religion"]
    assert flags.categories[0] == ("1", "2", "3", "4", "5", "6")
    birds = load("birds")
    assert [birds.feature_names[j] for j in birds.categorical] == ["location"]
    assert "hasSegments" in birds.feature_names
    assert "Swainson's Thrush" in birds.label_names


@pytest.mark.parametrize("file", FILES)
def test_liac_arff_reads_the_same(file):
    """An independent reader, and the meaning of its cells spelt out."""
    arff = pytest.importorskip("arff", reason="needs liac-arff as the second opinion")
    path = SHARED / "data" / file
    with (lzma.open if file.endswith(".xz") else bz2.open)(path, "rt", encoding="utf-8") as stream:
        text = stream.read()
    is_sparse = text.lower().partition("@data")[2].lstrip().startswith("{")
    loaded = arff.loads(text, return_type=arff.LOD if is_sparse else arff.DENSE)
    names = [name.replace("\\'", "'") for name, _ in loaded["attributes"]]
    kinds = [kind for _, kind in loaded["attributes"]]
    row_id = "protein" if file.startswith("genbase") else None

    def value(kind: str | list[str], cell: str | float) -> float:
        if isinstance(kind, str) or sorted(kind) == ["0", "1"]:
            return float(cell)
        return float(cell == "YES") if "YES" in kind else kind.index(cell)

    rows = loaded["data"]
    if is_sparse:
        assert {str(kind) for kind in kinds} <= {"NUMERIC", "['0', '1']"}  # what is left out is 0
        i = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
        j = [j for row in rows for j in row]
        values = [float(cell) for row in rows for cell in row.values()]
        table = sparse.csc_matrix((values, (i, j)), shape=(len(rows), len(names)))
    else:
        columns = zip(names, kinds, zip(*rows, strict=True), strict=True)
        table = np.array([[value(kind, cell) * (name != row_id) for cell in cells] for name, kind, cells in columns]).T

    ds = read_dataset(path)
    places = {name: j for j, name in enumerate(names)}
    order = [places[name.replace("\\'", "'")] for name in (*ds.feature_names, *ds.label_names)]
    assert len(set(order)) == len(names) - (row_id is not None)
    ours = sparse.hstack([sparse.csr_matrix(ds.X), sparse.csr_matrix(ds.Y, dtype=float)], format="csr")
    assert abs(sparse.csr_matrix(table[:, order]) - ours).max() == 0


def test_meka_and_mulan_agree_on_scene():
    meka, mulan = load("Scene"), load("scene")
    assert meka.feature_names == mulan.feature_names
    assert np.array_equal(meka.X, mulan.X)
    assert np.array_equal(meka.Y, mulan.Y)


def test_meka_and_mulan_agree_on_enron():
    """Labels first against labels last, numeric against nominal, and the rows in another order."""
    meka, mulan = load("Enron"), load("enron")
    assert meka.feature_names == mulan.feature_names
    assert meka.label_names == mulan.label_names
    rows_of_meka, rows_of_mulan = (sorted(map(bytes, np.hstack([as_array(ds.X), ds.Y]))) for ds in (meka, mulan))
    assert rows_of_meka == rows_of_mulan


@needs_bundled
@pytest.mark.parametrize(
    ("name", "order", "tolerance"),
    [
        ("emotions", np.arange(593), 0),
        ("yeast", np.roll(np.arange(2417), -917), 0),  # the CSV has the test part first
        ("scene", np.arange(2407), 1.1e-6),
    ],
)
def test_csv_and_mulan_agree(name, order, tolerance):
    mulan = load(name)
    csv = read_dataset(SHARED / "bundled" / f"{name}.csv.gz", labels=-mulan.Y.shape[1])
    assert csv.feature_names == mulan.feature_names
    assert np.abs(csv.X[order] - mulan.X).max() <= tolerance
    assert np.array_equal(csv.Y[order], mulan.Y)


def test_a_file_alone_finds_its_xml():
    path: Path = SHARED / "data" / "yeast" / "yeast-train.arff.xz"
    ds = read_dataset(path)
    assert ds.name == "yeast-train"
    assert ds.X.shape == (1500, 103)
    assert ds.Y.shape == (1500, 14)
