"""The first look at files: hand-made tables whose labels a person would name at once, and those nobody could."""

from __future__ import annotations

import gzip
import io
import zipfile

import numpy as np
import pytest

from mlfs.datasets import data_folder, load_dataset
from mlfs.datasets.formats import Limits, preview_files, propose_labels, read_files
from mlfs.errors import DatasetError


def csv(header: str, *rows: str) -> dict[str, bytes]:
    return {"mine.csv": "\n".join([header, *rows, ""]).encode()}


FOUR = csv(
    "age,weight,height,dose,pulse,a,b,c,d", "30,70,1.8,2,60,1,0,0,1", "41,80,1.7,3,66,0,1,0,1", "9,30,1,1,80,1,1,0,0"
)


@pytest.mark.parametrize(
    ("names", "yes_no", "row_ids", "labels", "certainty"),
    [
        ("f g h i a b c", [4, 5, 6], [], -3, "sure"),
        ("a b f g h", [0, 1], [], 2, "sure"),
        ("f a b", [1, 2], [], -2, "likely"),  # more labels than features
        ("f smoker g h a b", [1, 4, 5], [], -2, "likely"),  # a 0/1 feature among the others
        ("male f g a b", [0, 3, 4], [], -2, "unsure"),  # 0/1 columns at both ends: the longer run
        ("a b c f g smoker", [0, 1, 2, 5], [], 3, "unsure"),
        ("a f g b", [0, 3], [], -1, "unsure"),  # equally long: the right end
        ("f g a", [2], [], -1, "unsure"),  # one label is few
        ("w1 w2 w3 label1 label2", [0, 1, 2, 3, 4], [], -2, "sure"),  # all are 0/1, the names tell
        ("Class1 Class2 w1 w2", [0, 1, 2, 3], [], 2, "sure"),
        ("f smoker male y_1 y_2", [1, 2, 3, 4], [], -2, "sure"),
        ("id a b f g h", [1, 2], [0], ["a", "b"], "sure"),  # behind the names of the rows
        ("id f g h a b", [4, 5], [0], -2, "sure"),
        ("f g h a b id", [3, 4], [5], ["a", "b"], "sure"),
        ("label1 f g a b", [0, 3, 4], [], 1, "likely"),  # one label is few
    ],
)
def test_the_labels_that_are_proposed(names, yes_no, row_ids, labels, certainty):
    names = names.split()
    proposal = propose_labels(names, yes_no, row_ids)
    assert (proposal.labels, proposal.certainty) == (labels, certainty)
    expected = {
        int: lambda: list(range(len(names)))[slice(labels) if labels > 0 else slice(labels, None)],
        list: lambda: [names.index(name) for name in labels],
    }
    assert proposal.columns == expected[type(labels)]()
    assert proposal.reason.endswith(".")


@pytest.mark.parametrize(
    ("names", "yes_no"),
    [
        ("f g h", []),
        ("f a b g", [1, 2]),  # in the middle they may be anything
        ("a b c d", [0, 1, 2, 3]),  # all alike, and no name tells
        ("label1 label2", [0, 1]),  # no feature would be left
    ],
)
def test_nothing_is_proposed_where_nothing_speaks_for_it(names, yes_no):
    assert propose_labels(names.split(), yes_no) is None


def test_reasons_name_what_speaks_against_a_proposal():
    assert "at the other end stands male." in propose_labels(["male", "f", "g", "a", "b"], [0, 3, 4]).reason
    assert "1 other column (smoker)" in propose_labels(["f", "smoker", "g", "h", "a", "b"], [1, 4, 5]).reason


def test_four_label_columns_of_a_csv_are_proposed():
    look = preview_files(FOUR)
    assert look.proposal.labels == -4
    assert look.proposal.certainty == "sure"
    assert look.names == ["age", "weight", "height", "dose", "pulse", "a", "b", "c", "d"]
    assert (look.n_rows, look.is_whole, look.declared, look.problem) == (3, True, None, None)
    assert look.first_cells(2) == ["1.8", "1.7", "1"]
    assert look.chosen(look.proposal.labels) == look.chosen(["a", "b", "c", "d"]) == [5, 6, 7, 8]
    assert look.chosen(2) == [0, 1]
    assert read_files(FOUR, labels=look.proposal.labels).label_names == ("a", "b", "c", "d")


@pytest.mark.parametrize(
    ("cells", "is_label"),
    [
        ("0 1 1", True),
        ("-1 1 1", True),
        ("yes no no", True),
        ("TRUE FALSE TRUE", True),
        ("0 0 0", True),  # a label that never occurs here
        ("1.0 0.0 1", True),
        ("0 1 2", False),
        ("0 1 0.5", False),
        ("0 1 ?", False),  # a label is never missing
        ("red blue red", False),
        ("yes no maybe", False),
        ("-1 0 1", False),
    ],
)
def test_what_a_label_column_may_hold(cells, is_label):
    rows = [f"{i}.5,{i}.25,0,{cell}" for i, cell in enumerate(cells.split())]
    proposal = preview_files(csv("f,g,a,b", *rows)).proposal
    assert (proposal is not None and proposal.columns == [2, 3]) == is_label
    if is_label:
        assert read_files(csv("f,g,a,b", *rows), labels=proposal.labels).Y.shape == (3, 2)


def test_row_numbers_and_ids_are_no_labels_and_no_features():
    files = csv(",customer_id,a,b,f,g", "0,17,1,0,2.5,3", "1,12,0,1,2,4", "2,99,1,1,1.5,5")
    look = preview_files(files)
    assert look.names[0] == "customer_id"  # pandas' numbers are gone before
    assert look.row_ids == [0]
    assert look.proposal.labels == ["a", "b"]
    ds = read_files(files, labels=look.proposal.labels)
    assert ds.feature_names == ("f", "g")
    assert any("customer_id" in note for note in ds.notes)


@pytest.mark.parametrize("name", ["emotions", "yeast", "scene"])
def test_the_labels_of_the_bundled_sets_are_found(name):
    ds = load_dataset(name)
    values = np.hstack([ds.X, ds.Y])
    yes_no = [j for j, column in enumerate(values.T) if set(column) <= {0, 1}]
    assert propose_labels([*ds.feature_names, *ds.label_names], yes_no).labels == -len(ds.label_names)


def test_a_compressed_file_is_looked_at_too():
    path = data_folder() / "emotions.csv.gz"
    assert preview_files({path.name: path.read_bytes()}).proposal.labels == -6


def test_what_the_files_say_goes_before_a_proposal():
    arff = b"@relation t\n@attribute f numeric\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n1,0,1\n2,1,1\n"
    xml = b'<labels xmlns="http://mulan.sourceforge.net/labels"><label name="b"/></labels>'
    look = preview_files({"t.arff": arff, "t.xml": xml})
    assert look.declared == [2]
    assert look.proposal is None
    alone = preview_files({"t.arff": arff})
    assert alone.declared is None
    assert alone.proposal.labels == -2
    assert alone.first_cells(1) == ["0", "1"]
    wrong = preview_files({"t.arff": arff.replace(b"@relation t", b"@relation 't: -C 1'")})
    assert "-C in @relation makes 'f' a label, but it is numeric" in wrong.problem
    assert wrong.declared is None
    assert wrong.proposal.labels == -2


def test_a_csv_in_a_zip_and_a_training_and_a_test_part():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("folder/mine.csv", FOUR["mine.csv"])
    assert preview_files({"mine.zip": packed.getvalue()}).proposal.labels == -4
    pair = {"mine-train.csv": FOUR["mine.csv"], "mine-test.csv": FOUR["mine.csv"]}
    assert preview_files(pair).n_rows == 6
    assert preview_files(pair).proposal.labels == -4


def long_csv(rows: int) -> bytes:
    return b"f,g,h,a,b\n" + b"".join(b"%d,1.5,red,%d,1\n" % (i, i % 2) for i in range(rows))


def test_of_a_long_file_the_beginning_is_looked_at():
    look = preview_files({"long.csv": long_csv(5000)}, sample=1000)
    assert not look.is_whole
    assert 10 < look.n_rows < 100
    assert look.proposal.labels == -2
    packed = preview_files({"long.csv.gz": gzip.compress(long_csv(5000))}, sample=1000)
    assert packed.n_rows == look.n_rows
    # Behind the beginning anything may follow: reading says so.
    odd = long_csv(5000) + b"1,2,red,7,1\n"
    assert preview_files({"long.csv": odd}, sample=1000).proposal.labels == -2
    with pytest.raises(DatasetError, match="the label 'a' is '7'"):
        read_files({"long.csv": odd}, labels=-2)


def test_a_cut_within_quotes_or_above_the_first_row_does_no_harm():
    quoted = b'f,t,a,b\n1.5,"' + b"word\n" * 50 + b'",1,0\n2.5,x,0,1\n'
    look = preview_files({"q.csv": quoted}, sample=100)
    assert look.is_whole
    assert look.proposal.labels == -2
    header = b"@relation t\n" + b"".join(b"@attribute f%d numeric\n" % i for i in range(50))
    arff = header + b"@attribute a {0,1}\n@data\n" + b"1," * 50 + b"1\n"
    assert preview_files({"t.arff": arff}, sample=100).is_whole


def test_a_sparse_file_shows_its_first_rows():
    look = preview_files({"s.libsvm": b"1 1:3\n2 2:2.5\n1,2 1:5\n"})
    assert [look.names[j] for j in look.declared] == ["1", "2"]
    assert look.first_cells(0) == ["3", "0", "5"]


def test_what_cannot_be_read_gets_the_readers_sentence():
    with pytest.raises(DatasetError, match=r"mine.csv, line 3: 2 values where there are 3 columns"):
        preview_files(csv("f,a,b", "1,0,1", "1,0"))
    with pytest.raises(DatasetError, match="it has one column only"):
        preview_files(csv("f", "1", "0"))
    with pytest.raises(DatasetError, match="more than 1 row"):
        preview_files(FOUR, limits=Limits(max_rows=1))


def test_a_preview_does_not_keep_the_table():
    look = preview_files({"long.csv": long_csv(2000)})
    assert look._cells.base is None
    assert look._cells.shape == (6, 5)
    assert look.first_cells(2) == ["red"] * 6
