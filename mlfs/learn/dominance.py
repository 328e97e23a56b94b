"""Dominance: a dozen features that compete label by label, as MAPD sees them (Zhou & Guo 2023, Definitions 3 and 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mlfs.checks import checked, whole
from mlfs.errors import ParameterError, did_you_mean
from mlfs.learn.lesson import Draws, Lesson
from mlfs.plots.figure import ACCENT, HEIGHT, NEUTRAL, PALETTE, axis, draw, ring, scatter
from mlfs.plots.palette import wash
from mlfs.plots.pareto import staircase
from mlfs.selectors import MAPD
from mlfs.selectors.evidence import Information
from mlfs.selectors.pareto import dominance, dominators_of, front, selected_against_alpha, wins_needed
from mlfs.wording import count, joined, listing

LESSON = Lesson(
    "dominance",
    "Dominance",
    "Which features does no other beat?",
    "Each feature has one coordinate per label: its symmetrical uncertainty (SU) with it. MAPD lets a feature "
    "dominate another where it is strictly better in more than the share α of the labels, and keeps those that "
    "none dominates. The figure shows two of the labels; the others count as well.",
    MAPD.formula,
    "Choose two labels. Why does the α slider do nothing? Then choose the circle and an α of 0.66 or less: who wins?",
    "With two labels, more than half of them is both, whatever α is: approximate dominance needs three labels to "
    "differ from Pareto dominance. In the circle each feature is beaten by another in two of three labels, so "
    "all are dominated and nothing is selected. Approximate dominance is not transitive; Pareto dominance is.",
    MAPD.paper,
)

INSTANCES = 600
FEATURES = 12
#: Range of the number of labels, and of the seed.
LABELS = 2, 8
SEEDS = 0, 99
#: Kinds of toy: features with strengths at random; three features each of which loses to the next.
KINDS = ("dozen", "circle")
#: The share of the instances on which the labels of the dozen follow their common cause.
TOGETHER = 0.6
#: On which share of the instances each feature (row) follows each label.
CIRCLE = np.array([[0.5, 0.25, 0], [0, 0.5, 0.25], [0.25, 0, 0.5]])
HIGHLIGHT = PALETTE[1]
#: What keeps a name off the ring around its point: a line of its own, or a space.
BESIDE_RING = {"top center": "{}<br>\u2003", "middle right": "\u2003{}", "bottom center": "\u2003<br>{}"}
#: Where a name may stand, the best first, and where no other point may be then: from left to right and from below to
#: above, as shares of what the points reach.
SIDES = {
    "top center": (-0.06, 0.06, 0, 0.12),
    "middle right": (0, 0.12, -0.06, 0.06),
    "bottom center": (-0.06, 0.06, -0.12, 0),
}
#: Rivals that are all named in a sentence.
MOST_NAMED = 6


@dataclass(frozen=True, eq=False)
class Tournament:
    """Features compared under symmetrical uncertainty with every label.

    Attributes
    ----------
    evidence : the toy, prepared as MAPD does
    alpha : the share of labels in which a feature must be strictly better to dominate
    """

    evidence: Information
    alpha: float

    @cached_property
    def uncertainty(self) -> np.ndarray:
        """(d, q) SU(f, l)."""
        return self.evidence.tables.symmetrical_uncertainty

    @property
    def d(self) -> int:
        return self.evidence.sizes["features"]

    @property
    def q(self) -> int:
        return self.evidence.sizes["labels"]

    @property
    def feature_names(self) -> tuple[str, ...]:
        return tuple(f"f{subscript(i)}" for i in range(self.d))

    @property
    def label_names(self) -> tuple[str, ...]:
        return tuple(f"l{subscript(p)}" for p in range(self.q))

    @property
    def needed(self) -> int:
        """In how many labels a feature must be strictly better: the least whole number above α·q."""
        return wins_needed(self.alpha, self.q)

    @cached_property
    def dominators(self) -> tuple[np.ndarray, ...]:
        """For each feature those that dominate it."""
        return tuple(dominators_of(self.evidence, feature, self.alpha) for feature in range(self.d))

    @cached_property
    def selected(self) -> np.ndarray:
        """(d,) whether MAPD selects the feature."""
        return MAPD(alpha=self.alpha).fit_prepared(self.evidence).dominators_ == 0

    def on_front(self, across: int, up: int) -> np.ndarray:
        """(d,) whether the feature is on the Pareto front of two labels alone."""
        return front(self.evidence, [across, up])

    def wins(self, feature: int) -> np.ndarray:
        """(d,) in how many labels each feature is strictly better than the given one."""
        levels = dominance(self.evidence).levels
        return (levels > levels[:, [feature]]).sum(axis=0)

    def against_alpha(self) -> tuple[np.ndarray, np.ndarray]:
        """The number of selected features for every α, as steps."""
        return selected_against_alpha(self.evidence)

    def sentence(self, feature: int) -> str:
        """Who is selected, and what becomes of the feature.

        >>> tournament(0.6, kind="circle").sentence(0)
        'A feature dominates another by winning 2 of 3 labels. None is selected; f₁ is dominated by f₂.'
        """
        chosen = [name for name, inside in zip(self.feature_names, self.selected, strict=True) if inside]
        verb = "is" if len(chosen) < 2 else "are"
        return (
            f"A feature dominates another by winning {self.needed} of {count(self.q, 'label')}. "
            f"{joined(chosen) or 'None'} {verb} selected; {self.feature_names[feature]} is {_rivals(self, feature)}."
        )

    def worked(self, feature: int) -> tuple[str, ...]:
        """The feature against its strongest rival, and who is selected, as it stands on the board, in LaTeX."""
        wins = self.wins(feature)
        wins[feature] = -1
        rival = int(wins.argmax())
        mine, theirs = f"f_{{{feature + 1}}}", f"f_{{{rival + 1}}}"
        levels = dominance(self.evidence).levels
        lines = []
        for p, better in enumerate(levels[:, rival] > levels[:, feature]):
            sign = ">" if better else r"\le"
            su, rival_su = self.uncertainty[feature, p], self.uncertainty[rival, p]
            lines.append(rf"SU_{p + 1}({theirs})={rival_su:.4f}{sign}{su:.4f}=SU_{p + 1}({mine})")
        sign, verdict = (">", "dominates") if wins[rival] >= self.needed else (r"\le", "does not dominate")
        chosen = ",".join(f"f_{{{i + 1}}}" for i in np.flatnonzero(self.selected)) or r"\emptyset"
        return (
            *lines,
            rf"{wins[rival]}{sign}{self.alpha * self.q:.4g}={self.alpha:g}\cdot{self.q}=\alpha q",
            rf"{theirs}\text{{ {verdict} }}{mine}",
            rf"\text{{selected: }}{chosen}",
        )


@checked
def tournament_data(n_labels: int = 5, seed: int = 0, kind: str = "dozen") -> tuple[np.ndarray, np.ndarray]:
    """X and Y of 600 instances, all 0 and 1: on each instance a feature shows one of the labels, or a coin.

    The labels of the dozen have a common cause, which each follows on 60 of 100 instances; each feature shows labels on
    30 to 100 of 100 instances, spread over them at random. The circle has three features and three independent labels:
    each feature shows one label on half of the instances and the next on a quarter, so that each is beaten by another
    in two of three labels.
    """
    if kind not in KINDS:
        raise ParameterError(f"There is no toy {kind!r}: {did_you_mean(str(kind), KINDS)}")
    _check_whole("seed", seed, SEEDS)
    rng = np.random.default_rng(seed)
    if kind == "circle":
        strengths, together = CIRCLE, 0.0
    else:
        _check_whole("n_labels", n_labels, LABELS)
        strengths, together = rng.dirichlet(np.ones(n_labels), FEATURES) * rng.uniform(0.3, 1, (FEATURES, 1)), TOGETHER
    draws = Draws(rng, INSTANCES)
    cause = draws.coin()
    Y = np.column_stack([draws.follow(cause, together) for _ in range(strengths.shape[1])])
    return np.column_stack([_mixture(draws, Y, row) for row in strengths]), Y


@checked
def tournament(alpha: float, n_labels: int = 5, seed: int = 0, kind: str = "dozen") -> Tournament:
    """The features of the toy compared; α moves without a new comparison by `dataclasses.replace`.

    >>> [int(tournament(alpha, kind="circle").selected.sum()) for alpha in (0.6, 0.7)]
    [0, 3]
    """
    X, Y = tournament_data(n_labels, seed, kind)
    return Tournament(MAPD(alpha=alpha).prepare(X, Y), alpha)


def subscript(position: int) -> str:
    """The number of the feature or label at this position.

    >>> subscript(0), subscript(11)
    ('₁', '₁₂')
    """
    return str(position + 1).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))


def _mixture(draws: Draws, Y: np.ndarray, strengths: np.ndarray) -> np.ndarray:
    """(n,) a feature that shows label p on the share strengths[p] of the instances, a coin on what is left."""
    ends = np.rint(np.cumsum(strengths) * draws.n)
    label = np.searchsorted(ends, draws.rng.permutation(draws.n), side="right")
    shown = np.column_stack([Y, draws.coin()])
    return shown[np.arange(draws.n), label]


def _check_whole(name: str, value: int, ends: tuple[int, int]) -> None:
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or not ends[0] <= value <= ends[1]:
        raise ParameterError(f"{name} must be a whole number from {ends[0]} to {ends[1]}, not {value!r}.")


@checked
def dominance_map(
    model: Tournament, across: int, up: int, *, looked_at: int | None = None, title: str | None = None
) -> go.Figure:
    """Features as points; selected ones full, dominated ones pale, the front of the two labels as a dotted stair.

    Parameters
    ----------
    across, up : the two labels of the axes
    looked_at : a feature; arrows come to it from those that dominate it
    """
    features, labels = model.uncertainty.shape
    across, up = whole("across", across, 0, labels - 1), whole("up", up, 0, labels - 1)
    if looked_at is not None:
        whole("looked_at", looked_at, 0, features - 1)
    x, y = model.uncertainty[:, across], model.uncertainty[:, up]
    border = np.column_stack([x, y])[model.on_front(across, up)]
    sides = _free_sides(x, y)
    data = [staircase(border, name="front of these two labels")]
    for inside, name, colour in ((True, "selected", ACCENT), (False, "dominated", NEUTRAL)):
        rows = np.flatnonzero(model.selected == inside)
        if len(rows):
            data.append(_points(model, rows, x, y, sides, f"{name} ({len(rows)})", colour, looked_at))
    arrows = []
    if looked_at is not None:
        data.append(ring(x[looked_at], y[looked_at], 20, HIGHLIGHT, showlegend=False))
        arrows = [_arrow((x[rival], y[rival]), (x[looked_at], y[looked_at])) for rival in model.dominators[looked_at]]
    names = model.label_names
    layout = {
        "xaxis": axis(f"SU with {names[across]}", range=_range(x)),
        "yaxis": axis(f"SU with {names[up]}", range=_range(y)),
        "annotations": arrows,
        "hovermode": "closest",
        "showlegend": True,
    }
    return draw(data, layout, alt=_describe(model, across, up, looked_at), title=title, height=HEIGHT + 60)


def _points(
    model: Tournament,
    rows: np.ndarray,
    x: np.ndarray,
    y: np.ndarray,
    sides: Sequence[str],
    name: str,
    colour: str,
    looked_at: int | None,
) -> dict[str, Any]:
    look = {"name": name, "marker": {"color": colour, "size": 11}, "textposition": [sides[row] for row in rows]}
    names = [model.feature_names[row] for row in rows]
    written = [
        BESIDE_RING[sides[row]].format(name) if row == looked_at else name
        for row, name in zip(rows, names, strict=True)
    ]
    words = {"text": written, "hovertext": names, "customdata": [_rivals(model, row) for row in rows]}
    hover = "<b>%{hovertext}</b><br>(%{x:.3f}, %{y:.3f})<br>%{customdata}"
    return scatter(x[rows], y[rows], "markers+text", hover=hover) | look | words


def _free_sides(x: np.ndarray, y: np.ndarray) -> list[str]:
    """Where the name of each point stands: above it; beside or below it where another point would be in the way.

    >>> _free_sides(np.array([0.0, 0.02, 1.0]), np.array([0.0, 0.09, 1.0]))
    ['middle right', 'top center', 'top center']
    """
    across, up = (values / (float(values.max()) or 1.0) for values in (x, y))

    def free(at: int) -> str:
        right, above = across - across[at], up - up[at]
        for side, (left_end, right_end, low, high) in SIDES.items():
            inside = (left_end < right) & (right < right_end) & (low < above) & (above < high)
            inside[at] = False
            if not inside.any():
                return side
        return next(iter(SIDES))

    return [free(at) for at in range(len(x))]


def _rivals(model: Tournament, feature: int) -> str:
    rivals = [model.feature_names[rival] for rival in model.dominators[feature]]
    return f"dominated by {listing(rivals) if len(rivals) > MOST_NAMED else joined(rivals) or 'none'}"


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> dict[str, Any]:
    head = {"x": end[0], "y": end[1], "xref": "x", "yref": "y", "standoff": 11}
    tail = {"ax": start[0], "ay": start[1], "axref": "x", "ayref": "y", "startstandoff": 7}
    look = {"showarrow": True, "arrowhead": 2, "arrowwidth": 1.5, "arrowcolor": wash(HIGHLIGHT, 0.7)}
    return {"text": "", **head, **tail, **look}


def _range(values: np.ndarray) -> list[float]:
    """A little room for the names above the points."""
    high = float(values.max()) or 1.0
    return [-0.06 * high, 1.15 * high]


def _describe(model: Tournament, across: int, up: int, looked_at: int | None) -> str:
    chosen = [name for name, inside in zip(model.feature_names, model.selected, strict=True) if inside]
    words = (
        f"{count(model.d, 'feature')} by SU with {model.label_names[across]} and {model.label_names[up]}; at α = "
        f"{model.alpha:g} a feature needs {model.needed} of {count(model.q, 'label')} to dominate, and "
        f"{len(chosen)} are selected{': ' + listing(chosen, 12) if chosen else ''}"
    )
    if looked_at is not None:
        words += f"; {model.feature_names[looked_at]} is {_rivals(model, looked_at)}"
    return f"{words}."
