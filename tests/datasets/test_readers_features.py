"""The quirks of features: nominal values, gaps, row IDs, names, and what the notes say of them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from mlfs.datasets.readers import Limits, read_files
from mlfs.errors import DatasetError
from tests.datasets.readers_support import complaint, read


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
    ds, found = column(kind, values)
    assert found == expected
    assert ds.categories == {}
    told = [text for text in ds.notes if "two-valued" in text]
    assert len(told) == (note is not None)
    assert all(text.endswith(note) for text in told)


def test_many_pairs_of_words_are_summed_up():
    kinds = [f"{{a{j},b{j}}}" for j in range(8)]
    ds = read(table(kinds, [",".join(f"a{j}" for j in range(8)), ",".join(f"b{j}" for j in range(8))]), labels=-1)
    assert sum("two-valued" in note for note in ds.notes) == 5
    assert any(note.startswith("3 more pairs") for note in ds.notes)


def test_more_values_become_one_categorical_column():
    ds, found = column("{1,2,3,4,5,6}", ["4", "1", "6"])
    assert found == [3, 0, 5]
    assert ds.categories == {0: ("1", "2", "3", "4", "5", "6")}
    ds, found = column("{only}", ["only"] * 3)
    assert found == [0, 0, 0]
    assert ds.categories == {0: ("only",)}


def test_strings_with_few_values_are_categories_in_alphabetical_order():
    ds, found = column("string", ["red", "blue", "green"] * 3)
    assert ds.categories == {0: ("blue", "green", "red")}
    assert found == [2, 0, 1] * 3


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
    ds, found = column("string", ["?", "?"])
    assert found == [0, 0]
    assert ds.categories == {}


def test_means_of_huge_numbers_stay_finite():
    ds, found = column("numeric", ["1.7e308", "1.7e308", "?", "-1e-320"])
    assert np.isfinite(ds.X).all()
    assert found[2] == pytest.approx(2 / 3 * 1.7e308)


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
    one, other = read(dense, labels=-1), read(as_sparse, labels=-1)
    assert one.fingerprint == other.fingerprint
    assert one.notes == other.notes


def test_infinity_is_refused():
    with pytest.raises(DatasetError, match=r"toy\.arff, line 7: 'Infinity' is not a finite number"):
        column("numeric", ["1", "Infinity"])
