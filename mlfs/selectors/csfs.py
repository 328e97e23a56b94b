"""CSFS: regression of the labels on few features, by whole rows of coefficients."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import MappingProxyType
from typing import Any

import numpy as np

from mlfs.parameters import choice, integer, number, weight
from mlfs.selectors.base import Path
from mlfs.selectors.parts.descent import CenteredSelector, Iterate, regression_steps, row_norms
from mlfs.selectors.parts.design import Design
from mlfs.selectors.parts.latent import square, unit_rows


class CSFS(CenteredSelector):
    r"""Convex semi-supervised feature selection with every label known (Chang, Nie, Yang & Huang, AAAI 2014).

    min_W ‖H(XW−Y)‖² + μ‖W‖₂,₁, H centring, by accelerated proximal gradient steps that fall back to plain ones. The
    problem is convex, and W = 0 exactly where μ ≥ μ_max = 2·max_i ‖x_iᵀHY‖.

    `path` takes the values of ``mu`` from the largest to the smallest and starts each where the last one ended; its
    numbers are those of single fits but for ``tol``.

    Attributes
    ----------
    mu_max_ : float
        The least μ for which every coefficient is 0.
    history_ : dict of arrays
        Beside "objective" and "change" the "violation" of the optimality conditions: the longest row of the
        subgradient nearest to 0, as a share of μ_max.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> selector = CSFS().fit(X, Y)
    >>> int(selector.ranking_[0]), bool((CSFS(mu=selector.mu_max_).fit(X, Y).scores_ == 0).all())
    (3, True)
    """

    id = "csfs"
    name = "CSFS"
    long_name = "convex formulation, supervised case"
    family = "regression with sparsity"
    summary = (
        "Regresses all labels on the features by least squares, with a penalty on the length of each feature's row of "
        "coefficients that leaves whole features out. Features with long rows come first, so the units they are "
        "measured in matter unless they are scaled."
    )
    formula = r"\min_W\|H(XW-Y)\|_F^2+\mu\|W\|_{2,1},\quad H=I-\tfrac1n\mathbf 1\mathbf 1^\top"
    paper = (
        "Chang, Nie, Yang & Huang, A convex formulation for semi-supervised multi-label feature selection, AAAI 2014"
    )
    cost = "n·d² for XᵀX where d ≤ n, then d·q·min(2n, d) per iteration"
    variants = MappingProxyType(
        {
            "paper": "the problem as it is stated",
            "authors": "the released program, whose update weighs the row norms twice: the problem with 2μ for μ",
        }
    )

    mu: float = weight(10.0, "μ: weight of the row norms of W")
    variant: str = choice("paper", tuple(variants), "as stated, or what the released program computes")
    max_iter: int = integer(5000, 1, None, "maximum number of iterations")
    tol: float = number(1e-5, 0.0, 1.0, "stop when W is optimal up to this share of the largest μ of any use")

    #: Where the iteration starts; `path` sets it.
    _start: np.ndarray | None = None

    @property
    def _penalty(self) -> float:
        return 2.0 * self.mu if self.variant == "authors" else self.mu

    def path(self, evidence: Any, **grids: Iterable[Any]) -> Path:
        """As for any method; the fits of one setting but for ``mu`` follow each other from its largest value down."""
        cells, unfitted = self._grid(grids)
        latest: dict[Any, np.ndarray] = {}
        for i in sorted(range(len(cells)), key=lambda i: -unfitted[i].mu):
            others = tuple((name, value) for name, value in cells[i].items() if name != "mu")
            unfitted[i]._start = latest.get(others)
            latest[others] = unfitted[i].fit_prepared(evidence).coefficients_
            unfitted[i]._start = None
        return Path(cells, unfitted)

    def _descend(self, evidence: Design) -> Iterator[Iterate]:
        self.mu_max_ = 2.0 * float(row_norms(evidence.correlations).max())
        self._tell_if_nothing_is_left("mu", self.mu, self.mu_max_ * self.mu / self._penalty)
        start = np.zeros_like(evidence.correlations) if self._start is None else self._start
        constant = square(evidence.labels)
        for W, value, slope in regression_steps(evidence, start, evidence.correlations, self._penalty):
            violation = _violation(W, slope, 0.5 * self._penalty) / (0.5 * self.mu_max_ or 1.0)
            yield Iterate(W, 2.0 * value + constant, violation, {"violation": violation})

    def _settled(self, before: Iterate, after: Iterate, change: float) -> bool:
        return after.loss <= self.tol or change == 0

    def _steepness(self, evidence: Design) -> np.ndarray:
        return row_norms(evidence.normal(self.coefficients_) - evidence.correlations)


def _violation(W: np.ndarray, slope: np.ndarray, weight: float) -> float:
    """The longest row of the subgradient nearest to 0 of the smooth part with this slope and weight·‖W‖₂,₁."""
    here = row_norms(slope + weight * unit_rows(W))
    return float(np.where(W.any(axis=1), here, np.maximum(row_norms(slope) - weight, 0.0)).max())
