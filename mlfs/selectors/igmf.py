"""IGMF: information gain with the labelset, normalised (Li et al. 2014)."""

from __future__ import annotations

import numpy as np

from mlfs.information import entropy
from mlfs.selectors.base import InformationScore
from mlfs.selectors.evidence import Information


class IGMF(InformationScore):
    """SU(f, labelset) = 2·M(f; labelset) / (H(f) + H(labelset)), 0 where both entropies are 0.

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    >>> X = np.column_stack([np.arange(20) % 5, Y[:, 0], Y[:, 0] + 2 * Y[:, 1]])
    >>> IGMF().fit(X, Y).scores_.round(3) + 0.0  # nothing, one label, the labelset itself
    array([0.   , 0.667, 1.   ])
    """

    id = "igmf"
    name = "IGMF"
    long_name = "information gain on labelsets"
    summary = (
        "What the feature tells about the whole set of labels of a row, taken as one class, divided by the mean of the "
        "two entropies. So a feature is no better only because it has many values."
    )
    formula = r"\frac{2\,M(f;\,l_1\dots l_q)}{H(f)+H(l_1\dots l_q)}"
    paper = "Li et al., Multi-label feature selection via information gain, ADMA 2014"
    slips = "The IGMF of PyIT-MLFS passes untransposed arrays, so that every feature scores the same."
    cost = "n·d for one sparse product"

    def _score(self, evidence: Information) -> np.ndarray:
        total = evidence.feature_entropy + entropy(evidence.labelset)[0]
        return np.divide(2 * evidence.labelset_information, total, out=np.zeros_like(total), where=total > 0)
