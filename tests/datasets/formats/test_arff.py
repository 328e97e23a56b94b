"""ARFF as it is written in the wild, dense and sparse, and every way in which it can be wrong."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy import sparse

from mlfs.datasets.formats import read_files
from mlfs.errors import DatasetError
from tests.datasets.formats.support import XML, complaint, read

HEADER = """% a comment
@relation toy

@attribute x numeric
@attribute y real
@attribute a {0,1}
@attribute b {0,1}
@data
"""
DENSE = HEADER + "1,2.5,0,1\n% in between\n\n-3e2,.5,1,0\n"
SPARSE = HEADER + "{1 2.5, 3 1}\n{}\n{0 -3e2,2 1}\n"


def test_dense():
    ds = read(DENSE, xml=XML)
    assert isinstance(ds.X, np.ndarray)
    assert ds.X.tolist() == [[1, 2.5], [-300, 0.5]]
    assert ds.Y.tolist() == [[0, 1], [1, 0]]
    assert (ds.feature_names, ds.label_names) == (("x", "y"), ("a", "b"))
    assert ds.name == "toy"
    assert ds.split is None
    assert ds.notes == ()


def test_sparse_stays_sparse():
    ds = read(SPARSE, xml=XML)
    assert sparse.issparse(ds.X)
    assert ds.X.format == "csr"
    assert ds.X.nnz == 2
    assert ds.X.toarray().tolist() == [[0, 2.5], [0, 0], [-300, 0]]
    assert ds.Y.tolist() == [[0, 1], [0, 0], [1, 0]]


def test_sparse_indices_in_any_order():
    ds = read(HEADER + "{3 1, 0 7}\n", xml=XML)
    assert ds.X.toarray().tolist() == [[7, 0]]
    assert ds.Y.tolist() == [[0, 1]]


@pytest.mark.parametrize(
    "text",
    [
        DENSE.replace("\n", "\r\n"),
        DENSE.replace("\n", "\r"),
        DENSE.rstrip("\n"),
        DENSE.replace("@attribute", "@ATTRIBUTE").replace("@data", "@Data").replace("real", "REAL"),
        DENSE.replace("@attribute x numeric", "\t@attribute\tx\tINTEGER\t"),
        DENSE.replace("a {0,1}", "a{0,1}").replace("b {0,1}", "b { 0 , 1 } % the second"),
        DENSE.replace("x numeric", "'x' numeric").replace("y real", '"y" real'),
        DENSE.replace("1,2.5,0,1", " 1 ,\t2.5, '0' , \"1\" "),
        DENSE.replace("@relation toy\n", ""),
    ],
    ids=["crlf", "cr", "no last newline", "case", "tabs", "braces", "quoted names", "quoted values", "no relation"],
)
def test_spellings_of_the_same_file(text):
    assert read(text, xml=XML).fingerprint == read(DENSE, xml=XML).fingerprint


def test_names_and_values_in_quotes():
    text = r"""@relation 'a, b'
@attribute 'Swainson\'s Thrush' numeric
@attribute "two \"words\"" {'it\'s, "so"', "b c", d\'e}
@attribute m\'usica numeric
@attribute 'tab\there' numeric
@attribute 'caf\u00e9' numeric
@attribute a {0,1}
@attribute b {0,1}
@data
1, 'it\'s, "so"', 2, 3, 4, 0, 1
1, "b c", 2, 3, 4, 0, 1
1, d\'e, 2, 3, 4, 0, 1
"""
    ds = read(text, xml=XML)
    assert ds.feature_names == ("Swainson's Thrush", 'two "words"', r"m\'usica", "tab\there", "café")
    assert ds.categories == {1: ('it\'s, "so"', "b c", r"d\'e")}
    assert ds.X[:, 1].tolist() == [0, 1, 2]


def test_quotes_in_sparse_rows():
    text = """@relation toy
@attribute x {'a, b', 'c d', "e}"}
@attribute y numeric
@attribute a {0,1}
@attribute b {0,1}
@data
{0 'c d', 3 1}
{0 "e}", 1 5, 2 1}
{1 6}
"""
    ds = read(text, xml=XML)
    assert ds.X.toarray().tolist() == [[1, 0], [2, 5], [0, 6]]
    assert ds.Y.tolist() == [[0, 1], [1, 0], [0, 0]]


def test_sparse_leaves_out_the_first_nominal_value():
    """As in Weka: with {YES,NO} an absent value is YES, which is 1."""
    text = """@relation toy
@attribute x {YES,NO}
@attribute y {red,green,blue}
@attribute a {0,1}
@attribute b {1,0}
@data
{0 NO, 1 blue}
{2 1}
{1 green, 3 0}
"""
    ds = read(text, xml=XML)
    assert ds.X.toarray().tolist() == [[0, 2], [1, 0], [1, 1]]
    assert ds.Y.tolist() == [[0, 1], [1, 1], [0, 0]]
    assert ds.categories == {1: ("red", "green", "blue")}


def test_sparse_string_attribute():
    """The absent string is a value of its own, not the first one met."""
    rows = "".join("{0 red, 2 1}\n{0 blue}\n{3 1}\n" for _ in range(4))
    ds = read(
        "@attribute x string\n@attribute y numeric\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n" + rows, xml=XML
    )
    assert ds.categories == {0: ("", "blue", "red")}
    assert ds.X.toarray()[:3, 0].tolist() == [2, 1, 0]
    assert ds.X.nnz == 8


def test_instance_weights_are_dropped_with_a_note():
    for text in (
        HEADER + "1,2,0,1,{5}\n3,4,1,0\n",
        HEADER + "{0 1,1 2,3 1}, {0.5}\n{0 3,1 4,2 1},{2}\n",
    ):
        ds = read(text, xml=XML)
        X = ds.X.toarray() if sparse.issparse(ds.X) else ds.X
        assert X.tolist() == [[1, 2], [3, 4]]
        assert any("weights" in note for note in ds.notes)


def test_train_and_test_parts():
    ds = read_files(
        {"toy-test.arff": (HEADER + "5,6,1,1\n").encode(), "toy-train.arff": DENSE.encode(), "toy.xml": XML}
    )
    assert ds.name == "toy"
    assert ds.X.tolist() == [[1, 2.5], [-300, 0.5], [5, 6]]
    assert [rows.tolist() for rows in ds.split] == [[0, 1], [2]]


def test_strings_of_both_parts_share_their_codes():
    header = "@attribute x string\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n"
    train = header + "red,0,1\n" * 3 + "blue,1,0\n" * 3
    test = header + "green,0,1\n" + "red,0,1\n" * 3
    ds = read_files({"toy-train.arff": train.encode(), "toy-test.arff": test.encode(), "toy.xml": XML})
    assert ds.categories == {0: ("blue", "green", "red")}
    assert ds.X[:, 0].tolist() == [2, 2, 2, 0, 0, 0, 1, 2, 2, 2]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text.replace("@attribute y real", "@attribute z real"), r"attribute 2 is 'z'.*has 'y'"),
        (lambda text: text.replace("a {0,1}", "a {1,0}"), r"attribute 3 \('a'\) is not declared as"),
        (lambda text: text.replace("@attribute y real\n", ""), r"3 attributes where the training part has 4"),
        (lambda text: HEADER, r"no data rows"),
        (lambda text: SPARSE, r"line 9: dense and sparse"),
    ],
)
def test_parts_that_do_not_fit(change, words):
    with pytest.raises(DatasetError, match=rf"toy-test\.arff.*{words}"):
        read_files({"toy-train.arff": DENSE.encode(), "toy-test.arff": change(DENSE).encode(), "toy.xml": XML})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (DENSE + "1,2,3\n", r"line 13: 3 values.*4 columns; complete or remove"),
        (DENSE + "1,2,0,1,7\n", r"line 13: 5 values.*4 columns"),
        (DENSE + "1,two,0,1\n", r"line 13: 'two' is not a finite number in column 'y'; correct it"),
        (DENSE + "1,1_000,0,1\n", r"line 13: '1_000' is not a finite number"),
        (DENSE + "1,inf,0,1\n", r"line 13: 'inf' is not a finite number"),
        (DENSE + "1,-1e999,0,1\n", r"line 13: '-1e999' is not a finite number"),
        (DENSE + "1,2,yes,1\n", r"line 13: 'yes' is not one of the declared values 0, 1 in column 'a'"),
        (DENSE + "{0 1}\n", r"line 13: dense and sparse rows are mixed"),
        (DENSE + "1,2,0,1,{heavy}\n", r"line 13: the instance weight 'heavy'"),
        (SPARSE + "1,2,0,1\n", r"line 12: dense and sparse rows are mixed"),
        (SPARSE + "{4 1}\n", r"line 12: index 4, but the header has attributes 0 to 3"),
        (SPARSE + "{99999999999999999999 1}\n", r"line 12: index 9+, but"),
        (SPARSE + "{1 2, 1 3}\n", r"line 12: index 1 occurs twice; keep one"),
        (SPARSE + "{-1 2}\n", r"line 12: '-1 2' where"),
        (SPARSE + "{1_0 2}\n", r"line 12: '1_0 2' where"),
        (SPARSE + "{1}\n", r"line 12: '1' where"),
        (SPARSE + "{1 2 3, 4}\n", r"line 12: '1 2 3' where"),
        (SPARSE + "{0 'x' y}\n", r"line 12: \"0 'x' y\" where|line 12: .* is not a finite number"),
        (SPARSE + "{'0' 1}\n", r"line 12: \"'0' 1\" where"),
        (SPARSE + "{1 two}\n", r"line 12: 'two' is not a finite number in column 'y'"),
        (SPARSE + "{0 1,", r"line 12: .*brace; the file may have been cut off"),
        (HEADER, r"no data rows; the file may have been cut off"),
        (HEADER.removesuffix("@data\n"), r"no @data line; the file may have been cut off"),
        ("@relation toy\n@data\n1,2\n", r"no @attribute line"),
        (DENSE.replace("x numeric", "x numbers"), r"line 4: attribute 'x' has the type 'numbers'; use numeric"),
        (DENSE.replace("x numeric", "x relational"), r"line 4: attribute 'x' has the type 'relational'"),
        (DENSE.replace("x numeric", "x"), r"line 4: attribute 'x' has the type ''"),
        (DENSE.replace("@attribute x numeric", "@attribute"), r"line 4: '@attribute' cannot be read; write"),
        (DENSE.replace("a {0,1}", "a {0,1"), r"line 6: .*do not end with a brace"),
        (DENSE.replace("a {0,1}", "a {0,1} 2"), r"line 6: .*do not end with a brace"),
        (DENSE.replace("a {0,1}", "a {0,,1}"), r"line 6: .*an empty one"),
        (DENSE.replace("a {0,1}", "a {}"), r"line 6: .*an empty one"),
        (DENSE.replace("a {0,1}", "a {0,1,0}"), r"line 6: .*one twice"),
        (DENSE.replace("@relation", "@relatoin"), r"line 2: '@relatoin toy' where @relation"),
        ("x,y,a,b\n" + DENSE, r"line 1: 'x,y,a,b' where @relation.*is this an ARFF file\?"),
        ("", r"the file is empty; choose another"),
        ("\n\n", r"no @data line"),
    ],
)
def test_wrong_files_get_a_sentence(text, words):
    assert re.match(r"toy\.arff\b", complaint(text, xml=XML))
    assert re.search(words, complaint(text, xml=XML))


@pytest.mark.parametrize(
    "text",
    [
        HEADER + "{0 '" + " " * 200_000 + "\n",
        HEADER + "{" + " " * 200_000 + "'}\n",
        HEADER + "'a," * 100_000 + "\n",
        HEADER + "\"'" * 100_000 + "\n",
        HEADER.replace("toy", ":" * 200_000) + "1,2,0,x\n",
        HEADER.replace("toy", ":" + "-C " * 100_000) + "1,2,0,x\n",
        HEADER.replace("@attribute x numeric", "@attribute" + " " * 200_000 + "{"),
    ],
    ids=["blanks in quotes", "blanks", "open quotes", "two kinds", "colons", "options", "attribute"],
)
def test_long_lines_cost_time_in_proportion(text):
    """Each of these takes minutes if the parser looks at the rest of the line again from every character."""
    complaint(text, xml=XML)


def test_parts_that_count_their_labels_otherwise_are_told():
    text = "@relation 't: -C -1'\n@attribute x numeric\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n1,0,1\n"
    parts = {"t-train.arff": text.encode(), "t-test.arff": text.replace("-C -1", "-C -2").encode()}
    ds = read_files(parts)
    assert ds.label_names == ("b",)
    assert "The -C in @relation of t-test.arff is another than in the part before it." in ds.notes
    for same in (text, text.replace("-C -1", "")):
        assert "-C" not in " ".join(read_files({**parts, "t-test.arff": same.encode()}).notes)
