"""The critical-difference diagram (Demšar 2006, Fig. 1): average ranks on an axis, bars over what does not differ.

First where the parts stand, in pixels downwards and ranks across, then the drawing. Half of the methods have their
label on the side of the best rank, half on the other, each label in a row of its own, so that no two can overlap
however close, or equal, their ranks are. Rank 1 is best for losses and scores alike.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from mlfs.checks import checked
from mlfs.errors import ParameterError, did_you_mean
from mlfs.metrics import lower_is_better, metric_title
from mlfs.plots.figure import (
    ACCENT,
    NEUTRAL,
    Piece,
    draw,
    finite,
    nothing_yet,
    plain,
    polyline,
    scatter,
    short,
    standing_for,
    text_width,
)
from mlfs.plots.palette import styles_of
from mlfs.statistics import Verdict, cliques
from mlfs.wording import in_sentence, listing

BAR = 8  # pixels between bars
ABOVE, TICK = 26, 5  # pixels of the ruler's line over the axis' numbers, and of a tick
NARROW = 400  # pixels: the narrowest figure that must be legible
LABEL = 18  # pixels between the middles of two labels one below the other
NAME = 125  # pixels of a name at most: two of them leave room for the axis in a narrow figure


@dataclass(frozen=True)
class Slot:
    """Where a label stands: on the side of the best ranks or on the other, in the row-th line from the top."""

    best_side: bool
    row: int


def label_slots(ranks: Sequence[float] | np.ndarray) -> list[Slot]:
    """A slot for the label of each method, in the order given.

    The better half goes to the side of the best rank, best on top; the other half to the other side, worst on top. So
    the line from a rank down and out to its label crosses no other: whoever is further out turns off higher up.

    >>> label_slots([2.0, 1.0, 3.0])
    [Slot(best_side=True, row=1), Slot(best_side=True, row=0), Slot(best_side=False, row=0)]
    """
    order = np.argsort(np.asarray(ranks, dtype=float), kind="stable")
    better = -(-len(order) // 2)
    slots = [Slot(True, 0)] * len(order)
    for row, i in enumerate(order[:better]):
        slots[i] = Slot(True, row)
    for row, i in enumerate(order[better:][::-1]):
        slots[i] = Slot(False, row)
    return slots


def bar_levels(bars: Sequence[tuple[float, float]], apart: float = 0.0) -> list[int]:
    """The line, from the top, of each bar: the first in which it stays `apart` from those before it.

    >>> bar_levels([(1, 2), (1.5, 3), (2.5, 4)])
    [0, 1, 0]
    """
    ends: list[float] = []
    levels = []
    for low, high in bars:
        level = next((i for i, end in enumerate(ends) if low - end > apart), len(ends))
        ends[level : level + 1] = [high]
        levels.append(level)
    return levels


def axis_ticks(k: int, room: float) -> list[int]:
    """The ranks that have a number on an axis of `room` pixels: 1, k, and round ones between them.

    >>> axis_ticks(7, 200), axis_ticks(30, 200), axis_ticks(30, 60)
    ([1, 2, 3, 4, 5, 6, 7], [1, 5, 10, 15, 20, 25, 30], [1, 30])
    """
    apart = 22 * (k - 1) / max(room, 1)  # ranks that a number takes
    step = next((step for step in (1, 2, 5, 10, 20, 50) if step >= apart), k)
    inner = range(3 if step == 2 else max(step, 2), k, step)
    return [1, *(tick for tick in inner if tick - 1 >= apart and k - tick >= apart), k]


def fitting(name: str) -> str:
    """The name, or as much of it as has room.

    >>> fitting("ReliefF-ML"), fitting("an exceptionally long name")
    ('ReliefF-ML', 'an exce…ng name')
    """
    cuts = (short(name, length) for length in range(len(name), 3, -1))
    return next((cut for cut in cuts if text_width(cut) <= NAME), short(name, 3))


def margins(slots: Sequence[Slot], labels: Sequence[str]) -> tuple[float, float]:
    """Pixels left and right that the labels need, with the best rank on the right."""
    wide = [
        max((text_width(label) for slot, label in zip(slots, labels, strict=True) if slot.best_side == side), default=0)
        for side in (False, True)
    ]
    return wide[0] + 8, wide[1] + 8


@checked
def critical_difference_diagram(
    average_ranks: Mapping[Hashable, float] | pd.Series,
    cd: float | None = None,
    *,
    groups: Sequence[Sequence[Hashable]] | None = None,
    control: Hashable | None = None,
    metric: str | None = None,
    best: str = "right",
    among: Sequence[Hashable] = (),
    title: str | None = None,
) -> go.Figure:
    """Draw average ranks with what the test could not tell apart.

    Parameters
    ----------
    average_ranks : method → average rank, 1 best, as `mlfs.statistics.friedman` gives
    cd : the critical difference, drawn with its value; None for tests that have none (Wilcoxon–Holm)
    groups : methods joined by a bar; unless given, the cliques of the critical difference (Nemenyi)
    control : draw the interval rank ± cd of this method instead of groups (Bonferroni–Dunn): what is outside differs
    metric : what was ranked, to say what rank 1 means
    best : the side of rank 1, "right" as Demšar draws it, or "left"
    among : methods of a figure beside it, where these look as they do there
    """
    ranks = pd.Series(average_ranks, dtype=float)
    ranks = pd.Series(finite(ranks), index=ranks.index).dropna()
    if best not in ("left", "right"):
        raise ParameterError(f"best={best!r} must be 'left' or 'right'.")
    if len(ranks) < 2:
        return nothing_yet("ranks need at least two methods", title, 160)
    if control is not None and control not in ranks.index:
        known = map(str, ranks.index)
        raise ParameterError(f"The control '{control}' is not among the methods: {did_you_mean(str(control), known)}")
    if control is not None and cd is None:
        raise ParameterError("The interval of the control needs a critical difference: give cd.")
    if groups is None:
        groups = cliques(ranks, cd) if cd is not None and control is None else ()
    groups = [[method for method in group if method in ranks.index] for group in groups]
    return _Diagram(ranks, cd, groups, control, metric, best == "right", among).figure(title)


@checked
def verdict_diagram(verdict: Verdict, metric: str | None = None, *, among: Sequence[Hashable] = ()) -> go.Figure:
    """The diagram of what `mlfs.statistics.judge` found; `among` as in `critical_difference_diagram`."""
    groups = None if verdict.control is not None else verdict.groups
    ranks, cd = verdict.average_ranks, verdict.critical_difference
    return critical_difference_diagram(ranks, cd, groups=groups, control=verdict.control, metric=metric, among=among)


class _Diagram:
    """The parts of one diagram; y counts pixels downwards, x ranks."""

    def __init__(
        self,
        ranks: pd.Series,
        cd: float | None,
        groups: Sequence[Sequence[Hashable]],
        control: Hashable | None,
        metric: str | None,
        best_right: bool,
        among: Sequence[Hashable],
    ) -> None:
        self.ranks, self.cd, self.groups, self.control, self.metric = ranks, cd, groups, control, metric
        self.best_right = best_right
        self.k = max(len(ranks), int(np.ceil(ranks.max())))
        self.styles = styles_of([*ranks.index, *among])
        self.slots = label_slots(ranks.to_numpy())
        self.labels = [self._label(method) for method in ranks.index]
        self.pad = 0.03 * (self.k - 1)
        self.axis_y = TICK + 18 + (ABOVE if cd is not None else 0)
        self.bars = self._bars()
        self.levels = bar_levels(self.bars, apart=0.02 * (self.k - 1))
        below = self.axis_y + 12 + BAR * (max(self.levels, default=-1) + 1)
        self.rows_y = below + LABEL / 2
        self.bottom = self.rows_y + LABEL * max(slot.row for slot in self.slots) + LABEL / 2 + 2

    def figure(self, title: str | None) -> go.Figure:
        data = [*self._leaders(), *self._axis(), *self._thick_bars(), *self._ruler(), self._points(), *self._texts()]
        left, right = margins(self.slots, self.labels)
        if not self.best_right:
            left, right = right, left
        ends = [self.k + self.pad, 1 - self.pad]
        hidden = {"showgrid": False, "zeroline": False, "showticklabels": False, "ticks": "", "fixedrange": True}
        layout = {
            "xaxis": {
                **hidden,
                "range": ends if self.best_right else ends[::-1],
                "title": {"text": self._axis_title(), "standoff": 4, "font": {"size": 12}},
                "automargin": False,
            },
            "yaxis": {**hidden, "range": [self.bottom, 0], "automargin": False},
            "margin": {"l": left, "r": right, "t": 8, "b": 26 + 16 * (self.metric is not None), "pad": 0},
            "showlegend": False,
            "hovermode": "closest",
        }
        height = self.bottom + 34 + 16 * (self.metric is not None)
        return draw(data, layout, alt=self._describe(), title=title, height=height)

    def _axis_title(self) -> str:
        side = "right" if self.best_right else "left"
        meaning = "" if self.metric is None else f"<br>({self._best_word()})"
        return f"Average rank: 1, on the {side}, is best{meaning}"

    def _best_word(self) -> str:
        if self.metric is None:
            return "best"
        best = "lowest" if lower_is_better(self.metric) else "highest"
        return f"the {best} {plain(in_sentence(metric_title(self.metric)))}"

    def _label(self, method: Hashable) -> str:
        text = f"{fitting(self.styles[method].name)} {self.ranks[method]:.2f}"
        return f"<b>{text}</b>" if method == self.control else text

    def _bars(self) -> list[tuple[float, float]]:
        """Low and high rank of every bar, a little longer than its methods so that equal ranks show one too."""
        more = 0.012 * (self.k - 1)
        if self.control is not None:
            assert self.cd is not None
            rank = self.ranks[self.control]
            return [(max(rank - self.cd, 1), min(rank + self.cd, self.k))]
        ends = []
        for group in filter(None, self.groups):
            inside = self.ranks.loc[list(group)]
            ends.append((inside.min() - more, inside.max() + more))
        return sorted(ends)

    def _leaders(self) -> list[dict[str, Any]]:
        pieces = []
        for rank, slot in zip(self.ranks, self.slots, strict=True):
            y, end = self._row(slot), self._edge(slot)
            pieces.append(([rank, rank, end], [self.axis_y, y, y]))
        return [_line(pieces, NEUTRAL, 1)]

    def _row(self, slot: Slot) -> float:
        return self.rows_y + LABEL * slot.row

    def _edge(self, slot: Slot) -> float:
        return 1 - self.pad if slot.best_side else self.k + self.pad

    def _axis(self) -> list[dict[str, Any]]:
        ticks = axis_ticks(self.k, NARROW - sum(margins(self.slots, self.labels)))
        y = self.axis_y
        pieces = [([1, self.k], [y, y]), *(([tick, tick], [y - TICK, y]) for tick in ticks)]
        text = [str(tick) for tick in ticks]
        words = scatter(ticks, [y - TICK - 9] * len(ticks), "text", text=text, cliponaxis=False)
        return [_line(pieces, NEUTRAL, 1.5), words]

    def _thick_bars(self) -> list[dict[str, Any]]:
        if not self.bars:
            return []
        pieces = [
            ([low, high], [y, y])
            for (low, high), level in zip(self.bars, self.levels, strict=True)
            for y in [self.axis_y + 12 + BAR * level]
        ]
        return [_line(pieces, ACCENT, 5)]

    def _ruler(self) -> list[dict[str, Any]]:
        """The critical difference, from the best end of the axis; one longer than the axis ends with it."""
        if self.cd is None:
            return []
        long = self.cd > self.k - 1
        end, y = min(1 + self.cd, self.k), 8
        pieces: list[Piece] = [([1, end], [y, y]), ([1, 1], [y - 4, y + 4])]
        if not long:
            pieces.append(([end, end], [y - 4, y + 4]))
        outward = "left" if self.best_right else "right"
        text = f"&nbsp;CD = {self.cd:.3f}{' (beyond the axis)' if long else ''}&nbsp;"
        words = scatter([end], [y], "text", text=[text], textposition=f"middle {outward}", cliponaxis=False)
        if (self.cd > 0.6 * (self.k - 1)) or long:
            # No room beside the ruler: write under it.
            middle = (1 + end) / 2
            words |= {"x": [middle], "y": [y + 3], "textposition": "bottom center"}
        return [_line(pieces, NEUTRAL, 1.5), words]

    def _points(self) -> dict[str, Any]:
        styles = [self.styles[method] for method in self.ranks.index]
        marker = {"color": [s.colour for s in styles], "symbol": [s.symbol for s in styles], "size": 8}
        names, places = [plain(style.name) for style in styles], [self.axis_y] * len(styles)
        look = {"marker": marker, "text": names, "cliponaxis": False}
        points = scatter(self.ranks.to_numpy(), places, "markers", hover="%{text}: %{x:.3f}") | look
        return standing_for(points, each={"method": "text"})

    def _texts(self) -> list[dict[str, Any]]:
        traces = []
        for best_side in (True, False):
            here = [i for i, slot in enumerate(self.slots) if slot.best_side == best_side]
            outward = "right" if best_side == self.best_right else "left"
            x, y = [self._edge(self.slots[i]) for i in here], [self._row(self.slots[i]) for i in here]
            words = {"text": [self.labels[i] for i in here], "textposition": f"middle {outward}", "cliponaxis": False}
            names = [plain(self.styles[self.ranks.index[i]].name) for i in here]
            drawn = scatter(x, y, "text", customdata=names, hover="%{customdata}") | words
            traces.append(standing_for(drawn, each={"method": "customdata"}))
        return traces

    def _describe(self) -> str:
        order = self.ranks.sort_values(kind="stable")
        rank_words = [f"{self.styles[method].name} {rank:.2f}" for method, rank in order.items()]
        parts = [f"Average ranks of {len(order)} methods, rank 1 being {self._best_word()}: {', '.join(rank_words)}"]
        if self.cd is not None:
            parts.append(f"critical difference {self.cd:.3f}")
        if self.control is not None:
            away = (order.drop(self.control) - order[self.control]).abs()
            who = ", ".join(self.styles[m].name for m in away.index[away >= self.cd]) or "none"
            parts.append(f"different from the control {self.styles[self.control].name}: {who}")
        elif self.groups:
            joined = [
                f"{self.styles[group[0]].name} to {self.styles[group[-1]].name}" for group in self.groups if group
            ]
            parts.append(f"not significantly different: {listing(joined, 30)}")
        else:
            parts.append("no methods are joined by a bar")
        return "; ".join(parts) + "."


def _line(pieces: Iterable[Piece], colour: str, width: float) -> dict[str, Any]:
    x, y = polyline(pieces)
    return scatter(x, y, "lines", line={"color": colour, "width": width}, cliponaxis=False)
