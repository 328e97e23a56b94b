"""Parsed table → Dataset: which columns are labels, what words and gaps become, and what is noted about it."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy import sparse

from mlfs.datasets.formats import Limits, read_files
from mlfs.errors import DatasetError
from tests.datasets.formats.support import XML, complaint, read

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
    assert "The -C in @relation disagrees with toy.xml, which was used." in ds.notes


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


def table(kinds: list[str], rows: list[str], *, label: str = "0") -> str:
    """ARFF with features f0, f1, … and one label after them, the same in every row but the first."""
    header = "".join(f"@attribute f{j} {kind}\n" for j, kind in enumerate(kinds))
    body = "".join(f"{row},{1 if i == 0 else label}\n" for i, row in enumerate(rows))
    return f"@relation toy\n{header}@attribute l {{0,1}}\n@data\n{body}"


def column(kind: str, values: list[str]):
    ds = read(table([kind, "numeric"], [f"{value},{i}" for i, value in enumerate(values)]), labels=["l"])
    return ds, ds.X[:, 0].tolist()


@pytest.mark.parametrize(
    ("kind", "values", "expected", "note"),
    [
        ("{0,1}", "010", [0, 1, 0], None),
        ("{1,0}", "010", [0, 1, 0], None),
        ("{YES,NO}", ["YES", "NO", "NO"], [1, 0, 0], "1 two-valued feature: 'NO' was read as 0 and 'YES' as 1."),
        ("{n,y}", "nyn", [0, 1, 0], "1 two-valued feature: 'n' was read as 0 and 'y' as 1."),
        ("{true,false}", ["true", "false", "true"], [1, 0, 1], "'false' was read as 0 and 'true' as 1."),
        ("{male,female}", ["male", "female", "male"], [0, 1, 0], "'male' was read as 0 and 'female' as 1."),
        ("{1,2}", "121", [0, 1, 0], "'1' was read as 0 and '2' as 1."),
        ("string", ["yes", "no", "no"], [1, 0, 0], "'no' was read as 0 and 'yes' as 1."),
        ("string", ["b", "a", "b"], [1, 0, 1], "'a' was read as 0 and 'b' as 1."),
    ],
)
def test_two_values_become_0_and_1(kind, values, expected, note):
    ds, read_values = column(kind, values)
    assert read_values == expected
    assert ds.categories == {}
    two_valued = [text for text in ds.notes if "two-valued" in text]
    assert len(two_valued) == (note is not None)
    assert all(text.endswith(note) for text in two_valued)


def test_many_pairs_of_words_are_summed_up():
    kinds = [f"{{a{j},b{j}}}" for j in range(8)]
    ds = read(table(kinds, [",".join(f"a{j}" for j in range(8)), ",".join(f"b{j}" for j in range(8))]), labels=-1)
    assert sum("two-valued" in note for note in ds.notes) == 5
    assert any(note.startswith("3 more pairs") for note in ds.notes)


def test_more_values_become_one_categorical_column():
    ds, values = column("{1,2,3,4,5,6}", ["4", "1", "6"])
    assert values == [3, 0, 5]
    assert ds.categories == {0: ("1", "2", "3", "4", "5", "6")}
    ds, values = column("{only}", ["only"] * 3)
    assert values == [0, 0, 0]
    assert ds.categories == {0: ("only",)}


def test_strings_with_few_values_are_categories_in_alphabetical_order():
    ds, values = column("string", ["red", "blue", "green"] * 3)
    assert ds.categories == {0: ("blue", "green", "red")}
    assert values == [2, 0, 1] * 3


@pytest.mark.parametrize(
    ("kind", "n", "n_distinct", "is_id"),
    [
        ("string", 3, 3, True),
        ("string", 20, 20, True),
        ("string", 20, 18, True),
        ("string", 20, 17, False),
        ("nominal", 20, 20, True),
        ("nominal", 20, 18, True),
        ("nominal", 20, 17, False),
        ("nominal", 9, 9, False),
    ],
)
def test_row_ids_are_dropped(kind, n, n_distinct, is_id):
    """genbase's `protein` has 662 values in 662 rows."""
    words = [f"P{i:03}" for i in range(n_distinct)]
    values = words + words[:1] * (n - n_distinct)
    ds, _ = column("string" if kind == "string" else "{" + ",".join(words) + "}", values)
    assert ds.feature_names == (("f1",) if is_id else ("f0", "f1"))
    assert any(note.startswith("Nearly every row has its own value of f0") for note in ds.notes) == is_id
    assert bool(ds.categories) != is_id


def test_row_id_that_declares_more_values_than_it_uses():
    words = [f"P{i:03}" for i in range(40)]
    ds, _ = column("{" + ",".join(words) + "}", words[:2] * 10)
    assert ds.feature_names == ("f0", "f1")


def test_only_a_row_id_is_no_data_set():
    text = table(["string"], [f"P{i}" for i in range(12)])
    assert "no column is left as a feature" in complaint(text, labels=-1)


def test_missing_values_are_filled_and_counted():
    rows = ["1,a,yes", "?,a,no", "nan,b,?", "4, ? ,no", ",c,no"]
    ds = read(table(["numeric", "{a,b,c}", "{yes,no}"], rows), labels=["l"])
    assert ds.X.tolist() == [[1, 0, 1], [2.5, 0, 0], [2.5, 1, 0], [4, 0, 0], [2.5, 2, 0]]
    assert "5 missing values in 3 features: filled with the mean, or for words the most frequent one." in ds.notes


def test_a_feature_without_any_value_is_named():
    ds = read(table(["numeric", "numeric"], ["1,?", "2,nan"]), labels=["l"])
    assert ds.X.tolist() == [[1, 0], [2, 0]]
    assert "1 feature has no value in any row and is 0 throughout: f1." in ds.notes


@pytest.mark.parametrize("labels", [["a", "a"], ("b", "a", "b")])
def test_a_label_that_is_named_twice(labels):
    assert complaint("x,a,b\n1,0,1\n", "toy.csv", labels=labels) == (
        f"toy.csv: the call names {labels[0]!r} twice as a label; name it once."
    )


def test_a_note_is_one_line_whatever_it_names():
    ds = read('x,"a\nb"\n1,0\n2,0\n', "toy.csv", labels=-1)
    assert ds.label_names == ("a\nb",)
    assert ds.notes[0] == "1 label is never positive (a\\nb); kept."


def test_missing_values_are_filled_from_the_training_rows():
    train = table(["numeric", "{a,b,c}"], ["1,b", "3,b", "?,?"])
    test = table(["numeric", "{a,b,c}"], ["100,c", "100,c", "100,c", "?,?"])
    ds = read_files({"toy-train.arff": train.encode(), "toy-test.arff": test.encode()}, labels=["l"])
    assert ds.X[[2, 6]].tolist() == [[2, 1], [2, 1]]
    assert any("of the training rows" in note for note in ds.notes)


def test_missing_values_that_the_training_rows_cannot_fill():
    train = table(["numeric", "numeric"], ["?,?", "?,?"])
    test = table(["numeric", "numeric"], ["5,?", "7,?"])
    ds = read_files({"toy-train.arff": train.encode(), "toy-test.arff": test.encode()}, labels=["l"])
    assert ds.X.tolist() == [[6, 0], [6, 0], [5, 0], [7, 0]]


def test_missing_values_in_a_sparse_file():
    """The mean is over all rows, the zeros that are not written among them."""
    text = """@attribute x numeric
@attribute y {a,b,c}
@attribute z {YES,NO}
@attribute l {0,1}
@data
{0 ?, 1 ?, 3 1}
{0 3, 1 b, 2 NO}
{1 b, 2 ?}
{0 3, 2 NO}
"""
    ds = read(text, labels=["l"])
    assert sparse.issparse(ds.X)
    assert ds.X.toarray().tolist() == [[2, 1, 1], [3, 1, 0], [0, 1, 0], [3, 0, 0]]
    assert any(note.startswith("3 missing values in 3 features") for note in ds.notes)


def test_a_string_attribute_without_any_value():
    ds, values = column("string", ["?", "?"])
    assert values == [0, 0]
    assert ds.categories == {}


def test_means_of_huge_numbers_stay_finite():
    ds, values = column("numeric", ["1.7e308", "1.7e308", "?", "-1e-320"])
    assert np.isfinite(ds.X).all()
    assert values[2] == pytest.approx(2 / 3 * 1.7e308)


def test_constant_features_are_counted_and_kept():
    ds = read(table(["numeric", "numeric"], ["1,2", "1,3"]), labels=["l"])
    assert "1 feature is constant; kept." in ds.notes
    ds = read("@attribute x numeric\n@attribute y numeric\n@attribute l {0,1}\n@data\n{2 1}\n{}\n", labels=["l"])
    assert "2 features are constant; kept." in ds.notes
    assert ds.X.shape == (2, 2)


def test_names_that_occur_again_get_a_number():
    ds = read("x,x (2),x,x,l\n1,2,3,4,1\n5,6,7,8,0\n", "toy.csv", labels=["l"])
    assert ds.feature_names == ("x", "x (2)", "x (3)", "x (4)")
    assert ds.X[0].tolist() == [1, 2, 3, 4]
    assert any(note.startswith("2 features had the name of an earlier one") for note in ds.notes)


def test_sparse_yes_no_columns_cannot_fill_the_memory():
    """Each row is four bytes, but YES is what it leaves out: made 1, it fills every cell."""
    header = "".join(f"@attribute f{j} {{YES,NO}}\n" for j in range(50)) + "@attribute l {0,1}\n@data\n"
    text = header + "{50 1}\n" * 50
    assert read(text, labels=-1).X.nnz == 2500
    assert "toy.arff: more than 2,000 values that are not 0" in complaint(
        text, labels=-1, limits=Limits(max_cells=2000)
    )


def test_a_sparse_table_with_every_quirk_equals_the_dense_one():
    rng = np.random.default_rng(0)
    kinds = ["numeric", "{YES,NO}", "{NO,YES}", "{a,b,c}", "{1,2}", "numeric"]
    choices = [["0", "1.5", "?"], ["YES", "NO", "?"], ["NO", "YES", "?"], list("abc?"), list("12?"), ["0", "-2"]]
    rows = [[str(rng.choice(each)) for each in choices] + [str(rng.integers(2))] for _ in range(40)]
    header = "".join(f"@attribute f{j} {kind}\n" for j, kind in enumerate(kinds)) + "@attribute l {0,1}\n@data\n"
    implicit = ["0", "YES", "NO", "a", "1", "0", "0"]
    dense = header + "".join(",".join(row) + "\n" for row in rows)
    pairs = [[f"{j} {value}" for j, value in enumerate(row) if value != implicit[j]] for row in rows]
    as_sparse = header + "".join("{" + ", ".join(each) + "}\n" for each in pairs)
    from_dense, other = read(dense, labels=-1), read(as_sparse, labels=-1)
    assert from_dense.fingerprint == other.fingerprint
    assert from_dense.notes == other.notes


def test_infinity_is_refused():
    with pytest.raises(DatasetError, match=r"toy\.arff, line 7: 'Infinity' is not a finite number"):
        column("numeric", ["1", "Infinity"])


@pytest.mark.parametrize("name", ["customer_id", "ID", "Row ID", "patientId", "id"])
def test_numbers_that_are_ids_by_name_and_value(name):
    ds = read(f"{name},x,a\n17,1,0\n12,2,1\n90,2,1\n", "toy.csv", labels=["a"])
    assert ds.feature_names == ("x",)
    assert (
        f"Every row has its own whole number of {name}: by its name it is an ID, and is not used as a feature."
        in ds.notes
    )


@pytest.mark.parametrize(
    "column",
    [
        ("acid", 17, 12, 90),  # another word
        ("width", 17, 12, 90),
        ("customer_id", 17, 12, 17),  # two rows share one
        ("customer_id", 17.5, 12, 90),
        ("customer_id", 17, "", 90),
    ],
)
def test_other_columns_of_numbers_stay(column):
    rows = zip(column, ("x", 1, 2, 3), ("a", 0, 1, 1), strict=True)
    ds = read("".join(f"{i},{x},{a}\n" for i, x, a in rows), "toy.csv", labels=["a"])
    assert ds.feature_names == (column[0], "x")
