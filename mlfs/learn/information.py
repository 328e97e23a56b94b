"""Information: one feature and one label, both yes or no, and four counts from which everything else follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mlfs.checks import checked
from mlfs.errors import ParameterError
from mlfs.information import entropy, joint_entropy, mutual_information
from mlfs.learn.lesson import Lesson
from mlfs.plots.figure import ACCENT, NEUTRAL, PALETTE, axis, bars, draw, named_axis
from mlfs.plots.palette import wash

LESSON = Lesson(
    "information",
    "Information",
    "How much does a feature tell?",
    "Entropy H is the number of yes-or-no questions that a variable is worth: 1 bit for an even split, less for a "
    "lopsided one, 0 for a constant. The mutual information M(f;l) is the part of the questions about the label "
    "that the feature answers, and just as large as the part of those about the feature that the label answers.",
    r"\begin{aligned}H(f)&=-\textstyle\sum_a p(a)\log_2 p(a)\\M(f;l)&=H(f)+H(l)-H(f,l)\end{aligned}",
    "Take the table *Identical* and exchange its columns, so that the feature is always wrong. What happens to M(f;l)?",
    "Nothing: it stays 1 bit. Information does not ask whether the feature says yes where the label says yes, only "
    "whether one determines the other. A feature that is always wrong is as useful as one that is always right.",
    "Lee & Kim, Entropy 2016, section 3",
)
FIGURE_HEIGHT = 300  # pixels
GAP = 0.006  # of the width, between the two columns
ROWS = ("H(f,l)", "H(f)", "H(l)", "parts")
LONGEST = 2.0  # bits: two variables of two values
SMALL = 0.00005  # bits: 0.0000 as it is shown
# Pale enough for the page's ink in light and dark.
FEATURE, BOTH, LABEL = wash(ACCENT, 0.6), wash(PALETTE[2], 0.6), wash(PALETTE[1], 0.6)
# Faint, so that what is written on it can be read on either ground.
JOINT = wash(NEUTRAL, 0.3)


@dataclass(frozen=True)
class Table:
    """A 2 × 2 table of feature f and label l.

    Attributes
    ----------
    both : instances with f = 1 and l = 1
    feature_only : f = 1, l = 0
    label_only : f = 0, l = 1
    neither : f = 0, l = 0

    >>> Table(50, 0, 0, 50).information
    1.0
    >>> round(Table(25, 25, 25, 25).information, 12)
    0.0
    """

    both: int
    feature_only: int
    label_only: int
    neither: int

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not isinstance(value, Integral) or isinstance(value, bool) or value < 0:
                raise ParameterError(f"{field.name} must be a whole number from 0, not {value!r}.")
        if self.n == 0:
            raise ParameterError("The table is empty: raise at least one of its four counts.")

    @property
    def counts(self) -> tuple[int, int, int, int]:
        return self.both, self.feature_only, self.label_only, self.neither

    @property
    def n(self) -> int:
        return sum(self.counts)

    @property
    def p_feature(self) -> float:
        return (self.both + self.feature_only) / self.n

    @property
    def p_label(self) -> float:
        return (self.both + self.label_only) / self.n

    @cached_property
    def feature(self) -> np.ndarray:
        """(n,) the feature, one entry per instance."""
        return np.repeat([1, 1, 0, 0], self.counts)

    @cached_property
    def label(self) -> np.ndarray:
        """(n,) the label, one entry per instance."""
        return np.repeat([1, 0, 1, 0], self.counts)

    @cached_property
    def feature_entropy(self) -> float:
        """H(f)"""
        return float(entropy(self.feature)[0])

    @cached_property
    def label_entropy(self) -> float:
        """H(l)"""
        return float(entropy(self.label)[0])

    @cached_property
    def joint_entropy(self) -> float:
        """H(f, l)"""
        return float(joint_entropy(self.feature[:, None], self.label)[0])

    @cached_property
    def information(self) -> float:
        """M(f; l)"""
        return float(mutual_information(self.feature[:, None], self.label[:, None])[0, 0])

    @property
    def feature_rest(self) -> float:
        """H(f | l): what is left to ask about the feature once the label is known."""
        return self.feature_entropy - self.information

    @property
    def label_rest(self) -> float:
        """H(l | f): what is left to ask about the label once the feature is known."""
        return self.label_entropy - self.information

    def sentence(self) -> str:
        """How much the feature tells about the label.

        >>> Table(40, 10, 20, 30).sentence()
        'f tells 0.1245 of the 0.9710 bits of l, which is 13%.'
        """
        if not self.label_entropy:
            return "l never changes, so there is nothing to tell about it."
        if self.information < SMALL:
            return "f tells nothing about l: the two are independent."
        if self.label_rest < SMALL:
            return f"f tells all there is to know about l: {self.label_entropy:.4f} bits."
        share = self.information / self.label_entropy
        return f"f tells {self.information:.4f} of the {self.label_entropy:.4f} bits of l, which is {share:.0%}."

    def worked(self) -> tuple[str, ...]:
        """The numbers as they stand on the board, in LaTeX."""
        feature, label, joint = self.feature_entropy, self.label_entropy, self.joint_entropy
        return (
            entropy_line("H(f)", (self.p_feature, 1 - self.p_feature), feature),
            entropy_line("H(l)", (self.p_label, 1 - self.p_label), label),
            entropy_line("H(f,l)", [count / self.n for count in self.counts], joint),
            f"M(f;l)=H(f)+H(l)-H(f,l)={feature:.4f}+{label:.4f}-{joint:.4f}={self.information:.4f}",
            rf"H(f\mid l)=H(f)-M(f;l)={feature:.4f}-{self.information:.4f}={self.feature_rest:.4f}",
        )


def entropy_line(name: str, shares: Sequence[float], value: float) -> str:
    r"""An entropy in bits with its shares put in; a share of 0 adds nothing and is left out.

    >>> entropy_line("H(f)", [0.5, 0.5, 0], 1.0)
    'H(f)=-0.5\\log_2 0.5-0.5\\log_2 0.5=1.0000'
    """
    terms = "".join(rf"-{share:.4g}\log_2 {share:.4g}" for share in shares if share > 0)
    return f"{name}={terms}={value:.4f}"


#: Tables worth starting from, by what they show.
PRESETS = {
    "related": Table(40, 10, 20, 30),
    "independent": Table(30, 20, 30, 20),
    "identical": Table(50, 0, 0, 50),
    "opposite": Table(0, 50, 50, 0),
    "rare label": Table(5, 45, 0, 50),
}


def _inside(text: list[str]) -> dict[str, Any]:
    """What bars have written in their middle, level and of the figure's size."""
    return {
        "text": text,
        "textposition": "inside",
        "insidetextanchor": "middle",
        "textangle": 0,
        "constraintext": "none",
    }


@checked
def mosaic(table: Table, *, title: str | None = None) -> go.Figure:
    """Four areas, each as large as its share of the instances.

    Where feature and label are independent the border between l = 1 and l = 0 runs straight through.
    """
    yes, no = (table.both, table.label_only), (table.feature_only, table.neither)
    width = (table.p_feature, 1 - table.p_feature)
    data: list[dict[str, Any]] = []
    shown = [place for place in (0, 1) if width[place] > 0]
    middles = [(0.0, width[0])[place] + width[place] / 2 for place in shown]
    for counts, name, colour in ((yes, "l = 1", wash(ACCENT, 0.7)), (no, "l = 0", wash(NEUTRAL, 0.3))):
        shares = [counts[place] / table.n / width[place] for place in shown]
        words = [
            f"f = {1 - place}, {name}: {counts[place]} of {table.n} ({counts[place] / table.n:.1%})" for place in shown
        ]
        look = {"name": name, "width": [max(width[place] - GAP, 0.001) for place in shown]}
        text = _inside([f"{counts[place]}" if counts[place] else "" for place in shown])
        data.append(bars(middles, shares, colour, customdata=words, hover="%{customdata}", **look, **text))
    names = [f"f = {1 - place}" for place in shown]
    layout = {
        "barmode": "stack",
        "xaxis": axis("Feature: width is its share", range=[0, 1], showgrid=False, tickvals=middles, ticktext=names),
        "yaxis": axis("Share of l in a column", range=[0, 1], tickformat=".0%", nticks=6),
        "showlegend": True,
    }
    alt = (
        f"Mosaic of {table.n} instances: {table.both} with feature and label, {table.feature_only} with the feature "
        f"only, {table.label_only} with the label only, {table.neither} with neither."
    )
    return draw(data, layout, alt=alt, title=title, height=FIGURE_HEIGHT)


@checked
def information_bars(table: Table, *, title: str | None = None) -> go.Figure:
    """H(f,l) is as long as H(f) and H(l) laid end to end, less M(f;l), by which they overlap."""
    left, middle, right = table.feature_rest, table.information, table.label_rest
    # Name, row, where it begins, how long it is, colour.
    pieces = [
        ("H(f,l)", 0, 0.0, table.joint_entropy, JOINT),
        ("H(f)", 1, 0.0, table.feature_entropy, FEATURE),
        ("H(l)", 2, left, table.label_entropy, LABEL),
        ("H(f|l)", 3, 0.0, left, FEATURE),
        ("M(f;l)", 3, left, middle, BOTH),
        ("H(l|f)", 3, left + middle, right, LABEL),
    ]
    data = []
    for name, row, start, length, colour in pieces:
        # A number that does not fit into its piece is left to the hover.
        text = _inside([f"{name} {length:.3f}" if length > 0.34 else f"{length:.2f}" if length > 0.12 else ""])
        hover = f"{name} = {length:.4f} bits"
        data.append(bars([length], [row], colour, orientation="h", base=[start], name=name, hover=hover, **text))
    layout = {
        "barmode": "overlay",
        "bargap": 0.25,
        "xaxis": axis("Bits", range=[0, LONGEST], dtick=0.5),
        "yaxis": named_axis(list(ROWS), range=[len(ROWS) - 0.5, -0.5]),
        "showlegend": False,
    }
    lengths = ", ".join(f"{name} {length:.4f}" for name, _, _, length, _ in pieces)
    return draw(data, layout, alt=f"Information diagram in bits: {lengths}.", title=title, height=FIGURE_HEIGHT)
