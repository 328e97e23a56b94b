"""CSV that loses nothing and runs nothing."""

import csv
import io

import numpy as np
import pandas as pd
import pytest

from mlfs.tables import summary, to_csv
from tests.tables.test_summary import results


def read(text):
    return list(csv.reader(io.StringIO(text)))


def test_every_digit_survives():
    values = np.random.default_rng(0).normal(size=200) * 10.0 ** np.arange(-100, 100)
    found = [float(row[0]) for row in read(to_csv(pd.DataFrame({"x": values})))[1:]]
    np.testing.assert_array_equal(found, values)


@pytest.mark.parametrize(
    "name", ["=1+1", "+a", "-a", "@x", "\t=1", "\r=1", " =1", "＝1", '=HYPERLINK("x","y")', "-1+1"]
)
def test_no_name_becomes_a_formula(name):
    table = pd.DataFrame([[name, -1.5]], columns=[name, "score"], index=pd.Index([name], name=name))
    header, row = read(to_csv(table))
    shown = "'" + name.replace("\r", "\n")
    assert header == [shown, shown, "score"]
    assert row == [shown, shown, "-1.5"]


@pytest.mark.parametrize("name", ["-1.5", "+3", "-inf", "a=b", "it's", "", 'quoted "x", y', "two\nlines", "–x"])
def test_other_names_stay_as_they_are(name):
    assert read(to_csv(pd.DataFrame({"n": [name, "x"]})))[1] == ([name] if name else [""])


def test_numbers_are_left_alone_and_the_index_that_counts_is_left_out():
    assert to_csv(pd.DataFrame({"a": [-1, 2], "b": [True, False]})) == "a,b\n-1,True\n2,False\n"
    assert to_csv(pd.DataFrame({"a": [-1]}, index=["-x"])) == ",a\n'-x,-1\n"
    assert to_csv(pd.DataFrame({"a": [1]}, index=pd.Index([5], name="size"))) == "size,a\n5,1\n"


def test_missing_cells_and_two_columns_of_one_name():
    table = pd.DataFrame([["=a", None], [np.nan, 1.0]], columns=["x", "x"])
    assert read(to_csv(table)) == [["x", "x"], ["'=a", ""], ["", "1.0"]]


def test_summary_in_full():
    found = summary(results({"els": [0.1, 0.2], "mfs": ["=Boom.", "=Boom."]}, dataset="=set"), "hamming_loss")
    header, els, mfs = read(to_csv(found))
    assert header == ["dataset", "method", "mean", "std", "repeats", "best", "not_worse", "error"]
    assert els[:2] == ["'=set", "els"]
    assert float(els[2]) == np.mean([0.1, 0.2])
    assert mfs[2:] == ["", "", "0", "False", "False", "'=Boom."]


def test_table_without_rows():
    assert to_csv(pd.DataFrame(columns=["a", "b"])) == "a,b\n"
