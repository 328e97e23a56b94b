"""Tables as pandas Styler objects, for notebooks and for the app."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from mlfs.checks import checked
from mlfs.metrics import METRICS, metric_title
from mlfs.tables.method_summary import MethodSummary
from mlfs.tables.sheet import BEST, DECIMALS, NEAR, Sheet, sheet, word
from mlfs.wording import sentence_case

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

CSS = {BEST: "font-weight: bold", NEAR: "text-decoration: underline", "": ""}


@checked
def to_styler(table: pd.DataFrame | MethodSummary, *, decimals: int = DECIMALS, escape: bool = True) -> Styler:
    """The table with fixed decimals; of a summary mean ± std, the best bold, the not significantly worse underlined.

    The cells stay numbers, so that a grid sorts them as such.

    Parameters
    ----------
    table : DataFrame or MethodSummary
    decimals : int
    escape : bool
        Write names so that HTML shows them; False for a grid that is no HTML, such as Streamlit's.

    Returns
    -------
    pandas.io.formats.style.Styler

    Examples
    --------
    >>> "0.5000" in to_styler(pd.DataFrame({"score": [0.5]}, index=["a"])).to_html()
    True
    """

    def shown(text: str) -> str:
        return html.escape(text) if escape else text

    if isinstance(table, MethodSummary):
        styler = _summary_styler(table, decimals)
    else:
        styler = table.style.format(lambda cell: shown(word(cell, decimals)))
    for axis in (0, 1) if escape else ():
        styler = styler.format_index(lambda name: shown(str(name)), axis=axis)
    return styler


def methods_down(summaries: Sequence[MethodSummary], *, decimals: int = DECIMALS) -> Styler:
    """Several metrics of one data set: methods go down and metrics across, which a telephone is wide enough for.

    Parameters
    ----------
    summaries : sequence of MethodSummary
        Of the same results, each with one data set.
    decimals : int

    Returns
    -------
    pandas.io.formats.style.Styler
        One row per method, one column per metric with an arrow to the better side; marks are those of each metric.
    """
    sheets = [sheet(summary, decimals) for summary in summaries]
    methods = _method_names(summaries[0], sheets[0])
    titles = [_metric_title(summary.metric) for summary in summaries]
    means = pd.DataFrame(
        {title: summary.mean.to_numpy()[0] for title, summary in zip(titles, summaries, strict=True)},
        index=pd.Index(methods, name="Method"),
    )
    styler = means.style
    for title, words in zip(titles, sheets, strict=True):
        for method, text in zip(methods, words.rows[0][1:], strict=True):
            styler = styler.format(lambda _, text=text: _unbroken(text), subset=([method], [title]))
    styles = np.array([[CSS[mark] for mark in words.marks[0][1:]] for words in sheets], dtype=object).T
    return styler.apply(lambda _: styles, axis=None)


def column_title(column: str) -> str:
    """What people call a column of the curves that `mlfs.evaluation.averaged` gives.

    >>> [column_title(name) for name in ("size", "hamming_loss", "hamming_loss_std", "seconds")]
    ['Features', 'Hamming loss', 'Hamming loss ±', 'Selection time']
    """
    name = column.removesuffix("_std")
    title = {"size": "Features"}.get(name, metric_title(name))
    return sentence_case(title) + (" ±" if name != column else "")


def _summary_styler(summary: MethodSummary, decimals: int) -> Styler:
    words = sheet(summary, decimals)
    methods = _method_names(summary, words)
    means = summary.mean.set_axis(methods, axis="columns").rename_axis("Data set")
    styler = means.style
    for dataset, row in zip(means.index, words.rows, strict=True):
        for method, text in zip(methods, row[1:], strict=True):
            # One call for each cell: a formatter sees only the value, and equal means may have different deviations.
            styler = styler.format(lambda _, text=text: _unbroken(text), subset=([dataset], [method]))
    styles = [[CSS[mark] for mark in marks[1:]] for marks in words.marks]
    return styler.apply(lambda _: np.array(styles, dtype=object).reshape(means.shape), axis=None)


def _unbroken(text: str) -> str:
    """A mean and its deviation, which where they need two lines are parted once."""
    return text.replace("± ", "±\u00a0")


def _method_names(summary: MethodSummary, words: Sheet) -> list[str]:
    """The titles of the methods; their ids where two have the same title, for pandas needs them apart."""
    titles = words.header[1:]
    return titles if len(set(titles)) == len(titles) else [str(setting) for setting in summary.mean.columns]


def _metric_title(metric: str) -> str:
    """
    >>> _metric_title("hamming_loss"), _metric_title("macro_f1")
    ('Hamming loss ↓', 'Macro-F1 ↑')
    """
    if metric not in METRICS:
        return metric
    return f"{METRICS[metric].title} {'↓' if METRICS[metric].lower_is_better else '↑'}"
