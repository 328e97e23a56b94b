"""The Noise page: curves and numbers of several methods, slow and failing ones among them."""

from __future__ import annotations

import threading

import pytest

import mlfs.evaluation
from mlfs import load_dataset
from mlfs.errors import TooLargeError
from mlfs.evaluation import get_protocol, noise_table
from tests.app.addresses import address
from tests.app.figures import figures
from tests.app.job_queue import until


def said(app) -> str:
    return "\n".join(part.value for part in [*app.markdown, *app.caption])


def settled(app):
    """The page when nothing is under way any more."""
    return until(app, lambda app: "methods; now" not in str(app.get("progress")) and len(app.dataframe) > 0)


def test_numbers_of_the_methods_of_the_link(open_page):
    app = settled(open_page("noise", methods="els,mim_br,els:n_labels=2", seed="3", split="folds"))
    assert not app.exception
    assert not app.error
    methods = ["els", "mim_br", ("els", {"n_labels": 2})]
    table = noise_table(load_dataset("emotions"), methods, get_protocol("quick", split="folds"), seed=3)
    for shown, measure in zip(app.dataframe, ("redundancy", "residual_label_correlation"), strict=True):
        grid = table.pivot_table(measure, "size", "setting", sort=False)
        assert shown.value.to_numpy().tolist() == grid.to_numpy().tolist()
        assert list(shown.value.columns) == ["ELS", "MIM-BR", "ELS (|Y|=2)"]
    best = table.groupby("setting")["redundancy"].mean()
    who = {"mim_br": "MIM-BR", "els": "ELS"}.get(best.idxmin(), "ELS (|Y|=2)")
    assert f"**{who} selects the least redundant features (mean R(F) {best.min():.3g})" in said(app)
    assert address(app) == {"methods": "els,mim_br,els:n_labels=2", "seed": "3", "split": "folds"}


def test_the_papers_link_opens(open_page):
    from mlfs.papers import PAPERS

    links = [f.query(["emotions"]) for p in PAPERS.values() for f in p.figures if f.page == "noise"]
    for query in filter(None, links):
        app = open_page("noise", **query)
        assert not app.error
        assert not app.info


def test_without_methods_it_asks_for_one(open_page):
    app = open_page("noise")
    app.multiselect(key="methods").set_value([]).run()
    assert [note.value for note in app.info] == ["Choose at least one method in the sidebar."]


def test_wrong_values_give_a_note(open_page):
    app = settled(open_page("noise", methods="els,mimbr"))
    assert "There is no method 'mimbr': did you mean 'mim_br'?" in app.info[0].value


@pytest.fixture
def slow(monkeypatch):
    """The method mim_br waits for a signal, and elc fails."""
    go, measure = threading.Event(), mlfs.evaluation.noise_at_tenths

    def noise(explorer, selector, *args, **kwargs):
        if selector[0] == "mim_br":
            while not go.wait(0.05):
                from mlfs.stopping import checkpoint

                checkpoint()
        if selector[0] == "elc":
            raise TooLargeError("elc would need 9.0 GiB: choose fewer features first.")
        return measure(explorer, selector, *args, **kwargs)

    monkeypatch.setattr(mlfs.evaluation, "noise_at_tenths", noise)
    monkeypatch.setattr("pages.parts.method_results.PATIENCE", 0.5)
    yield go
    go.set()


def test_what_is_done_is_drawn_while_the_rest_is_under_way(open_page, slow):
    app = open_page("noise", methods="els,elc,mim_br,random", seed="11")
    until(app, lambda app: app.dataframe and "2 of 4" in app.get("progress")[0].proto.text)
    assert list(app.dataframe[0].value.columns) == ["ELS"]
    assert app.get("progress")[0].proto.text == "2 of 4 methods; now MIM-BR"
    slow.set()
    assert list(settled(app.run()).dataframe[0].value.columns) == ["ELS", "MIM-BR", "Random"]
    assert [note.value for note in app.warning] == ["ELC: elc would need 9.0 GiB: choose fewer features first."]


def test_cancel_keeps_what_is_there_and_goes_on_again(open_page, slow):
    app = open_page("noise", methods="els,mim_br", seed="12")
    until(app, lambda app: len(app.dataframe) > 0)
    app.button(key="noise-cancel").click().run()
    until(app, lambda app: "Stopped after 1 of 2 methods." in said(app))
    assert list(app.dataframe[0].value.columns) == ["ELS"]
    slow.set()
    app.button(key="noise-again").click().run()
    assert list(settled(app.run()).dataframe[0].value.columns) == ["ELS", "MIM-BR"]


def test_presenting_shows_only_the_picture(open_page):
    app = open_page("noise", methods="els,mim_br", present="1")
    assert not app.dataframe
    assert not app.code
    assert figures(app)
