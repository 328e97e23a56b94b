"""The GRRO system on four features and three labels, small enough to write out (Zhang et al. 2020, eq. 6–8).

f₁ and f₂ tell of l₁, f₃ of l₂, f₄ of l₃. One slider lets f₂ repeat f₁, another lets l₂ repeat l₁.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlfs.learn.board import check_share
from mlfs.learn.toys import Draws
from mlfs.selectors import GRRO
from mlfs.selectors.evidence import Information
from mlfs.selectors.grro import label_distance

FEATURES = ("f₁", "f₂", "f₃", "f₄")
LABELS = ("l₁", "l₂", "l₃")
INSTANCES = 600
SEED = 4
#: The share of the instances on which each feature follows its label; on the rest it is a coin.
FOLLOWS = 0.8, 0.7, 0.7, 0.6


@dataclass(frozen=True, eq=False)
class System:
    """The system (I+αG)Z + βZR = C and its solution.

    Attributes
    ----------
    C : (4, 3) M(f; l)
    G : (4, 4) M(f; f'), H(f) on the diagonal
    R : (3, 3) 1 − cosine of the labels
    Z : (4, 3) the solution
    scores : (4,) the lengths of the rows of Z
    ranking : the features, best first
    terms : "fit", "redundancy" and "labels", the three parts of the objective
    notes : what is doubtful about the solution, each a sentence
    """

    alpha: float
    beta: float
    C: np.ndarray
    G: np.ndarray
    R: np.ndarray
    Z: np.ndarray
    scores: np.ndarray
    ranking: np.ndarray
    terms: dict[str, float]
    notes: tuple[str, ...]

    @classmethod
    def solve(cls, evidence: Information, alpha: float, beta: float) -> System:
        """The solution for one α and β; the evidence serves all of them."""
        fitted = GRRO(alpha=alpha, beta=beta).fit_prepared(evidence)
        return cls(
            alpha,
            beta,
            evidence.information,
            evidence.feature_information,
            label_distance(evidence.Y),
            fitted.coefficients_,
            fitted.scores_,
            fitted.ranking_,
            fitted.terms_,
            tuple(fitted.notes_),
        )

    def worked(self) -> tuple[str, ...]:
        """One entry of the system, the first score, the objective and the order of the features, in LaTeX."""
        z, (a, b) = self.Z, (self.alpha, self.beta)
        shared = "+".join(f"{g:.3f}\\cdot{_signed(value)}" for g, value in zip(self.G[0], z[:, 0], strict=True))
        apart = "+".join(f"{_signed(value)}\\cdot{r:.3f}" for value, r in zip(z[0], self.R[:, 0], strict=True))
        order = r"\ge".join(rf"\|z_{i + 1}\|={self.scores[i]:.4f}" for i in self.ranking)
        fit, redundancy, labels = (self.terms[name] for name in ("fit", "redundancy", "labels"))
        return (
            r"z_{11}+\alpha\sum_j g_{1j}z_{j1}+\beta\sum_k z_{1k}r_{k1}=c_{11}",
            rf"{z[0, 0]:.3f}+{a:g}\,({shared})+{b:g}\,({apart})={self.C[0, 0]:.3f}",
            rf"\|z_1\|=\sqrt{{{'+'.join(f'{_signed(value)}^2' for value in z[0])}}}={self.scores[0]:.4f}",
            rf"\|Z-C\|^2+\alpha\operatorname{{tr}}(Z^\top GZ)+\beta\operatorname{{tr}}(RZ^\top Z)"
            f"={fit:.4f}+{redundancy:.4f}+{_signed(labels, 4)}={fit + redundancy + labels:.4f}",
            order,
        )


def system_data(copied: float, together: float) -> tuple[np.ndarray, np.ndarray]:
    """X (600, 4) and Y (600, 3), all 0 and 1: f₂ repeats f₁ on the share `copied`, l₂ repeats l₁ on `together`."""
    for name, value in (("copied", copied), ("together", together)):
        check_share(name, value)
    draws = Draws(np.random.default_rng(SEED), INSTANCES)
    first, third = draws.coin(), draws.coin()
    second = draws.follow(first, together)
    Y = np.column_stack([first, second, third])
    f1, f2, f3, f4 = (
        draws.follow(label, share) for label, share in zip((first, first, second, third), FOLLOWS, strict=True)
    )
    f2 = draws.follow(f1, copied, otherwise=f2)
    return np.column_stack([f1, f2, f3, f4]), Y


def prepare_system(copied: float, together: float) -> Information:
    """What the system knows of the data, once for every α and β."""
    return GRRO().prepare(*system_data(copied, together))


def _signed(value: float, digits: int = 3) -> str:
    """A negative number in brackets, for it stands behind another sign."""
    return f"({value:.{digits}f})" if value < 0 else f"{value:.{digits}f}"
