"""The Home page: the bundled sets with the right numbers, and a sentence where one cannot be read."""

import csv
import gzip
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import mlfs.datasets
from mlfs.errors import DatasetError

APP = Path(__file__).resolve().parents[2] / "app.py"


@pytest.fixture
def app():
    # The cache outlives a test, and would hide what the next one puts in place of a function.
    import streamlit as st

    st.cache_resource.clear()
    yield AppTest.from_file(str(APP), default_timeout=60)
    st.cache_resource.clear()


def labels_in_file(name: str, q: int) -> list[tuple[int, ...]]:
    """The labels of each row, read from the file without any of mlfs."""
    with gzip.open(APP.parent / "data" / f"{name}.csv.gz", "rt", encoding="utf-8") as file:
        return [tuple(int(float(value)) for value in row[-q:]) for row in list(csv.reader(file))[1:]]


def test_the_three_sets_with_their_profile(app):
    app.run()
    assert not app.exception
    assert not app.error
    table = app.table[0].value
    assert list(table.columns) == ["emotions", "yeast", "scene"]
    # Sizes as data/NOTICE.md states them.
    assert list(table.loc["instances"]) == [593, 2417, 2407]
    assert list(table.loc["features"]) == [72, 103, 294]
    assert list(table.loc["labels"]) == [6, 14, 6]
    for name in table.columns:
        labels = labels_in_file(name, int(table.loc["labels", name]))
        counts = [sum(column) for column in zip(*labels, strict=True)]
        imbalance = [max(counts) / count for count in counts]
        assert table.loc["cardinality", name] == pytest.approx(sum(counts) / len(labels))
        assert table.loc["density", name] == pytest.approx(sum(counts) / len(labels) / len(counts))
        assert table.loc["distinct labelsets", name] == len(set(labels))
        assert table.loc["mean imbalance", name] == pytest.approx(sum(imbalance) / len(imbalance))


def test_each_set_names_its_source(app):
    captions = " ".join(caption.value for caption in app.run().caption)
    for author in ("Trohidis", "Elisseeff", "Boutell"):
        assert author in captions


def test_a_set_that_cannot_be_read_gets_a_sentence(app, monkeypatch):
    load = mlfs.datasets.load_dataset

    def damaged(name):
        if name == "yeast":
            raise DatasetError("yeast.csv.gz is damaged: install mlfs again.")
        return load(name)

    monkeypatch.setattr(mlfs.datasets, "load_dataset", damaged)
    app.run()
    assert not app.exception
    assert [error.value for error in app.error] == ["yeast.csv.gz is damaged: install mlfs again."]
    assert list(app.table[0].value.columns) == ["emotions", "scene"]


def test_a_fault_of_ours_gets_a_sentence_and_the_log_gets_the_traceback(app, monkeypatch, caplog):
    def faulty(name):
        raise RuntimeError("inner workings")

    monkeypatch.setattr(mlfs.datasets, "load_dataset", faulty)
    app.run()
    assert not app.exception
    assert [error.value for error in app.error] == [
        "This page failed through a fault in mlfs: the terminal that runs the app shows which."
    ]
    assert "inner workings" in caplog.text
