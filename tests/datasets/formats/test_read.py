"""Reading from memory."""

from __future__ import annotations

import io
import zipfile
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


@pytest.mark.parametrize("stem", ["a\nb", "\x1b[31m", "\u202eyot", "n" * 5000, "a\0b"])
@pytest.mark.parametrize("suffix", ["csv", "arff", "exe", "pkl", "zip", "xlsx", "mat", "npz", "parquet"])
def test_whatever_a_file_is_called_it_is_told_in_one_line(stem, suffix):
    for content in (b"", b"x,y\n1,2,3\n"):
        assert complaint(content, f"{stem}.{suffix}", labels=-1).isprintable()
    members = io.BytesIO()
    with zipfile.ZipFile(members, "w") as archive:
        archive.writestr(f"{stem}.{suffix}", "x,y\n1,2,3\n")
    assert complaint(members.getvalue(), "toys.zip", labels=-1).isprintable()


def test_several_sets_of_a_hostile_name_are_told_in_one_line():
    with zipfile.ZipFile(members := io.BytesIO(), "w") as archive:
        archive.writestr("a/x\ny.csv", CSV)
        archive.writestr("b/x\ny.csv", CSV)
    assert r"several data sets (x\ny, x\ny)" in complaint(members.getvalue(), "\x1b.zip", labels=-1)


def test_the_name_of_a_data_set_is_one_line():
    assert read(CSV, "a\nb.csv", labels=-1).name == "a\\nb"


def test_not_enough_memory(monkeypatch):
    def refuse(*_):
        raise MemoryError

    monkeypatch.setitem(FORMATS, "csv", replace(FORMATS["csv"], read=refuse))
    assert complaint(CSV, "toy.csv", labels=-1) == "The data set does not fit into memory; use a part of it."


def test_one_column_cannot_be_both():
    sentence = complaint("y\n1\n0\n", "one.csv", labels=-1)
    assert sentence == "one.csv: it has one column only; features and labels need one each, separated by commas."
