"""The bound: why a label of low entropy may be skipped, M(f;l) ≤ min(H(f), H(l)) (Lee & Kim 2016, eq. 10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from mlfs.checks import checked
from mlfs.errors import ParameterError
from mlfs.information import discretize, entropy, mutual_information
from mlfs.learn.information import SMALL, Table
from mlfs.learn.lesson import Lesson, check_share
from mlfs.plots.figure import ACCENT, HEIGHT, NEUTRAL, PALETTE, axis, draw, legend_rows, plain, scatter
from mlfs.plots.palette import wash
from mlfs.wording import listing

LESSON = Lesson(
    "bound",
    "The bound",
    "How much can it tell at most?",
    "A feature cannot tell more about a label than there is to know about it, nor more than the feature itself "
    "holds. So M(f;l) never rises above the smaller of the two entropies. A label of low entropy can change a "
    "sum over all labels only a little: ELS leaves its mutual information out and takes the bound instead.",
    r"0\le M(f;l)\le\min\bigl(H(f),H(l)\bigr)",
    "Set the agreement to 100%. For which pairs of p(f) and p(l) does the point reach the bound?",
    "Only where p(f) = p(l): then feature and label are the same variable. Where the label is rarer than the "
    "feature, a feature that says yes whenever the label does still says yes too often. A constant label, with "
    "H(l) = 0, reaches its bound of 0 trivially.",
    "Lee & Kim, Entropy 2016, eq. (10) and Theorem 2",
)

#: Instances of the toy. Shares in steps of 0.05 make every count whole, that of independent variables too.
INSTANCES = 2000
#: Two bins, as in the experiments of the paper: a feature of yes and no, like the toy.
BINS = 2


@dataclass(frozen=True)
class Bound:
    """A feature and a label that meet as often as the agreement says.

    Attributes
    ----------
    table : their 2 × 2 table
    agreement : 0 where they are independent, 1 where they meet as often as their frequencies allow
    """

    table: Table
    agreement: float

    @property
    def bound(self) -> float:
        """K(f, l) = min(H(f), H(l))"""
        return min(self.table.feature_entropy, self.table.label_entropy)

    @property
    def slack(self) -> float:
        """What ELS overestimates where it takes the bound for M(f; l)."""
        return self.bound - self.table.information

    def sentence(self) -> str:
        """How near the feature comes to the bound.

        >>> make_bound(0.4, 0.2, 0.7).sentence()
        'The feature tells 0.1349 of at most 0.7219 bits: the bound, which ELS takes instead, is 0.5871 too high.'
        """
        if self.bound < SMALL:
            return "One of the two never changes, so there is nothing to tell: the bound is 0."
        if self.slack < SMALL:
            return f"The feature reaches the bound: it tells all of the {self.bound:.4f} bits that it could."
        return (
            f"The feature tells {self.table.information:.4f} of at most {self.bound:.4f} bits: the bound, which ELS "
            f"takes instead, is {self.slack:.4f} too high."
        )

    def worked(self) -> tuple[str, ...]:
        """The numbers as they stand on the board, in LaTeX."""
        table = self.table
        inequality = rf"M(f;l)={table.information:.4f}\le\min({table.feature_entropy:.4f},{table.label_entropy:.4f})"
        return (
            *table.worked()[:2],
            f"{inequality}={self.bound:.4f}",
            rf"\min(H(f),H(l))-M(f;l)={self.bound:.4f}-{table.information:.4f}={self.slack:.4f}",
        )


@checked
def make_bound(p_feature: float, p_label: float, agreement: float) -> Bound:
    """A feature and a label of given frequencies, as nearly as 2000 instances allow.

    >>> make_bound(0.5, 0.25, 1).table.counts
    (500, 500, 0, 1000)
    >>> make_bound(0.5, 0.25, 0).table.counts
    (250, 750, 250, 750)
    """
    for name, value in (("p_feature", p_feature), ("p_label", p_label), ("agreement", agreement)):
        check_share(name, value)
    with_feature, with_label = round(p_feature * INSTANCES), round(p_label * INSTANCES)
    independent = with_feature * with_label / INSTANCES
    both = round(independent + agreement * (min(with_feature, with_label) - independent))
    neither = INSTANCES - with_feature - with_label + both
    return Bound(Table(both, with_feature - both, with_label - both, neither), agreement)


@checked
def bound_curve(p_feature: float, agreement: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same feature and agreement with labels of every frequency: (p(l), H(l), M(f; l)), each (101,)."""
    shares = np.arange(101) / 100
    tables = [make_bound(p_feature, float(share), agreement).table for share in shares]
    # Every table has its feature's ones first, so one feature serves all labels.
    labels = np.column_stack([table.label for table in tables])
    return shares, entropy(labels), mutual_information(tables[0].feature[:, None], labels)[0]


@dataclass(frozen=True, eq=False)
class LabelPoints:
    """The labels of a data set, each with the feature that tells most about it.

    Attributes
    ----------
    names : of the labels
    features : names of their best features
    label_entropy, feature_entropy, information : (q,) H(l), H(f) and M(f; l), in bits
    """

    names: tuple[str, ...]
    features: tuple[str, ...]
    label_entropy: np.ndarray
    feature_entropy: np.ndarray
    information: np.ndarray


@checked
def label_points(X: Any, Y: Any, feature_names: Sequence[str], label_names: Sequence[str]) -> LabelPoints:
    """Where the labels of real data lie under the bound; features in two bins of equal width."""
    D = discretize(X, BINS, "equal_width")
    information = mutual_information(D, Y)
    if information.shape != (len(feature_names), len(label_names)):
        raise ParameterError(
            f"Give a name for each of {information.shape[0]} features and {information.shape[1]} labels."
        )
    best = information.argmax(axis=0)
    labels = np.arange(len(best))
    return LabelPoints(
        tuple(map(str, label_names)),
        tuple(str(feature_names[feature]) for feature in best),
        entropy(Y),
        entropy(D)[best],
        information[best, labels],
    )


@checked
def information_bound(
    model: Bound,
    curve: tuple[np.ndarray, np.ndarray, np.ndarray],
    points: LabelPoints | None = None,
    *,
    title: str | None = None,
) -> go.Figure:
    """The label as a point, the bound as a roof, and where the point goes as the label's frequency changes.

    Parameters
    ----------
    curve : as `bound_curve` gives
    points : labels of real data to lay under the roof; each has a feature, and so a bound, of its own
    """
    table, top = model.table, model.table.feature_entropy
    shares, entropies, information = curve
    roof = {"name": "min(H(f), H(l))", "line": {"color": NEUTRAL, "width": 2}}
    area = {"fill": "tozeroy", "fillcolor": wash(NEUTRAL, 0.12)}
    under_roof = "H(l) = %{x:.3f}: at most %{y:.3f} bits"
    others = {"name": "other p(l)", "line": {"color": wash(ACCENT, 0.6), "width": 1.5, "dash": "dot"}}
    of_others = "p(l) = %{customdata:.2f}: H(l) = %{x:.3f}, M(f;l) = %{y:.3f}"
    x, y = table.label_entropy, table.information
    data = [
        scatter([0.0, top, 1.0], [0.0, top, top], "lines", hover=under_roof) | roof | area,
        scatter(entropies, information, "lines", customdata=shares, hover=of_others) | others,
        scatter([x, x], [y, model.bound], "lines", name="excess of ELS", line={"color": PALETTE[1], "width": 2}),
    ]
    if points is not None:
        data.append(_labels(points))
    hover = "H(l) = %{x:.4f}<br>M(f;l) = %{y:.4f}<extra>this label</extra>"
    marker = {"color": ACCENT, "size": 13}
    data.append(scatter([x], [y], "markers", name="this label", marker=marker, hover=hover, named=True))
    layout = {
        "xaxis": axis("Entropy of the label, H(l) (bits)", range=[-0.02, 1.02]),
        "yaxis": axis("M(f;l) (bits)", range=[-0.02, 1.05]),
        "hovermode": "closest",
        "showlegend": True,
    }
    alt = (
        f"Mutual information against the entropy of the label: M(f;l) = {y:.4f} bits at H(l) = {x:.4f}, under the "
        f"bound {model.bound:.4f}"
    )
    if points is not None:
        labels = [f"{n} {m:.4f}" for n, m in zip(points.names, points.information, strict=True)]
        alt += f"; labels of real data with their best feature: {listing(labels)}"
    height = HEIGHT + 40 + 19 * legend_rows([trace["name"] for trace in data])
    return draw(data, layout, alt=f"{alt}.", title=title, height=height)


def _labels(points: LabelPoints) -> dict[str, Any]:
    bounds = np.minimum(points.label_entropy, points.feature_entropy)
    words = [
        f"<b>{plain(label)}</b> with {plain(feature)}<br>its bound: {bound:.4f}"
        for label, feature, bound in zip(points.names, points.features, bounds, strict=True)
    ]
    look = {"name": "real labels", "marker": {"color": PALETTE[2], "size": 9, "symbol": "diamond"}}
    hover = "%{customdata}<br>H(l) = %{x:.4f}<br>M(f;l) = %{y:.4f}"
    return scatter(points.label_entropy, points.information, "markers", customdata=words, hover=hover) | look
