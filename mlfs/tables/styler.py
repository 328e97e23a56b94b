"""Tables as pandas Styler objects, for notebooks and for the app."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from mlfs.tables.sheet import BEST, DECIMALS, NEAR, sheet, word
from mlfs.tables.summary import Summary

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler

STYLES = {BEST: "font-weight: bold", NEAR: "text-decoration: underline", "": ""}


def to_styler(table: pd.DataFrame | Summary, *, decimals: int = DECIMALS, escape: bool = True) -> Styler:
    """The table with fixed decimals; of a summary mean ± std, the best bold, the not significantly worse underlined.

    The cells stay numbers, so that a grid sorts them as such.

    Parameters
    ----------
    escape : write names so that HTML shows them; False for a grid that is no HTML, such as Streamlit's
    """

    def shown(text: str) -> str:
        return html.escape(text) if escape else text

    if isinstance(table, Summary):
        styler = _summary_styler(table, decimals)
    else:
        styler = table.style.format(lambda cell: shown(word(cell, decimals)))
    for axis in (0, 1) if escape else ():
        styler = styler.format_index(lambda name: shown(str(name)), axis=axis)
    return styler


def _summary_styler(found: Summary, decimals: int) -> Styler:
    shown = sheet(found, decimals)
    titles = shown.header[1:]
    if len(set(titles)) < len(titles):
        titles = [str(setting) for setting in found.mean.columns]
    means = found.mean.set_axis(titles, axis="columns").rename_axis("Data set")
    styler = means.style
    for dataset, row in zip(means.index, shown.rows, strict=True):
        for title, words in zip(titles, row[1:], strict=True):
            # One call for each cell: a formatter sees only the value, and equal means may have different deviations.
            styler = styler.format(lambda _, words=words: words, subset=([dataset], [title]))
    styles = [[STYLES[mark] for mark in marks[1:]] for marks in shown.marks]
    return styler.apply(lambda _: np.array(styles, dtype=object).reshape(means.shape), axis=None)
