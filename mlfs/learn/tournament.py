"""Dominance: a dozen features that compete label by label, as MAPD sees them (Zhou & Guo 2023, Definitions 3 and 4)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlfs.errors import ParameterError, did_you_mean
from mlfs.learn.board import subscript
from mlfs.learn.toys import Draws
from mlfs.selectors import MAPD
from mlfs.selectors.evidence import Information
from mlfs.selectors.pareto import dominance, dominators_of, front, selected_against_alpha, wins_needed

INSTANCES = 600
FEATURES = 12
#: Range of the number of labels, and of the seed.
LABELS = 2, 8
SEEDS = 0, 99
#: Kinds of toy: features with strengths at random; three features each of which loses to the next.
KINDS = ("dozen", "circle")
#: The share of the instances on which the labels of the dozen follow their common cause.
TOGETHER = 0.6
#: On which share of the instances each feature (row) follows each label.
CIRCLE = np.array([[0.5, 0.25, 0], [0, 0.5, 0.25], [0.25, 0, 0.5]])


@dataclass(frozen=True, eq=False)
class Tournament:
    """Features compared under symmetrical uncertainty with every label.

    Attributes
    ----------
    evidence : the toy, prepared as MAPD does
    alpha : the share of labels in which a feature must be strictly better to dominate
    """

    evidence: Information
    alpha: float

    @cached_property
    def uncertainty(self) -> np.ndarray:
        """(d, q) SU(f, l)."""
        return self.evidence.tables.symmetrical_uncertainty

    @property
    def d(self) -> int:
        return self.evidence.sizes["features"]

    @property
    def q(self) -> int:
        return self.evidence.sizes["labels"]

    @property
    def feature_names(self) -> tuple[str, ...]:
        return tuple(f"f{subscript(i)}" for i in range(self.d))

    @property
    def label_names(self) -> tuple[str, ...]:
        return tuple(f"l{subscript(p)}" for p in range(self.q))

    @property
    def needed(self) -> int:
        """In how many labels a feature must be strictly better: the least whole number above α·q."""
        return wins_needed(self.alpha, self.q)

    @cached_property
    def dominators(self) -> tuple[np.ndarray, ...]:
        """For each feature those that dominate it."""
        return tuple(dominators_of(self.evidence, feature, self.alpha) for feature in range(self.d))

    @cached_property
    def selected(self) -> np.ndarray:
        """(d,) whether MAPD selects the feature."""
        return MAPD(alpha=self.alpha).fit_prepared(self.evidence).dominators_ == 0

    def on_front(self, across: int, up: int) -> np.ndarray:
        """(d,) whether the feature is on the Pareto front of two labels alone."""
        return front(self.evidence, [across, up])

    def wins(self, feature: int) -> np.ndarray:
        """(d,) in how many labels each feature is strictly better than the given one."""
        levels = dominance(self.evidence).levels
        return (levels > levels[:, [feature]]).sum(axis=0)

    def against_alpha(self) -> tuple[np.ndarray, np.ndarray]:
        """The number of selected features for every α, as steps."""
        return selected_against_alpha(self.evidence)

    def worked(self, feature: int) -> tuple[str, ...]:
        """The feature against its strongest rival, and who is selected, as it stands on the board, in LaTeX."""
        wins = self.wins(feature)
        wins[feature] = -1
        rival = int(wins.argmax())
        mine, theirs = f"f_{{{feature + 1}}}", f"f_{{{rival + 1}}}"
        levels = dominance(self.evidence).levels
        lines = []
        for p, better in enumerate(levels[:, rival] > levels[:, feature]):
            sign = ">" if better else r"\le"
            own, other = self.uncertainty[feature, p], self.uncertainty[rival, p]
            lines.append(rf"SU_{p + 1}({theirs})={other:.4f}{sign}{own:.4f}=SU_{p + 1}({mine})")
        sign, verdict = (">", "dominates") if wins[rival] >= self.needed else (r"\le", "does not dominate")
        chosen = ",".join(f"f_{{{i + 1}}}" for i in np.flatnonzero(self.selected)) or r"\emptyset"
        return (
            *lines,
            rf"{wins[rival]}{sign}{self.alpha * self.q:.4g}={self.alpha:g}\cdot{self.q}=\alpha q",
            rf"{theirs}\text{{ {verdict} }}{mine}",
            rf"\text{{selected: }}{chosen}",
        )


def tournament_data(n_labels: int = 5, seed: int = 0, kind: str = "dozen") -> tuple[np.ndarray, np.ndarray]:
    """X and Y of 600 instances, all 0 and 1: on each instance a feature shows one of the labels, or a coin.

    The labels of the dozen have a common cause, which each follows on 60 of 100 instances; each feature shows labels on
    30 to 100 of 100 instances, spread over them at random. The circle has three features and three independent labels:
    each feature shows one label on half of the instances and the next on a quarter, so that each is beaten by another
    in two of three labels.
    """
    if kind not in KINDS:
        raise ParameterError(f"There is no toy {kind!r}: {did_you_mean(str(kind), KINDS)}")
    _check_whole("seed", seed, SEEDS)
    rng = np.random.default_rng(seed)
    if kind == "circle":
        strengths, together = CIRCLE, 0.0
    else:
        _check_whole("n_labels", n_labels, LABELS)
        strengths, together = rng.dirichlet(np.ones(n_labels), FEATURES) * rng.uniform(0.3, 1, (FEATURES, 1)), TOGETHER
    draws = Draws(rng, INSTANCES)
    cause = draws.coin()
    Y = np.column_stack([draws.follow(cause, together) for _ in range(strengths.shape[1])])
    return np.column_stack([_mixture(draws, Y, row) for row in strengths]), Y


def tournament(alpha: float, n_labels: int = 5, seed: int = 0, kind: str = "dozen") -> Tournament:
    """The features of the toy compared; α moves without a new comparison by `dataclasses.replace`.

    >>> [int(tournament(alpha, kind="circle").selected.sum()) for alpha in (0.6, 0.7)]
    [0, 3]
    """
    X, Y = tournament_data(n_labels, seed, kind)
    return Tournament(MAPD(alpha=alpha).prepare(X, Y), alpha)


def _mixture(draws: Draws, Y: np.ndarray, strengths: np.ndarray) -> np.ndarray:
    """(n,) a feature that shows label p on the share strengths[p] of the instances, a coin on what is left."""
    ends = np.rint(np.cumsum(strengths) * draws.n)
    label = np.searchsorted(ends, draws.rng.permutation(draws.n), side="right")
    shown = np.column_stack([Y, draws.coin()])
    return shown[np.arange(draws.n), label]


def _check_whole(name: str, value: int, ends: tuple[int, int]) -> None:
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or not ends[0] <= value <= ends[1]:
        raise ParameterError(f"{name} must be a whole number from {ends[0]} to {ends[1]}, not {value!r}.")
