"""KEEL's files: @outputs names the labels."""

from __future__ import annotations

import pytest

from mlfs.datasets.formats import read_files
from mlfs.errors import DatasetError
from tests.datasets.formats.support import complaint, read

KEEL = """@relation toy
@attribute size real [0.0, 9.5]
@attribute n integer[1,4]
@attribute colour {red, dark blue, green}
@attribute wet {0, 1}
@attribute warm integer [0, 1]
@inputs size, n, colour
@outputs wet, warm
@data
0.5, 1, red, 1, 0
<null>, 2, dark blue, 0, 1
9.5, 4, green, 1, 1
"""


@pytest.mark.parametrize("name", ["toy.dat", "toy.txt", "toy"])
def test_keel(name):
    ds = read(KEEL, name)
    assert ds.X.tolist() == [[0.5, 1, 0], [5, 2, 1], [9.5, 4, 2]]
    assert ds.Y.tolist() == [[1, 0], [0, 1], [1, 1]]
    assert (ds.feature_names, ds.label_names) == (("size", "n", "colour"), ("wet", "warm"))
    assert ds.categories == {2: ("red", "dark blue", "green")}


def test_parts():
    ds = read_files({"toy-tra.dat": KEEL.encode(), "toy-tst.dat": KEEL.encode()})
    assert [rows.tolist() for rows in ds.split] == [[0, 1, 2], [3, 4, 5]]
    with pytest.raises(DatasetError, match=r"not the header of toy-tra\.dat"):
        read_files({"toy-tra.dat": KEEL.encode(), "toy-tst.dat": KEEL.replace("wet", "cold").encode()})


def test_the_caller_goes_before_the_file():
    assert read(KEEL, "toy.dat", labels=["warm"]).label_names == ("warm",)


def test_other_files_of_that_suffix():
    assert read("x,y,a\n1,2,0\n3,4,1\n", "toy.dat", labels=-1).X.tolist() == [[1, 2], [3, 4]]
    assert read("1 1:2\n2 2:1\n", "toy.dat").X.shape == (2, 2)
    arff = "@relation t\n@attribute x numeric\n@attribute a {0,1}\n@data\n1,0\n2,1\n"
    assert read(arff, "toy.dat", labels=-1).X.tolist() == [[1], [2]]
    files = {"toy.csv": b"x,a\n1,0\n2,1\n", "other.dat": b"whatever"}
    assert read_files(files, labels=-1).name == "toy"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (KEEL.replace("@outputs wet", "@outputs cold"), "@outputs names 'cold', which is not an @attribute"),
        (KEEL.replace("real [0.0, 9.5]", "complex"), "toy.dat, line 2: "),
        (KEEL.replace("9.5, 4, green", "9.5, 4, pink"), "toy.dat, line 12: 'pink' is not one of the declared values"),
        (KEEL.replace("{0, 1}", "{0, 0}"), "have one twice"),
        (KEEL.partition("@data")[0], "there is no @data line"),
        (KEEL.partition("0.5, 1")[0], "there are no data rows"),
        (KEEL.replace("@outputs wet, warm\n", ""), "it does not tell labels from features"),
        (KEEL.replace("@data", "@hello\n@data"), "line 9: '@hello' where @attribute, @inputs, @outputs or @data"),
    ],
)
def test_refused(text, words):
    assert words in complaint(text, "toy.dat")


def test_what_is_neither_input_nor_output_is_no_feature():
    ds = read(KEEL.replace("@inputs size, n, colour", "@inputs colour, size"), "toy.dat")
    assert ds.feature_names == ("size", "colour")
    assert ds.X.tolist() == [[0.5, 0], [5, 1], [9.5, 2]]
    assert ds.label_names == ("wet", "warm")
    assert "@inputs and @outputs do not name n, which is no feature then." in ds.notes
    assert read(KEEL.replace("@inputs size, n, colour\n", ""), "toy.dat").feature_names == ("size", "n", "colour")


def test_inputs_that_cannot_be():
    said = complaint(KEEL.replace("@inputs size", "@inputs sise"), "toy.dat")
    assert said == "toy.dat: @inputs names 'sise', which is not an @attribute; correct it."
    said = complaint(KEEL.replace("@inputs size", "@inputs wet, size"), "toy.dat")
    assert said == "toy.dat: @inputs and @outputs both name 'wet'; keep it in one of them."


def test_parts_have_the_same_labels():
    other = KEEL.replace("@outputs wet, warm", "@outputs warm").replace("colour\n@out", "colour, wet\n@out")
    with pytest.raises(DatasetError, match=r"toy-tst\.dat: not the header of toy-tra\.dat; give both parts the same"):
        read_files({"toy-tra.dat": KEEL.encode(), "toy-tst.dat": other.encode()})
