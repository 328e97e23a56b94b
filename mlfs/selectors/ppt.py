"""Pruned problem transformation: rare labelsets are dropped, the rest are classes (Read 2008)."""

from __future__ import annotations

import warnings
from collections.abc import Generator
from typing import Any

import numpy as np

from mlfs.encoding import one_hot
from mlfs.errors import ParameterError
from mlfs.information import chi_square, entropy, joint_entropy
from mlfs.information.neighbours import NeighbourInformation
from mlfs.parameters import choice, integer
from mlfs.selectors.base import InformationScore, InformationSearch, Selector
from mlfs.selectors.evidence import Information
from mlfs.selectors.ranking import rank


class Pruned(Selector):
    """What the PPT methods share: which rows stay, and their class."""

    min_count: int = integer(7, 1, None, "labelsets seen fewer times are dropped")

    def _prune(self, evidence: Any) -> tuple[np.ndarray, np.ndarray]:
        """Rows that stay, and their labelsets, for evidence that has a `labelset`."""
        count = np.bincount(evidence.labelset)
        rows = np.flatnonzero(count[evidence.labelset] >= self.min_count)
        if len(rows) == 0:
            sentence = (
                f"No labelset occurs {self.min_count} times, so every feature scores 0: lower min_count "
                f"(the commonest labelset occurs {count.max()} times)."
            )
            self.notes_.append(sentence)
            warnings.warn(sentence, stacklevel=2)
        return rows, evidence.labelset[rows]


class PPTChi(Pruned, InformationScore):
    """χ² between the feature and the labelsets that occur at least ``min_count`` times.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> int(PPTChi().fit(X, Y).ranking_[0])
    3
    """

    id = "ppt_chi"
    name = "PPT-CHI"
    long_name = "χ² on pruned labelsets"
    summary = (
        "Drops the rows whose labelset is rare and takes the χ² statistic of feature value against labelset for the "
        "rest."
    )
    formula = r"\chi^2\bigl(f;\,\mathrm{PPT}(l_1\dots l_q)\bigr)"
    paper = "Read, A pruned problem transformation method for multi-label classification, NZCSRSC 2008"
    cost = "n·d for one sparse product"

    def _score(self, evidence: Information) -> np.ndarray:
        rows, classes = self._prune(evidence)
        kept, code = np.unique(classes, return_inverse=True)
        membership = np.zeros((len(rows), len(kept)))
        membership[np.arange(len(rows)), code] = 1.0
        return chi_square(evidence.features.rows(rows), membership)


class PPTMI(Pruned, InformationSearch):
    """M between the feature and the labelsets that occur at least ``min_count`` times.

    ``estimator="plugin"`` scores each feature by counts; ``estimator="knn"`` is the forward search of Doquire &
    Verleysen with a nearest-neighbour estimate of M(X_S ∪ f; labelset) on standardised features.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> int(PPTMI().fit(X, Y).ranking_[0])
    3
    """

    id = "ppt_mi"
    name = "PPT-MI"
    long_name = "information on pruned labelsets"
    summary = (
        "Drops the rows whose labelset is rare and takes the mutual information of feature and labelset for the rest. "
        "Either from counts, one feature at a time, or from nearest-neighbour distances in a forward search."
    )
    formula = r"M\bigl(f;\,\mathrm{PPT}(l_1\dots l_q)\bigr)"
    paper = "Doquire & Verleysen, Mutual information-based feature selection for multilabel classification, 2013"
    cost = "plugin: n·d for one sparse product; knn: n²·d per picked feature and n² memory"

    estimator: str = choice("plugin", ("plugin", "knn"), "how mutual information is estimated")
    n_neighbors: int = integer(6, 1, None, "neighbours of the knn estimate, fewer than the least count of a labelset")

    def _rank(self, evidence: Information) -> tuple[np.ndarray, np.ndarray]:
        if self.estimator == "knn":
            return super()._rank(evidence)
        scores = self._plugin(evidence)
        return scores, rank(scores)

    def _plugin(self, evidence: Information) -> np.ndarray:
        rows, classes = self._prune(evidence)
        features = evidence.features.rows(rows)
        alone = entropy(features)
        shared = alone + entropy(classes)[0] - joint_entropy(features, classes, n_jobs=self.n_jobs)
        return np.clip(shared, 0.0, alone)

    def _search(self, evidence: Information) -> Generator[np.ndarray, int, None]:
        if self.n_neighbors >= self.min_count:
            raise ParameterError(
                f"n_neighbors={self.n_neighbors} must be less than min_count={self.min_count}: "
                "each row needs that many neighbours in its own class."
            )
        rows, classes = self._prune(evidence)
        X, owner = one_hot(evidence.X[rows], self.categorical_features)
        estimate = NeighbourInformation(X, owner, classes, self.n_neighbors)
        free = np.ones(evidence.sizes["features"], dtype=bool)
        while True:
            score = np.zeros(len(free))
            score[free] = [estimate.with_feature(f) for f in np.flatnonzero(free)]
            s = yield score
            free[s] = False
            estimate.add(s)
