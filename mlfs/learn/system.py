"""The GRRO system on four features and three labels, small enough to write out (Zhang et al. 2020, eq. 6–8).

f₁ and f₂ tell of l₁, f₃ of l₂, f₄ of l₃. One slider lets f₂ repeat f₁, another lets l₂ repeat l₁.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mlfs.checks import checked
from mlfs.learn.lesson import Draws, Lesson, check_share
from mlfs.plots.figure import (
    axis,
    draw,
    heading,
    named_axis,
    outside,
    panel_axes,
    panel_layout,
    row_bars,
)
from mlfs.plots.heatmaps import DIVERGING, heatmap_cells, matrix_numbers
from mlfs.plots.palette import colour_at
from mlfs.selectors import GRRO
from mlfs.selectors.evidence import Information
from mlfs.selectors.grro import label_distance
from mlfs.wording import joined, listing

LESSON = Lesson(
    "system",
    "The GRRO system",
    "How does GRRO weigh it all?",
    "C holds what each feature tells about each label, G what features share, R how far labels are apart. Z should "
    "be near C, but small where features share information (α), and different for labels that are far apart (β). "
    "Features with long rows of Z come first.",
    GRRO.formula,
    "Let f₂ copy f₁ entirely, and raise α. Does GRRO drop one of the two twins?",
    "No. Both rows of Z stay equal and shrink together, because the system treats equal features equally; each is "
    "weakened by the other. Features that share nothing keep more of their weight and overtake both. "
    "Now raise β: once 1 + αλ + βγ is negative somewhere, the solution is a saddle point and not a minimum.",
    GRRO.paper,
)

FEATURES = ("f₁", "f₂", "f₃", "f₄")
LABELS = ("l₁", "l₂", "l₃")
INSTANCES = 600
SEED = 4
#: The share of the instances on which each feature follows its label; on the rest it is a coin.
FOLLOWS = 0.8, 0.7, 0.7, 0.6
#: What the terms of the objective are written as.
TERMS = {"fit": "‖Z−C‖²", "redundancy": "α·tr(ZᵀGZ)", "labels": "β·tr(RZᵀZ)"}
MATRICES_HEIGHT, TERMS_HEIGHT = 430, 190  # pixels
#: Where each matrix stands: columns and rows of the figure as shares of it.
LEFT, RIGHT, UPPER, LOWER = [0.0, 0.44], [0.56, 1.0], [0.57, 0.94], [0.0, 0.37]


@dataclass(frozen=True, eq=False)
class System:
    """The system (I+αG)Z + βZR = C and its solution.

    Attributes
    ----------
    C : (4, 3) M(f; l)
    G : (4, 4) M(f; f'), H(f) on the diagonal
    R : (3, 3) 1 − cosine of the labels
    Z : (4, 3) the solution
    scores : (4,) the lengths of the rows of Z
    ranking : the features, best first
    terms : "fit", "redundancy" and "labels", the three parts of the objective
    notes : what is doubtful about the solution, each a sentence
    """

    alpha: float
    beta: float
    C: np.ndarray
    G: np.ndarray
    R: np.ndarray
    Z: np.ndarray
    scores: np.ndarray
    ranking: np.ndarray
    terms: dict[str, float]
    notes: tuple[str, ...]

    @classmethod
    def solve(cls, evidence: Information, alpha: float, beta: float) -> System:
        """The solution for one α and β; the evidence serves all of them."""
        fitted = GRRO(alpha=alpha, beta=beta).fit_prepared(evidence)
        return cls(
            alpha,
            beta,
            evidence.information,
            evidence.feature_information,
            label_distance(evidence.Y),
            fitted.coefficients_,
            fitted.scores_,
            fitted.ranking_,
            fitted.terms_,
            tuple(fitted.notes_),
        )

    def sentence(self) -> str:
        """The order of the features, and what the solution costs.

        >>> print(System.solve(prepare_system(0.5, 0.5), 1, 0.1).sentence())
        f₃ comes first, then f₁, f₂ and f₄. The distance from C costs 0.2245, what features share 0.1646, and the \
distance of labels 0.0008.
        """
        first, *rest = (FEATURES[i] for i in self.ranking)
        fit, redundancy, labels = (f"{self.terms[name]:.4f}".replace("-", "−") for name in TERMS)
        return (
            f"{first} comes first, then {joined(rest)}. The distance from C costs {fit}, what features share "
            f"{redundancy}, and the distance of labels {labels}."
        )

    def worked(self) -> tuple[str, ...]:
        """One entry of the system, the first score, the objective and the order of the features, in LaTeX."""
        z, (a, b) = self.Z, (self.alpha, self.beta)
        shared = "+".join(f"{g:.3f}\\cdot{_signed(value)}" for g, value in zip(self.G[0], z[:, 0], strict=True))
        apart = "+".join(f"{_signed(value)}\\cdot{r:.3f}" for value, r in zip(z[0], self.R[:, 0], strict=True))
        order = r"\ge".join(rf"\|z_{i + 1}\|={self.scores[i]:.4f}" for i in self.ranking)
        fit, redundancy, labels = (self.terms[name] for name in ("fit", "redundancy", "labels"))
        return (
            r"z_{11}+\alpha\sum_j g_{1j}z_{j1}+\beta\sum_k z_{1k}r_{k1}=c_{11}",
            rf"{z[0, 0]:.3f}+{a:g}\,({shared})+{b:g}\,({apart})={self.C[0, 0]:.3f}",
            rf"\|z_1\|=\sqrt{{{'+'.join(f'{_signed(value)}^2' for value in z[0])}}}={self.scores[0]:.4f}",
            rf"\|Z-C\|^2+\alpha\operatorname{{tr}}(Z^\top GZ)+\beta\operatorname{{tr}}(RZ^\top Z)"
            f"={fit:.4f}+{redundancy:.4f}+{_signed(labels, 4)}={fit + redundancy + labels:.4f}",
            order,
        )


@checked
def system_data(copied: float, together: float) -> tuple[np.ndarray, np.ndarray]:
    """X (600, 4) and Y (600, 3), all 0 and 1: f₂ repeats f₁ on the share `copied`, l₂ repeats l₁ on `together`."""
    for name, value in (("copied", copied), ("together", together)):
        check_share(name, value)
    draws = Draws(np.random.default_rng(SEED), INSTANCES)
    first, third = draws.coin(), draws.coin()
    second = draws.follow(first, together)
    Y = np.column_stack([first, second, third])
    f1, f2, f3, f4 = (
        draws.follow(label, share) for label, share in zip((first, first, second, third), FOLLOWS, strict=True)
    )
    f2 = draws.follow(f1, copied, otherwise=f2)
    return np.column_stack([f1, f2, f3, f4]), Y


@checked
def prepare_system(copied: float, together: float) -> Information:
    """What the system knows of the data, once for every α and β."""
    return GRRO().prepare(*system_data(copied, together))


def _signed(value: float, digits: int = 3) -> str:
    """A negative number in brackets, for it stands behind another sign."""
    return f"({value:.{digits}f})" if value < 0 else f"{value:.{digits}f}"


@checked
def system_matrices(model: System, *, title: str | None = None) -> go.Figure:
    """C and Z on one scale, so that it shows how much of the relevance is left; G and R on their own, from 0 to 1."""
    limit = float(max(np.abs(model.C).max(), np.abs(model.Z).max())) or 1.0
    pieces = (
        ("C: relevance M(f;l)", model.C, FEATURES, LABELS, limit, LEFT, UPPER),
        ("Z: the solution", model.Z, FEATURES, LABELS, limit, RIGHT, UPPER),
        ("G: shared M(f;f')", model.G, FEATURES, FEATURES, 1.0, LEFT, LOWER),
        ("R: label distance", model.R, LABELS, LABELS, 1.0, RIGHT, LOWER),
    )
    data: list[dict[str, Any]] = []
    layout: dict[str, Any] = {"showlegend": False, "annotations": []}
    for position, (name, values, rows, columns, most, across, up) in enumerate(pieces):
        words = [[f"{name[0]}({row}, {column})" for column in columns] for row in rows]
        hover, axes = "%{customdata} = %{z:.4f}", panel_axes(position)
        cells = heatmap_cells(values, DIVERGING, (-most, most), hover, words, showscale=False)
        data += [cells | axes, matrix_numbers(values, **axes)]
        y = named_axis(list(rows), domain=up, range=[len(rows) - 0.5, -0.5])
        layout |= panel_layout(position, named_axis(list(columns), domain=across), y)
        layout["annotations"].append(heading(f"<b>{name}</b>", across[0], up[1]))
    best = " > ".join(f"{FEATURES[i]} {model.scores[i]:.4f}" for i in model.ranking)
    alt = (
        f"Matrices of the GRRO system at α = {model.alpha:g}, β = {model.beta:g}: C up to {model.C.max():.4f}, Z from "
        f"{model.Z.min():.4f} to {model.Z.max():.4f}; features by the length of their row of Z: {best}."
    )
    return draw(data, layout, alt=alt, title=title, height=MATRICES_HEIGHT)


@checked
def objective_terms(model: System, *, title: str | None = None) -> go.Figure:
    """Bars of the three terms of the objective; the last may be negative, for R is not positive semidefinite."""
    values = [model.terms[name] for name in TERMS]
    names, colours = list(TERMS.values()), [colour_at(place) for place in range(len(values))]
    words = outside([f"{value:.4f}" for value in values])
    data = [row_bars(values, colours, customdata=names, hover="%{customdata} = %{x:.4f}", **words)]
    reach = max(map(abs, values)) or 1.0
    low = min(min(values), 0.0)
    ends = [low - 0.2 * reach * (low < 0), 1.2 * reach]
    layout = {
        "xaxis": axis("Part of the objective", range=ends, zeroline=True, nticks=6),
        "yaxis": named_axis(names, range=[len(values) - 0.5, -0.5]),
        "bargap": 0.25,
        "showlegend": False,
    }
    terms = [f"{TERMS[name]} {model.terms[name]:.4f}" for name in TERMS]
    alt = f"Terms of GRRO's objective: {listing(terms)}; together {sum(values):.4f}."
    return draw(data, layout, alt=alt, title=title, height=TERMS_HEIGHT)
