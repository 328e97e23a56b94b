"""What a person picks labels from: the columns of a CSV, and nothing where the files say it themselves."""

import gzip

import pytest

from mlfs.datasets.readers import Limits, columns_to_choose_from, read_files
from mlfs.errors import DatasetError
from tests.datasets.readers_support import XML, complaint

CSV = b'"a, b";y;z\n1;0;1\n2;1;0\n'


def test_columns_are_those_that_reading_knows():
    columns = columns_to_choose_from({"toy.csv": CSV})
    assert columns == ["a, b", "y", "z"]
    assert columns_to_choose_from({"toy.csv.gz": gzip.compress(CSV)}) == columns
    ds = read_files({"toy.csv": CSV}, labels=columns[1:])
    assert [*ds.feature_names, *ds.label_names] == columns
    assert columns_to_choose_from({"toy.csv": b"1,0,1\n2,1,0\n"}) == ["column 1", "column 2", "column 3"]


def test_nothing_to_choose():
    assert columns_to_choose_from({"toy.csv": CSV, "toy.xml": XML}) == []
    assert columns_to_choose_from({"toy.arff": b"@relation toy"}) == []
    assert columns_to_choose_from({}) == []


def test_limits_hold_before_anything_is_read():
    with pytest.raises(DatasetError, match="too many columns"):
        columns_to_choose_from({"toy.csv": CSV}, Limits(max_features=1, max_labels=1))


def test_one_column_cannot_be_both():
    sentence = complaint("y\n1\n0\n", "one.csv", labels=-1)
    assert sentence == "one.csv: it has one column only; features and labels need one each, apart by commas."
