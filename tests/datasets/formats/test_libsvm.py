"""Multi-label LibSVM, with and without labels in a row, and with the header of the extreme classification sets."""

from __future__ import annotations

import re

import pytest
from scipy import sparse

from mlfs.datasets.formats import Limits, read_files
from mlfs.errors import DatasetError
from tests.datasets.formats.support import checked, read

SVM = "1,3 4:0.5 7:1\n10 1:-2e1  # a comment\n\n# another\n 2:3\n3\n"


def complaint(text: str | bytes, **options) -> str:
    with pytest.raises(DatasetError) as caught:
        read(text, "toy.libsvm", **options)
    return checked(str(caught.value))


def test_rows_with_and_without_labels():
    ds = read(SVM, "toy.libsvm")
    assert sparse.issparse(ds.X)
    assert ds.X.toarray().tolist() == [
        [0, 0, 0, 0.5, 0, 0, 1],
        [-20, 0, 0, 0, 0, 0, 0],
        [0, 3, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0],
    ]
    assert ds.label_names == ("1", "3", "10")
    assert ds.Y.tolist() == [[1, 1, 0], [0, 0, 1], [0, 0, 0], [0, 1, 0]]
    assert ds.feature_names == tuple(f"f{j}" for j in range(1, 8))
    assert "1 row has no label; kept." in ds.notes


def test_indices_from_zero_are_seen():
    ds = read("1 1:5\n2 0:7 2:1\n", "toy.svm")
    assert ds.feature_names == ("f0", "f1", "f2")
    assert ds.X.toarray().tolist() == [[0, 5, 0], [7, 0, 1]]


def test_header_of_the_extreme_classification_repository():
    ds = read("2 4 3\n0,2 1:5\n2 3:1\n", "toy.txt")
    assert ds.X.toarray().tolist() == [[0, 5, 0, 0], [0, 0, 0, 1]]
    assert ds.label_names == ("0", "1", "2")
    assert ds.Y.tolist() == [[1, 0, 1], [0, 0, 1]]


def test_train_and_test_parts():
    ds = read_files({"toy-train.svm": b"1 1:5\n2 2:6\n", "toy-test.svm": b"2,4 3:7\n"})
    assert ds.X.toarray().tolist() == [[5, 0, 0], [0, 6, 0], [0, 0, 7]]
    assert ds.Y.tolist() == [[1, 0, 0], [0, 1, 0], [0, 1, 1]]
    assert [rows.tolist() for rows in ds.split] == [[0, 1], [2]]


def test_negative_and_repeated_labels():
    ds = read("-1,2,2 1:1\n2 1:2\n", "toy.svm")
    assert ds.label_names == ("-1", "2")
    assert ds.Y.tolist() == [[1, 1], [0, 1]]


def test_missing_values_are_filled():
    assert read("1 1:4\n2 1:?\n2 1:nan 2:1\n", "toy.svm").X.toarray()[:, 0].tolist() == [4, 4, 4]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (SVM + "1 4\n", r"line 7: '4' is not a feature; write index:value"),
        (SVM + "1 4:5:6\n", r"line 7: '4:5:6' is not a feature"),
        (SVM + "1 x:5\n", r"line 7: 'x:5' is not a feature"),
        (SVM + "1 -4:5\n", r"line 7: '-4:5' is not a feature"),
        (SVM + "1 12345678901:5\n", r"line 7: '12345678901:5' is not a feature"),
        (SVM + "1 4:\u00b2\n", r"line 7: '\u00b2' is not a finite number"),
        (SVM + "1 4:1_0\n", r"line 7: '1_0' is not a finite number"),
        (SVM + "1 4:inf\n", r"line 7: 'inf' is not a finite number"),
        (SVM + "1 4:5 4:6\n", r"line 7: index 4 occurs twice; keep one"),
        (SVM + "red 4:5\n", r"line 7: the labels 'red' are not whole numbers separated by commas"),
        (SVM + "1, 4:5\n", r"line 7: the labels '1,' are not"),
        (SVM + "1.5 4:5\n", r"line 7: the labels '1.5' are not"),
        ("4:5\n3:2\n", r"no row has a label; check"),
        ("1\n2\n", r"all columns are labels"),
        ("# nothing\n", r"no data rows"),
        ("", r"the file is empty"),
    ],
)
def test_wrong_files_get_a_sentence(text, words):
    assert re.match(rf"toy\.libsvm.*{words}", complaint(text))


def test_sizes_are_checked_before_they_are_used():
    limits = Limits(max_features=10, max_labels=3)
    assert re.search(r"line 1: feature 11 is too far;.*max_features", complaint("1 11:1\n", limits=limits))
    assert re.search(r"line 1: feature 999999998 .*max_features", complaint("1 999999999 1\n1 1:1\n"))
    assert re.search(r"line 1: more than 100,000 labels", complaint("1 1 999999999\n1 1:1\n"))
    assert re.search(r"line 2: more than 3 labels", complaint("1,2 1:1\n3,4 1:1\n", limits=limits))


def test_labels_cannot_be_chosen():
    assert re.match(r"toy\.libsvm: a LibSVM file says itself what its labels are", complaint(SVM, labels=["1"]))
