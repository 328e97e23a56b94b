"""R's files, written by rdata: objects of mldr, which are lists of a data frame and where its labels are."""

from __future__ import annotations

import struct
import sys

import numpy as np
import pandas as pd
import pytest

from mlfs.datasets.formats import Limits
from tests.datasets.formats.support import complaint, read

rdata = pytest.importorskip("rdata")

FRAME = pd.DataFrame(
    {
        "size": [0.5, 1.5, np.nan, 2.5],
        "colour": pd.Categorical(["red", "blue", "red", "green"], ["red", "green", "blue"]),
        "wet": [1.0, 0.0, 1.0, 1.0],
        "warm": [0.0, 0.0, 1.0, 1.0],
    }
)


def rda(tmp_path, compression="gzip", **objects) -> bytes:
    for each in objects.values():
        for frame in each.values() if isinstance(each, dict) else [each]:
            if isinstance(frame, pd.DataFrame):  # rdata knows no strings of Arrow
                frame.columns = frame.columns.astype(object)
    rdata.write_rda(tmp_path / "toy.rda", objects, compression=compression)
    return (tmp_path / "toy.rda").read_bytes()


def mldr(frame=FRAME, places=(3, 4)):
    measured = frame.assign(**{".labelcount": 1.0, ".SCUMBLE": 0.5})
    labels = pd.DataFrame({"index": np.array(places, dtype="int32"), "count": [3.0, 2.0]})
    return {"name": "toy", "dataset": measured, "labels": labels, "measures": {"num.labels": 2.0}}


@pytest.mark.parametrize("compression", ["gzip", "bzip2", "xz", None])
def test_an_object_of_mldr(tmp_path, compression):
    content = rda(tmp_path, compression, toy=mldr())
    for name in ("toy.rda", "toy.RData", "toy"):
        ds = read(content, name)
        assert ds.X.tolist() == [[0.5, 0], [1.5, 2], [1.5, 0], [2.5, 1]]
        assert ds.Y.tolist() == [[1, 0], [0, 0], [1, 1], [1, 1]]
        assert (ds.feature_names, ds.label_names) == (("size", "colour"), ("wet", "warm"))
        assert ds.categories == {1: ("red", "green", "blue")}


@pytest.mark.parametrize("gap", [0, -(2**31)], ids=["as rdata writes it", "as R does"])
def test_a_gap_among_words_is_one(tmp_path, gap):
    colours = pd.Categorical(["red", None, "blue", "red"], ["red", "green", "blue"])
    content = rda(tmp_path, None, toy=mldr(FRAME.assign(colour=colours)))
    codes = struct.pack(">4i", 1, 0, 3, 1)
    assert content.count(codes) == 1
    ds = read(content.replace(codes, struct.pack(">4i", 1, gap, 3, 1)), "toy.rda")
    assert ds.X[:, 1].tolist() == [0, 0, 2, 0]
    assert "2 missing values in 2 features" in " ".join(ds.notes)
    assert "not a valid R file" in complaint(content.replace(codes, struct.pack(">4i", 1, 9, 3, 1)), "toy.rda")


def test_a_data_frame(tmp_path):
    content = rda(tmp_path, frame=FRAME.copy())
    assert read(content, "toy.rda", labels=-2).label_names == ("wet", "warm")
    assert "it does not tell labels from features" in complaint(content, "toy.rda")


def test_other_objects(tmp_path):
    message = complaint(rda(tmp_path, a=mldr(), b=mldr()), "toy.rda")
    assert message == "toy.rda: it holds a, b, and not one mldr object or data frame; save that alone."
    assert "it holds x, and not one mldr" in complaint(rda(tmp_path, x=np.arange(3.0)), "toy.rda")


def test_damage(tmp_path):
    content = rda(tmp_path, None, toy=mldr())
    for broken in (content[:200], b"RDX3\n" + bytes(40), b"RDX2\nX\n", content.replace(b"index", b"inde_")):
        assert "toy.rda: not a valid R file" in complaint(broken, "toy.rda")


def test_limits(tmp_path):
    assert "more than 3 rows" in complaint(rda(tmp_path, toy=mldr()), "toy.rda", limits=Limits(max_rows=3))


def test_without_rdata(tmp_path, monkeypatch):
    content = rda(tmp_path, toy=mldr())
    monkeypatch.setitem(sys.modules, "rdata", None)
    message = complaint(content, "toy.rda")
    assert message == "toy.rda: an R file is read with rdata, which is missing; pip install rdata."
