"""Limits: whatever is too large is refused by its number, before it takes memory."""

from __future__ import annotations

import re
import tracemalloc

import pytest

from mlfs.datasets.formats import Limits
from tests.datasets.formats.support import complaint, read

CSV = "x,y,a\n1,2,0\n3,4,1\n"
ARFF = "@attribute x numeric\n@attribute y numeric\n@attribute a {0,1}\n@data\n"


@pytest.mark.parametrize(
    ("text", "name", "limits", "words"),
    [
        (CSV, "toy.csv", Limits(max_rows=1), r"line 3: more than 1 row; use fewer, or raise max_rows"),
        (CSV, "toy.csv", Limits(max_cells=5), r"line 3: more than 5 values;.*max_cells"),
        (CSV, "toy.csv", Limits(max_features=1), r"toy\.csv: more than 1 feature;.*max_features"),
        (CSV, "toy.csv", Limits(max_line_length=4), r"line 1: longer than 4 characters"),
        (CSV, "toy.csv", Limits(max_bytes=10), r"larger than 10 bytes"),
        (CSV + "\n" * 50, "toy.csv", Limits(10, max_rows=5, max_features=2, max_labels=1), r"larger|more lines"),
        (ARFF + "1,2,0\n3,4,1\n", "toy.arff", Limits(max_rows=1), r"line 6: more than 1 row"),
        (ARFF + "1,2,0\n3,4,1\n", "toy.arff", Limits(max_cells=5), r"line 6: more than 5 values"),
        (ARFF + "{0 1,1 2}\n{0 3}\n", "toy.arff", Limits(max_cells=2), r"line 6: more than 2 values"),
        (ARFF + "1,2,0\n", "toy.arff", Limits(max_features=1, max_labels=1), r"line 3: more attributes than"),
        (ARFF + "1,2,0\n", "toy.arff", Limits(max_features=1), r"toy\.arff: more than 1 feature"),
        ("1 1:1\n2 2:2\n", "toy.svm", Limits(max_cells=1), r"line 2: more than 1 value;"),
    ],
)
def test_limits(text, name, limits, words):
    options = {} if name == "toy.svm" else {"labels": -1}
    assert re.search(words, complaint(text, name, limits=limits, **options))


def test_too_many_lines():
    limits = Limits(max_rows=5, max_features=2, max_labels=1)
    assert read(CSV + "\n" * 10, "toy.csv", labels=-1, limits=limits).X.shape == (2, 2)
    assert re.search(r"line 17: more lines than", complaint(CSV + "\n" * 20, "toy.csv", labels=-1, limits=limits))


def test_cells_are_counted_before_they_are_stored():
    """A wide file is refused at the first row that is too much, not when all rows are in memory."""
    text = ",".join(f"x{j}" for j in range(1000)) + "\n" + (",".join(["0"] * 1000) + "\n") * 3000
    tracemalloc.start()
    try:
        assert "line 12: more than 10,500 values" in complaint(
            text, "toy.csv", labels=-1, limits=Limits(max_cells=10_500)
        )
        assert tracemalloc.get_traced_memory()[1] - len(text) < 25_000_000
    finally:
        tracemalloc.stop()
