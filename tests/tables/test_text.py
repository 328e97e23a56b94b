"""Columns that line up, in any script, and a terminal that stays as it is."""

import pandas as pd

from mlfs.tables import summary, to_text
from mlfs.tables.text import width
from tests.tables.test_summary import SEVEN, results


def test_columns_line_up():
    lines = to_text(pd.DataFrame({"name": ["音楽", "a", "e\u0301"], "n": [1, 200, -3]})).splitlines()
    assert lines == ["name    n", "----  ---", "音楽    1", "a     200", "e\u0301      −3"]
    assert len({width(line) for line in lines}) == 1


def test_names_cannot_steer_the_terminal():
    text = to_text(pd.DataFrame({"name\r": ["\x1b[2J", "a\nb", "\u202eabc"]}))
    assert all(line.isprintable() for line in text.splitlines())
    assert r"\x1b[2J" in text
    assert len(text.splitlines()) == 5


def test_marks_and_what_they_mean():
    near = [value + shift for value, shift in zip(SEVEN, [0.02, -0.01] * 3 + [0.0], strict=True)]
    far = [value + 0.1 + 0.001 * i for i, value in enumerate(SEVEN)]
    text = to_text(summary(results({"els": SEVEN, "mfs": near, "random": far}), "hamming_loss", 10))
    row = text.splitlines()[2]
    assert row.split()[3][-1] == "*"
    assert row.split()[6][-1] == "~"
    assert row[-1].isdigit()
    assert "with 10 features. *: the best of a row; ~: not significantly worse (paired t-test" in text


def test_one_repeat_and_failures():
    text = to_text(summary(results({"els": [0.25], "mfs": ["Too large."]}), "hamming_loss"))
    assert text.splitlines()[2].split() == ["flags", "0.2500", "failed"]
    assert "one repeat" in text
    assert "MFS: no value on flags. Too large." in text
    assert "*" not in text


def test_decimals_and_empty_table():
    assert "0.12\n" in to_text(pd.DataFrame({"x": [0.123]}), decimals=2)
    assert to_text(pd.DataFrame({"x": []})) == "x\n-\n"
