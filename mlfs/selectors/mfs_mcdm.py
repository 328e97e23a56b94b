"""MFS-MCDM: features as alternatives of a decision, labels as its criteria (Hashemi et al. 2020)."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np

from mlfs.information import entropy
from mlfs.parameters import choice
from mlfs.selectors.parts.ridge import RidgeDesign, RidgeSelector


class MFSMCDM(RidgeSelector):
    r"""TOPSIS on ridge coefficients: A = W·diag(H(l)/ΣH), W = (XᵀX + λI)⁻¹XᵀY.

    The best feature that can be thought of has the largest entry of A in every label, the worst the smallest. With the
    distances d⁺ and d⁻ of a feature from these two its score is d⁻/(d⁺+d⁻), from 0 to 1. Constant features have 0.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> int(MFSMCDM(lambda_=0.1).fit(X, Y).ranking_[0])
    3
    """

    id = "mfs_mcdm"
    name = "MFS-MCDM"
    long_name = "multi-criteria decision making"
    family = "regression with sparsity"
    summary = (
        "Regresses the labels on the features and takes each label, weighed by its entropy, as a criterion by which "
        "they compete. A feature scores by how far it is from the worst values of all criteria, compared with how far "
        "from the best (TOPSIS). Only positive coefficients count: a feature that is high where labels are "
        "absent comes last."
    )
    formula = (
        r"\frac{d^-}{d^++d^-},\quad d_i^\pm=\|a_i-a^\pm\|_2,\quad "
        r"A=(X^\top X+\lambda I)^{-1}X^\top Y\operatorname{diag}\Bigl(\frac{H(l)}{\sum_{l'}H(l')}\Bigr)"
    )
    paper = (
        "Hashemi, Dowlatshahi & Nezamabadi-pour, MFS-MCDM: Multi-label feature selection using multi-criteria decision "
        "making, Knowledge-Based Systems 2020"
    )
    slips = "The released program overwrites its label weights, so that entropy does not count: that is 'authors'."
    cost = "n·d·min(n, d) + min(n, d)³ once (less where data are sparse), then min(n, d)·d·q for each λ"
    variants = MappingProxyType(
        {
            "paper": "labels are weighed by their entropies",
            "authors": "the released program, in which all labels weigh the same",
        }
    )

    variant: str = choice("paper", tuple(variants), "the formula of the paper, or what the released program computes")

    def _score_varying(self, coefficients: np.ndarray, evidence: RidgeDesign) -> tuple[np.ndarray, float]:
        A = coefficients
        if self.variant == "paper":
            weight = entropy(evidence.Y)
            A = A * (weight / (weight.sum() or 1.0))
        to_best = np.linalg.norm(A - A.max(axis=0), axis=1)
        to_worst = np.linalg.norm(A - A.min(axis=0), axis=1)
        apart = to_best + to_worst
        return np.divide(to_worst, apart, out=np.zeros_like(apart), where=apart > 0), 0.0
