"""Styled tables: numbers beneath, marks above, names that HTML shows and does not obey."""

import re

import numpy as np
import pandas as pd

from mlfs.tables import summary, to_styler
from mlfs.tables.styled import methods_down
from tests.tables.test_method_summary import results

VALUES = {
    "els": [0.10, 0.12, 0.11, 0.10, 0.12],
    "mfs": [0.11, 0.11, 0.12, 0.11, 0.11],
    "random": [0.30, 0.31, 0.32, 0.30, 0.31],
}
TWO_METRICS = [
    ("d", method, "{}", repeat, 5, metric, value, "")
    for metric, values in {"hamming_loss": (0.1, 0.3), "macro_f1": (0.2, 0.6)}.items()
    for method, value in zip(("els", "mfs"), values, strict=True)
    for repeat in (0, 1)
] + [("d", "grro", "{}", 0, None, "", None, "It failed.")]
RESULTS = pd.DataFrame(
    TWO_METRICS, columns=["dataset", "method", "parameters", "repeat", "size", "metric", "value", "error"]
).assign(seconds=1.0)


def style_of(html: str, row: int, column: int) -> str:
    """The style of a cell, from the style sheet pandas writes."""
    rules = re.findall(r"([^{}]+)\{([^{}]*)\}", html.partition("<style")[2].partition("</style>")[0])
    return " ".join(body.strip() for names, body in rules if re.search(rf"row{row}_col{column}\b", names))


def test_summary():
    styler = to_styler(summary(results(VALUES), "hamming_loss"))
    html = styler.to_html()
    assert "0.1100 ±\u00a00.0100" in html
    assert style_of(html, 0, 0) == "font-weight: bold;"
    assert style_of(html, 0, 1) == "text-decoration: underline;"
    assert style_of(html, 0, 2) == ""
    assert list(styler.data.columns) == ["ELS", "MFS", "Random"]
    assert set(styler.data.dtypes) == {np.dtype(float)}


def test_equal_means_keep_their_own_deviations():
    html = to_styler(summary(results({"els": [0.1, 0.3], "mfs": [0.2, 0.2]}), "hamming_loss")).to_html()
    assert "0.2000 ±\u00a00.1414" in html
    assert "0.2000 ±\u00a00.0000" in html


def test_names_are_shown_not_obeyed():
    table = pd.DataFrame({"<b>x": ["<script>", 0.5]}, index=["a&b", "c"])
    html = to_styler(table).to_html()
    assert "<script>" not in html
    assert {"&lt;script&gt;", "&lt;b&gt;x", "a&amp;b", "0.5000"} <= set(re.findall(r">([^<>]+)</t", html))
    assert "<script>" in to_styler(table, escape=False).to_html()


def test_data_set_of_a_stranger():
    losses = summary(results(VALUES, dataset="<img src=x>"), "hamming_loss")
    assert "<img" not in to_styler(losses).to_html()


def test_titles_that_clash_fall_back_to_ids():
    styler = to_styler(summary(results({"els": [0.1, 0.2], "ELS": [0.2, 0.3]}), "hamming_loss"))
    assert list(styler.data.columns) == ["els", "ELS"]


def test_methods_down_have_the_words_and_marks_of_each_metric():
    styler = methods_down([summary(RESULTS, metric) for metric in ("hamming_loss", "macro_f1")])
    assert list(styler.data.index) == ["ELS", "MFS", "GRRO"]
    assert list(styler.data.columns) == ["Hamming loss ↓", "Macro-F1 ↑"]
    assert styler.data.loc["MFS"].tolist() == [0.3, 0.6]
    shown = styler.to_html()
    assert "0.1000 ±\u00a00.0000" in shown
    assert "failed" in shown
    # The best of each metric, wherever the better side is.
    styles = styler._compute().ctx
    bold = {cell for cell, style in styles.items() if ("font-weight", "bold") in style}
    assert bold == {(0, 0), (1, 1)}
