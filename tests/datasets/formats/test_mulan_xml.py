"""Mulan's XML: flat or nested names in any dress, and a sentence for what is no XML of labels."""

from __future__ import annotations

import re

import pytest

from tests.datasets.formats.support import complaint, read
from tests.datasets.formats.test_build import arff, xml


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
