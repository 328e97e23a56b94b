"""Two features label by label: who tells more about which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mlfs.plots.figure import ACCENT, FAINT, ROW, axis, draw, legend_rows, named_axis, plain, short, short_all
from mlfs.wording import count


def duel(
    mine: np.ndarray,
    theirs: np.ndarray,
    names: tuple[str, str],
    label_names: Sequence[str],
    wins: np.ndarray,
    *,
    measure: str = "SU",
    title: str | None = None,
) -> go.Figure:
    """Bars of a feature and of its rival for each label.

    Parameters
    ----------
    mine, theirs : (q,) the measure of the feature and of its rival
    names : of the feature and of its rival
    wins : (q,) bool: the labels in which the rival is strictly better, which a star marks
    """
    rows = list(range(len(label_names)))
    words = [plain(name) for name in label_names]
    data: list[dict[str, Any]] = [
        {
            "type": "bar",
            "orientation": "h",
            "x": values,
            "y": rows,
            "name": short(name, 32),
            "marker": {"color": colour},
            "customdata": words,
            "hovertemplate": f"{plain(name)}<br>{measure} with %{{customdata}}: %{{x:.4f}}<extra></extra>",
            "text": marks,
            "textposition": "outside",
            "cliponaxis": False,
        }
        for values, name, colour, marks in (
            (theirs, names[1], ACCENT, ["★" if won else "" for won in wins]),
            (mine, names[0], FAINT, [""] * len(rows)),
        )
    ]
    top = float(max(mine.max(initial=0.0), theirs.max(initial=0.0))) or 1.0
    layout = {
        "xaxis": axis(f"{measure}; ★ where the rival is strictly better", range=[0, 1.1 * top], nticks=6),
        "yaxis": named_axis(short_all(label_names, 18), range=[len(rows) - 0.5, -0.5]),
        "barmode": "group",
        "bargap": 0.3,
        "showlegend": True,
    }
    alt = (
        f"{measure} of {names[0]} and of {names[1]} with {count(len(rows), 'label')}: {names[1]} is strictly better in "
        f"{int(wins.sum())} of them."
    )
    height = 2.2 * ROW * max(len(rows), 4) + 70 + 19 * legend_rows(list(names))
    return draw(data, layout, alt=alt, title=title, height=height)
