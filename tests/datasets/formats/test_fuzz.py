"""Whatever the bytes: a sound data set or a DatasetError and nothing else. And tables come back as written.

The examples are the same in every run. ``MLFS_FUZZ=5000 pytest tests/datasets/test_fuzz.py`` tries as many new ones.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import os
import zipfile
from contextlib import suppress
from pathlib import Path

import h5py
import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.io import savemat

from mlfs.datasets.formats import Limits, read_files
from mlfs.datasets.formats.file_groups import group_files
from mlfs.errors import DatasetError
from tests.datasets.formats.support import checked

WANTED = os.environ.get("MLFS_FUZZ")
fuzz = settings(
    max_examples=int(WANTED or 60),
    derandomize=WANTED is None,
    database=None,
)
LIMITS = Limits(max_bytes=200_000, max_rows=1000, max_features=2000, max_labels=500, max_cells=50_000)

DENSE = r"""% a comment
@relation 'toy: -C -2'
@attribute 'it\'s x' numeric
@attribute y {red,'dark blue',"gre\"en"}
@attribute z {YES,NO}
@attribute s string
@attribute a {0,1}
@attribute b {0,1}
@data
1.5,red,YES,one,0,1
?,'dark blue',NO,two,1,0
-2e-3,"gre\"en",YES,two,1,1,{0.5}
"""
SPARSE = (
    DENSE[: DENSE.index("@data")] + "@data\n{0 1.5, 3 'on e', 5 1}\n{1 'dark blue',2 NO,4 1},{2}\n{}\n{0 ?,1 red}\n"
)
XML = '<?xml version="1.0"?><labels><label name="b"/><label name="a"><label name="z"/></label></labels>'
CSV = 'x,"y, z",w,a,b\n1,2,red,0,1\n,3,"blue",1,yes\n5e3,?,red,0,no\n'
SVM = "# c\n1,3 4:0.5 7:1\n2 1:1 # d\n 3:-2\n1\n"
XMC = "2 4 3\n0,2 1:5\n2 3:1\n"


KEEL = DENSE[: DENSE.index("@attribute")] + (
    "@attribute x real [0, 1]\n@attribute y {red,blue}\n@attribute a {0,1}\n@inputs x, y\n@outputs a\n@data\n"
    "0.5, red, 1\n<null>, blue, 0\n"
)
ARRAYS = {
    "data": np.arange(12.0).reshape(4, 3) / 7,
    "target": np.array([[0, 1, 1, 0], [1, 0, 1, 0]], dtype=np.uint8),
}
FRAME = pd.DataFrame(
    {
        "x": [1.5, np.nan, 3.0],
        "n": [1, 2, 2],
        "w": ["u", "v", "w"],
        "c": pd.Categorical(["u", "v", "u"]),
        "a": [0, 1, 1],
    }
)


def mat(**options) -> bytes:
    cells = np.empty((1, 2), dtype=object)
    cells[0] = [ARRAYS["data"].T, ARRAYS["target"]]
    sparse_one = {"input_space": sparse.csc_matrix(ARRAYS["data"]), "target_space": ARRAYS["target"].T}
    variables = {"arrays": ARRAYS, "cells": {"train": cells, "test": cells}, "sparse": sparse_one}
    savemat(buffer := io.BytesIO(), variables[options.pop("which", "arrays")], **options)
    return buffer.getvalue()


def mat73() -> bytes:
    with h5py.File(buffer := io.BytesIO(), "w") as opened:
        for name, values in ARRAYS.items():
            opened.create_dataset(name, data=values.T, compression="gzip")
    return buffer.getvalue()


def written(write) -> bytes:
    write(buffer := io.BytesIO())
    return buffer.getvalue()


def two_sheets(file) -> None:
    with pd.ExcelWriter(file) as book:
        for name in ("first", "second"):
            FRAME.to_excel(book, sheet_name=name)


def packed(members: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


# Name of a case: the file to be changed, the files around it, how to read it.
CASES: dict[str, tuple[str, bytes, dict[str, bytes], dict]] = {
    "arff dense": ("toy.arff", DENSE.encode(), {}, {}),
    "arff sparse": ("toy.arff", SPARSE.encode(), {}, {}),
    "arff with xml": ("toy.arff", DENSE.encode(), {"toy.xml": XML.encode()}, {}),
    "xml": ("toy.xml", XML.encode(), {"toy.arff": DENSE.encode()}, {}),
    "arff part": ("toy-test.arff", DENSE.encode(), {"toy-train.arff": DENSE.encode()}, {}),
    "csv": ("toy.csv", CSV.encode(), {}, {"labels": -2}),
    "csv part": ("toy-train.csv", CSV.encode(), {"toy-test.csv": CSV.encode()}, {"labels": ["a", "b"]}),
    "csv utf-16": ("toy.csv", CSV.encode("utf-16"), {}, {"labels": -2}),
    "libsvm": ("toy.svm", SVM.encode(), {}, {}),
    "libsvm sizes": ("toy.libsvm", XMC.encode(), {}, {}),
    "no suffix": ("toy", SVM.encode(), {}, {}),
    "gz": ("toy.csv.gz", gzip.compress(CSV.encode(), mtime=0), {}, {"labels": -2}),
    "bz2": ("toy.csv.bz2", bz2.compress(CSV.encode()), {}, {"labels": -2}),
    "xz": ("toy.csv.xz", lzma.compress(CSV.encode()), {}, {"labels": -2}),
    "keel": ("toy.dat", KEEL.encode(), {}, {}),
    "labels beside": ("toy_labels.csv", b"a,b\n0,1\n1,0\n1,1\n", {"toy.csv": CSV.encode()}, {}),
    "mat": ("toy.mat", mat(), {}, {}),
    "mat packed": ("toy.mat", mat(do_compression=True), {}, {}),
    "mat cells": ("toy.mat", mat(which="cells"), {}, {}),
    "mat sparse": ("toy.mat", mat(which="sparse"), {}, {}),
    "mat 7.3": ("toy.mat", mat73(), {}, {}),
    "npz": ("toy.npz", written(lambda file: np.savez(file, **ARRAYS)), {}, {}),
    "parquet": ("toy.parquet", written(FRAME.to_parquet), {}, {"labels": -1}),
    "feather": ("toy.feather", written(FRAME.to_feather), {}, {"labels": -1}),
    "xlsx": ("toy.xlsx", written(FRAME.to_excel), {}, {"labels": -1}),
    "xlsx sheet": ("toy.xlsx", written(two_sheets), {}, {"labels": -1, "sheet": "second"}),
    "rda": ("toy.rda", (Path(__file__).parent / "toy.rda").read_bytes(), {}, {}),
    "zip": ("toys.zip", packed({"a/toy.arff": DENSE, "a/toy.xml": XML, "readme": "hello"}), {}, {}),
}


BINARY = {"gz", "bz2", "xz", "zip", "npz", "parquet", "feather", "xlsx", "xlsx sheet", "rda"} | {
    each for each in CASES if "mat" in each
}


def read_soundly(name: str, content: bytes, others: dict[str, bytes], options: dict) -> bool:
    """Read, and check what came out; False where it was refused."""
    try:
        ds = read_files({name: content, **others}, limits=LIMITS, **options)
    except DatasetError as error:
        checked(str(error))
        return False
    n, d = ds.X.shape
    q = ds.Y.shape[1]
    assert min(n, d, q) > 0
    assert ds.Y.shape == (n, q)
    assert np.isin(ds.Y, (0, 1)).all()
    X = ds.X.toarray() if sparse.issparse(ds.X) else ds.X
    assert np.isfinite(X).all()
    assert len(ds.feature_names) == len(set(ds.feature_names)) == d
    assert len(ds.label_names) == len(set(ds.label_names)) == q
    for j, words in ds.categories.items():
        assert set(X[:, j]) <= set(range(len(words)))
    if ds.split is not None:
        assert sorted(np.concatenate(ds.split)) == list(range(n))
    assert all(note.endswith(".") for note in ds.notes)
    assert ds.fingerprint
    return True


@pytest.mark.parametrize("case", CASES)
def test_the_files_to_be_changed_are_good(case):
    assert read_soundly(*CASES[case])


@pytest.mark.parametrize("case", CASES)
def test_random_bytes(case):
    name, _, others, options = CASES[case]

    @fuzz
    @given(content=st.binary(max_size=400))
    def check(content):
        read_soundly(name, content, others, options)

    check()


PIECES = ["@attribute ", "@relation ", "@data", "numeric", "string", "{0,1}", "{YES,NO}", "{", "}", ",", ";", "\t", " "]
PIECES += [
    "\n",
    "\r",
    "'",
    '"',
    "\\",
    "?",
    "%",
    "#",
    ":",
    "-C 1",
    "0",
    "1",
    "2",
    "-1",
    "1e999",
    "nan",
    "inf",
    "a",
    "é",
    "\0",
]
PIECES += [
    "<labels>",
    "<label name='a'/>",
    "</labels>",
    "999999999",
    "\ufeff",
    "\u2028",
    "1:1",
    "x",
    "yes",
    "\\u0000",
    "\\ud800",
]


@pytest.mark.parametrize("case", [case for case in CASES if case not in BINARY])
def test_random_pieces_of_grammar(case):
    name, _, others, options = CASES[case]

    @fuzz
    @given(
        pieces=st.lists(st.sampled_from(PIECES), max_size=60),
        head=st.sampled_from(["", "x,a,b\n", "@attribute x numeric\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n"]),
    )
    def check(pieces, head):
        read_soundly(name, (head + "".join(pieces)).encode(), others, options)

    check()


@st.composite
def changed(draw, content: bytes) -> bytes:
    """Bytes flipped, put in, taken out or cut off; lines doubled, swapped or lost."""
    for _ in range(draw(st.integers(1, 4))):
        size = len(content)
        place = draw(st.integers(0, size))
        other = draw(st.integers(0, size))
        change = draw(st.sampled_from(["flip", "insert", "delete", "truncate", "piece", "repeat", "line"]))
        if change == "flip" and place < size:
            content = content[:place] + bytes([draw(st.integers(0, 255))]) + content[place + 1 :]
        elif change == "insert":
            content = content[:place] + draw(st.binary(min_size=1, max_size=8)) + content[place:]
        elif change == "delete":
            content = content[: min(place, other)] + content[max(place, other) :]
        elif change == "truncate":
            content = content[:place]
        elif change == "piece":
            content = content[:place] + draw(st.sampled_from(PIECES)).encode() + content[place:]
        elif change == "repeat":
            content = content[:place] + content[min(place, other) : min(place, other) + 40] + content[place:]
        else:
            lines = content.split(b"\n")
            first, second = place % len(lines), other % len(lines)
            lines[first], lines[second] = lines[second], lines[first]
            content = b"\n".join(lines[: draw(st.integers(1, len(lines)))])
    return content


@pytest.mark.parametrize("case", CASES)
def test_changed_files(case):
    name, good, others, options = CASES[case]

    @fuzz
    @given(content=changed(good))
    def check(content):
        read_soundly(name, content, others, options)

    check()


@fuzz
@given(
    labels=st.one_of(
        st.none(),
        st.integers(),
        st.text(max_size=3),
        st.lists(st.text(max_size=2), max_size=3),
        st.floats(),
        st.booleans(),
    ),
    format=st.sampled_from([None, "arff", "csv", "libsvm", "mat", "npz", "parquet", "xls"]),
    case=st.sampled_from(sorted(CASES)),
)
def test_options(labels, format, case):
    name, content, others, _ = CASES[case]
    read_soundly(name, content, others, {"labels": labels, "format": format})


@fuzz
@given(
    files=st.dictionaries(
        st.one_of(
            st.text(max_size=12),
            st.from_regex(
                r"[ab/.]{0,4}[-_.]?(train|test)?\.(arff|csv|xml|svm|zip|mat|npz|dat|parquet)(\.gz)?", fullmatch=True
            ),
        ),
        st.sampled_from([DENSE.encode(), CSV.encode(), XML.encode(), CASES["zip"][1]]),
        max_size=4,
    )
)
def test_names(files):
    for group in group_files(files):
        assert set(group.files) <= set(files)
    with suppress(DatasetError):
        read_files(files, labels=-1)


NAME = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), max_size=6)


@st.composite
def tables(draw, categorical: bool = True):
    """Names, the words of each feature (none for numbers), X and Y."""
    n, d, q = draw(st.integers(1, 7)), draw(st.integers(1, 5)), draw(st.integers(1, 3))
    distinct = st.lists(NAME.map(lambda text: ("col" + text).strip()), min_size=d + q, max_size=d + q, unique=True)
    names = draw(distinct)
    word = NAME.map(lambda text: ("w" + text).strip())
    words = [
        draw(st.lists(word, min_size=3, max_size=5, unique=True)) if categorical and draw(st.booleans()) else None
        for _ in range(d)
    ]
    number = st.one_of(st.just(0.0), st.integers(-3, 3).map(float), st.floats(allow_nan=False, allow_infinity=False))
    X = [[draw(number if each is None else st.integers(0, len(each) - 1)) for each in words] for _ in range(n)]
    Y = [[draw(st.integers(0, 1)) for _ in range(q)] for _ in range(n)]
    return names, words, np.array(X, dtype=float), np.array(Y)


def quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def as_arff(names, words, X, Y, *, is_sparse: bool, labels_first: bool) -> bytes:
    d, q = X.shape[1], Y.shape[1]
    kinds = ["numeric" if each is None else "{" + ",".join(map(quoted, each)) + "}" for each in words] + ["{0,1}"] * q
    columns = [*range(d, d + q), *range(d)] if labels_first else [*range(d + q)]
    lines = [f"@relation 'toy: -C {q if labels_first else -q}'"]
    lines += [f"@attribute {quoted(names[j])} {kinds[j]}" for j in columns] + ["@data"]
    for x, y in zip(X, Y, strict=True):
        cells = [repr(float(v)) if each is None else quoted(each[int(v)]) for v, each in zip(x, words, strict=True)]
        cells += [str(v) for v in y]
        if is_sparse:
            codes = [*x, *y]
            pairs = [f"{place} {cells[j]}" for place, j in enumerate(columns) if codes[j] != 0]
            lines.append("{" + ", ".join(pairs) + "}")
        else:
            lines.append(",".join(cells[j] for j in columns))
    return "\n".join(lines).encode()


def check_equal(ds, names, words, X, Y):
    d = X.shape[1]
    assert ds.feature_names == tuple(names[:d])
    assert ds.label_names == tuple(names[d:])
    assert np.array_equal(ds.X.toarray() if sparse.issparse(ds.X) else ds.X, X)
    assert np.array_equal(ds.Y, Y)
    assert dict(ds.categories) == {j: tuple(each) for j, each in enumerate(words) if each is not None}


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("labels_first", [False, True])
def test_arff_comes_back_as_written(is_sparse, labels_first):
    @fuzz
    @given(table=tables())
    def check(table):
        ds = read_files({"toy.arff": as_arff(*table, is_sparse=is_sparse, labels_first=labels_first)})
        check_equal(ds, *table)
        assert sparse.issparse(ds.X) == is_sparse

    check()


@fuzz
@given(table=tables(categorical=False), delimiter=st.sampled_from(",;\t"))
def test_csv_comes_back_as_written(table, delimiter):
    names, words, X, Y = table
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=delimiter, quoting=csv.QUOTE_ALL)
    writer.writerow(names)
    writer.writerows([*map(repr, map(float, x)), *y] for x, y in zip(X, Y, strict=True))
    ds = read_files({"toy.csv": buffer.getvalue().encode()}, labels=-Y.shape[1])
    check_equal(ds, names, words, X, Y)


@fuzz
@given(table=tables(categorical=False), first=st.integers(0, 1))
def test_libsvm_comes_back_as_written(table, first):
    """As far as the format can: it does not know of labels that never occur, and takes a blank line for none."""
    _, words, X, Y = table
    assume(Y.any())
    d = X.shape[1]
    lines = []
    for i, (x, y) in enumerate(zip(X, Y, strict=True)):
        # A value for the first and the last feature in the first row fixes where they count from, and to.
        written = [j for j in range(d) if x[j] != 0 or j == 0 or (i == 0 and j == d - 1)]
        labels = ",".join(str(k) for k in np.flatnonzero(y))
        lines.append(labels + " " + " ".join(f"{j + first}:{float(x[j])!r}" for j in written))
    ds = read_files({"toy.svm": "\n".join(lines).encode()})
    occurring = np.flatnonzero(Y.any(axis=0))
    names = [f"f{j + first}" for j in range(d)] + [str(k) for k in occurring]
    check_equal(ds, names, words, X, Y[:, occurring])
