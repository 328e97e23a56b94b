"""One feature and one label, both yes or no: four counts from which everything else follows."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from numbers import Integral

import numpy as np

from mlfs.errors import ParameterError
from mlfs.information import entropy, joint_entropy, mutual_information
from mlfs.learn.board import entropy_line


@dataclass(frozen=True)
class Table:
    """A 2 × 2 table of feature f and label l.

    Attributes
    ----------
    both : instances with f = 1 and l = 1
    feature_only : f = 1, l = 0
    label_only : f = 0, l = 1
    neither : f = 0, l = 0

    >>> Table(50, 0, 0, 50).information
    1.0
    >>> round(Table(25, 25, 25, 25).information, 12)
    0.0
    """

    both: int
    feature_only: int
    label_only: int
    neither: int

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not isinstance(value, Integral) or isinstance(value, bool) or value < 0:
                raise ParameterError(f"{field.name} must be a whole number from 0, not {value!r}.")
        if self.n == 0:
            raise ParameterError("The table is empty: raise at least one of its four counts.")

    @property
    def counts(self) -> tuple[int, int, int, int]:
        return self.both, self.feature_only, self.label_only, self.neither

    @property
    def n(self) -> int:
        return sum(self.counts)

    @property
    def p_feature(self) -> float:
        return (self.both + self.feature_only) / self.n

    @property
    def p_label(self) -> float:
        return (self.both + self.label_only) / self.n

    @cached_property
    def feature(self) -> np.ndarray:
        """(n,) the feature, one entry per instance."""
        return np.repeat([1, 1, 0, 0], self.counts)

    @cached_property
    def label(self) -> np.ndarray:
        """(n,) the label, one entry per instance."""
        return np.repeat([1, 0, 1, 0], self.counts)

    @cached_property
    def feature_entropy(self) -> float:
        """H(f)"""
        return float(entropy(self.feature)[0])

    @cached_property
    def label_entropy(self) -> float:
        """H(l)"""
        return float(entropy(self.label)[0])

    @cached_property
    def joint_entropy(self) -> float:
        """H(f, l)"""
        return float(joint_entropy(self.feature[:, None], self.label)[0])

    @cached_property
    def information(self) -> float:
        """M(f; l)"""
        return float(mutual_information(self.feature[:, None], self.label[:, None])[0, 0])

    @property
    def feature_rest(self) -> float:
        """H(f | l): what is left to ask about the feature once the label is known."""
        return self.feature_entropy - self.information

    @property
    def label_rest(self) -> float:
        """H(l | f): what is left to ask about the label once the feature is known."""
        return self.label_entropy - self.information

    def worked(self) -> tuple[str, ...]:
        """The numbers as they stand on the board, in LaTeX."""
        feature, label, joint = self.feature_entropy, self.label_entropy, self.joint_entropy
        return (
            entropy_line("H(f)", (self.p_feature, 1 - self.p_feature), feature),
            entropy_line("H(l)", (self.p_label, 1 - self.p_label), label),
            entropy_line("H(f,l)", [count / self.n for count in self.counts], joint),
            f"M(f;l)=H(f)+H(l)-H(f,l)={feature:.4f}+{label:.4f}-{joint:.4f}={self.information:.4f}",
            rf"H(f\mid l)=H(f)-M(f;l)={feature:.4f}-{self.information:.4f}={self.feature_rest:.4f}",
        )


#: Tables worth starting from, by what they show.
PRESETS = {
    "related": Table(40, 10, 20, 30),
    "independent": Table(30, 20, 30, 20),
    "identical": Table(50, 0, 0, 50),
    "opposite": Table(0, 50, 50, 0),
    "rare label": Table(5, 45, 0, 50),
}
