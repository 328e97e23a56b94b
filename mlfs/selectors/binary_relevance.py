"""Each label by itself, summed: Pearson correlation and odds ratio (the BR baselines of Lee & Kim 2016)."""

from __future__ import annotations

from typing import Any

import numpy as np

from mlfs.encoding import one_hot
from mlfs.information import Tables, discretize
from mlfs.information.discretization import BINNINGS
from mlfs.parameters import choice
from mlfs.selectors.base import RawScore, ScoreSelector
from mlfs.selectors.evidence import Evidence, Raw, best_of_owner
from mlfs.similarity import correlations


class BinaryRelevanceCorrelation(RawScore):
    """Σ_l |Pearson(f, l)| on the raw features.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> int(BinaryRelevanceCorrelation().fit(X, Y).ranking_[0])
    3
    """

    id = "br_cc"
    name = "BR-CC"
    long_name = "correlation with single labels"
    summary = (
        "Sums the absolute Pearson correlation of the raw feature with each label. It sees linear dependence only "
        "and ignores how labels depend on each other."
    )
    formula = r"\sum_{l}\left|\rho(f,l)\right|"
    paper = "Lee & Kim, Entropy 2016, §4 (binary relevance with the correlation coefficient)"
    cost = "n·d·q for one matrix product (less where data are sparse)"

    def _score_columns(self, evidence: Raw) -> np.ndarray:
        return np.abs(correlations(evidence.columns, evidence.Y)).sum(axis=1)


class BinaryRelevanceOddsRatio(ScoreSelector):
    """Σ_l |ln odds ratio| of the binarised feature and the label, 0.5 added to each cell.

    Constant features and constant labels count 0: with 0.5 in every cell their ratio would only measure how
    often the other one occurs.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> int(BinaryRelevanceOddsRatio().fit(X, Y).ranking_[0])
    3
    """

    id = "br_or"
    name = "BR-OR"
    long_name = "odds ratio with single labels"
    summary = (
        "Cuts each feature into two bins and sums the absolute log odds ratio with each label. Rare events can reach "
        "large ratios; half a count is added to each cell so that none is infinite."
    )
    formula = r"\sum_{l}\left|\ln\frac{(n_{11}+\frac12)(n_{00}+\frac12)}{(n_{10}+\frac12)(n_{01}+\frac12)}\right|"
    paper = "Lee & Kim, Entropy 2016, §4 (binary relevance with the odds ratio)"
    cost = "n·d·q for the counts (less where data are sparse)"

    discretization: str = choice("equal_width", BINNINGS, "how a numeric feature is cut in two", prepares=True)

    def _evidence(self, X: Any, Y: np.ndarray) -> Binarized:
        return Binarized(X, Y, self.discretization, self.categorical_features, self.n_jobs)

    def _score(self, evidence: Binarized) -> np.ndarray:
        features, labels = evidence.tables.first, evidence.tables.second
        both = evidence.tables.counts + 0.5
        only_feature = features.sizes[:, None] - both + 1
        only_label = labels.sizes[None, :] - both + 1
        neither = evidence.sizes["instances"] - features.sizes[:, None] - labels.sizes[None, :] + both
        ratio = np.abs(np.log(both * neither / (only_feature * only_label)))
        ratio[features.sizes == 0] = 0.0
        ratio[:, labels.sizes == 0] = 0.0
        return best_of_owner(ratio.sum(axis=1), evidence.owner)


class Binarized(Evidence):
    """Counts of two-valued columns with labels. Each category is a column of its own: two bins of a category
    code would join unrelated categories."""

    def __init__(self, X: Any, Y: np.ndarray, discretization: str, categorical: Any, n_jobs: int | None) -> None:
        super().__init__(X, Y)
        columns, self.owner = one_hot(X, categorical)
        self.tables = Tables(discretize(columns, 2, discretization), Y, n_jobs=n_jobs)
