"""GRRO: relevance, redundancy and label distance weighed against each other in one linear system (IJCAI 2020)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from mlfs.parameters import choice, integer, weight
from mlfs.selectors.base import InformationScore
from mlfs.selectors.evidence import Information, kept_bytes
from mlfs.selectors.parts.sylvester import Factors, Solution, factor, factor_low_rank
from mlfs.selectors.ranking import TOLERANCE
from mlfs.similarity import label_cosine

# A direction in which the solution is this many times longer than the relevance it answers is worth a word.
NEAR = 1e-2
# From this estimated error of a low-rank solution on, its first ranks may be wrong.
MISSED = 0.02


class GRRO(InformationScore):
    r"""Global relevance and redundancy optimization (Zhang et al., IJCAI 2020, eq. 6–8).

    min_Z ‖Z−C‖² + α·tr(ZᵀGZ) + β·tr(RZᵀZ), solved by (I+αG)Z + βZR = C, with C_il = M(f_i;l), G_ij = M(f_i;f_j) and
    R_ll' = 1 − cosine(l, l'). A feature's score is the length of its row of Z.

    G and R are factored once, as part of `prepare`; every α and β after that costs one d × d × q product.

    The paper calls G and R positive semidefinite. R has a zero diagonal, so it never is where labels differ, and G need
    not be: where some 1+αλ+βγ is negative the solution is a saddle point, where one is near 0 it is far from anything
    the features tell. `notes_` says so. A label that never occurs has no cosine; its row of R is 0, so that its
    coefficients are 0 and it changes nothing for the others.

    With ``rank`` G is seen along that many directions (`sylvester.factor_low_rank`). It is computed block by block, and
    half of it kept meanwhile up to 22,600 features; beyond it is computed rank/min(q, rank/4) times over. Five
    directions a label are enough where α is at most 1, ten where it is 10, unless 1+αλ+βγ comes near 0; where they are
    not, `notes_` says so.

    Attributes
    ----------
    coefficients_ : (d, q) float array
        Z.
    terms_ : dict of str to float
        "fit" ‖Z−C‖², "redundancy" α·tr(ZᵀGZ) and "labels" β·tr(RZᵀZ); their sum is the objective.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> int(GRRO(alpha=10.0).fit(X, Y).ranking_[0])
    3
    """

    id = "grro"
    name = "GRRO"
    long_name = "global relevance & redundancy"
    summary = (
        "Gives every feature a weight for every label, near their mutual information, but small where features share "
        "information (α) and different where labels seldom occur together (β). All weights are the solution of one "
        "linear system; features with large weights come first."
    )
    formula = (
        r"\min_Z\|Z-C\|_F^2+\alpha\operatorname{tr}(Z^\top GZ)+\beta\operatorname{tr}(RZ^\top Z),\quad "
        r"(I+\alpha G)Z+\beta ZR=C"
    )
    paper = "Zhang et al., Multi-label feature selection via global relevance and redundancy optimization, IJCAI 2020"
    cost = (
        "n·d² for the counts (less where data are sparse), d³ once, then d²·q for each α, β; memory 32·d² bytes. With "
        "rank no d³, and 4·d² bytes up to 22,600 features (100,000 sparse rows, 20,000 features, 50 labels, rank 250: "
        "25 s of one processor); beyond, little memory, but the counts of all d²/2 pairs are made anew for each of "
        "rank/min(q, rank/4) products: minutes"
    )
    variants = MappingProxyType(
        {
            "paper": "the entropies H(f) on the diagonal of G, features by the length of their row of Z",
            "authors": "the released program: 1 on the diagonal of G, features by the sum of their row of Z, signs "
            "included; bins of equal frequency cut features of two values too, so that one that is 1 in more than half "
            "of the rows becomes constant (the program has α = 100, β = 0.1 and two bins of equal frequency: set these "
            "too for its numbers)",
        }
    )

    version = "2"

    alpha: float = weight(1.0, "weight of the redundancy among features", decades=3)
    beta: float = weight(0.1, "weight of the distance between labels", decades=3)
    variant: str = choice("paper", tuple(variants), "the paper's text, or what the released program computes")
    rank: int | None = integer(
        None, 1, "features", "directions in which the redundancy is seen", none="all: exact, with a d × d table"
    )

    @property
    def _binning(self) -> str:
        as_released = self.variant == "authors" and self.discretization == "equal_frequency"
        return "equal_frequency_strict" if as_released else self.discretization

    def prepare(self, X: Any, Y: Any) -> Information:
        evidence = super().prepare(X, Y)
        self._factors(evidence)
        return evidence

    def required_bytes(self, sizes: Mapping[str, int]) -> int:
        """G, its eigenvectors and the work space of their computation; or directions, their images and half of G."""
        d = sizes["features"]
        if self.rank is None:
            return 32 * d * d
        return 8 * d * (3 * self.rank + 4 * sizes["labels"]) + kept_bytes(d)

    def _way_out(self) -> str:
        if self.rank is not None:
            return super()._way_out()
        return (
            ": set rank (five to ten times the number of labels) for the low-rank route, which never stores a table of "
            "all pairs of features, or choose fewer features first, for example with els"
        )

    def _factors(self, evidence: Information) -> Factors:
        def compute() -> Factors:
            C, R = evidence.information, label_distance(evidence.Y)
            entropies = evidence.feature_entropy
            diagonal = entropies if self.variant == "paper" else np.ones_like(entropies)
            if self.rank is not None:
                product = evidence.feature_information_product(diagonal)
                return factor_low_rank(product, float(diagonal.sum()), R, C, self.rank)
            return factor(evidence.feature_information, diagonal, R, C)

        return evidence.once(("grro_factors", self.variant, self.rank), compute)

    def _score(self, evidence: Information) -> np.ndarray:
        factors = self._factors(evidence)
        solution = factors.solve(self.alpha, self.beta)
        self.terms_ = {"fit": solution.fit, "redundancy": solution.redundancy, "labels": solution.labels}
        self.notes_ += self._doubts(factors, solution)
        self.coefficients_ = self._keep(solution.coefficients)
        if self.variant == "authors":
            return self.coefficients_.sum(axis=1)
        return np.sqrt(np.einsum("ij,ij->i", self.coefficients_, self.coefficients_))

    def feature_terms(self, evidence: Information) -> dict[str, np.ndarray]:
        """The score of each feature in parts: relevance − features − labels, all in bits.

        Row i of the system says z_i = c_i − α(GZ)_i − β(ZR)_i, so a score that weighs the entries of z_i, by
        z_i/‖z_i‖ in the paper and by 1 in the authors' program, is the sum of these parts weighed alike. Negative
        parts are gains: a feature that the others are against, or labels that go together.

        Returns
        -------
        dict of "relevance", "features" (redundancy with other features) and "labels" (distance of its labels), (d,)
        """
        Z = self._factors(evidence).solve(self.alpha, self.beta).coefficients
        kept = self._keep(Z)
        weights = (kept != 0).astype(np.float64)
        if self.variant != "authors":
            length = np.linalg.norm(kept, axis=1, keepdims=True)
            weights = np.divide(kept, length, out=np.zeros_like(kept), where=length > 0)
        relevance = np.einsum("ij,ij->i", weights, evidence.information)
        labels = self.beta * np.einsum("ij,ij->i", weights, Z @ label_distance(evidence.Y))
        score = np.einsum("ij,ij->i", weights, kept)
        return {"relevance": relevance, "features": relevance - labels - score, "labels": labels}

    def _keep(self, Z: np.ndarray) -> np.ndarray:
        return Z

    def _doubts(self, factors: Factors, solution: Solution) -> list[str]:
        """What is doubtful about the solution, each a sentence."""
        doubts = []
        redundancy, distance = float(factors.values.min()), float(factors.label_values.min())
        if solution.lowest < 0:
            alone = 1.0 + self.alpha * redundancy
            if alone > 0:
                cure = f"it is a minimum for beta below {alone / -distance:.3g}"
            else:
                cure = f"it can be a minimum only for alpha below {1.0 / -redundancy:.3g}, and small beta"
            doubts.append(
                f"With alpha={self.alpha:g} and beta={self.beta:g} the solution is a saddle point of the objective, "
                f"not its minimum: 1 + αλ + βγ goes down to {solution.lowest:.3g}, for the eigenvalues λ of the "
                f"redundancies reach {_plain(redundancy)} and γ of the label distances {_plain(distance)}; {cure}."
            )
        if solution.n_singular:
            doubts.append(
                f"The system is singular: 1 + αλ + βγ is 0 in {solution.n_singular} of "
                f"{factors.rotated.size} directions, which are left out."
            )
        if solution.nearest < NEAR:
            doubts.append(
                f"The system is near singular: |1 + αλ + βγ| comes down to {solution.nearest:.2g}, so that direction "
                f"is enlarged {1 / solution.nearest:.2g} times; another alpha or beta may turn the ranking over."
            )
        if self.rank is not None:
            doubts.append(
                f"Low-rank route: the redundancy is seen along {factors.vectors.shape[1]} of {self.n_features_in_} "
                "directions, so later ranks may differ from the exact ones."
            )
            if solution.missed > MISSED:
                doubts.append(
                    f"That is too few for alpha={self.alpha:g} and beta={self.beta:g}: the other directions would "
                    f"change the solution by about {_share(solution.missed)} of its length, so the first ranks may be "
                    "wrong too. Raise rank, or lower alpha or beta."
                )
        return doubts


class GRROLabelSpecific(GRRO):
    """GRRO with label-specific features (Zhang et al., IJCAI 2020, eq. 9–10).

    Each label keeps its ``k`` largest coefficients, signs included; ties at the cut are all kept. `terms_` are those of
    the whole Z.

    Attributes
    ----------
    coefficients_ : (d, q) float array
        Z with 0 for what no label kept.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> Y = rng.integers(0, 2, (200, 4))
    >>> X = np.hstack([rng.random((200, 3)), Y[:, [2]]])
    >>> (GRROLabelSpecific(k=1).fit(X, Y).coefficients_ != 0).sum(axis=0).tolist()  # one feature for each label
    [1, 1, 1, 1]
    """

    id = "grro_ls"
    name = "GRRO-LS"
    long_name = "GRRO, label-specific"
    summary = (
        "Solves the system of GRRO, then lets each label keep only the k features with its largest weights. Features "
        "that are good for one label alone come forward."
    )
    formula = GRRO.formula + r",\quad z_{il}\mapsto z_{il}\,[\,z_{il}\ge z_{(k)l}\,]"

    k: int = integer(5, 1, None, "features that each label keeps")

    def _keep(self, Z: np.ndarray) -> np.ndarray:
        d = len(Z)
        if self.k >= d:
            return Z
        cut = np.partition(Z, d - self.k, axis=0)[d - self.k]
        cut -= TOLERANCE * np.abs(Z).max(axis=0)
        return np.where(cut <= Z, Z, 0.0)


def _share(value: float) -> str:
    return f"{value:.0%}" if value < 1 else "all"


def _plain(value: float) -> str:
    """An eigenvalue in bits or cosines, 0 where it is only rounding."""
    return f"{round(value, 4) + 0.0:g}"


def label_distance(Y: np.ndarray) -> np.ndarray:
    """(q, q) R = 1 − cosine of the labels, 0 in the row of a label that never occurs.

    >>> label_distance(np.array([[1, 1, 0], [1, 0, 0]])).round(3)
    array([[0.   , 0.293, 0.   ],
           [0.293, 0.   , 0.   ],
           [0.   , 0.   , 0.   ]])
    """
    R = 1.0 - label_cosine(Y)
    never = ~np.asarray(Y).any(axis=0)
    R[never] = R[:, never] = 0.0
    return R
