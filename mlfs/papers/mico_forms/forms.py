"""The forms that MICO's programme may have had: relevance, redundancy, its diagonal, their balance, and a solver.

Each form ranks features by weights x that make w/2·xᵀGx − cᵀx small. What c, G and w are, what x may be, how far the
search goes and what becomes of features without a weight: that is a form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import product

import numpy as np
from scipy import linalg, optimize

from mlfs.information import mutual_information
from mlfs.selectors.evidence import Information
from mlfs.selectors.mico import convexity_shift
from mlfs.selectors.parts.simplex import Quadratic, descend, project
from mlfs.selectors.ranking import rank

#: Steps of the solvers that stop early.
STEPS = (10, 100, 1000)
#: The weights of redundancy that are tried, and the one of quadratic-programming feature selection: mean c / mean G.
WEIGHTS = ("0.1", "0.5", "1", "2", "10", "balanced")
#: What the order of features of equal weight follows.
TIES = ("index", "last", "gradient", "relevance")


@dataclass(frozen=True)
class MicoForm:
    """One reading of MICO; its parts are keys of `RELEVANCES`, `REDUNDANCIES`, `DIAGONALS` and `SOLVERS`."""

    relevance: str
    redundancy: str
    diagonal: str
    weight: str
    solver: str
    ties: str = "index"

    @property
    def parts(self) -> dict[str, str]:
        return asdict(self)


class FormInputs:
    """What a data set gives the forms, each computed once."""

    def __init__(self, evidence: Information) -> None:
        self.evidence = evidence
        self._relevances: dict[str, np.ndarray] = {}
        self._programmes: dict[tuple[str, ...], Programme] = {}

    def relevance(self, name: str) -> np.ndarray:
        if name not in self._relevances:
            self._relevances[name] = RELEVANCES[name](self.evidence)
        return self._relevances[name]

    def programme(self, form: MicoForm) -> Programme:
        key = (form.relevance, form.redundancy, form.diagonal)
        if key not in self._programmes:
            G = REDUNDANCIES[form.redundancy](self.evidence).copy()
            np.fill_diagonal(G, DIAGONALS[form.diagonal](self.evidence))
            # One relevance after another is asked for: those of the one before are not needed any more.
            self._programmes = {key: Programme(self.relevance(form.relevance), G)}
        return self._programmes[key]


@dataclass(frozen=True, eq=False)
class Programme:
    """c and G, with what solvers need of them."""

    c: np.ndarray
    G: np.ndarray

    @cached_property
    def shift(self) -> float:
        return convexity_shift(self.G)

    @cached_property
    def eigen(self) -> tuple[np.ndarray, np.ndarray]:
        values, vectors = linalg.eigh(self.G)
        return values, vectors

    @property
    def bound(self) -> float:
        """The largest eigenvalue."""
        return max(float(self.eigen[0][-1]), np.finfo(float).tiny)

    def weight(self, name: str) -> float:
        return float(self.c.mean() / self.G.mean()) if name == "balanced" else float(name)

    def problem(self, w: float) -> Quadratic:
        return Quadratic(self.G, w, self.shift, self.c)

    def filtered(self, response: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """V·diag(response(λ))·Vᵀc."""
        values, vectors = self.eigen
        return vectors @ (response(values) * (vectors.T @ self.c))


# c, what a feature tells about the labels


def _normalised(evidence: Information, how: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
    """Σ_l M(f;l) / how(H(f), H(l)), 0 where that is 0."""
    scale = how(evidence.feature_entropy[:, None], evidence.label_entropy[None, :])
    return np.divide(evidence.information, scale, out=np.zeros_like(evidence.information), where=scale > 0).sum(axis=1)


def _of_related_labels(evidence: Information) -> np.ndarray:
    """Σ_l M(f;l)·Σ_l' M(l;l'): labels count by what they share with the others."""
    return evidence.information @ mutual_information(evidence.Y).sum(axis=1)


def _given_other_labels(evidence: Information) -> np.ndarray:
    """Σ_lΣ_l'≠l M(f;l|l') = (q − 1)·Rel(f) − 2·Σ_l<l' I3(f,l,l')."""
    q = evidence.Y.shape[1]
    return (q - 1) * evidence.relevance - 2 * evidence.label_pairs


RELEVANCES: dict[str, Callable[[Information], np.ndarray]] = {
    "sum": lambda evidence: evidence.relevance,
    "mean": lambda evidence: evidence.relevance / evidence.Y.shape[1],
    "max": lambda evidence: evidence.information.max(axis=1),
    "SU": lambda evidence: 2 * _normalised(evidence, np.add),
    "related labels": _of_related_labels,
    "given other labels": _given_other_labels,
    "labelset": lambda evidence: evidence.labelset_information,
}

# G, what features share


def _shared(evidence: Information, how: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
    entropy = evidence.feature_entropy
    between = how(entropy[:, None], entropy[None, :])
    G = evidence.feature_information
    return np.divide(G, between, out=np.zeros_like(G), where=between > 0)


REDUNDANCIES: dict[str, Callable[[Information], np.ndarray]] = {
    "MI": lambda evidence: evidence.feature_information,
    "SU": lambda evidence: 2 * _shared(evidence, np.add),
}
DIAGONALS: dict[str, Callable[[Information], np.ndarray]] = {
    "H": lambda evidence: evidence.feature_entropy,
    "0": lambda evidence: np.zeros_like(evidence.feature_entropy),
    "1": lambda evidence: np.ones_like(evidence.feature_entropy),
}

# x, by the solvers


def _simplex(programme: Programme, w: float) -> np.ndarray:
    """x ≥ 0, Σx = 1, to the minimum."""
    problem = programme.problem(w)
    alone = 0.5 * w * (np.diag(programme.G) + programme.shift) - programme.c
    best = (alone == alone.min()).astype(float)
    steps = descend(problem, best / best.sum())
    point = next(steps)
    for _ in range(500):
        before, point = point, next(steps)
        if point.gap <= 1e-12 * abs(programme.c).max() or point is before:
            break
    return point.x


def _nonnegative(programme: Programme, w: float) -> np.ndarray:
    """x ≥ 0, to the minimum."""
    return _bounded(programme, w, None)


def _box(programme: Programme, w: float) -> np.ndarray:
    """0 ≤ x ≤ 1, to the minimum."""
    return _bounded(programme, w, 1.0)


def _bounded(programme: Programme, w: float, high: float | None) -> np.ndarray:
    problem = programme.problem(w)

    def value(x: np.ndarray) -> tuple[float, np.ndarray]:
        image = problem.product(x)
        return float(0.5 * x @ image - programme.c @ x), image - programme.c

    d = len(programme.c)
    minimum = optimize.minimize(
        value, np.zeros(d), jac=True, method="L-BFGS-B", bounds=[(0.0, high)] * d, options={"maxiter": 2000}
    )
    return np.asarray(minimum.x)


def _sum_to_one(programme: Programme, w: float) -> np.ndarray:
    """Σx = 1 alone: x = (w(G + sI))⁻¹(c + λ1)."""
    values, vectors = programme.eigen
    kept = values + programme.shift > 1e-9 * programme.bound
    inverse = np.zeros_like(values)
    inverse[kept] = 1.0 / (w * (values[kept] + programme.shift))
    of_c, of_ones = (vectors @ (inverse * (vectors.T @ right)) for right in (programme.c, np.ones_like(programme.c)))
    return of_c + (1.0 - of_c.sum()) / of_ones.sum() * of_ones


def _linear(programme: Programme, w: float) -> np.ndarray:
    """(I + wG)x = c: no constraint, and x near c."""
    return programme.filtered(lambda values: 1.0 / (1.0 + w * values))


def _inverse(programme: Programme, w: float) -> np.ndarray:
    """Gx = c: no constraint."""
    least = 1e-9 * programme.bound
    return programme.filtered(lambda values: np.where(abs(values) > least, 1.0 / np.where(values, values, 1.0), 0.0))


def _first_step(programme: Programme, w: float) -> np.ndarray:
    """The slope at equal weights: c less w times the mean redundancy."""
    return programme.c - w * programme.G.mean(axis=1)


def _gradient(steps: int, keep: Callable[[np.ndarray], np.ndarray]) -> Callable[[Programme, float], np.ndarray]:
    """So many steps of gradient descent from equal weights, each followed by what keeps x within its bounds."""

    def solve(programme: Programme, w: float) -> np.ndarray:
        x = np.full(len(programme.c), 1.0 / len(programme.c))
        length = 1.0 / (w * programme.bound)
        for _ in range(steps):
            x = keep(x - length * (w * (programme.G @ x) - programme.c))
        return x

    return solve


def _multiplicative(steps: int) -> Callable[[Programme, float], np.ndarray]:
    """So many updates x ← x·c/(wGx), which keep x ≥ 0."""

    def solve(programme: Programme, w: float) -> np.ndarray:
        x = np.full(len(programme.c), 1.0 / len(programme.c))
        for _ in range(steps):
            below = w * (programme.G @ x)
            x = x * np.divide(np.maximum(programme.c, 0.0), below, out=np.zeros_like(x), where=below > 0)
            x /= max(x.sum(), np.finfo(float).tiny)  # the next update does not see it, but it keeps numbers finite
        return x

    return solve


def _exponentiated(steps: int) -> Callable[[Programme, float], np.ndarray]:
    """So many steps of exponentiated gradient, which keep x on the simplex."""

    def solve(programme: Programme, w: float) -> np.ndarray:
        x = np.full(len(programme.c), 1.0 / len(programme.c))
        length = 1.0 / (w * programme.bound)
        for _ in range(steps):
            power = -length * (w * (programme.G @ x) - programme.c)
            x = x * np.exp(power - power.max())
            x /= x.sum()
        return x

    return solve


SOLVERS: dict[str, Callable[[Programme, float], np.ndarray]] = {
    "simplex": _simplex,
    "nonnegative": _nonnegative,
    "box": _box,
    "sum to one": _sum_to_one,
    "linear": _linear,
    "inverse": _inverse,
    "first step": _first_step,
    **{f"simplex, {steps} steps": _gradient(steps, project) for steps in STEPS},
    **{f"nonnegative, {steps} steps": _gradient(steps, lambda x: np.maximum(x, 0.0)) for steps in STEPS[:2]},
    **{f"free, {steps} steps": _gradient(steps, lambda x: x) for steps in STEPS[:2]},
    **{f"multiplicative, {steps} steps": _multiplicative(steps) for steps in STEPS[:2]},
    **{f"exponentiated, {steps} steps": _exponentiated(steps) for steps in STEPS[1:]},
}
#: Those whose order no weight of redundancy changes: one is enough.
UNWEIGHTED = {"nonnegative", "inverse", *(name for name in SOLVERS if name.startswith("multiplicative"))}


def forms() -> Iterator[MicoForm]:
    """All of them, those of one relevance and redundancy together; ties are told apart where there are any."""
    for relevance, redundancy, diagonal in product(RELEVANCES, REDUNDANCIES, DIAGONALS):
        if redundancy != "MI" and diagonal == "H":
            continue  # of what is normalised the entropy is no part
        for solver in SOLVERS:
            for weight in ("1",) if solver in UNWEIGHTED else WEIGHTS:
                yield MicoForm(relevance, redundancy, diagonal, weight, solver)


def orders(form: MicoForm, quantities: FormInputs) -> dict[str, np.ndarray]:
    """How ties are broken → features, best first; only the first where no two features have the same weight."""
    programme = quantities.programme(form)
    w = programme.weight(form.weight)
    x = SOLVERS[form.solver](programme, w)
    least = 1e-10 * abs(x).max()
    x = np.where(abs(x) <= least, 0.0, x)
    by_tie = {TIES[0]: rank(x)}
    if np.count_nonzero(x == 0) > 1:
        # Among equal x the order of a second key, by index where that is equal, too.
        gradient = w * (programme.G @ x) - programme.c
        for name, key in zip(TIES[1:], (-np.arange(len(x)), gradient, -programme.c), strict=True):
            by_tie[name] = np.lexsort((np.arange(len(x)), key, -x))
    return by_tie
