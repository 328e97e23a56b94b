"""The table of formats: every one has what reading and writing need, and is known by its name or its first line."""

from __future__ import annotations

import gzip

import pytest

from mlfs.datasets.formats import FORMATS, Format, find_datasets, read_dataset, write_dataset
from mlfs.datasets.formats.input_files import lines
from mlfs.datasets.formats.parsed_table import Column, DenseRows, ParsedTable
from mlfs.datasets.formats.registry import format_of
from mlfs.errors import DatasetError
from tests.datasets.formats.support import complaint, read

CSV = "x,y,a\n1,2,0\n3,4,1\n"


def test_every_suffix_belongs_to_one_format():
    suffixes = [suffix for format in FORMATS.values() for suffix in format.suffixes]
    assert len(set(suffixes)) == len(suffixes)
    for name, format in FORMATS.items():
        assert format.name == name
        if format.write:
            assert format.suffixes[0] == f".{name}"  # the one that write_dataset takes
        assert {format_of(f"a/B{suffix.upper()}.gz") for suffix in format.suffixes} == {name}


def test_a_row_of_the_table_is_all_that_a_format_needs(monkeypatch, tmp_path):
    """Found by its suffix, compressed, in folders and zips, and in what is said; not written where it cannot be."""

    def read_pairs(files, limits):
        rows = DenseRows(limits)
        for file in files:
            rows.begin_file(file)
            for number, line in lines(file, limits):
                rows.add(number, [float(cell) for cell in line.split("/")])
        return ParsedTable([Column("x"), Column("y")], rows.cells(2), rows.origins, labels=None)

    monkeypatch.setitem(FORMATS, "pairs", Format("pairs", (".pairs",), read_pairs))
    ds = read("3/1\n4/0\n", "toy.pairs", labels=-1)
    assert (ds.name, ds.X.tolist(), ds.Y.tolist()) == ("toy", [[3], [4]], [[1], [0]])
    (tmp_path / "toy-train.pairs.gz").write_bytes(gzip.compress(b"3/1\n4/0\n"))
    (tmp_path / "toy-test.pairs").write_text("5/1\n")
    assert [path.name for path in find_datasets(tmp_path)["toy"]] == ["toy-train.pairs.gz", "toy-test.pairs"]
    assert [rows.tolist() for rows in read_dataset(tmp_path, labels=-1).split] == [[0, 1], [2]]
    assert ".npz, .pairs, .parquet, .rda or .xlsx, or give the format." in complaint("hello world\n", "toy.txt")
    with pytest.raises(
        DatasetError, match=r"no format that mlfs writes: choose from a\.csv, a\.arff, a\.libsvm, a\.mat,"
    ):
        write_dataset(ds, tmp_path / "a.pairs")


@pytest.mark.parametrize(
    ("text", "format"),
    [
        ("% hello\n\n@RELATION x\n@attribute x numeric\n@attribute l {0,1}\n@data\n1,1\n2,0\n", "arff"),
        ("# hello\n1,2 1:5\n", "libsvm"),
        ("x;l\n1;1\n2;0\n", "csv"),
    ],
)
def test_formats_of_unknown_names(text, format):
    options = {} if format == "libsvm" else {"labels": -1}
    sniffed = read(text, "toy.txt", **options)
    assert sniffed.name == "toy"
    assert sniffed.fingerprint == read(text, "toy", format=format, **options).fingerprint


def test_formats_that_cannot_be_told():
    message = complaint("hello world\n", "toy.txt")
    known = ".arff, .csv, .dat, .feather, .libsvm, .mat, .npz, .parquet, .rda or .xlsx"
    assert message == f"toy.txt: its format is not known; name it {known}, or give the format."
    assert "its format is not known; name it .arff" in complaint(b"\x7fELF\0\0\0 whatever", "toy.bin")
    assert complaint(CSV, "toy.csv", format="csvv") == "There is no format 'csvv': did you mean 'csv'?"


def test_format_goes_before_the_name():
    assert read(CSV, "toy.arff", format="csv", labels=-1).X.shape == (2, 2)
