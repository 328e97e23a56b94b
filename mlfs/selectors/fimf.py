"""FIMF: relevance less the interaction with pairs of the few labels of highest entropy (Lee & Kim 2015)."""

from __future__ import annotations

import numpy as np

from mlfs.errors import ParameterError
from mlfs.information import label_interaction
from mlfs.parameters import integer
from mlfs.selectors.base import InformationScore
from mlfs.selectors.evidence import Information
from mlfs.selectors.ranking import rank


class FIMF(InformationScore):
    """Rel(f) − Σ_{l<l'} I3(f, l, l') over pairs of the ``n_labels`` labels of highest entropy.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> int(FIMF(n_labels=2).fit(X, Y).ranking_[0])
    3
    """

    id = "fimf"
    name = "FIMF"
    long_name = "fast information-theoretic ranking"
    summary = (
        "Sums the mutual information with all labels and subtracts what the feature shares with pairs of the few "
        "labels of highest entropy. Optionally only the features of highest entropy compete."
    )
    formula = r"\sum_l M(f;l)-\sum_{l<l'\in Q}I_3(f,l,l')"
    paper = "Lee & Kim, Fast multi-label feature selection based on information-theoretic feature ranking, 2015"
    cost = "n·d·q for the relevance and n·d·|Q|² for the interactions (less where data are sparse)"

    n_labels: int = integer(10, 0, None, "|Q|: labels of highest entropy whose pairs are examined")
    n_candidates: int | None = integer(
        None, 1, "features", "features of highest entropy that compete", none="all features"
    )

    def _score(self, evidence: Information) -> np.ndarray:
        labels = evidence.labels_by_entropy()[: self.n_labels]
        score = evidence.relevance - label_interaction(evidence.features, evidence.Y, labels, n_jobs=self.n_jobs)
        if self.n_candidates is not None:
            outside = np.ones(len(score), dtype=bool)
            outside[rank(evidence.feature_entropy)[: self.n_candidates]] = False
            score[outside] = np.nan
        return score

    def _size(self, available: int) -> int:
        candidates = available if self.n_candidates is None else self.n_candidates
        if (self.n_features_to_select or 0) > candidates:
            raise ParameterError(
                f"n_features_to_select={self.n_features_to_select} must not exceed n_candidates={candidates}: "
                "only these features compete."
            )
        return super()._size(candidates)
