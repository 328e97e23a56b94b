"""mRMR, the classic of single-label selection, for labels one by one (BR) or as one labelset (LP): Peng et al. 2005."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator

import numpy as np

from mlfs.parameters import choice
from mlfs.selectors.base import InformationSearch
from mlfs.selectors.evidence import Information

_PAPER = (
    "Peng, Long & Ding, Feature selection based on mutual information: criteria of max-dependency, max-relevance, and "
    "min-redundancy, IEEE TPAMI 2005"
)


class MeanRedundancySearch(InformationSearch):
    """Methods that pick by a relevance, less the mean mutual information with the features picked before."""

    @abstractmethod
    def _relevance(self, evidence: Information) -> np.ndarray:
        """(d,) what a feature is worth by itself."""

    def _search(self, evidence: Information) -> Generator[np.ndarray, int, None]:
        relevance = score = self._relevance(evidence)
        redundancy, size = np.zeros_like(relevance), 0
        while True:
            s = yield score
            size += 1
            redundancy += evidence.information_with(s)
            score = relevance - redundancy / size


class MRMRBinaryRelevance(MeanRedundancySearch):
    """Rel(f) − (1/|S|) Σ_{s∈S} M(f; s), with Rel(f) = Σ_l M(f; l), or its mean over the labels.

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    >>> X = Y[:, [0, 0, 1]]  # the first feature twice
    >>> MRMRBinaryRelevance().fit(X, Y).ranking_[:2].tolist()
    [0, 2]
    """

    id = "mrmr_br"
    name = "mRMR-BR"
    long_name = "max-relevance min-redundancy, per label"
    summary = (
        "A feature is worth what it tells about the labels, taken one by one, less what it tells, on average, about "
        "the features picked before. With many labels their sum outweighs that average, so repeated features are "
        'picked; relevance="mean" keeps both of the same size.'
    )
    formula = r"\sum_l M(f;l)-\frac1{|S|}\sum_{s\in S}M(f;s)"
    paper = _PAPER
    slips = "The mRMR of MLC_toolbox adds the redundancy instead of subtracting it."
    cost = "n·d·q for the relevance, n·d per picked feature (less where data are sparse)"

    relevance: str = choice("sum", ("sum", "mean"), "what counts over the labels: the sum of M(f; l) or its mean")

    def _relevance(self, evidence: Information) -> np.ndarray:
        return evidence.relevance / (evidence.sizes["labels"] if self.relevance == "mean" else 1)


class MRMRLabelPowerset(MeanRedundancySearch):
    """M(f; labelset) − (1/|S|) Σ_{s∈S} M(f; s).

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    >>> X = Y[:, [0, 0, 1]]  # the first feature twice
    >>> MRMRLabelPowerset().fit(X, Y).ranking_[:2].tolist()
    [0, 2]
    """

    id = "mrmr_lp"
    name = "mRMR-LP"
    long_name = "max-relevance min-redundancy, labelsets"
    summary = (
        "A feature is worth what it tells about the whole set of labels of a row, taken as one class, less what it "
        "tells, on average, about the features picked before."
    )
    formula = r"M(f;\,l_1\dots l_q)-\frac1{|S|}\sum_{s\in S}M(f;s)"
    paper = _PAPER
    slips = MRMRBinaryRelevance.slips
    cost = "n·d for the relevance, n·d per picked feature (less where data are sparse)"

    def _relevance(self, evidence: Information) -> np.ndarray:
        return evidence.labelset_information
