"""Relevance less redundancy, one feature after another: PMU, D2F, MDMR, SCLS, AMI."""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from mlfs.selectors.evidence import Information
from mlfs.selectors.information_base import InformationSearch


class D2F(InformationSearch):
    """Rel(f) − Σ_{s∈S} Σ_l I3(f, s, l), with I3(f, s, l) = M(f; l) − M(f; l | s)."""

    id = "d2f"
    name = "D2F"
    summary = (
        "Picks by relevance to all labels, less what the feature and each picked feature have in common about them. "
        "PMU without its label-pair term."
    )
    formula = r"\sum_l M(f;l)-\sum_{s\in S}\sum_l I_3(f,s,l)"
    paper = "Lee & Kim, Mutual information-based multi-label feature selection using interaction information, 2015"
    cost = "n·d·q per picked feature (less where data are sparse)"

    def _search(self, evidence: Information) -> Generator[np.ndarray, int, None]:
        score = self._alone(evidence)
        while True:
            s = yield score
            score += evidence.conditional_relevance(s) - evidence.relevance

    def _alone(self, evidence: Information) -> np.ndarray:
        """The part of the score that does not depend on what was picked."""
        return evidence.relevance.copy()


class PMU(D2F):
    """Rel(f) − Σ_{s∈S} Σ_l I3(f, s, l) − Σ_{l<l'} I3(f, l, l')."""

    id = "pmu"
    name = "PMU"
    summary = (
        "Picks by relevance to all labels, less what the feature shares with each picked feature about them, less what "
        "it shares with pairs of labels. An approximation of the joint mutual information up to third order."
    )
    formula = r"\sum_l M(f;l)-\sum_{s\in S}\sum_l I_3(f,s,l)-\sum_{l<l'}I_3(f,l,l')"
    paper = "Lee & Kim, Feature selection for multi-label classification using multivariate mutual information, 2013"
    cost = "n·d·q² for the label pairs, then n·d·q per picked feature (less where data are sparse)"

    def _alone(self, evidence: Information) -> np.ndarray:
        return evidence.relevance - evidence.label_pairs


class MDMR(InformationSearch):
    """Rel(f) − (1/|S|) Σ_{s∈S} [ M(f; s) − Σ_l M(f; l | s) ]."""

    id = "mdmr"
    name = "MDMR"
    summary = (
        "Picks by relevance to all labels, less the mean redundancy with the picked features, plus the mean of what "
        "the feature adds about the labels once a picked one is known."
    )
    formula = r"\sum_l M(f;l)-\frac1{|S|}\sum_{s\in S}\Bigl[M(f;s)-\sum_l M(f;l\mid s)\Bigr]"
    paper = "Lin, Hu, Liu & Duan, Multi-label feature selection based on max-dependency and min-redundancy, 2015"
    cost = "n·d·q per picked feature (less where data are sparse)"

    def _search(self, evidence: Information) -> Generator[np.ndarray, int, None]:
        redundancy, size, score = np.zeros_like(evidence.relevance), 0, evidence.relevance
        while True:
            s = yield score
            size += 1
            redundancy += evidence.information_with(s) - evidence.conditional_relevance(s)
            score = evidence.relevance - redundancy / size


class SCLS(InformationSearch):
    """Rel(f) · (1 − Σ_{s∈S} M(f; s) / H(f)); 0 for a constant feature."""

    id = "scls"
    name = "SCLS"
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
    """Rel(f) − Σ_{s∈S} M(f; s)."""

    id = "ami"
    name = "AMI"
    summary = (
        "Picks by relevance to all labels, less the mutual information with each picked feature. The redundancy grows "
        "with the number of picks and soon outweighs the relevance where labels are few."
    )
    formula = r"\sum_l M(f;l)-\sum_{s\in S}M(f;s)"
    paper = "Lee, Lim & Kim, Approximating mutual information for multi-label feature selection, 2012"
    cost = "n·d·q for the relevance, n·d per picked feature (less where data are sparse)"

    def _search(self, evidence: Information) -> Generator[np.ndarray, int, None]:
        score = evidence.relevance.copy()
        while True:
            s = yield score
            score -= evidence.information_with(s)
