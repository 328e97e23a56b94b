"""Several metrics of one data set: methods go down and metrics across, which a telephone is wide enough for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from mlfs.metrics import METRICS
from mlfs.tables.sheet import DECIMALS, sheet
from mlfs.tables.styler import STYLES
from mlfs.tables.summary import Summary

if TYPE_CHECKING:
    from pandas.io.formats.style import Styler


def methods_down(summaries: Sequence[Summary], *, decimals: int = DECIMALS) -> Styler:
    """One row per method, one column per metric with an arrow to the better side; marks are those of each metric.

    Parameters
    ----------
    summaries : of the same results, each with one data set
    """
    sheets = [sheet(found, decimals) for found in summaries]
    methods = sheets[0].header[1:]
    if len(set(methods)) < len(methods):
        methods = [str(setting) for setting in summaries[0].mean.columns]
    titles = [_title(found.metric) for found in summaries]
    means = pd.DataFrame(
        {title: found.mean.to_numpy()[0] for title, found in zip(titles, summaries, strict=True)},
        index=pd.Index(methods, name="Method"),
    )
    styler = means.style
    for title, one in zip(titles, sheets, strict=True):
        for method, words in zip(methods, one.rows[0][1:], strict=True):
            styler = styler.format(lambda _, words=words: words, subset=([method], [title]))
    styles = np.array([[STYLES[mark] for mark in one.marks[0][1:]] for one in sheets], dtype=object).T
    return styler.apply(lambda _: styles, axis=None)


def _title(metric: str) -> str:
    """
    >>> _title("hamming_loss"), _title("macro_f1")
    ('Hamming loss ↓', 'Macro-F1 ↑')
    """
    if metric not in METRICS:
        return metric
    return f"{METRICS[metric].title} {'↓' if METRICS[metric].lower_is_better else '↑'}"
