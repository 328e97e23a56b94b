"""Taking a figure away."""

import builtins
import re

import kaleido
import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest
from choreographer.browsers.chromium import Chromium
from kaleido.errors import ChromeNotFoundError

from mlfs.errors import ExportError, ParameterError
from mlfs.plots import (
    alt_text,
    can_draw_images,
    critical_difference_diagram,
    curves,
    enlarged,
    overlap_heatmap,
    tidy,
    time_bars,
    to_html,
    to_image,
)
from mlfs.plots.export import repaint
from mlfs.plots.figure import DARK_GROUND, DARK_INK, INK, template

FIGURE = time_bars({"els": 0.1, "grro": 2.0}, title="Times <ms> & more")


def test_html_stands_alone_and_describes_itself():
    page = to_html(FIGURE)
    assert page.startswith("<!DOCTYPE html>")
    assert "<title>Times &lt;ms&gt; &amp; more</title>" in page
    assert 'aria-label="Run times on a log axis: ELS 100 ms, GRRO 2 s."' in page
    assert len(page) > 3_000_000
    # Elements that fetch; Plotly's own program mentions addresses that only its maps use.
    assert not re.search(r'<(script|link|img|iframe)\b[^>]*\b(src|href)="?http', page)


def test_html_piece_without_the_program():
    piece = to_html(FIGURE, plotlyjs=False)
    assert piece.startswith('<div role="figure"')
    assert len(piece) < 50_000


def test_dark_repaints_a_copy():
    assert DARK_GROUND in to_html(FIGURE, dark=True)
    assert repaint(FIGURE, dark=True).layout.template == template(dark=True)
    assert FIGURE.layout.template == template()
    assert repaint(FIGURE, dark=False) == FIGURE


def test_unknown_format_gets_a_sentence():
    with pytest.raises(ParameterError, match="no image format 'sgv': did you mean 'svg'"):
        to_image(FIGURE, "sgv")


def test_without_a_browser_a_sentence_says_what_to_install(monkeypatch):
    def draw(*_, **__):
        raise ChromeNotFoundError

    monkeypatch.setattr(kaleido, "calc_fig_sync", draw)
    with pytest.raises(ExportError, match=r"PNG needs Chrome or Chromium.*install it.*or take the figure as HTML"):
        to_image(FIGURE, "png")


def test_without_kaleido_a_sentence_says_what_to_install(monkeypatch):
    genuine = builtins.__import__

    def without(name, *rest):
        if name.startswith("kaleido"):
            raise ImportError(name)
        return genuine(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ExportError, match="pip install kaleido"):
        to_image(FIGURE, "pdf")


def test_a_browser_that_fails_gets_a_sentence(monkeypatch):
    def draw(*_, **__):
        raise TimeoutError

    monkeypatch.setattr(kaleido, "calc_fig_sync", draw)
    with pytest.raises(ExportError, match=r"did not draw the SVG \(TimeoutError\)"):
        to_image(FIGURE)


@pytest.mark.parametrize(
    ("odd", "sentence"),
    [
        ({"width": 0}, "width must be a whole number from 1 to 10000, not 0."),
        ({"width": 10**30}, "width must be a whole number from 1 to 10000, not 1000"),
        ({"height": -1}, "height must be a whole number from 1 to 20000, not -1."),
        ({"scale": 0}, "scale must be a number from 0.1 to 10, not 0."),
        ({"scale": float("inf")}, "scale must be a number from 0.1 to 10, not inf."),
    ],
)
def test_a_size_that_no_image_has_is_refused(monkeypatch, odd, sentence):
    """A browser would take another in its place without a word."""
    monkeypatch.setattr(kaleido, "calc_fig_sync", lambda *_, **__: b"\x89PNG")
    with pytest.raises(ParameterError, match=re.escape(sentence)):
        to_image(FIGURE, "png", **odd)


def test_what_is_no_image_is_not_taken_for_one(monkeypatch):
    """A browser that cannot draw a picture this large says so with three bytes."""
    monkeypatch.setattr(kaleido, "calc_fig_sync", lambda *_, **__: b"u\xabZ")
    with pytest.raises(ExportError, match=r"drew no PNG of 9000 × 9000 pixels, 10 dots each: ask for a smaller one"):
        to_image(FIGURE, "png", width=9000, height=9000, scale=10)


def test_asks_nothing_of_the_network_and_takes_the_figure_s_height(monkeypatch):
    asked = {}

    def draw(figure, **more):
        asked.update(more, figure=figure)
        return b"<svg"

    monkeypatch.setattr(kaleido, "calc_fig_sync", draw)
    assert to_image(FIGURE, width=400) == b"<svg"
    assert asked["kopts"]["mathjax"] is False
    assert asked["opts"]["height"] == FIGURE.layout.height
    assert isinstance(asked["figure"], go.Figure)


def test_browser_draws_the_words_of_the_figure():
    try:
        image = to_image(FIGURE).decode()
    except ExportError as error:
        pytest.skip(str(error))
    assert image.startswith("<svg")
    assert "GRRO" in image
    assert "100 ms" in image


def test_a_figure_for_the_wall_has_larger_type_and_leaves_the_first_alone():
    first = FIGURE
    height = first.layout.height
    larger = enlarged(first, 2)
    assert larger.layout.height == 2 * height
    assert larger.layout.font.size == 24
    assert first.layout.height == height
    assert larger.layout.margin.r == 2 * first.layout.margin.r
    assert alt_text(larger) == alt_text(first)
    # On a telephone large type would not fit: there it is the figure of before.
    narrow = larger.layout.meta["narrow"]
    assert (narrow["height"], narrow["font"]["size"]) == (height, 12)
    assert narrow["margin"]["r"] == first.layout.margin.r


def test_a_title_of_an_axis_that_has_a_size_of_its_own_grows_too():
    first = critical_difference_diagram({"els": 1.0, "grro": 2.0}, 0.5)
    larger = enlarged(first, 2)
    assert larger.layout.xaxis.title.font.size == 2 * first.layout.xaxis.title.font.size
    assert larger.layout.meta["narrow"]["xaxis"]["title"]["font"]["size"] == first.layout.xaxis.title.font.size


def test_what_is_arranged_for_little_room_is_kept_on_the_wall():
    table = tidy({"els": pd.DataFrame({"size": [1, 2], "hamming_loss": [0.3, 0.2], "ranking_loss": [0.3, 0.2]})})
    first = curves(table)
    narrow = enlarged(first).layout.meta["narrow"]
    assert narrow["height"] == first.layout.meta["narrow"]["height"] > first.layout.height
    assert narrow["xaxis"]["domain"] == first.layout.meta["narrow"]["xaxis"]["domain"] == [0, 1]


def test_numbers_in_cells_have_the_ink_of_the_ground():
    figure = overlap_heatmap(np.eye(2), ["els", "grro"])
    assert repaint(figure, dark=True).data[0].textfont.color == DARK_INK
    assert repaint(figure, dark=False).data[0].textfont.color == INK


def test_whether_images_can_be_drawn_is_known_beforehand(monkeypatch):
    monkeypatch.setattr(Chromium, "find_browser", lambda skip_local: "chromium")
    assert can_draw_images()
    monkeypatch.setattr(Chromium, "find_browser", lambda skip_local: None)
    assert not can_draw_images()
