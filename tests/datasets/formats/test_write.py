"""What is written reads back the same, bit for bit, or is refused."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from scipy.io import loadmat

from mlfs.datasets import Dataset, load_bundled, read_dataset
from mlfs.datasets.formats import write_dataset
from mlfs.errors import DatasetError

AWKWARD = ["it's", 'say "hi"', "a, b", "back\\slash", "50 %", "tab\there", "{brace}", "naïve 音", "@data", "?"]


def toy(**changes):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(12, 10)) * 10.0 ** rng.integers(-20, 20, size=(12, 10))
    X[0, 0], X[1, 1], X[2, 2] = -0.0, 5e-324, 1.7976931348623157e308
    Y = (rng.random((12, 3)) < 0.5).astype(int)
    Y[0] = 0
    given = {"X": X, "Y": Y, "feature_names": AWKWARD, "label_names": ["x<y", "é&", "'z'"], "name": "toy"}
    return Dataset(**{**given, **changes})


def colours(words=("red", "green", "blue")):
    """One categorical column beside numbers; not in the order of the alphabet."""
    X = np.column_stack([np.arange(12) % len(words), np.linspace(0, 1, 12)])
    return toy(X=X, feature_names=["colour", "size"], categories={0: words})


def holey():
    """A sparse set with an empty row, a row without labels, and a last feature that is always 0."""
    X = sparse.csr_matrix(([1.5, -2.0, 1e-300], ([0, 2, 3], [4, 0, 1])), shape=(12, 10))
    Y = np.ones((12, 3), dtype=int)
    Y[1] = 0
    return toy(X=X, Y=Y)


def read_back(ds, files):
    labels = -ds.Y.shape[1] if files[0].suffix == ".csv" else None  # the others tell them
    return read_dataset(files, labels=labels, name=ds.name)


@pytest.mark.parametrize("suffix", ["csv", "arff", "mat", "parquet", "feather"])
@pytest.mark.parametrize("make", [toy, holey], ids=["dense", "sparse"])
def test_reads_back_the_same(tmp_path, suffix, make):
    ds = make()
    files = write_dataset(ds, tmp_path / f"toy.{suffix}")
    assert read_back(ds, files).fingerprint == ds.fingerprint
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(path.name for path in files)


@pytest.mark.parametrize("make", [toy, holey], ids=["dense", "sparse"])
def test_libsvm_keeps_numbers_and_counts_names(tmp_path, make):
    ds = make()
    copy = read_back(ds, write_dataset(ds, tmp_path / "toy.libsvm"))
    expected = replace(ds, feature_names=[f"f{j}" for j in range(1, 11)], label_names=["1", "2", "3"])
    assert copy.fingerprint == expected.fingerprint


def test_sparse_stays_sparse_in_arff(tmp_path):
    [file, _] = write_dataset(holey(), tmp_path / "toy.arff")
    assert file.read_text(encoding="utf-8").splitlines()[-12] == "{4 1.5, 10 1, 11 1, 12 1}"


def test_arff_keeps_categories_and_their_order(tmp_path):
    ds = colours()
    copy = read_back(ds, write_dataset(ds, tmp_path / "toy.arff"))
    assert copy.categories[0] == ("red", "green", "blue")
    assert copy.fingerprint == ds.fingerprint
    sparse_one = replace(ds, X=sparse.csr_matrix(ds.X))
    assert read_back(ds, write_dataset(sparse_one, tmp_path / "sparse.arff")).fingerprint == ds.fingerprint


def test_csv_keeps_categories_in_the_order_of_the_alphabet(tmp_path):
    ds = colours(("blue", "green", "red"))
    assert read_back(ds, write_dataset(ds, tmp_path / "toy.csv")).fingerprint == ds.fingerprint


@pytest.mark.parametrize("suffix", ["parquet", "feather"])
def test_typed_tables_keep_categories_and_their_order(tmp_path, suffix):
    for ds in (colours(), colours(("1", "2", "3"))):
        assert read_back(ds, write_dataset(ds, tmp_path / f"toy.{suffix}")).fingerprint == ds.fingerprint


def test_mat_holds_the_split_in_the_form_that_most_programs_read(tmp_path):
    ds = load_bundled("yeast")  # its test rows come first
    [file] = write_dataset(ds, tmp_path / "yeast.mat")
    theirs = loadmat(file)
    for part, rows in zip(("train", "test"), ds.split, strict=True):
        np.testing.assert_array_equal(theirs[f"{part}_data"], ds.X[rows])
        np.testing.assert_array_equal(theirs[f"{part}_target"], ds.Y[rows].T)
    copy = read_dataset(file)
    assert [len(rows) for rows in copy.split] == [len(rows) for rows in ds.split]
    assert (copy.feature_names, copy.label_names) == (ds.feature_names, ds.label_names)
    [file] = write_dataset(toy(), tmp_path / "toy.mat")
    assert {"data", "target"} <= set(loadmat(file))
    two = write_dataset(ds, tmp_path / "yeast.mat", parts=True)
    assert read_dataset(two).fingerprint == copy.fingerprint


def test_mat_with_as_many_labels_as_rows_reads_back_the_right_way_round(tmp_path):
    X, Y = np.arange(9.0).reshape(3, 3), np.triu(np.ones((3, 3), dtype=int))
    ds = toy(X=X, Y=Y, feature_names=["a", "b", "c"])
    assert read_back(ds, write_dataset(ds, tmp_path / "toy.mat")).fingerprint == ds.fingerprint


def test_arff_alone_names_its_labels_for_meka(tmp_path):
    [file, xml] = write_dataset(toy(), tmp_path / "toy.arff")
    xml.unlink()
    assert read_dataset(file).label_names == toy().label_names


def test_parts_hold_the_split(tmp_path):
    ds = load_bundled("yeast")  # its test rows come first
    files = write_dataset(ds, tmp_path / "yeast.csv", parts=True)
    assert [path.name for path in files] == ["yeast-train.csv", "yeast-test.csv"]
    copy = read_back(ds, files)
    for ours, theirs in zip(ds.split, copy.split, strict=True):
        np.testing.assert_array_equal(ds.X[ours], copy.X[theirs])
        np.testing.assert_array_equal(ds.Y[ours], copy.Y[theirs])


@pytest.mark.parametrize(
    ("ds", "file", "sentence"),
    [
        (colours(), "a.csv", "csv cannot hold its features as toy has them: write it as ARFF."),
        (colours(("1", "2", "3")), "a.csv", "csv cannot hold its features as toy has them: write it as ARFF."),
        (
            colours(),
            "a.mat",
            "A .mat file knows no categories, and toy has some: write it as ARFF or Parquet.",
        ),
        (
            toy(label_names=["x", "y", AWKWARD[0]]),
            "a.parquet",
            "toy has a feature and a label of the same name: rename one of them.",
        ),
        (colours(), "a.libsvm", "LibSVM knows no categories, and toy has some: write it as ARFF."),
        (
            toy(Y=np.eye(12, 3, dtype=int) * [1, 0, 1]),
            "a.libsvm",
            "LibSVM cannot tell that the label 'é&' of toy never applies: write ARFF.",
        ),
        (
            toy(feature_names=[" a", *AWKWARD[1:]]),
            "a.csv",
            "csv cannot hold the names of its features as toy has them: write it as ARFF.",
        ),
        (
            toy(),
            "a.txt",
            "The suffix of 'a.txt' is no format that mlfs writes: "
            "choose from a.csv, a.arff, a.libsvm, a.mat, a.parquet, a.feather.",
        ),
    ],
    ids=["order", "numbers", "mat", "twice", "categories", "never", "blank", "format"],
)
def test_what_a_format_cannot_hold_is_refused_and_not_left_behind(tmp_path, ds, file, sentence):
    with pytest.raises(DatasetError) as caught:
        write_dataset(ds, tmp_path / file)
    assert str(caught.value) == sentence
    assert list(tmp_path.iterdir()) == []


def test_parts_need_a_split(tmp_path):
    with pytest.raises(DatasetError, match=r"toy has no train/test split of its own: write it as one file\."):
        write_dataset(toy(), tmp_path / "toy.csv", parts=True)


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DatasetError, match=r"cannot be written \(.*\): check the folder and your permissions\."):
        write_dataset(toy(), tmp_path / "file" / "toy.csv")
