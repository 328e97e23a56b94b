"""Relevance less redundancy, one feature after another: PMU, D2F, MDMR, SCLS, AMI."""

from __future__ import annotations

from collections.abc import Generator
from types import MappingProxyType

import numpy as np

from mlfs.parameters import choice
from mlfs.selectors.base import InformationSearch
from mlfs.selectors.evidence import Information


class D2F(InformationSearch):
    """Rel(f) − Σ_{s∈S} Σ_l I3(f, s, l), with I3(f, s, l) = M(f; l) − M(f; l | s).

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    >>> X = Y[:, [0, 0, 1]]  # the first feature twice
    >>> D2F().fit(X, Y).ranking_[:2].tolist()
    [0, 2]
    """

    id = "d2f"
    name = "D2F"
    long_name = "interaction information"
    summary = (
        "Picks by relevance to all labels, less what the feature and each picked feature have in common about them. "
        "PMU without its label-pair term."
    )
    formula = r"\sum_l M(f;l)-\sum_{s\in S}\sum_l I_3(f,s,l)"
    paper = "Lee & Kim, Mutual information-based multi-label feature selection using interaction information, 2015"
    cost = "n·d·q per picked feature (less where data are sparse)"
    variants = MappingProxyType(
        {
            "paper": "each picked feature is subtracted once",
            "authors": "the released program never resets its scores, so that at each pick all earlier features are "
            "subtracted again: of m picked features the first counts m times, the last once",
        }
    )

    variant: str = choice("paper", tuple(variants), "the formula of the paper, or what the released program computes")

    def _search(self, evidence: Information) -> Generator[np.ndarray, int, None]:
        score = evidence.relevance.copy()
        shared = np.zeros_like(score)
        while True:
            s = yield score
            interaction = evidence.relevance - evidence.conditional_relevance(s)
            shared = shared + interaction if self.variant == "authors" else interaction
            score -= shared


class PMU(InformationSearch):
    """Rel(f) − Σ_{s∈S} Σ_l I3(f, s, l) − Σ_{l<l'} I3(f, l, l').

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    >>> X = Y[:, [0, 0, 1]]  # the first feature twice
    >>> PMU().fit(X, Y).ranking_[:2].tolist()
    [0, 2]
    """

    id = "pmu"
    name = "PMU"
    long_name = "multivariate mutual information"
    summary = (
        "Picks by relevance to all labels, less what the feature shares with each picked feature about them, less what "
        "it shares with pairs of labels. An approximation of the joint mutual information up to third order."
    )
    formula = r"\sum_l M(f;l)-\sum_{s\in S}\sum_l I_3(f,s,l)-\sum_{l<l'}I_3(f,l,l')"
    paper = "Lee & Kim, Feature selection for multi-label classification using multivariate mutual information, 2013"
    cost = "n·d·q² for the label pairs, then n·d·q per picked feature (less where data are sparse)"

    def _search(self, evidence: Information) -> Generator[np.ndarray, int, None]:
        score = evidence.relevance - evidence.label_pairs
        while True:
            s = yield score
            score += evidence.conditional_relevance(s) - evidence.relevance


class MDMR(InformationSearch):
    """Rel(f) − (1/|S|) Σ_{s∈S} [ M(f; s) − Σ_l M(f; l | s) ].

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    >>> X = Y[:, [0, 0, 1]]  # the first feature twice
    >>> MDMR().fit(X, Y).ranking_[:2].tolist()
    [0, 2]
    """

    id = "mdmr"
    name = "MDMR"
    long_name = "max-dependency & min-redundancy"
    summary = (
        "Picks by relevance to all labels, less the mean redundancy with the picked features, plus the mean of what "
        "the feature adds about the labels once a picked one is known."
    )
    formula = r"\sum_l M(f;l)-\frac1{|S|}\sum_{s\in S}\Bigl[M(f;s)-\sum_l M(f;l\mid s)\Bigr]"
    paper = "Lin, Hu, Liu & Duan, Multi-label feature selection based on max-dependency and min-redundancy, 2015"
    slips = "What PyIT-MLFS calls MDMR is the criterion of D2F."
    cost = "n·d·q per picked feature (less where data are sparse)"

    def _search(self, evidence: Information) -> Generator[np.ndarray, int, None]:
        redundancy, size, score = np.zeros_like(evidence.relevance), 0, evidence.relevance
        while True:
            s = yield score
            size += 1
            redundancy += evidence.information_with(s) - evidence.conditional_relevance(s)
            score = evidence.relevance - redundancy / size


class SCLS(InformationSearch):
    """Rel(f) · (1 − Σ_{s∈S} M(f; s) / H(f)); 0 for a constant feature.

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    >>> X = Y[:, [0, 0, 1]]  # the first feature twice
    >>> SCLS().fit(X, Y).ranking_[:2].tolist()
    [0, 2]
    """

    id = "scls"
    name = "SCLS"
    long_name = "scalable criterion for large label sets"
    summary = (
        "Scales the relevance of a feature by the share of its own entropy that the picked features leave unexplained. "
        "Cheap, because it needs no table of three variables."
    )
    formula = r"\sum_l M(f;l)\cdot\Bigl(1-\sum_{s\in S}\frac{M(f;s)}{H(f)}\Bigr)"
    paper = "Lee & Kim, SCLS: Multi-label feature selection based on scalable criterion for large label set, 2017"
    cost = "n·d·q for the relevance, n·d per picked feature (less where data are sparse)"

    def _search(self, evidence: Information) -> Generator[np.ndarray, int, None]:
        free = np.ones_like(evidence.relevance)
        while True:
            s = yield evidence.relevance * free
            shared = evidence.information_with(s)
            free -= np.divide(shared, evidence.feature_entropy, out=np.zeros_like(shared), where=shared > 0)


class AMI(InformationSearch):
    """Rel(f) − Σ_{s∈S} M(f; s).

    Examples
    --------
    >>> import numpy as np
    >>> Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    >>> X = Y[:, [0, 0, 1]]  # the first feature twice
    >>> AMI().fit(X, Y).ranking_[:2].tolist()
    [0, 2]
    """

    id = "ami"
    name = "AMI"
    long_name = "approximated mutual information"
    summary = (
        "Picks by relevance to all labels, less the mutual information with each picked feature. The redundancy grows "
        "with the number of picks and soon outweighs the relevance where labels are few."
    )
    formula = r"\sum_l M(f;l)-\sum_{s\in S}M(f;s)"
    paper = "Lee, Lim & Kim, Approximating mutual information for multi-label feature selection, 2012"
    cost = "n·d·q for the relevance, n·d per picked feature (less where data are sparse)"

    variants = MappingProxyType(
        {
            "paper": "each feature loses what it shares with the picked ones",
            "authors": "the released program books every feature's loss to the one feature whose index is the number "
            "of picks made, for that pick only: nearly the order by relevance alone",
        }
    )

    variant: str = choice("paper", tuple(variants), "the formula of the paper, or what the released program computes")

    def _search(self, evidence: Information) -> Generator[np.ndarray, int, None]:
        redundancy = np.zeros_like(evidence.relevance)
        score, size = evidence.relevance, 0
        while True:
            s = yield score
            size += 1
            redundancy += evidence.information_with(s)
            if self.variant == "paper":
                score = evidence.relevance - redundancy
            else:
                score = evidence.relevance.copy()
                score[size] -= redundancy.sum()
