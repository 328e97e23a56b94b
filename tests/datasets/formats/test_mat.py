"""MATLAB files in the forms in which researchers pass them on, written by scipy and h5py, read by our own reader."""

from __future__ import annotations

import io
import struct
import sys
import tracemalloc
import zlib

import numpy as np
import pytest
from scipy import sparse
from scipy.io import loadmat, savemat

from mlfs.datasets import load_dataset, read_dataset
from mlfs.datasets.formats import Limits, variables_to_choose_from
from mlfs.datasets.formats.arrays import checked_csc
from tests.datasets.formats.support import SHARED, complaint, needs_data, read

rng = np.random.default_rng(0)
N, M, D, Q = 12, 8, 5, 3
X, X_TEST = rng.normal(size=(N, D)), rng.normal(size=(M, D))
Y = rng.integers(0, 2, (N, Q))
Y_TEST = rng.integers(0, 2, (M, Q))
PM, PM_TEST = 2 * Y - 1, 2 * Y_TEST - 1  # -1 and 1


def cell(*parts):
    whole = np.empty((1, len(parts)), dtype=object)
    whole[0] = [*parts]
    return whole


def mat(**variables) -> bytes:
    savemat(file := io.BytesIO(), variables, do_compression=True)
    return file.getvalue()


def mat73(**variables) -> bytes:
    """As MATLAB writes version 7.3: tables transposed, sparse ones as groups, cells as references, 512 bytes first."""
    h5py = pytest.importorskip("h5py")
    file = io.BytesIO()
    with h5py.File(file, "w", userblock_size=512) as opened:

        def put(parent, name, value):
            if sparse.issparse(value):
                value = sparse.csc_matrix(value)
                group = parent.create_group(name)
                group.attrs["MATLAB_sparse"] = np.uint64(value.shape[0])
                vectors = {"data": value.data, "ir": value.indices, "jc": value.indptr}
                for key, vector in vectors.items():
                    if len(vector):  # MATLAB leaves out empty ones
                        group[key] = vector if key == "data" else vector.astype(np.uint64)
                return
            if isinstance(value, str):
                data, kind = np.frombuffer(value.encode("utf-16-le"), np.uint16)[:, None], "char"
            elif value.dtype == object:
                refs = opened.require_group("#refs#")
                data = np.empty(value.T.shape, dtype=h5py.ref_dtype)
                for place, part in np.ndenumerate(value.T):
                    key = f"p{len(refs)}"
                    put(refs, key, part)
                    data[place] = refs[key].ref
                kind = "cell"
            else:
                data, kind = value.T, {"f": "double", "i": "int8", "u": "uint8"}[value.dtype.kind]
            parent.create_dataset(name, data=data).attrs["MATLAB_class"] = np.bytes_(kind)

        for name, value in variables.items():
            put(opened, name, value)
    content = bytearray(file.getvalue())
    content[:19] = b"MATLAB 7.3 MAT-file"
    content[126:128] = b"IM"
    return bytes(content)


SPLIT, WHOLE = (X, Y, X_TEST, Y_TEST), (X, Y)
# The variables of each form, and the features and labels that they mean.
FORMS = {
    "train_data, ±1": (
        {"train_data": X, "train_target": PM.T, "test_data": X_TEST, "test_target": PM_TEST.T},
        SPLIT,
    ),
    "train_data, 0/1 in small types": (
        {
            "Train_Data": X,
            "Train_Target": Y.T.astype(np.uint8),
            "Test_Data": X_TEST,
            "Test_Target": Y_TEST.T.astype(np.int8),
        },
        SPLIT,
    ),
    "data, target q × n": ({"data": X, "target": Y.T, "PL": Y.T, "name": "toy", "Avg_x": 3.0}, WHOLE),
    "data, target n × q": ({"data": X, "target": PM}, WHOLE),
    "X_train": ({"X_train": X, "Y_train": PM, "X_test": X_TEST, "Y_test": PM_TEST}, SPLIT),
    "features, labels": ({"features": X, "labels": Y, "res": np.zeros((2, 2, 2))}, WHOLE),
    "dataset with the labels in it": ({"dataset": np.hstack([X, Y]), "targets": Y}, WHOLE),
    "cells, d × n": ({"train": cell(X.T, PM.T), "test": cell(X_TEST.T, PM_TEST.T)}, SPLIT),
    "set, set_answer": ({"set": X, "set_answer": Y}, WHOLE),
    "input_space, sparse": ({"input_space": sparse.csc_matrix(X * (X > 0)), "target_space": Y}, (X * (X > 0), Y)),
}


def check(ds, X, Y, X_test=None, Y_test=None):
    if X_test is not None:
        assert [rows.tolist() for rows in ds.split] == [[*range(N)], [*range(N, N + M)]]
        X, Y = np.vstack([X, X_test]), np.vstack([Y, Y_test])
    else:
        assert ds.split is None
    assert np.array_equal(ds.X.toarray() if sparse.issparse(ds.X) else ds.X, X)
    assert np.array_equal(ds.Y, Y)


@pytest.mark.parametrize("make", [mat, mat73])
@pytest.mark.parametrize("form", FORMS)
def test_forms(form, make):
    variables, meant = FORMS[form]
    if make is mat73:
        variables = {name: value for name, value in variables.items() if not isinstance(value, float)}
    ds = read(make(**variables), "toy.mat")
    check(ds, *meant)
    assert sparse.issparse(ds.X) == ("sparse" in form)
    assert ds.feature_names == ("f1", "f2", "f3", "f4", "f5")
    assert ds.label_names == ("1", "2", "3")
    assert [note for note in ds.notes if note.startswith("The features are ")]
    assert bool([note for note in ds.notes if "-1 was read as 0" in note]) == any(
        (value == -1).any() for value in meant_values(variables)
    )


def meant_values(variables):
    """The tables of labels among the variables."""
    for name, value in variables.items():
        if "cell" in name or name in ("train", "test"):
            yield value[0, 1]
        elif any(word in name.lower() for word in ("target", "y_", "labels", "answer")):
            yield value


def test_what_was_taken_for_what_is_noted():
    variables, _ = FORMS["cells, d × n"]
    note = "The features are train{1}, an instance in each column; the labels train{2}, one in each column."
    assert note in read(mat(**variables), "toy.mat").notes
    variables, _ = FORMS["dataset with the labels in it"]
    note = "The last 3 columns of dataset repeat the labels, and are no features."
    assert note in read(mat(**variables), "toy.mat").notes


def test_names_in_the_file():
    names = {"feature_names": cell("é", "b c", "", "音楽🎵", "e").T, "label_names": cell("one", "two", "three")}
    for make in (mat, mat73):
        given = dict(names)
        if make is mat73:
            given["feature_names"] = cell("é", "b c", "-", "音楽🎵", "e").T
        ds = read(make(data=X, target=Y.T, **given), "toy.mat")
        assert ds.feature_names[::2] == ("é", ds.feature_names[2], "e")
        assert ds.feature_names[3] == "音楽🎵"
        assert ds.label_names == ("one", "two", "three")


def test_a_tie_is_decided_by_habit_told_and_corrected():
    square, labels = rng.normal(size=(6, 6)), np.triu(np.ones((6, 6)))
    for x_name, y_name, as_stored in (("data", "target", False), ("features", "labels", True)):
        ds = read(mat(**{x_name: square, y_name: labels}), "toy.mat")
        assert np.array_equal(ds.X, square)
        assert np.array_equal(ds.Y, labels if as_stored else labels.T)
        assert ds.notes[0].endswith("the sizes would fit another way too, so check this.")
    ds = read(mat(data=square, target=labels), "toy.mat", transposed="none")
    assert np.array_equal(ds.Y, labels)
    ds = read(mat(data=square, target=labels), "toy.mat", transposed="XY")
    assert np.array_equal(ds.X, square.T)
    assert np.array_equal(ds.Y, labels.T)
    assert "check" not in ds.notes[0]


def test_the_parts_decide_what_one_part_leaves_open():
    """12 features and 12 training rows: only the test part tells which is which."""
    first, second = rng.normal(size=(12, 12)), rng.normal(size=(12, 8))
    labels, more = rng.integers(0, 2, (3, 12)), rng.integers(0, 2, (3, 8))
    ds = read(mat(train_data=first, train_target=labels, test_data=second, test_target=more), "toy.mat")
    assert np.array_equal(ds.X, np.hstack([first, second]).T)
    assert "check" not in ds.notes[0]


def test_variables_are_chosen():
    content = mat(inputs=X, answers=PM.T, data=X[:, :2], target=Y.T)
    check(read(content, "toy.mat"), X[:, :2], Y)
    check(read(content, "toy.mat", variables=["Inputs", "answers"]), X, Y)
    many = mat(a=X, b=Y, c=X_TEST, d=Y_TEST)
    check(read(many, "toy.mat", variables=("a", "b", "c", "d")), *SPLIT)
    assert variables_to_choose_from({"toy.mat": many}) == {"a": (N, D), "b": (N, Q), "c": (M, D), "d": (M, Q)}
    assert complaint(many, "toy.mat", variables=["a", "e"]).startswith("toy.mat: it has no variable 'e'; ")
    assert "two names" in complaint(many, "toy.mat", variables=["a", "b", "c"])
    message = complaint(many, "toy.mat")
    tables = "a 12 × 5, b 12 × 3, c 8 × 5, d 8 × 3"
    assert message == (
        f"toy.mat: its variables ({tables}) do not tell features from labels; name both by the option variables."
    )


def test_one_table_with_labels_in_it():
    content = mat(everything=np.hstack([X, PM]))
    check(read(content, "toy.mat", labels=-3), *WHOLE)
    check(read(mat(everything=np.hstack([X, PM]).T), "toy.mat", labels=-3, transposed="X"), *WHOLE)
    assert "it does not tell labels from features" in complaint(content, "toy.mat")
    assert "its labels are a variable of their own" in complaint(mat(data=X, target=Y), "toy.mat", labels=-3)


def test_two_files_are_a_training_and_a_test_part(tmp_path):
    (tmp_path / "toy-train.mat").write_bytes(mat(data=X, target=Y.T))
    (tmp_path / "toy-test.mat").write_bytes(mat(data=X_TEST, target=Y_TEST.T))
    check(load_dataset(tmp_path / "toy"), *SPLIT)
    both = mat(train_data=X, train_target=Y.T, test_data=X_TEST, test_target=Y_TEST.T)
    (tmp_path / "toy-train.mat").write_bytes(both)
    with pytest.raises(ValueError, match="it has a training and a test part of its own; give this file alone"):
        load_dataset(tmp_path / "toy")


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (
            np.where(Y, 1, np.where(X[:, :Q] > 0, 0, -1)),
            "labels holds -1, 0 and 1, where 0 means unknown; decide those",
        ),
        (Y * 2, "labels holds 2; labels are 0 and 1, or -1 and 1."),
        (np.where(Y, np.nan, 1), "labels holds NaN; labels are 0 and 1, or -1 and 1."),
        (Y[:-1], "features and labels do not have the same number of instances (features is 12 × 5, labels is 11 × 3)"),
        (Y[:, :0], "'labels' is not a table of numbers"),
        (Y + 1j, "'labels' is not a table of numbers"),
    ],
)
def test_labels_that_are_none(labels, words):
    assert words in complaint(mat(features=X, labels=labels), "toy.mat")


def test_missing_and_infinite_features():
    gaps = X.copy()
    gaps[2, 1] = np.nan
    ds = read(mat(data=gaps, target=Y), "toy.mat")
    assert ds.X[2, 1] == pytest.approx(np.delete(X[:, 1], 2).mean())
    gaps[2, 1] = np.inf
    assert "toy.mat: data holds infinity" in complaint(mat(data=gaps, target=Y), "toy.mat")


def test_other_things_in_a_file_do_not_matter():
    struct_ = {"a": 1.0, "b": "text", "c": {"d": np.zeros(3)}}
    check(read(mat(data=X, target=Y, s=struct_, e=np.zeros((0, 0)), c=cell("a", X)), "toy.mat"), *WHOLE)
    assert "it holds no table of numbers" in complaint(mat(s=struct_, name="toy"), "toy.mat")


@pytest.mark.parametrize("do_compression", [False, True])
@pytest.mark.parametrize("kind", ["f8", "f4", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "?"])
def test_every_type_of_number_as_scipy_reads_it(kind, do_compression):
    values = (X * 40).astype(kind)
    savemat(file := io.BytesIO(), {"data": values, "target": Y}, do_compression=do_compression)
    ds = read(file.getvalue(), "toy.mat")
    assert np.array_equal(ds.X, loadmat(io.BytesIO(file.getvalue()))["data"].astype(float))


def test_big_endian():
    """As workstations wrote them: every number the other way round."""

    def element(kind, content):
        return struct.pack(">II", kind, len(content)) + content + bytes(-len(content) % 8)

    def matrix(name, values):
        head = element(6, struct.pack(">II", 6, 0)) + element(5, struct.pack(">ii", *values.shape))
        return element(14, head + element(1, name) + element(9, values.astype(">f8").tobytes(order="F")))

    content = b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack(">H", 0x0100) + b"MI"
    content += matrix(b"data", X) + matrix(b"target", Y.astype(float))
    assert np.array_equal(loadmat(io.BytesIO(content))["data"], X)
    check(read(content, "toy.mat"), *WHOLE)


def test_old_and_foreign_files():
    savemat(file := io.BytesIO(), {"data": X, "target": Y.astype(float)}, format="4")
    message = complaint(file.getvalue(), "toy.mat")
    assert message == "toy.mat: not a MATLAB file of version 5 or later; in MATLAB, save it again with -v7."
    assert "not a MATLAB file" in complaint(b"x,y\n1,2\n" * 30, "toy.mat")


def test_the_content_decides_where_the_name_is_wrong():
    for name in ("toy", "toy.txt", "toy.csv", "toy.dat"):
        check(read(mat(data=X, target=Y), name), *WHOLE)


def test_without_h5py(monkeypatch):
    content = mat73(data=X, target=Y)
    monkeypatch.setitem(sys.modules, "h5py", None)
    message = complaint(content, "toy.mat")
    assert message == "toy.mat: a MATLAB file of version 7.3 is read with h5py, which is missing; pip install h5py."


def test_links_into_other_files_are_not_followed(tmp_path):
    """Else whoever uploads a file could look at another one on the server."""
    h5py = pytest.importorskip("h5py")
    secret = tmp_path / "secret.h5"
    with h5py.File(secret, "w") as opened:
        opened["X"] = X.T
    (tmp_path / "secret.raw").write_bytes(X.tobytes())
    layout = h5py.VirtualLayout((D, N), dtype="f8")
    layout[:] = h5py.VirtualSource(secret, "X", (D, N))
    for which in ("link", "virtual", "raw"):
        with h5py.File(tmp_path / "toy.mat", "w") as opened:
            opened["target"] = Y.T
            if which == "link":
                opened["data"] = h5py.ExternalLink(secret, "/X")
            elif which == "virtual":
                opened.create_virtual_dataset("data", layout)
            else:
                opened.create_dataset("data", (D, N), "f8", external=[(tmp_path / "secret.raw", 0, X.nbytes)])
        with pytest.raises(ValueError, match=r"it has no variable 'data'|'data' is not a table of numbers"):
            read_dataset(tmp_path / "toy.mat", variables=["data", "target"])


def test_limits_before_memory():
    content = mat(data=np.zeros((2000, 2000)), target=np.zeros((2000, 2)))  # 32 MB in some kilobytes
    assert len(content) < 100_000
    tracemalloc.start()
    try:
        assert "more than 1,000,000 values" in complaint(content, "toy.mat", limits=Limits(max_cells=1_000_000))
        assert "larger than 1,000,000 bytes unco" in complaint(content, "toy.mat", limits=Limits(max_bytes=1_000_000))
        assert "more than 1,000 rows" in complaint(content, "toy.mat", limits=Limits(max_rows=1000))
        assert tracemalloc.get_traced_memory()[1] < 20_000_000
    finally:
        tracemalloc.stop()


def test_an_array_that_hides_its_size():
    """A head of 2 × 2, and 30 MB behind it."""
    head = struct.pack("<IIII", 6, 8, 6, 0) + struct.pack("<IIii", 5, 8, 2, 2) + struct.pack("<II", 1, 8) + b"features"
    values = struct.pack("<II", 9, 30_000_000) + bytes(30_000_000)
    packed = zlib.compress(struct.pack("<II", 14, len(head) + len(values)) + head + values)
    content = mat(labels=Y[:2]) + struct.pack("<II", 15, len(packed)) + packed
    assert "larger than 1,000,000 bytes" in complaint(content, "toy.mat", limits=Limits(max_bytes=1_000_000))
    assert "damaged or cut off (cannot reshape" in complaint(content, "toy.mat")


@pytest.mark.parametrize("make", [mat, mat73])
def test_damage(make):
    content = make(data=X, target=Y.T)
    for cut in (130, len(content) // 2, len(content) - 3):
        assert "toy.mat: " in complaint(content[:cut], "toy.mat")


@pytest.mark.parametrize(
    ("rows", "ends"),
    [
        ([0, 1], [0, 1]),
        ([0, 1], [1, 1, 2]),
        ([0, 1], [0, 2, 1]),
        ([0, 1], [0, 1, 9]),
        ([0, 3], [0, 1, 2]),
        ([-1, 1], [0, 1, 2]),
    ],
)
def test_sparse_tables_that_do_not_fit(rows, ends):
    with pytest.raises(ValueError, match="a sparse array"):
        checked_csc(np.ones(2), np.array(rows), np.array(ends), (3, 2))


@needs_data
@pytest.mark.parametrize("name", ["birds", "entertainment", "science"])
def test_real_files_as_scipy_reads_them(name):
    path = SHARED / "data" / "mat" / f"{name}.mat"
    if not path.is_file():
        pytest.skip("needs the MATLAB files of the shared data folder")
    ds, theirs = read_dataset(path), loadmat(path)
    assert np.array_equal(ds.X, np.vstack([theirs["train_data"], theirs["test_data"]]))
    assert np.array_equal(ds.Y, np.hstack([theirs["train_target"], theirs["test_target"]]).T == 1)
