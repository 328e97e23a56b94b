"""Reading from memory."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from mlfs.datasets.formats import FORMATS, read_files
from mlfs.errors import DatasetError
from tests.datasets.formats.support import complaint, read

CSV = "x,y,a\n1,2,0\n3,4,1\n"


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
    assert complaint(CSV, "toy.csv", labels=-1) == "The data set does not fit into memory; use a part of it."


def test_one_column_cannot_be_both():
    sentence = complaint("y\n1\n0\n", "one.csv", labels=-1)
    assert sentence == "one.csv: it has one column only; features and labels need one each, separated by commas."
