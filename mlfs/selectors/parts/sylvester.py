"""The equation (I+αG)Z + βZR = C with symmetric G and R, factored once and then solved for any α and β.

With G = UΛUᵀ and R = VΓVᵀ the unknowns part: (UᵀZV)_ij = (UᵀCV)_ij / (1+αλ_i+βγ_j). A solve is one product with U.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import linalg

# The low-rank route spends its rank on this many products with G, or on more where C has fewer columns.
PASSES = 4


@dataclass(frozen=True)
class Solution:
    """Z for one α and β, and how sound it is.

    Attributes
    ----------
    coefficients : (d, q) Z
    fit, redundancy, labels : ‖Z−C‖², α·tr(ZᵀGZ) and β·tr(RZᵀZ); their sum is the objective
    lowest : the least 1+αλ+βγ, 0 but for rounding; half the least curvature of the objective, whose minimum Z is only
        where this is not negative
    nearest : the least |1+αλ+βγ| among those that are not 0
    n_singular : how many 1+αλ+βγ are 0, but for rounding; these directions are left out of Z
    missed : estimate of ‖Z − the Z of all directions‖ / ‖Z‖; 0 where G is known in all
    """

    coefficients: np.ndarray
    fit: float
    redundancy: float
    labels: float
    lowest: float
    nearest: float
    n_singular: int
    missed: float = 0.0


@dataclass(frozen=True)
class Factors:
    """Eigenvalues and eigenvectors of G and R, and C seen in them.

    Attributes
    ----------
    vectors, values : U (d, r) and λ; r = d, or less where G is seen only along some directions
    label_vectors, label_values : V (q, q) and γ
    rotated : UᵀCV
    rest : (d, q) or None
        Unit columns: what of CV lies outside the r directions. The last row of `rotated` holds their lengths and the
        last of `values` the mean of the eigenvalues that are not known.
    leak : (b, r) or None
        GU − UΛ in an orthonormal basis of the b directions into which G leads out of U.
    unknown : the mean of the eigenvalues that are not known
    """

    vectors: np.ndarray
    values: np.ndarray
    label_vectors: np.ndarray
    label_values: np.ndarray
    rotated: np.ndarray
    rest: np.ndarray | None = None
    leak: np.ndarray | None = None
    unknown: float = 0.0

    def solve(self, alpha: float, beta: float) -> Solution:
        divisor = np.add.outer(1.0 + alpha * self.values, beta * self.label_values)
        size = np.abs(divisor)
        largest = 1.0 + alpha * np.abs(self.values).max() + beta * np.abs(self.label_values).max()
        rounding = np.finfo(float).eps * max(divisor.shape) * largest
        regular = size > rounding
        solved = np.divide(self.rotated, divisor, out=np.zeros_like(divisor), where=regular)
        r = self.vectors.shape[1]
        coefficients = self.vectors @ (solved[:r] @ self.label_vectors.T)
        if self.rest is not None:
            coefficients += (self.rest * solved[r]) @ self.label_vectors.T
        square, lowest = solved * solved, float(divisor.min())
        return Solution(
            coefficients,
            fit=float(np.sum((solved - self.rotated) ** 2)),
            redundancy=alpha * float(self.values @ square.sum(axis=1)),
            labels=beta * float(square.sum(axis=0) @ self.label_values),
            lowest=lowest if abs(lowest) > rounding else 0.0,
            nearest=float(size.min(where=regular, initial=largest)),
            n_singular=int(regular.size - np.count_nonzero(regular)),
            missed=self._missed(solved, alpha, beta),
        )

    def _missed(self, solved: np.ndarray, alpha: float, beta: float) -> float:
        """The answer to what the equation leaves over, α(GU − UΛ)UᵀZ, as the unknown directions would give it.

        What of C lies outside of U is answered by the mean of the unknown eigenvalues, which are as far from it as it
        is from 0, so by as much again.
        """
        size = float(np.linalg.norm(solved))
        if self.leak is None or size == 0:
            return 0.0
        r = self.vectors.shape[1]
        divisor = np.abs(1.0 + alpha * self.unknown + beta * self.label_values)
        left_over = alpha * np.vstack([self.leak @ solved[:r], self.unknown * solved[r:]])
        return float(np.linalg.norm(left_over / np.maximum(divisor, np.finfo(float).eps))) / size


def factor(G: np.ndarray, diagonal: np.ndarray, R: np.ndarray, C: np.ndarray) -> Factors:
    """Factor the whole of G, with another diagonal. Takes 24·d² bytes beside G and d³ work."""
    # In LAPACK's own order the copy is overwritten by the eigenvectors.
    work = G.T.copy(order="F")
    np.fill_diagonal(work, diagonal)
    values, vectors = linalg.eigh(work, driver="evd", overwrite_a=True, check_finite=False)
    label_values, label_vectors = np.linalg.eigh(R)
    return Factors(vectors, values, label_vectors, label_values, vectors.T @ (C @ label_vectors))


def factor_low_rank(
    product: Callable[[np.ndarray], np.ndarray], trace: float, R: np.ndarray, C: np.ndarray, rank: int
) -> Factors:
    """Factor G along at most ``rank`` directions, knowing only how it multiplies, and its trace.

    The directions are the block Krylov space of C: C, GC, G²C, …, and in it the eigenvalues of G (Rayleigh–Ritz).
    This space is the same for I+αG as for G, so one serves every α and β as it would serve conjugate gradients on
    each system; the largest eigenvectors of G alone would miss most of C. Where C has so many columns that fewer than
    `PASSES` products would fill the rank, only its leading singular directions start the space, and what is left of C
    meets the mean of the unknown eigenvalues.
    """
    values, vectors, leak = _ritz(product, _directions(C, max(1, rank // PASSES)), rank)
    label_values, label_vectors = np.linalg.eigh(R)
    target = C @ label_vectors
    rotated = vectors.T @ target
    outside = target - vectors @ rotated
    length = np.linalg.norm(outside, axis=0)
    if len(values) == len(C):
        return Factors(vectors, values, label_vectors, label_values, rotated)
    unknown = float(trace - values.sum()) / (len(C) - len(values))
    rest = None
    if length.max() > 1e-12 * np.linalg.norm(target):
        rest = np.divide(outside, length, out=np.zeros_like(outside), where=length > 0)
        values, rotated = np.append(values, unknown), np.vstack([rotated, length])
    return Factors(vectors, values, label_vectors, label_values, rotated, rest, leak, unknown)


def _directions(C: np.ndarray, most: int) -> np.ndarray:
    """Orthonormal columns: the leading left singular vectors of C, at least one."""
    left, size, _ = linalg.svd(C, full_matrices=False, check_finite=False)
    significant = int(np.count_nonzero(size > 1e-12 * size[0]))
    return left[:, : max(1, min(most, significant))]


def _ritz(
    product: Callable[[np.ndarray], np.ndarray], block: np.ndarray, rank: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Eigenvalues and eigenvectors of G within the block Krylov space of the given columns, and `Factors.leak`."""
    basis = np.empty((len(block), rank))
    inside = np.zeros((rank, rank))
    size = 0
    while size < rank and block.shape[1]:
        block = block[:, : rank - size]
        new = slice(size, size + block.shape[1])
        basis[:, new] = block
        size = new.stop
        known = basis[:, :size]
        image = product(block)
        inside[:size, new] = known.T @ image
        image -= known @ inside[:size, new]
        left, length, right = linalg.svd(image, full_matrices=False, check_finite=False)
        # Columns that were nearly inside the space have lost their right angles to it.
        block = left[:, length > 1e-12 * np.abs(inside).max()]
        for _ in range(2):
            block = linalg.qr(block - known @ (known.T @ block), mode="economic", check_finite=False)[0]
    inside, basis = inside[:size, :size], basis[:, :size]
    values, rotation = np.linalg.eigh(inside, UPLO="U")
    # Only the last block leads out of the space: the image of every other one is in it.
    return values, basis @ rotation, length[:, None] * (right @ rotation[new])
