"""Redundancy: a second feature that is as relevant as the first, and copies it more and more.

Two labels that know nothing of each other. f₁ and f₂ agree with l₁ on 80 of 100 instances, f₃ agrees with l₂ on 70.
On a share of the instances f₂ repeats f₁, on the rest it judges for itself; either way it is right as often as before,
so that no measure of relevance alone can see the copying. All counts are exact: there is no chance in these data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mlfs.checks import checked
from mlfs.information import conditional_mutual_information, joint_mutual_information, mutual_information
from mlfs.learn.lesson import Lesson, check_share
from mlfs.metrics import redundancy
from mlfs.plots.figure import ACCENT, NEUTRAL, PALETTE, axis, bars, draw, mark_line, named_axis, note, outside, scatter
from mlfs.plots.palette import styles_of, wash
from mlfs.results import setting_title
from mlfs.selectors import make_selector
from mlfs.wording import joined, listing

LESSON = Lesson(
    "redundancy",
    "Redundancy",
    "What is a copy worth?",
    "f₁ and f₂ agree with the label l₁ on 80 of 100 instances, f₃ agrees with another label l₂ on 70. Once f₁ is "
    "picked, which comes second? The slider lets f₂ repeat f₁ on more and more instances; its relevance "
    "stays the same.",
    r"\begin{aligned}\text{MIM}&=\textstyle\sum_l M(f;l)\\\text{JMI}&=\textstyle\sum_l M(f,f_1;l)\\"
    r"\text{AMI}&=\textstyle\sum_l M(f;l)-M(f;f_1)\end{aligned}",
    "Move the slider from end to end. Why does MIM never change its mind, and why does R(F) of {f₁, f₂} not move?",
    "Both look at one feature and the labels at a time. MIM sums M(f;l); R(F) multiplies the squared correlations "
    "of two features with the same label. Neither asks whether the two are right on the *same* instances. R(F) "
    "tells {f₁, f₂} (one label twice) from {f₁, f₃} (two labels once), not a copy from a second witness.",
    "Sechidis, Nikolaou & Brown 2014, eq. (7) and (8); R(F): Wang et al. 2020, eq. (16)",
)

FEATURES = ("f₁", "f₂", "f₃")
#: How often f₁ and f₂ agree with l₁, and f₃ with l₂.
AGREES = 0.8, 0.7
#: Instances for each of the four combinations of the labels: every count is whole for shares in steps of 0.05.
INSTANCES = 1250
#: Relevance alone; pairs with what was picked; relevance less what is shared (the two-term form of mRMR).
CRITERIA = ("mim_br", "jmi_br", "ami")
FIGURE_HEIGHT = 320  # pixels
COLOURS = {1: ACCENT, 2: PALETTE[1]}


@dataclass(frozen=True, eq=False)
class Copying:
    """What the criteria make of the three features when f₁ is picked and the second is to be chosen.

    Attributes
    ----------
    copied : share of the instances on which f₂ repeats f₁
    relevance : (3,) Σ_l M(f; l)
    gain : (3,) Σ_l M(f; l | f₁), what is new beside f₁
    shared : (3,) M(f; f₁)
    scores : criterion → (3,) its score of each feature with S = {f₁}
    second : criterion → the feature it picks second
    redundancy : R(F) of {f₁, f₂} and of {f₁, f₃}
    """

    copied: float
    relevance: np.ndarray
    gain: np.ndarray
    shared: np.ndarray
    scores: dict[str, np.ndarray]
    second: dict[str, int]
    redundancy: tuple[float, float]

    def sentence(self) -> str:
        """Which criterion picks which feature second.

        >>> copying(0.5).sentence()
        'Once f₁ is picked, MIM-BR takes f₂, and JMI-BR and AMI take f₃.'
        """
        takers: dict[int, list[str]] = {}
        for criterion, feature in self.second.items():
            takers.setdefault(feature, []).append(setting_title(criterion))
        if len(takers) == 1:
            return f"Once f₁ is picked, all of {joined(*takers.values())} take {FEATURES[next(iter(takers))]}."
        parts = [
            f"{joined(names)} {'takes' if len(names) == 1 else 'take'} {FEATURES[feature]}"
            for feature, names in sorted(takers.items())
        ]
        return f"Once f₁ is picked, {', and '.join(parts)}."

    def worked(self) -> tuple[str, ...]:
        """The scores of f₂ and f₃ as they stand on the board, in LaTeX."""
        lines = []
        for j in (1, 2):
            f = f"f_{j + 1}"
            mim, jmi, ami = (self.scores[criterion][j] for criterion in CRITERIA)
            lines += [
                rf"\text{{MIM}}({f})=\sum_l M({f};l)={mim:.4f}",
                rf"\text{{JMI}}({f})=\sum_l M(f_1;l)+\sum_l M({f};l\mid f_1)"
                f"={self.relevance[0]:.4f}+{self.gain[j]:.4f}={jmi:.4f}",
                rf"\text{{AMI}}({f})=\sum_l M({f};l)-M({f};f_1)={self.relevance[j]:.4f}-{self.shared[j]:.4f}={ami:.4f}",
            ]
        copy, other = self.redundancy
        return (*lines, rf"R(\{{f_1,f_2\}})={copy:.4f},\quad R(\{{f_1,f_3\}})={other:.4f}")


@checked
def copying_data(copied: float) -> tuple[np.ndarray, np.ndarray]:
    """X (5000, 3) and Y (5000, 2), all 0 and 1."""
    check_share("copied", copied)
    first_agrees, third_agrees = AGREES
    alone = (1 - copied) * first_agrees * (1 - first_agrees)  # exactly one of f₁ and f₂ is right
    first_two = {(1, 1): first_agrees - alone, (1, 0): alone, (0, 1): alone, (0, 0): 1 - first_agrees - alone}
    rows, counts = [], []
    for l1, l2, (right, third) in product((0, 1), (0, 1), product(first_two, (0, 1))):
        share = first_two[right] * (third_agrees if third else 1 - third_agrees)
        answers = [l1 if ok else 1 - l1 for ok in right] + [l2 if third else 1 - l2]
        rows.append([*answers, l1, l2])
        counts.append(round(share * INSTANCES))
    table = np.repeat(np.array(rows), counts, axis=0)
    return table[:, :3], table[:, 3:]


@checked
def copying(copied: float) -> Copying:
    """The model for one share of copying.

    >>> [copying(share).second["jmi_br"] for share in (0, 1)], [copying(share).second["mim_br"] for share in (0, 1)]
    ([1, 2], [1, 1])
    """
    X, Y = copying_data(copied)
    second = {
        criterion: int(make_selector(criterion, n_features_to_select=2).fit(X, Y).ranking_[1]) for criterion in CRITERIA
    }
    return Copying(
        copied=copied,
        relevance=mutual_information(X, Y).sum(axis=1),
        gain=conditional_mutual_information(X, Y, X[:, 0]).sum(axis=1),
        shared=mutual_information(X, X[:, [0]])[:, 0],
        scores=_scores(X, Y),
        second=second,
        redundancy=(redundancy(X, Y, [0, 1]), redundancy(X, Y, [0, 2])),
    )


@cache
def advantages() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """How far f₂ is ahead of f₃ for every share of copying: (21,) shares, and criterion → (21,) differences.

    Made once; read-only.
    """
    shares = np.arange(21) / 20
    scores = [_scores(*copying_data(float(share))) for share in shares]
    ahead = {name: np.array([values[name][1] - values[name][2] for values in scores]) for name in CRITERIA}
    for array in (shares, *ahead.values()):
        array.setflags(write=False)
    return shares, ahead


def _scores(X: np.ndarray, Y: np.ndarray) -> dict[str, np.ndarray]:
    """Criterion → (3,) its score of each feature once f₁ is picked."""
    relevance = mutual_information(X, Y).sum(axis=1)
    return {
        "mim_br": relevance,
        "jmi_br": joint_mutual_information(X, X[:, 0], Y).sum(axis=1),
        "ami": relevance - mutual_information(X, X[:, [0]])[:, 0],
    }


@checked
def second_pick(model: Copying, *, title: str | None = None) -> go.Figure:
    """Bars of what f₂ and f₃ score once f₁ is picked; the bar of the pick is full, the other pale."""
    data: list[dict[str, Any]] = []
    for feature, colour in COLOURS.items():
        picked = [model.second[criterion] == feature for criterion in CRITERIA]
        values = [float(model.scores[criterion][feature]) for criterion in CRITERIA]
        colours = [wash(colour, 0.85 if pick else 0.25) for pick in picked]
        bar = bars(
            list(range(len(CRITERIA))), values, colours, hover=f"{FEATURES[feature]}: %{{y:.4f}} bits%{{customdata}}"
        )
        bar["marker"]["line"] = {"color": colour, "width": 1}
        words = [" (picked)" if pick else "" for pick in picked]
        written = [f"{value:.2f}".replace("-", "−") for value in values]
        data.append(bar | {"name": FEATURES[feature], "customdata": words, **outside(written)})
    names = [style.name for style in styles_of(CRITERIA).values()]
    picks = [FEATURES[model.second[criterion]] for criterion in CRITERIA]
    layout = {
        "barmode": "group",
        "xaxis": named_axis(
            [f"{name}<br>picks <b>{pick}</b>" for name, pick in zip(names, picks, strict=True)],
            title={"text": "Criterion", "standoff": 8},
        ),
        # Of one length whatever the slider says, so that bars move and the axis does not.
        "yaxis": axis("Score once f₁ is picked (bits)", range=[-0.85, 0.6], zeroline=True),
        "showlegend": True,
    }
    choices = [
        f"{name} picks {pick} ({FEATURES[1]} {model.scores[criterion][1]:.4f}, "
        f"{FEATURES[2]} {model.scores[criterion][2]:.4f})"
        for name, pick, criterion in zip(names, picks, CRITERIA, strict=True)
    ]
    alt = f"Scores of the second feature where {model.copied:.0%} of f₂ is copied from f₁: {listing(choices)}."
    return draw(data, layout, alt=alt, title=title, height=FIGURE_HEIGHT)


@checked
def copy_advantage(
    shares: np.ndarray, advantages: Mapping[str, np.ndarray], *, copied: float | None = None, title: str | None = None
) -> go.Figure:
    """How far f₂ is ahead of f₃ against the share of f₁ it copies; below the line f₃ is picked.

    Parameters
    ----------
    shares, advantages : as `mlfs.learn.advantages` gives
    copied : the share of the slider, marked
    """
    data: list[dict[str, Any]] = []
    turning_points = []
    styles = styles_of(advantages)
    for criterion, values in advantages.items():
        style = styles[criterion]
        behind = np.flatnonzero(values < 0)
        turning_points.append(
            f"{style.name} prefers f₃ from {shares[behind[0]]:.0%} on" if len(behind) else f"{style.name} never"
        )
        hover = f"{style.name}, %{{x:.0%}} copied: %{{y:+.4f}} bits"
        data.append(scatter(shares, values, "lines", name=style.name, line=style.line(), hover=hover))
    low, high = min(v.min() for v in advantages.values()), max(v.max() for v in advantages.values())
    ends = [float(low) - 0.05, float(high) + 0.1]
    if copied is not None:
        data.append(mark_line(copied, *ends))
    layout = {
        "xaxis": axis("Share of f₁ that f₂ copies", range=[-0.01, 1.01], tickformat=".0%"),
        "yaxis": axis("Score of f₂ − score of f₃ (bits)", range=ends),
        "shapes": [{"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": 0, "y1": 0, "line": {"color": NEUTRAL}}],
        "annotations": [
            note(text, x=0.99, y=0, yref="y", xanchor="right", yanchor=anchor)
            for anchor, text in (("bottom", "picks f₂"), ("top", "picks f₃"))
        ],
        "showlegend": True,
    }
    alt = f"Advantage of the copy f₂ over the newcomer f₃ as it copies more of f₁: {listing(turning_points)}."
    return draw(data, layout, alt=alt, title=title, height=FIGURE_HEIGHT)
