"""Redundancy: a second feature that is as relevant as the first, and copies it more and more.

Two labels that know nothing of each other. f₁ and f₂ agree with l₁ on 80 of 100 instances, f₃ agrees with l₂ on 70.
On a share of the instances f₂ repeats f₁, on the rest it judges for itself; either way it is right as often as before,
so that no measure of relevance alone can see the copying. All counts are exact: there is no chance in these data.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import product

import numpy as np

from mlfs.information import conditional_mutual_information, joint_mutual_information, mutual_information
from mlfs.learn.board import check_share
from mlfs.metrics import redundancy
from mlfs.selectors import make_selector

FEATURES = ("f₁", "f₂", "f₃")
#: How often f₁ and f₂ agree with l₁, and f₃ with l₂.
AGREES = 0.8, 0.7
#: Instances for each of the four combinations of the labels: every count is whole for shares in steps of 0.05.
INSTANCES = 1250
#: Relevance alone; pairs with what was picked; relevance less what is shared (the two-term form of mRMR).
CRITERIA = ("mim_br", "jmi_br", "ami")


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


def copying_data(copied: float) -> tuple[np.ndarray, np.ndarray]:
    """X (5000, 3) and Y (5000, 2), all 0 and 1."""
    check_share("copied", copied)
    own, other = AGREES
    alone = (1 - copied) * own * (1 - own)  # exactly one of f₁ and f₂ is right
    first_two = {(1, 1): own - alone, (1, 0): alone, (0, 1): alone, (0, 0): 1 - own - alone}
    rows, counts = [], []
    for l1, l2, (right, third) in product((0, 1), (0, 1), product(first_two, (0, 1))):
        share = first_two[right] * (other if third else 1 - other)
        answers = [l1 if ok else 1 - l1 for ok in right] + [l2 if third else 1 - l2]
        rows.append([*answers, l1, l2])
        counts.append(round(share * INSTANCES))
    table = np.repeat(np.array(rows), counts, axis=0)
    return table[:, :3], table[:, 3:]


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
    found = {criterion: np.array([one[criterion][1] - one[criterion][2] for one in scores]) for criterion in CRITERIA}
    for array in (shares, *found.values()):
        array.setflags(write=False)
    return shares, found


def _scores(X: np.ndarray, Y: np.ndarray) -> dict[str, np.ndarray]:
    """Criterion → (3,) its score of each feature once f₁ is picked."""
    relevance = mutual_information(X, Y).sum(axis=1)
    return {
        "mim_br": relevance,
        "jmi_br": joint_mutual_information(X, X[:, 0], Y).sum(axis=1),
        "ami": relevance - mutual_information(X, X[:, [0]])[:, 0],
    }
