"""MGFS: features as a graph, those far apart joined most strongly, ranked by PageRank (Hashemi et al. 2020)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from mlfs.parameters import number
from mlfs.selectors.base import RawScore
from mlfs.selectors.evidence import Raw
from mlfs.selectors.parts.distances import Distances, table_bytes
from mlfs.selectors.ranking import rank
from mlfs.similarity import correlations

# Each step of the Krylov space leaves 0.17 of the error at most: after so many there is only rounding.
STEPS = 24
# Of a vector of length 1.
ROUNDING = 1e-14


class MGFS(RawScore):
    r"""PageRank on the graph of features with E_ij = ‖ρ_i − ρ_j‖, ρ_i the correlations of feature i with the labels.

    x = a·Pᵀx + (1−a)/d, P the rows of E divided by their sums r. As E is symmetric, x = r/Σr solves it but for a rest
    that a → 1 takes away. The rest lies in one Krylov space for every a, made once by some ten products with E; E
    itself is computed block by block where it would be large. A constant feature has ρ = 0.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> int(MGFS().fit(X, Y).ranking_[0])
    3
    """

    id = "mgfs"
    name = "MGFS"
    long_name = "PageRank on a feature graph"
    family = "graph"
    summary = (
        "Joins any two features by an edge, the stronger the more their correlations with the labels differ, and lets "
        "a walker follow the edges: features that are reached often come first. They are those that stand apart from "
        "the many features that tell nothing, and from each other."
    )
    formula = (
        r"x=a\,P^\top x+\tfrac{1-a}{d}\mathbf 1,\quad P_{ij}=\frac{E_{ij}}{\sum_k E_{ik}},\quad "
        r"E_{ij}=\|\rho_i-\rho_j\|_2"
    )
    paper = (
        "Hashemi, Dowlatshahi & Nezamabadi-pour, MGFS: A multi-label graph-based feature selection algorithm via "
        "PageRank centrality, Expert Systems with Applications 2020"
    )
    slips = (
        "The released program takes a constant feature, whose correlations are undefined, for one that is perfectly "
        "correlated with every label."
    )
    cost = (
        "n·d·q for the correlations, d²·q for the distances, once or, where they would take more than 1 GiB, some ten "
        "to twenty times; every damping is free"
    )

    damping: float = number(0.85, 0, 1, "a: how likely the walker is to follow an edge rather than leap anywhere")

    def required_bytes(self, sizes: Mapping[str, int]) -> int:
        """E, where it is kept, and the Krylov space."""
        d = sizes["features"]
        return table_bytes(d) + 8 * d * (STEPS + sizes["labels"])

    def _score_columns(self, evidence: Raw) -> np.ndarray:
        return _walk(evidence).pagerank(self.damping)

    def graph(self, evidence: Raw, top: int = 12, n_edges: int = 24) -> FeatureGraph:
        """The graph as a picture: all features, and the strongest edges among the `top` first of the ranking."""
        scores = self._score_columns(evidence)
        # A categorical feature stands where its best category does.
        best = rank(scores)
        features, first = np.unique(evidence.owner[best], return_index=True)
        chosen = best[first][np.argsort(features)]
        points = _walk(evidence).distances.points[chosen]
        pagerank = scores[chosen]
        shown = rank(pagerank)[:top]
        length = Distances(points[shown]).block(slice(None), slice(None))
        i, j = np.triu_indices(len(shown), 1)
        strongest = rank(length[i, j])[:n_edges]
        edges = np.column_stack([shown[i[strongest]], shown[j[strongest]]])
        return FeatureGraph(_principal(points), pagerank, edges, length[i[strongest], j[strongest]])


@dataclass(frozen=True)
class FeatureGraph:
    """The graph of MGFS in the plane.

    Attributes
    ----------
    positions : (d, 2) float array
        The features' correlations with the labels along the two directions in which they differ most.
    pagerank : (d,) float array
    edges : (e, 2) int array
        Pairs of features, the strongest first.
    strengths : (e,) float array
        The lengths of these edges.
    """

    positions: np.ndarray
    pagerank: np.ndarray
    edges: np.ndarray
    strengths: np.ndarray


class RandomWalk:
    """PageRank for any damping on the complete graph whose edges are the distances of points.

    With R = diag(r) and S = R^-½ E R^-½ the equation is (I − aS)u = (1−a)/d · R^-½1 for u = R^-½x. S has the
    eigenvector R^½1 with eigenvalue 1, known beforehand, and no other eigenvalue above 0, for distances are
    conditionally negative definite. In what is left the condition of I − aS is 2 at most, so that few steps of Lanczos'
    method are exact, and their space does not depend on a.

    Attributes
    ----------
    distances : E, and the points
    sums : (d,) r
    """

    def __init__(self, points: np.ndarray) -> None:
        self.distances = Distances(points)
        d = len(points)
        self.sums = self.distances.times(np.ones((d, 1)))[:, 0]
        self._total = float(self.sums.sum())
        self._root, self._start_length = np.sqrt(self.sums), 0.0
        # Where all points are one there is no edge to follow, and every node is as good as another.
        self._basis, self._small = np.zeros((d, 0)), np.zeros((0, 0))
        if self._total > 0:
            self._basis, self._small = self._krylov_space()

    def pagerank(self, damping: float) -> np.ndarray:
        """(d,) x, which sums to 1."""
        d, size = self._basis.shape
        if self._total == 0:
            return np.full(d, 1.0 / d)
        right = np.zeros(size)
        right[:1] = (1.0 - damping) * self._start_length
        rest = self._basis @ np.linalg.solve(np.eye(size) - damping * self._small, right)
        return self.sums / self._total + self._root * rest

    def _krylov_space(self) -> tuple[np.ndarray, np.ndarray]:
        """An orthonormal basis, beginning with R^-½1/d less its part along R^½1, and S seen in it."""
        known = self._root / np.sqrt(self._total)
        vector = 1.0 / (len(known) * self._root)
        least = ROUNDING * float(np.linalg.norm(vector))
        basis, images = np.zeros((len(known), 0)), np.zeros((len(known), 0))
        while basis.shape[1] < STEPS:
            for _ in range(2):  # once more, for what rounding left of the first time
                vector = vector - known * (known @ vector)
                vector -= basis @ (basis.T @ vector)
            length = float(np.linalg.norm(vector))
            if length <= least or _is_enough(basis, images):
                break
            if not basis.size:
                self._start_length, least = length, ROUNDING
            basis = np.column_stack([basis, vector / length])
            vector = self.distances.times((basis[:, -1] / self._root)[:, None])[:, 0] / self._root
            images = np.column_stack([images, vector])
        return basis, basis.T @ images


def _is_enough(basis: np.ndarray, images: np.ndarray) -> bool:
    """Whether the last direction has nothing to add even for a = 1, which needs most of them."""
    size = basis.shape[1]
    if size < 2:
        return False
    part = np.linalg.solve(np.eye(size) - basis.T @ images, np.eye(size)[0])
    return bool(abs(part[-1]) <= ROUNDING)


def _walk(evidence: Raw) -> RandomWalk:
    return evidence.once("random_walk", lambda: RandomWalk(correlations(evidence.columns, evidence.Y)))


def _principal(points: np.ndarray) -> np.ndarray:
    """(d, 2) centred points along the two directions of largest spread, each with its farthest point on the right."""
    _, directions = np.linalg.eigh(points.T @ points)
    positions = points @ directions[:, ::-1][:, :2]
    farthest = np.take_along_axis(positions, np.abs(positions).argmax(axis=0)[None, :], axis=0)
    positions = positions * np.where(farthest < 0, -1.0, 1.0)
    return positions if positions.shape[1] == 2 else np.column_stack([positions, np.zeros(len(points))])
