"""The table of formats: every one has what reading and writing need, and is known by its name or its first line."""

from __future__ import annotations

import pytest

from mlfs.datasets.formats import FORMATS
from mlfs.datasets.formats.registry import format_of
from tests.datasets.formats.support import complaint, read

CSV = "x,y,a\n1,2,0\n3,4,1\n"


def test_every_suffix_belongs_to_one_format():
    suffixes = [suffix for format in FORMATS.values() for suffix in format.suffixes]
    assert len(set(suffixes)) == len(suffixes)
    for name, format in FORMATS.items():
        assert format.name == name
        assert format.suffixes[0] == f".{name}"  # the one that write_dataset takes
        assert {format_of(f"a/B{suffix.upper()}.gz") for suffix in format.suffixes} == {name}


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
    assert message == "toy.txt: its format is not known; name it .arff, .csv or .libsvm, or give the format."
    assert complaint(CSV, "toy.csv", format="csvv") == "There is no format 'csvv': did you mean 'csv'?"


def test_format_goes_before_the_name():
    assert read(CSV, "toy.arff", format="csv", labels=-1).X.shape == (2, 2)
