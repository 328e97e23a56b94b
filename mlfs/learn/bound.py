"""Why a label of low entropy may be skipped: M(f;l) ≤ min(H(f), H(l)) (Lee & Kim 2016, eq. 10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mlfs.information import discretize, entropy, mutual_information
from mlfs.learn.board import check_share
from mlfs.learn.table import Table

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

    def worked(self) -> tuple[str, ...]:
        """The numbers as they stand on the board, in LaTeX."""
        found = self.table
        told = rf"M(f;l)={found.information:.4f}\le\min({found.feature_entropy:.4f},{found.label_entropy:.4f})"
        return (
            *found.worked()[:2],
            f"{told}={self.bound:.4f}",
            rf"\min(H(f),H(l))-M(f;l)={self.bound:.4f}-{found.information:.4f}={self.slack:.4f}",
        )


def meeting(p_feature: float, p_label: float, agreement: float) -> Bound:
    """A feature and a label of given frequencies, as nearly as 2000 instances allow.

    >>> meeting(0.5, 0.25, 1).table.counts
    (500, 500, 0, 1000)
    >>> meeting(0.5, 0.25, 0).table.counts
    (250, 750, 250, 750)
    """
    for name, value in (("p_feature", p_feature), ("p_label", p_label), ("agreement", agreement)):
        check_share(name, value)
    with_feature, with_label = round(p_feature * INSTANCES), round(p_label * INSTANCES)
    independent = with_feature * with_label / INSTANCES
    both = round(independent + agreement * (min(with_feature, with_label) - independent))
    neither = INSTANCES - with_feature - with_label + both
    return Bound(Table(both, with_feature - both, with_label - both, neither), agreement)


def bound_curve(p_feature: float, agreement: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same feature and agreement with labels of every frequency: (p(l), H(l), M(f; l)), each (101,)."""
    shares = np.arange(101) / 100
    tables = [meeting(p_feature, float(share), agreement).table for share in shares]
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


def label_points(X: Any, Y: Any, feature_names: Sequence[str], label_names: Sequence[str]) -> LabelPoints:
    """Where the labels of real data lie under the bound; features in two bins of equal width."""
    D = discretize(X, BINS, "equal_width")
    information = mutual_information(D, Y)
    best = information.argmax(axis=0)
    labels = np.arange(len(best))
    return LabelPoints(
        tuple(map(str, label_names)),
        tuple(str(feature_names[feature]) for feature in best),
        entropy(Y),
        entropy(D)[best],
        information[best, labels],
    )
