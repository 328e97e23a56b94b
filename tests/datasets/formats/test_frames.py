"""Tables of typed columns become what the same table as CSV becomes: DataFrames, Parquet, Feather and Excel alike."""

from __future__ import annotations

import io
import sys

import numpy as np
import pandas as pd
import pytest

from mlfs.datasets import Dataset, load_bundled
from mlfs.datasets.formats import FORMATS, Limits, preview_files, read_files, sheets_to_choose_from
from mlfs.errors import DatasetError
from tests.datasets.formats.support import checked, complaint, read

FRAME = pd.DataFrame(
    {
        "size": [1.5, np.nan, 3, 4, 5.25, -1e-300],
        "count": [1, 2, 2, 3, 3, 3],
        "colour": ["red", "blue", None, "red", "green", "red"],
        "smooth": ["yes", "no", "no", "yes", "yes", "no"],
        "code": ["1", "2", "?", "4", "4", "2"],
        "a": [1, 0, 1, 0, 0, 1],
        "b": ["no", "yes", "no", "no", "yes", "yes"],
    }
)
LABELS = ["a", "b"]


def parquet(frame, **options) -> bytes:
    frame.to_parquet(file := io.BytesIO(), **options)
    return file.getvalue()


def feather(frame, **options) -> bytes:
    frame.to_feather(file := io.BytesIO(), **options)
    return file.getvalue()


def xlsx(frame) -> bytes:
    pytest.importorskip("openpyxl")
    frame.to_excel(file := io.BytesIO(), index=False)
    return file.getvalue()


WRITERS = {"parquet": parquet, "feather": feather, "xlsx": xlsx}


def sentence(frame, labels) -> str:
    """With which a DataFrame is refused."""
    with pytest.raises(DatasetError) as caught:
        Dataset.from_frame(frame, labels)
    return checked(str(caught.value))


@pytest.mark.parametrize("kind", [*WRITERS, "frame"])
@pytest.mark.parametrize("labels", [LABELS, -2])
def test_as_the_same_table_in_csv(kind, labels):
    as_csv = read(FRAME.to_csv(index=False), "toy.csv", labels=labels)
    assert as_csv.categories == {2: ("blue", "green", "red")}
    if kind == "frame":
        ds = Dataset.from_frame(FRAME, labels, name="toy")
    else:
        ds = read(WRITERS[kind](FRAME), f"toy.{kind}", labels=labels)
    assert ds.fingerprint == as_csv.fingerprint
    assert ds.notes == as_csv.notes
    assert ds.name == "toy"


@pytest.mark.parametrize("kind", WRITERS)
def test_parts_are_a_split_and_share_their_words(kind):
    first, second = FRAME[:4], FRAME[4:]
    files = {f"toy-{part}.{kind}": WRITERS[kind](half) for part, half in (("train", first), ("test", second))}
    texts = {
        f"toy-{part}.csv": half.to_csv(index=False).encode() for part, half in (("train", first), ("test", second))
    }
    ds = read_files(files, labels=LABELS)
    assert ds.fingerprint == read_files(texts, labels=LABELS).fingerprint
    assert [rows.tolist() for rows in ds.split] == [[0, 1, 2, 3], [4, 5]]
    files[f"toy-test.{kind}"] = WRITERS[kind](second.rename(columns={"size": "length"}))
    with pytest.raises(DatasetError, match=r"not the columns of toy-train\.\w+; give both parts the same"):
        read_files(files, labels=LABELS)


@pytest.mark.parametrize("kind", ["parquet", "feather", "frame"])
def test_declared_categories_keep_their_order(kind):
    frame = FRAME.assign(colour=pd.Categorical(FRAME["colour"], ["red", "violet", "green", "blue"]))
    ds = (
        Dataset.from_frame(frame, LABELS)
        if kind == "frame"
        else read(WRITERS[kind](frame), f"toy.{kind}", labels=LABELS)
    )
    assert ds.categories == {2: ("red", "violet", "green", "blue")}
    assert ds.X[:, 2].tolist() == [0, 3, 0, 0, 2, 0]  # the gap is filled with the most frequent word


def test_types_of_columns():
    frame = pd.DataFrame(
        {
            "nullable": pd.array([1, None, 3], dtype="Int64"),
            "flag": [True, False, True],
            "flag with a gap": pd.array([True, None, False], dtype="boolean"),
            "small": np.array([1, 2, 3], dtype="uint8"),
            "single": np.array([0.1, 0.2, 0.3], dtype="float32"),
            "day": pd.to_datetime(["2024-01-01", "2024-01-01", "2024-02-01"]),
            "mixed": ["x", 1, "x"],
            "empty": [None, None, None],
            "label": pd.Categorical(["no", "yes", "no"]),
        }
    )
    ds = Dataset.from_frame(frame, ["label"])
    assert ds.X[:, 0].tolist() == [1, 2, 3]
    assert ds.X[:, 2].tolist() == [1, 0.5, 0]
    assert ds.X[:, 4].tolist() == np.array([0.1, 0.2, 0.3], dtype="float32").tolist()
    assert ds.X[:, 5:8].tolist() == [[0, 1, 0], [0, 0, 0], [1, 1, 0]]
    assert ds.Y[:, 0].tolist() == [0, 1, 0]
    plain = frame.drop(columns="mixed")
    for kind in ("parquet", "feather"):
        again = read(WRITERS[kind](plain), f"toy.{kind}", labels=["label"])
        assert np.array_equal(again.X, np.delete(ds.X, 6, axis=1))


def test_columns_that_are_not_named_by_words():
    frame = pd.DataFrame([[0.5, 1, 0], [1.5, 0, 1]])
    ds = Dataset.from_frame(frame, labels=[1, 2])
    assert (ds.feature_names, ds.label_names) == (("0",), ("1", "2"))
    twice = pd.DataFrame([[1, 2, 0], [3, 4, 1]], columns=["x", "x", "y"])
    assert Dataset.from_frame(twice, ["y"]).feature_names == ("x", "x (2)")


@pytest.mark.parametrize(
    ("frame", "labels", "words"),
    [
        (FRAME, ["c"], "frame: it has no column 'c', which the call names as a label; "),
        (FRAME, [], "must be given as a list of column names"),
        (FRAME, ["size"], "frame, row 1: the label 'size' is '1.5'"),
        (FRAME[:0], LABELS, "frame: there are no data rows"),
        (FRAME.assign(size=[1, 2, np.inf, 4, 5, 6]), LABELS, "frame, row 3: infinity in column 'size'"),
        (FRAME.assign(size=[1, 2, 3, 4, "x", 6]), LABELS, "frame, row 5: 'x' in column 'size', which holds numbers"),
        (FRAME.assign(size=["1,5"] * 6), LABELS, "frame, row 1: '1,5' has a decimal comma"),
        (FRAME.assign(size=[[1]] * 6), LABELS, "frame: column 'size' holds neither numbers nor words"),
        ([[1, 2]], LABELS, "A pandas DataFrame is needed, not list."),
    ],
)
def test_what_is_refused(frame, labels, words):
    assert words in sentence(frame, labels)


@pytest.mark.parametrize("kind", ["parquet", "feather"])
def test_columns_of_lists_are_refused(kind):
    content = WRITERS[kind](FRAME.assign(size=[[1]] * 6))
    assert "column 'size' holds neither numbers nor words" in complaint(content, f"toy.{kind}", labels=-1)


@pytest.mark.parametrize("kind", WRITERS)
def test_limits(kind):
    content = WRITERS[kind](FRAME)
    for limits, words in (
        (Limits(max_rows=5), "more than 5 rows"),
        (Limits(max_cells=20), "more than 20 values"),
        (Limits(max_features=1, max_labels=1), "too many columns"),
        (Limits(max_bytes=100), "larger than 100 bytes"),
    ):
        assert words in complaint(content, f"toy.{kind}", labels=LABELS, limits=limits)


@pytest.mark.parametrize("kind", ["parquet", "feather"])
def test_compressed_tables_stop_at_the_limit(kind):
    """80 MB in some kilobytes: the sizes that the file gives are looked at first."""
    big = pd.DataFrame({f"x{j}": np.zeros(1_000_000) for j in range(10)})
    content = WRITERS[kind](big, compression="zstd")
    assert len(content) < 1_000_000
    limits = Limits(max_bytes=3_000_000, max_rows=10**8, max_cells=10**9)
    if kind == "feather":
        assert "larger than 3,000,000 bytes uncompressed" in complaint(content, "toy.feather", limits=limits)
    assert "more than 1,000 rows" in complaint(content, f"toy.{kind}", limits=Limits(max_rows=1000))


def test_long_words_take_their_length_once():
    """A gigabyte as plain text; a megabyte as a list of words."""
    words = pd.Categorical.from_codes(np.arange(2000) % 2, ["x" * 500_000, "y"])
    frame = pd.DataFrame({"word": words, "a": np.arange(2000) % 2})
    content = parquet(frame, store_schema=False)  # which does not say that the words are categories
    assert read(content, "toy.parquet", labels=["a"]).X[:3].tolist() == [[0], [1], [0]]


def test_row_names_of_pandas_are_no_feature():
    frame = FRAME.set_index(pd.Index(list("uvwxyz")))
    for kind in ("parquet", "feather"):
        content = parquet(frame) if kind == "parquet" else feather(frame.reset_index(names="__index_level_0__"))
        ds = read(content, f"toy.{kind}", labels=LABELS)
        assert ds.feature_names == tuple(FRAME.columns[:5])
        assert "The row names that pandas keeps in the file are not used as a feature." in ds.notes
    assert Dataset.from_frame(frame, LABELS).feature_names == tuple(FRAME.columns[:5])


def test_a_workbook_of_several_sheets():
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in ([None, None, None], ["x", "y", "label"], [1, 2, "yes"], [3, None, "no"], [None] * 3, [5, 4, "no"]):
        book.active.append(row)
    for title, rows in {"Notes": [["hello"]], "1": [["a", "b"], [7, 1], [8, 0]]}.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    book.save(file := io.BytesIO())
    content = file.getvalue()
    assert sheets_to_choose_from({"readme.txt": b"", "toy.xlsx": content}) == ["Sheet", "Notes", "1"]
    ds = read(content, "toy.xlsx", labels=["label"])
    assert ds.X.tolist() == [[1, 2], [3, 3], [5, 4]]
    assert "Of toy.xlsx the sheet 'Sheet' was read, and not 'Notes', '1'." in ds.notes
    for sheet in ("1", 3):  # a name goes before a number
        third = read(content, "toy.xlsx", labels=["b"], sheet=sheet)
        assert (third.X.tolist(), third.Y.tolist()) == ([[7], [8]], [[1], [0]])
        assert preview_files({"toy.xlsx": content}, sheet=sheet).names == ["a", "b"]
    assert complaint(content, "toy.xlsx", sheet="Note") == "toy.xlsx: it has no sheet 'Note'; did you mean 'Notes'?"
    assert complaint(content, "toy.xlsx", sheet=4) == "toy.xlsx: it has no sheet '4'; choose from Sheet, Notes, 1."
    assert "it has no sheet '999" in complaint(content, "toy.xlsx", sheet="9" * 5000)


@pytest.mark.parametrize("kind", ["csv", "npz"])
def test_a_sheet_is_for_workbooks(kind):
    np.savez(file := io.BytesIO(), X=np.eye(3), Y=np.eye(3))
    content = file.getvalue() if kind == "npz" else b"a,b\n1,0\n"
    title = FORMATS[kind].title
    sentence = f"toy.{kind}: a sheet is for Excel files, and this is {title}; leave it out."
    assert complaint(content, f"toy.{kind}", sheet="a") == sentence


def test_a_workbook_without_header():
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in ([1.5, 2, 0], [3, 5, 1]):
        book.active.append(row)
    book.save(file := io.BytesIO())
    ds = read(file.getvalue(), "toy.xlsx", labels=-1)
    assert ds.X.tolist() == [[1.5, 2], [3, 5]]
    assert ds.feature_names == ("column 1", "column 2")


def test_without_openpyxl(monkeypatch):
    content = xlsx(FRAME)
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    message = complaint(content, "toy.xlsx", labels=LABELS)
    assert message == "toy.xlsx: an Excel file is read with openpyxl, which is missing; pip install openpyxl."


@pytest.mark.parametrize("kind", WRITERS)
def test_damage(kind):
    content = WRITERS[kind](FRAME)
    for cut in (7, len(content) // 2, len(content) - 20):
        assert complaint(content[:cut], f"toy.{kind}", labels=LABELS).startswith(f"toy.{kind}: ")
    assert complaint(b"hello, world\n", f"toy.{kind}", labels=LABELS)
    old = complaint(b"FEA1" + bytes(100), "toy.feather", labels=LABELS)
    assert old == "toy.feather: not a Feather file of version 2; write it again with pandas or pyarrow."


def test_real_data_by_all_ways():
    ds = load_bundled("emotions")
    frame = pd.DataFrame(np.hstack([ds.X, ds.Y]), columns=[*ds.feature_names, *ds.label_names])
    for kind in ("parquet", "feather"):
        again = read(WRITERS[kind](frame), f"emotions.{kind}", labels=-6)
        assert np.array_equal(again.X, ds.X)
        assert np.array_equal(again.Y, ds.Y)


@pytest.mark.parametrize("kind", ["parquet", "feather", "frame"])
def test_durations_need_a_unit(kind):
    """Parquet's would be read as microseconds, or whatever unit the file has."""
    frame = FRAME.assign(took=pd.to_timedelta(range(6), unit="s"))
    said = sentence(frame, LABELS) if kind == "frame" else complaint(WRITERS[kind](frame), f"toy.{kind}", labels=LABELS)
    assert said.endswith("column 'took' holds durations; write them as numbers, of seconds for example.")


@pytest.mark.parametrize("kind", ["parquet", "csv"])
@pytest.mark.parametrize("sign", [1, -1])
def test_numbers_whose_last_digits_are_lost_are_told(kind, sign):
    most = 2**53
    for numbers, told in (([most - 1], False), ([most + 1], True)):
        frame = FRAME.assign(size=[sign * number for number in (*numbers, 1, 2, 3, 4, 5)])
        content = parquet(frame) if kind == "parquet" else frame.to_csv(index=False)
        notes = read(content, f"toy.{kind}", labels=LABELS).notes
        note = "1 feature has numbers of 9,007,199,254,740,992 or more, of which only the first 15 digits are kept."
        assert (note in notes) == told
