"""Tables as people paste them, and what is said of those that cannot be read."""

import base64
import math
import zlib

import pytest

from mlfs.errors import StatisticsError
from mlfs.tables.table_text import packed, parse_table, unpacked

PLAIN = [{"data": "flags", "els": 0.25, "mfs": 0.5}, {"data": "yeast", "els": -1.0, "mfs": 0.001}]


@pytest.mark.parametrize(
    "text",
    [
        "data,els,mfs\nflags,0.25,0.5\nyeast,-1,1e-3",
        "\ufeffdata;els;mfs\r\n\r\nflags;0,25;0,5\r\nyeast;-1,0;1e-3\r\n",
        "data\tels\tmfs\nflags\t.25\t0.5 ± 0.1\nyeast\t−1\t0.001 (0.2)",
        "data els  mfs\nflags 0.25   0.5\nyeast -1 0.001",
        'data,els,mfs\n"flags","0,25","0,5"\nyeast,-1,"1,0e-3"',
        "data;els;mfs;\nflags;0.25;0.5;\nyeast;-1;0.001;",
    ],
    ids=["commas", "semicolons and decimal commas", "tabs and deviations", "blanks", "quoted", "trailing separators"],
)
def test_the_same_table_in_many_hands(text):
    assert parse_table(text).to_dict("records") == PLAIN


def test_a_corner_may_be_left_out_and_names_may_be_numbers():
    table = parse_table("els,mfs\n1,0.25,0.5\n2,0.1,0.2")
    assert list(table.columns) == ["", "els", "mfs"]
    assert table[""].tolist() == ["1", "2"]


def test_gaps_and_words():
    table = parse_table("data,els,mfs\nflags,–,n/a\nyeast,bad,0.1")
    assert math.isnan(table.loc[0, "els"])
    assert math.isnan(table.loc[0, "mfs"])
    assert table.loc[1, "els"] == "bad"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "The table is empty: give a header with the methods, and below it a row per data set."),
        ("data,els", "The table is empty: give a header with the methods, and below it a row per data set."),
        ("els\n0.1\n0.2", "The table has one column: give data sets in the first and a method in each other one."),
        (
            "data,els,mfs\nflags,0.1,0.2\n\nyeast,0.1",
            "Line 4 ('yeast') has 2 cells and the header has 3, read with commas between: give every line the same "
            "number.",
        ),
        ("flags,0.1,0.2\nyeast,0.1,0.3", "The first line holds numbers: put the names of the methods there."),
        ("data,els,\nflags,0.1,0.2", "Column 3 has no name: write its method in the first line."),
        ('data,els\nflags,"0.1', "Line 2 opens a quotation mark that it does not close: add or drop one."),
    ],
)
def test_a_sentence_for_what_is_wrong(text, said):
    with pytest.raises(StatisticsError) as error:
        parse_table(text)
    assert str(error.value) == said


def test_small_tables_fit_a_link_and_large_ones_do_not():
    text = "data,größe\nflags,0.1\n" * 50
    word = packed(text)
    assert unpacked(word) == text
    assert set(word) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    many = ",".join(str(math.sqrt(i)) for i in range(1000))
    assert packed(many) is None
    assert packed("0" * (1 << 21)) is None


@pytest.mark.parametrize("word", ["eNoLSS0uSc7PLUgEAA", "%%%", "", "eA", "é"])
def test_a_damaged_word(word):
    with pytest.raises(ValueError, match="The table in this link is damaged: copy the whole link again"):
        unpacked(word)


def test_a_word_that_would_unpack_to_gigabytes_is_refused():
    bomb = base64.urlsafe_b64encode(zlib.compress(b"0" * (1 << 24))).rstrip(b"=").decode()
    with pytest.raises(ValueError, match="damaged"):
        unpacked(bomb)
