"""Which columns are labels: the caller's word, Mulan's XML, MEKA's -C; and what a label may hold."""

from __future__ import annotations

import re

import pytest

from mlfs.datasets.readers import Limits, read_files
from mlfs.errors import DatasetError
from tests.datasets.readers_support import XML, complaint, read

FOUR = "".join(f"@attribute {name} {{0,1}}\n" for name in "abcd") + "@data\n1,0,1,1\n0,1,1,0\n"


def arff(relation: str = "toy", body: str = FOUR) -> str:
    return f"@relation {relation}\n{body}"


def xml(*names: str) -> bytes:
    inside = "".join(f'<label name="{name}"></label>' for name in names)
    return f'<?xml version="1.0" encoding="utf-8"?>\n<labels xmlns="http://x">{inside}</labels>'.encode()


@pytest.mark.parametrize(
    ("relation", "labels"),
    [
        ("'toy: -C 1'", "a"),
        ("'toy: -C 3 -split-percentage 60'", "abc"),
        ("'toy: -V -C -1'", "d"),
        ("'toy:-C -2'", "cd"),
        ('"toy: -C 2"', "ab"),
    ],
)
def test_meka_option(relation, labels):
    ds = read(arff(relation))
    assert ds.label_names == tuple(labels)
    assert ds.feature_names == tuple(name for name in "abcd" if name not in labels)
    assert ds.Y[0].tolist() == [{"a": 1, "b": 0, "c": 1, "d": 1}[name] for name in labels]


@pytest.mark.parametrize("relation", ["toy", "'toy: -C 0'", "'toy: -C 4'", "'toy: -C -99'", "'no colon -C 2'"])
def test_no_word_on_the_labels(relation):
    assert re.match(r"toy\.arff: it does not tell labels from features; give the labels by", complaint(arff(relation)))


def test_xml_goes_before_a_leftover_option():
    """As in medical and llog: -C speaks of the first columns, but the labels are the last."""
    ds = read(arff("'toy: -C 2-weka.filters.unsupervised.attribute.Reorder'"), xml=xml("c", "d"))
    assert ds.label_names == ("c", "d")
    assert "The -C in @relation does not fit toy.xml, which was followed." in ds.notes


def test_option_that_agrees_with_the_xml_is_no_news():
    assert read(arff("'toy: -C -2'"), xml=xml("c", "d")).notes == ()


def test_option_that_points_at_numbers():
    """A -C left over in a file without its XML must not make labels of numeric columns."""
    text = arff("'toy: -C 2'", FOUR.replace("a {0,1}", "a numeric").replace("b {0,1}", "b numeric"))
    assert re.search(r"-C in @relation makes 'a' a label, but it is numeric; .*other end: -2", complaint(text))
    assert read(text, labels=-2).label_names == ("c", "d")


def test_labels_are_matched_by_name_and_keep_the_order_of_the_file():
    ds = read(arff(), xml=xml("d", "b"))
    assert ds.label_names == ("b", "d")
    assert ds.feature_names == ("a", "c")
    assert ds.Y.tolist() == [[0, 1], [1, 0]]
    assert ds.notes[0] == "toy.xml lists the labels in another order; they keep the order of the data file."


def test_hierarchy_of_labels_is_flattened():
    content = b"""<labels xmlns="http://mulan.sourceforge.net/labels">
    <label name="a"><label name="b"><label name="d"/></label></label></labels>"""
    assert read(arff(), xml=content).label_names == ("a", "b", "d")


@pytest.mark.parametrize("start", [b"", b'<?xml version="1.0" encoding="iso-8859-1"?>', b"\xef\xbb\xbf", b"\n\n"])
def test_xml_in_other_dress(start):
    content = start + b"<!-- toy --><labels><label name='a'/><label name='b' /></labels>"
    assert read(arff(), xml=content).label_names == ("a", "b")


def test_very_deep_xml():
    names = [f"<label name='{name}'>" for name in "ab"]
    content = "<labels>" + "".join(names) + "<x>" * 20_000 + "</x>" * 20_000 + "</label>" * 2 + "</labels>"
    assert read(arff(), xml=content.encode()).label_names == ("a", "b")


BOMB = b"""<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;">]>
<labels><label name="&lol2;"/></labels>"""
FETCH = b"""<!DOCTYPE labels [<!ENTITY x SYSTEM "file:///etc/passwd">]><labels><label name="a">&x;</label></labels>"""


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (BOMB, r"toy\.xml: it defines entities, which can be a trap; write the names out"),
        (FETCH, r"toy\.xml: it defines entities"),
        (xml("a", "b")[:-5], r"toy\.xml, line 2: this is not well-formed XML \(.*\); correct it"),
        (xml("a").replace(b"a", b"\xe9"), r"toy\.xml, line \d: this is not well-formed XML"),
        (b"<?xml version='1.0' encoding='klingon'?><labels/>", r"toy\.xml.*(encoding cannot be read|well-formed)"),
        (b"not xml at all", r"toy\.xml, line 1: this is not well-formed XML"),
        (b"", r"toy\.xml: the file is empty"),
        (b"<labels></labels>", r"toy\.xml: it must list the labels"),
        (b"<labels><label/></labels>", r"toy\.xml: it must list the labels"),
        (b"<html><body/></html>", r"toy\.xml: it must list the labels"),
        (xml("a", "b", "a"), r"toy\.xml: it names the label 'a' twice; keep one"),
        (xml("a", "e"), r"toy\.arff: it has no column 'e', which toy\.xml names as a label; use the names of the"),
        (xml("a", "cc"), r"toy\.arff: it has no column 'cc', which toy\.xml names as a label; did you mean 'c'\?"),
        (xml(*"abcd"), r"toy\.arff: all columns are labels; leave some as features"),
    ],
)
def test_wrong_xml_gets_a_sentence(content, words):
    assert re.match(words, complaint(arff(), xml=content))


def test_labels_by_the_caller_go_first():
    text = arff("'toy: -C 2'")
    assert read(text, xml=xml("c", "d"), labels=["b"]).label_names == ("b",)
    assert read(text, xml=xml("c", "d"), labels="b").label_names == ("b",)
    assert read(text, labels=["d", "a"]).label_names == ("a", "d")
    assert read(text, labels=1).label_names == ("a",)
    assert read(text, labels=-3).label_names == ("b", "c", "d")


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        (0, r"toy\.arff: 0 of its 4 columns cannot be the labels; give 1 to 3, or minus that"),
        (4, r"4 of its 4 columns"),
        (-4, r"-4 of its 4 columns"),
        (["a", "z"], r"toy\.arff: it has no column 'z', which the call names as a label"),
        (list("abcd"), r"all columns are labels"),
        ([], r"The labels must be given as a list of column names or as a whole number"),
        (True, r"The labels must be given as"),
        (1.5, r"The labels must be given as"),
        ([1, 2], r"The labels must be given as"),
    ],
)
def test_wrong_labels_of_the_caller(labels, words):
    assert re.search(words, complaint(arff(), labels=labels))


def test_a_name_that_two_columns_have():
    text = arff(body=FOUR.replace("attribute b", "attribute a"))
    assert re.match(r"toy\.arff: more than one column is called 'a'", complaint(text, labels=["a"]))
    assert read(text, labels=-1).feature_names == ("a", "a (2)", "c")
    assert read(text, labels=2).label_names == ("a", "a (2)")


@pytest.mark.parametrize(
    ("kind", "values", "expected"),
    [
        ("{0,1}", "01", [0, 1]),
        ("{1,0}", "01", [0, 1]),
        ("{YES,NO}", ["NO", "YES"], [0, 1]),
        ("{True,False}", ["False", "True"], [0, 1]),
        ("{t,f}", "ft", [0, 1]),
        ("{y,n}", "ny", [0, 1]),
        ("numeric", ["0.0", "1"], [0, 1]),
        ("numeric", ["-1", "+1"], [0, 1]),
        ("{-1,1}", ["-1", "1"], [0, 1]),
        ("{0}", "00", [0, 0]),
        ("{0,1,2}", "01", [0, 1]),
        ("string", ["no", "yes"], [0, 1]),
    ],
)
def test_ways_to_say_yes(kind, values, expected):
    body = f"@attribute x numeric\n@attribute a {kind}\n@data\n5,{values[0]}\n6,{values[1]}\n"
    ds = read(arff(body=body), labels=["a"])
    assert ds.Y[:, 0].tolist() == expected
    assert any("-1, which was read as 0" in note for note in ds.notes) == (kind == "numeric" and "-1" in values)


@pytest.mark.parametrize(
    ("kind", "value", "said"),
    [
        ("numeric", "2", "'2'"),
        ("numeric", "0.5", "'0.5'"),
        ("{0,1,2}", "2", "'2'"),
        ("{red,green}", "green", "'red'"),
        ("numeric", "?", "missing"),
        ("{0,1}", "?", "missing"),
    ],
)
def test_labels_that_are_not_0_or_1(kind, value, said):
    first = {"{red,green}": "red"}.get(kind, "1")
    body = f"@attribute x numeric\n@attribute 'my label' {kind}\n@data\n5,{first}\n\n6,{value}\n"
    line = 5 if first == "red" else 7
    expected = rf"toy\.arff, line {line}: the label 'my label' is {said}; in every row it must be 0 or 1, no or yes"
    assert re.match(expected, complaint(arff(body=body), labels=-1))


def test_the_line_of_a_wrong_label_in_the_test_part():
    body = "@attribute x numeric\n@attribute a numeric\n@data\n"
    files = {"toy-train.arff": f"{body}1,1\n2,0\n".encode(), "toy-test.arff": f"{body}% here\n3,7\n".encode()}
    with pytest.raises(DatasetError, match=r"toy-test\.arff, line 5: the label 'a' is '7'"):
        read_files(files, labels=["a"])


def test_sparse_label_with_one_odd_value():
    body = "@attribute x numeric\n@attribute a numeric\n@attribute b numeric\n@data\n{0 5,2 1}\n{1 1, 2 3}\n"
    assert re.search(r"line 7: the label 'b' is '3'", complaint(arff(body=body), xml=XML))


def test_never_positive_labels_and_unlabelled_rows_are_counted_and_kept():
    ds = read("x,a,b\n1,1,0\n2,0,0\n3,0,0\n", "toy.csv", labels=["a", "b"])
    assert "1 label is never positive (b); kept." in ds.notes
    assert "2 rows have no label; kept." in ds.notes
    assert ds.Y.shape == (3, 2)


def test_limits_on_labels():
    assert re.search(r"more than 1 label;.*max_labels", complaint(arff(), labels=2, limits=Limits(max_labels=1)))
    assert re.search(r"more than 1 label;.*max_labels", complaint(arff(), xml=XML, limits=Limits(max_labels=1)))
    few = Limits(max_cells=8)
    assert read(arff(), labels=3, limits=few).Y.shape == (2, 3)
    sparse_rows = "@attribute x numeric\n" + FOUR.partition("@data")[0] + "@data\n" + "{1 1}\n" * 3
    assert re.search(r"3 rows of 4 labels.*max_cells", complaint(sparse_rows, labels=-4, limits=few))
