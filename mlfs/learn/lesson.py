"""What a lesson has in words, and what the toys of several share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mlfs.errors import ParameterError


@dataclass(frozen=True)
class Lesson:
    """The words of one topic.

    Attributes
    ----------
    name : its word in a link
    title : as it stands in the list of lessons
    asks : what it answers, as a short question
    explanation : two or three sentences, Markdown
    formula : LaTeX
    question, answer : for the class, Markdown
    source : the paper the topic comes from
    """

    name: str
    title: str
    asks: str
    explanation: str
    formula: str
    question: str
    answer: str
    source: str


@dataclass(frozen=True)
class Draws:
    """Yes-or-no variables that follow one another on as many instances as wished.

    The draws are made before the share is known: a slider then turns some instances over and leaves the rest, so that
    figures move and do not jump.

    Attributes
    ----------
    rng : spent in the order of the calls; equal seeds give equal variables
    n : instances
    """

    rng: np.random.Generator
    n: int

    def coin(self) -> np.ndarray:
        """(n,) half zeros and half ones, in any order."""
        return self.rng.permutation(self.n) % 2

    def follow(self, source: np.ndarray, share: float, otherwise: np.ndarray | None = None) -> np.ndarray:
        """(n,) the source on this share of the instances, and on the rest something else (a coin unless given)."""
        turn = self.rng.permutation(self.n)
        return np.where(turn < round(share * self.n), source, self.coin() if otherwise is None else otherwise)


def check_share(name: str, value: float) -> None:
    """Raise ParameterError for anything but a share of the whole."""
    if not 0 <= value <= 1:
        raise ParameterError(f"{name} must be a number from 0 to 1, not {value!r}.")
