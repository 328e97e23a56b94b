"""CSV: headers, separators, quotes, columns of words, and which columns are labels."""

from __future__ import annotations

import re

import pytest

from mlfs.datasets.formats import Limits, read_files
from mlfs.errors import DatasetError
from tests.datasets.formats.support import XML, checked, read

CSV = "x,y,a,b\n1,2.5,0,1\n-3e2,.5,1,0\n"


def complaint(text: str | bytes, **options) -> str:
    with pytest.raises(DatasetError) as caught:
        read(text, "toy.csv", **{"labels": -2, **options})
    return checked(str(caught.value))


@pytest.mark.parametrize("labels", [-2, ["a", "b"], ("b", "a")])
def test_labels_by_name_or_count(labels):
    ds = read(CSV, "toy.csv", labels=labels)
    assert ds.X.tolist() == [[1, 2.5], [-300, 0.5]]
    assert ds.Y.tolist() == [[0, 1], [1, 0]]
    assert (ds.feature_names, ds.label_names, ds.name) == (("x", "y"), ("a", "b"), "toy")


def test_labels_first():
    ds = read("a,b,x\n0,1,5\n1,1,6\n", "toy.csv", labels=2)
    assert ds.label_names == ("a", "b")
    assert ds.X.tolist() == [[5], [6]]


def test_labels_by_an_xml():
    assert read(CSV, "toy.csv", xml=XML).fingerprint == read(CSV, "toy.csv", labels=-2).fingerprint


def test_no_word_on_the_labels():
    message = complaint(CSV, labels=None)
    assert message.startswith("toy.csv: it does not tell labels from features; give the labels by their names")


@pytest.mark.parametrize(
    "text",
    [
        CSV.replace(",", ";"),
        CSV.replace(",", "\t"),
        CSV.replace(",", "|"),
        CSV.replace("\n", "\r\n"),
        CSV.replace("x,y", '"x","y"').replace("2.5", '"2.5"'),
        CSV.replace(",", " , "),
        "\n" + CSV.replace("\n", "\n\n"),
        "\ufeff" + CSV,
    ],
    ids=["semicolon", "tab", "bar", "crlf", "quotes", "blanks", "blank lines", "byte order mark"],
)
def test_spellings_of_the_same_file(text):
    assert read(text, "toy.csv", labels=-2).fingerprint == read(CSV, "toy.csv", labels=-2).fingerprint


def test_quoted_names():
    ds = read('"a, b";"say ""x""";"two\nlines";l\n1;2;3;1\n4;5;6;0\n', "toy.csv", labels=["l"])
    assert ds.feature_names == ("a, b", 'say "x"', "two\nlines")


@pytest.mark.parametrize("sign", "\t|;")
def test_commas_in_names_and_values_do_not_part_them(sign):
    """Not even where they stand as often in the first lines as the sign that does."""
    text = "a,b|l\nx,y|no\nz|yes\nz|no\n0,1|no\n".replace("|", sign)
    ds = read(text, "toy.csv", labels=-1)
    assert ds.feature_names == ("a,b",)
    assert ds.categories == {0: ("0,1", "x,y", "z")}
    text = "a|b;c,l\n2.5,0\n1,1\n".replace("|", sign)
    assert read(text, "toy.csv", labels=-1).feature_names == ("a|b;c".replace("|", sign),)


def test_a_file_that_the_fuzzer_made():
    """As `python -m fuzz files --seed 12083567 --count 1` has it, which was refused as parted by commas."""
    ds = read("{0,1}|c1\na,b|no\n0 1|no\na,b|yes\n?|no\n", "toy.csv", labels=-1)
    assert ds.feature_names == ("{0,1}",)
    assert ds.X[0, 0] == ds.X[2, 0] != ds.X[1, 0]


def test_a_row_with_a_field_too_many_does_not_change_the_sign():
    with pytest.raises(DatasetError, match="line 3: 4 values where there are 3 columns"):
        read("a;b,c;l\n1;2;0\n1;2;3;1\n3;4;1\n", "toy.csv", labels=-1)


def test_a_line_longer_than_a_field_may_be():
    names = [f"feature{j}" for j in range(20_000)]
    ds = read(f"{';'.join(names)};l\n{'1;' * 20_000}1\n{'2;' * 20_000}0\n", "toy.csv", labels=-1)
    assert ds.feature_names == tuple(names)


def test_tsv():
    assert read(CSV.replace(",", "\t"), "toy.tsv", labels=-2).X.shape == (2, 2)


def test_columns_of_words():
    rows = "".join(
        f"{i},{word},{flag},{i % 2}\n" for i, (word, flag) in enumerate(zip("abcabc", "ynynyn", strict=True))
    )
    ds = read("x,colour,flag,l\n" + rows, "toy.csv", labels=["l"])
    assert ds.categories == {1: ("a", "b", "c")}
    assert ds.X[:, 1].tolist() == [0, 1, 2, 0, 1, 2]
    assert ds.X[:, 2].tolist() == [1, 0] * 3


def test_words_that_begin_like_infinity():
    ds = read("x,w,l\n" + "1,infra,1\n2,blue,0\n3,inf,0\n" * 2, "toy.csv", labels=["l"])
    assert ds.categories == {1: ("blue", "inf", "infra")}


def test_a_column_without_any_value():
    ds = read("x,w,l\n1,,1\n2,?,0\n", "toy.csv", labels=["l"])
    assert ds.X.tolist() == [[1, 0], [2, 0]]
    assert ds.categories == {}


def test_codes_of_words_do_not_depend_on_the_order_of_rows():
    rows = [f"{i},{word},{i % 2}\n" for i, word in enumerate("cabcab")]
    whole = read("x,w,l\n" + "".join(rows), "toy.csv", labels=["l"])
    other = read("x,w,l\n" + "".join(reversed(rows)), "toy.csv", labels=["l"])
    assert whole.X.tolist() == other.X[::-1].tolist()


def test_labels_in_words():
    assert read("x,l\n1,yes\n2,No\n", "toy.csv", labels=["l"]).Y[:, 0].tolist() == [1, 0]


@pytest.mark.parametrize("gap", ["", "?", "nan", "NaN", "NA", "n/a", "null"])
def test_missing_values(gap):
    ds = read(f"x,w,l\n1,a,1\n{gap},b,0\n4,{gap},0\n4,b,1\n", "toy.csv", labels=["l"])
    assert ds.X.tolist() == [[1, 0], [3, 1], [4, 1], [4, 1]]
    assert any(note.startswith("2 missing values in 2 features") for note in ds.notes)


def test_without_a_header():
    ds = read("1,2.5,0,1\n-3e2,.5,1,0\n", "toy.csv", labels=-2)
    assert ds.X.tolist() == [[1, 2.5], [-300, 0.5]]
    assert ds.label_names == ("column 3", "column 4")
    assert ds.notes == ("The file has no header row: its columns are named by their place.",)


def test_a_header_of_numbers():
    """As pandas writes a table without names."""
    ds = read("0,1,2,3\n7,8,0,1\n9,9,1,0\n", "toy.csv", labels=-2)
    assert ds.feature_names == ("0", "1")
    assert ds.X.shape == (2, 2)


@pytest.mark.parametrize("name", ["", "Unnamed: 0"])
def test_row_numbers_of_pandas(name):
    ds = read(f"{name},x,a\n0,5,1\n1,5,0\n2,6,0\n", "toy.csv", labels=["a"])
    assert ds.feature_names == ("x",)
    assert any("it is a row number, and dropped" in note for note in ds.notes)
    assert read(f"{name},x,a\n0,5,1\n1,5,0\n1,6,0\n", "toy.csv", labels=["a"]).X.shape == (3, 2)
    assert read(f"{name},a,x\n0,1,5\n1,0,6\n", "toy.csv", labels=1).label_names == ("a",)


def test_train_and_test_parts():
    words = "w,l\n" + "b,1\n" * 4 + "a,0\n" * 4
    files = {"toy_train.csv": words.encode(), "toy_test.csv": b"w,l\n" + b"c,1\n" * 2 + b"a,0\n" * 2}
    ds = read_files(files, labels=["l"])
    assert ds.name == "toy"
    assert ds.categories == {0: ("a", "b", "c")}
    assert ds.split[1].tolist() == [8, 9, 10, 11]


def test_parts_with_other_headers():
    with pytest.raises(DatasetError, match=r"toy-test\.csv, line 1: not the header of toy-train\.csv; give both"):
        read_files({"toy-train.csv": CSV.encode(), "toy-test.csv": CSV.replace("y", "z").encode()}, labels=-2)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (CSV + "1,2,3\n", r"line 4: 3 values where there are 4 columns; complete or remove the row"),
        (CSV + "1,2,0,1,5\n", r"line 4: 5 values where there are 4 columns"),
        (CSV + "1,oops,0,1\n", r"line 4: 'oops' in column 'y', which holds numbers; correct it, or leave it empty"),
        (CSV + "1,inf,0,1\n", r"line 4: 'inf' in column 'y', which holds numbers"),
        (CSV + "1,1e999,0,1\n", r"line 4: '1e999' in column 'y', which holds numbers"),
        (CSV + "1,1_0,0,1\n", r"line 4: '1_0' in column 'y', which holds numbers"),
        ("x,y,a,b\n-inf,2,0,1\n", r"line 2: '-inf' in column 'x', which holds numbers"),
        (CSV + "1,2,0,2\n", r"line 4: the label 'b' is '2'"),
        (CSV + "1,2,0,\n", r"line 4: the label 'b' is missing"),
        (CSV.replace(",", ";").replace(".", ","), r"line 2: '2,5' has a decimal comma; write numbers with a point"),
        ("x;a\n1.234,5;0\n2,5;1\n1.234,5;1\n", r"line 2: '1\.234,5' is a number as people write it"),
        (
            "x;a\n1,234.5;0\n7,234.5;1\n",
            r"line 2: '1,234\.5' is a number as people write it; write it with digits, - and",
        ),
        ("x,a\n10 %,0\n20 %,1\n100 %,1\n", r"line 2: '10 %' is a number as people write it"),
        ("x,a\n−1,0\n−2,1\n1,1\n", r"line 2: '−1' is a number as people write it"),
        (CSV + '"1,2,0,1\n3,4,5\n', r"line 5: unexpected end of data; check the quotes"),
        (CSV + '1,"2"x,0,1\n', r"line 4: .*; check the quotes"),
        ("x,y,a,b\n", r"no data rows"),
        ("\n \n", r"no header row"),
        ('""\n', r"no header row"),
        ("", r"the file is empty"),
        ("a\n1\n", r"it has one column only; features and labels need one each"),
    ],
)
def test_wrong_files_get_a_sentence(text, words):
    assert re.match(rf"toy\.csv.*{words}", complaint(text))


def test_one_column_too_many_for_the_limits():
    assert "max_features" in complaint(CSV, limits=Limits(max_features=1, max_labels=2))
