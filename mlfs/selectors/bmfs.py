"""BMFS: labels and features matched round by round, as in an assignment of workers to jobs (Hashemi et al. 2021)."""

from __future__ import annotations

import numpy as np
from scipy.optimize import linear_sum_assignment

from mlfs.selectors.base import RawScore
from mlfs.selectors.evidence import Raw
from mlfs.selectors.ranking import TOLERANCE
from mlfs.similarity import correlations
from mlfs.stopping import checkpoint


class BMFS(RawScore):
    r"""Rounds of minimum-cost matching of labels with the features left, a pair costing 1 − Pearson(f, l).

    Each round gives every label one feature, all different, so that the sum of their correlations is largest; these
    features leave, and the next round begins. Features of a round come in the order of their labels' frequencies, the
    commonest first; of labels that are equally frequent the one with the larger Σ_f |Pearson(f, l)|. Labels that are
    all 0 or all 1 take no part. Costs that differ only by rounding are equal: then the features of lower indices go
    first. A score is −(round + share of the round's places before the feature), both from 0.

    Attributes
    ----------
    rounds_ : (rounds, q) int array
        The feature that each label got in each round; −1 where it got none: a label that takes no part, or the last
        round. Of a categorical feature each category is matched by itself, and the number is that of the feature.

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    >>> X = np.column_stack([np.arange(20) % 5, Y[:, 1], Y[:, 0]])
    >>> BMFS().fit(X, Y).rounds_.tolist()
    [[2, 1], [0, -1]]
    """

    id = "bmfs"
    name = "BMFS"
    long_name = "bipartite matching"
    family = "graph"
    summary = (
        "Matches every label with a feature of its own so that together they correlate most, then again with the "
        "features left, and so on. Features come in the order of the rounds, inside a round by how frequent their "
        "labels are. Only positive correlation counts: a feature that "
        "is high where labels are absent comes last."
    )
    formula = (
        r"\min_{\pi_t}\sum_l\bigl(1-\rho(f_{\pi_t(l)},\,l)\bigr),\quad "
        r"\pi_t:L\hookrightarrow F\setminus\bigcup_{s<t}\pi_s(L)"
    )
    paper = (
        "Hashemi, Dowlatshahi & Nezamabadi-pour, A bipartite matching-based feature selection for multi-label "
        "learning, International Journal of Machine Learning and Cybernetics 2021"
    )
    slips = (
        "The released program takes a constant feature, whose correlations are undefined, for one that is perfectly "
        "correlated with every label."
    )
    cost = "n·d·q for the correlations, then d/q rounds of q²·d at most"

    def _score_columns(self, evidence: Raw) -> np.ndarray:
        rounds = evidence.once("matching", lambda: matching_rounds(evidence.columns, evidence.Y))
        scores = np.zeros(evidence.columns.shape[1])
        self.rounds_ = np.full((len(rounds), evidence.sizes["labels"]), -1)
        for number, (labels, columns) in enumerate(rounds):
            scores[columns] = -(number + np.arange(len(columns)) / len(columns))
            self.rounds_[number, labels] = evidence.owner[columns]
        return scores

    def best_correlations(self, evidence: Raw, features: np.ndarray) -> np.ndarray:
        """(features, q) the correlations of features with the labels; of a categorical one those of its best column."""
        scores = self._score_columns(evidence)
        best = [max(np.flatnonzero(evidence.owner == f), key=lambda column: scores[column]) for f in features]
        return correlations(evidence.columns, evidence.Y)[best]


def matching_rounds(X: np.ndarray, Y: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """The labels and their columns of X in each round, both in the order of the ranking."""
    frequency = Y.sum(axis=0)
    labels = np.flatnonzero((frequency > 0) & (frequency < len(Y)))
    # In units of what counts as equal, so that a part of a unit can break ties by index.
    correlation = correlations(X, Y)[:, labels].T
    cost = np.round((1.0 - correlation) / TOLERANCE)
    # Not by their indices, so that the order of the labels in the data changes nothing.
    turn = np.empty(len(labels), dtype=np.intp)
    turn[np.lexsort((-np.abs(correlation).sum(axis=1), -frequency[labels]))] = np.arange(len(labels))
    _, alike = np.unique(cost, axis=1, return_inverse=True)
    alike = alike.ravel()
    left, rounds = np.arange(cost.shape[1]), []
    while len(labels) and len(left):
        checkpoint()
        # The lower index first: by less than a unit, so that it decides between equal costs only.
        price = cost[:, left] + np.arange(len(left)) / (len(left) + 1)
        worth = _candidates(price)
        taking, place = linear_sum_assignment(price[:, worth])
        taken = left[worth[place]]
        order = np.argsort(turn[taking])
        taken = _lowest_first(taken[order], alike, left)
        rounds.append((labels[taking[order]], taken))
        left = np.setdiff1d(left, taken)
    return rounds


def _candidates(price: np.ndarray) -> np.ndarray:
    """The columns that can be part of the best matching: of q rows each takes one of its q cheapest."""
    q, d = price.shape
    if q * q >= d:
        return np.arange(d)
    return np.unique(np.argpartition(price, q - 1, axis=1)[:, :q])


def _lowest_first(taken: np.ndarray, alike: np.ndarray, left: np.ndarray) -> np.ndarray:
    """The same matching, columns of equal costs in the order of their indices."""
    waiting = {group: iter(left[alike[left] == group]) for group in np.unique(alike[taken])}
    return np.array([next(waiting[group]) for group in alike[taken]])
