"""The Home page: demonstrations that show what they promise, and the bundled sets with the right numbers."""

import csv
import gzip
import re
from html import unescape
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from streamlit.testing.v1 import AppTest

import mlfs.datasets
from mlfs.answer import SHORTLIST
from mlfs.datasets import bundled_names, load_dataset
from mlfs.errors import DatasetError
from mlfs.evaluation import averaged, explore, explore_all, get_protocol
from pages.parts.menu import ENTRIES
from tests.app.addresses import address
from tests.waiting import GUARD

MAIN = Path(__file__).resolve().parents[2] / "pages" / "main.py"


@pytest.fixture
def app():
    # The cache outlives a test, and would hide what the next one puts in place of a function.
    import streamlit as st

    st.cache_resource.clear()
    yield AppTest.from_file(str(MAIN), default_timeout=GUARD)
    st.cache_resource.clear()


def labels_in_file(name: str, q: int) -> list[tuple[int, ...]]:
    """The labels of each row, read from the file without any of mlfs."""
    with gzip.open(MAIN.parents[1] / "data" / f"{name}.csv.gz", "rt", encoding="utf-8") as file:
        return [tuple(int(float(value)) for value in row[-q:]) for row in list(csv.reader(file))[1:]]


def test_the_three_sets_with_their_profile(app):
    app.run()
    assert not app.exception
    assert not app.error
    table = app.table[0].value
    assert list(table.columns) == list(bundled_names())
    # Sizes as data/NOTICE.md states them.
    sizes = table[["emotions", "yeast", "scene"]]
    assert list(sizes.loc["Rows"]) == [593, 2417, 2407]
    assert list(sizes.loc["Features"]) == [72, 103, 294]
    assert list(sizes.loc["Labels"]) == [6, 14, 6]
    for name in table.columns:
        labels = labels_in_file(name, int(table.loc["Labels", name]))
        counts = [sum(column) for column in zip(*labels, strict=True)]
        imbalance = [max(counts) / count for count in counts]
        assert table.loc["Cardinality", name] == pytest.approx(sum(counts) / len(labels))
        assert table.loc["Density", name] == pytest.approx(sum(counts) / len(labels) / len(counts))
        assert table.loc["Distinct labelsets", name] == len(set(labels))
        assert table.loc["Mean imbalance", name] == pytest.approx(sum(imbalance) / len(imbalance))


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
    assert list(app.table[0].value.columns) == [name for name in bundled_names() if name != "yeast"]


def test_a_fault_of_ours_gets_a_sentence_and_the_log_gets_the_traceback(app, monkeypatch, caplog):
    def faulty(name):
        raise RuntimeError("inner workings")

    monkeypatch.setattr(mlfs.datasets, "load_dataset", faulty)
    app.run()
    assert not app.exception
    assert [error.value for error in app.error] == [
        "This page failed because of a bug in mlfs: the terminal that runs the app shows the details."
    ]
    assert "inner workings" in caplog.text


def cards(app) -> dict[str, tuple[str, dict[str, str]]]:
    """Title → page and settings, of the links with a drawing."""
    shown = "".join(part.proto.body for part in app.get("html") if "mlfs-cards" in part.proto.body)
    found = re.findall(r'<a class="mlfs-inside" href="./(\w+)\??(.*?)"><img.*?<b>(.*?)</b>', shown)
    return {unescape(title): (page, dict(parse_qsl(unescape(query)))) for page, query, title in found}


def answers(app) -> dict[str, str]:
    [shown] = [part.proto.body for part in app.get("html") if 'class="mlfs-answers"' in part.proto.body]
    found = re.findall(r'href="./(\w+)[^>]*"><b>(\w+)</b><span>(.*?)</span>', shown)
    assert all(page == name.lower() for page, name, _ in found)
    return {name: unescape(question) for _, name, question in found}


CARDS = (
    "My data",
    "Teach",
    "Ten among a hundred and ten",
    "A third of yeast is enough",
    "The price of a copy",
    "A circle without a winner",
    "A paper, step by step",
    "Does it hold up?",
)


def test_three_ways_in_and_what_each_page_answers(app):
    app.run()
    assert list(cards(app)) == [*CARDS[:2], "Write a paper", *CARDS[2:]]
    page, settings = cards(app)["Write a paper"]
    assert page == "compare"
    assert settings["sets"].split(",") == list(bundled_names())
    assert answers(app) == {name: entry.question for name, entry in ENTRIES.items() if name != "Home"}


@pytest.mark.parametrize("title", CARDS)
def test_a_card_opens_with_everything_set(open_page, app, title):
    page, settings = cards(app.run())[title]
    opened = open_page(page, **settings)
    assert not opened.exception
    assert not opened.error
    assert not [note.value for note in opened.info if "link" in note.value or "default" in note.value]
    assert address(opened) == settings


def shortcuts(app) -> dict[str, tuple[str, dict[str, str]]]:
    """Title → page and settings, of the links below the three ways in."""
    shown = "".join(part.proto.body for part in app.get("html") if "mlfs-shortcuts" in part.proto.body)
    found = re.findall(r'<a class="mlfs-inside" href="./(\w+)\??(.*?)">([^<]*)</a>', shown)
    return {unescape(title): (page, dict(parse_qsl(unescape(query)))) for page, query, title in found}


@pytest.mark.parametrize(
    "title",
    [
        "No table yet? Try sample data",
        "The first lesson, on the projector",
        "A paper, on the projector",
        "Test results that I already have",
        "Which methods to compare",
    ],
)
def test_a_shortcut_opens_with_everything_set(open_page, app, title):
    page, settings = shortcuts(app.run())[title]
    opened = open_page(page, **settings)
    assert not opened.exception
    assert not opened.error
    assert address(opened) == settings


TABLE = "a,b,y1,y2\n" + "".join(f"{i * 7 % 11},{i * 5 % 13},{i % 2},{i // 2 % 2}\n" for i in range(40))


def test_a_file_dropped_on_home_is_looked_at_there_and_leads_to_its_features(open_page):
    app = open_page("home")
    app.file_uploader[0].set_value([("mine.csv", TABLE.encode(), "text/csv")]).run()
    assert not app.exception
    assert "**2 labels** and **2 features** in 40 rows" in " ".join(each.value for each in app.markdown)
    [use] = [button for button in app.button if button.label == "Find the features to keep →"]
    use.click().run()
    assert not app.exception
    assert app.session_state["data"].startswith("upload-")
    assert app.session_state["method"] == SHORTLIST[0]
    assert any(each.value.startswith("**Keep ") for each in app.markdown)


def test_a_file_that_cannot_be_read_gets_a_sentence_on_home(open_page):
    app = open_page("home")
    app.file_uploader[0].set_value([("broken.arff", b"@relation 'x: -C 2'\n@attribute a {0,1}\n@data\n0,1,7\n", "")])
    app.run()
    assert not app.exception
    [told] = app.error
    assert "Traceback" not in told.value
    assert next(iter(cards(app))) == "My data"  # the rest stands


def test_ten_among_a_hundred_and_ten_has_its_valley(app):
    """Losses fall to their lowest with the ten features that made the labels, and rise from there."""
    _, settings = cards(app.run())["Ten among a hundred and ten"]
    found = averaged(explore_all(load_dataset(settings["data"]), settings["method"], get_protocol("quick", repeats=3)))
    for metric in ("hamming_loss", "ranking_loss"):
        losses = found.set_index("size")[metric]
        assert losses.idxmin() == 10
        assert losses.loc[:10].is_monotonic_decreasing
        assert losses.iloc[-1] > 1.5 * losses.loc[10]


def test_a_third_of_yeast_reaches_the_level_of_all(app):
    _, settings = cards(app.run())["A third of yeast is enough"]
    found = explore(load_dataset("yeast"), settings["method"], get_protocol("quick", split=settings["split"]))
    curve = found.curve.set_index("size")
    for metric, level in found.baseline.items():
        assert curve.loc[35, metric] <= level
        assert (curve.loc[:30, metric] > level).all()
