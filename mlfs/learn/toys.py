"""Yes-or-no variables that follow one another on as many instances as wished.

The draws are made before the share is known: a slider then turns some instances over and leaves the rest, so that
figures move and do not jump.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Draws:
    """What chance decides, for any number of variables.

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
