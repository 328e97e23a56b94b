"""Reading from memory, and what a person picks labels from: the columns of a CSV, where the files do not say."""

from __future__ import annotations

import gzip
import io
from dataclasses import replace

import pytest

from mlfs.datasets.formats import FORMATS, Limits, columns_to_choose_from, read_files
from mlfs.errors import DatasetError
from tests.datasets.formats.support import XML, complaint, read

CSV = "x,y,a\n1,2,0\n3,4,1\n"
QUOTED = b'"a, b";y;z\n1;0;1\n2;1;0\n'


def test_file_objects_and_bytes_are_alike():
    uploaded = io.BytesIO(CSV.encode())
    uploaded.read()  # as after an earlier run of the page
    assert read_files({"toy.csv": uploaded}, labels=-1).fingerprint == read(CSV, "toy.csv", labels=-1).fingerprint


def test_no_files():
    with pytest.raises(DatasetError, match="holds no data set"):
        read_files({})


def test_not_enough_memory(monkeypatch):
    def refuse(*_):
        raise MemoryError

    monkeypatch.setitem(FORMATS, "csv", replace(FORMATS["csv"], read=refuse))
    assert complaint(CSV, "toy.csv", labels=-1) == "The data set does not fit into memory; take a part of it."


def test_columns_are_those_that_reading_knows():
    columns = columns_to_choose_from({"toy.csv": QUOTED})
    assert columns == ["a, b", "y", "z"]
    assert columns_to_choose_from({"toy.csv.gz": gzip.compress(QUOTED)}) == columns
    ds = read_files({"toy.csv": QUOTED}, labels=columns[1:])
    assert [*ds.feature_names, *ds.label_names] == columns
    assert columns_to_choose_from({"toy.csv": b"1,0,1\n2,1,0\n"}) == ["column 1", "column 2", "column 3"]


def test_nothing_to_choose():
    assert columns_to_choose_from({"toy.csv": QUOTED, "toy.xml": XML}) == []
    assert columns_to_choose_from({"toy.arff": b"@relation toy"}) == []
    assert columns_to_choose_from({}) == []


def test_limits_hold_before_anything_is_read():
    with pytest.raises(DatasetError, match="too many columns"):
        columns_to_choose_from({"toy.csv": QUOTED}, Limits(max_features=1, max_labels=1))


def test_one_column_cannot_be_both():
    sentence = complaint("y\n1\n0\n", "one.csv", labels=-1)
    assert sentence == "one.csv: it has one column only; features and labels need one each, apart by commas."
