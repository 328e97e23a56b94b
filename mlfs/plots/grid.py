"""A result over a grid of two parameters, as the heat map and the surface both show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mlfs.errors import ParameterError
from mlfs.metrics import lower_is_better, metric_title
from mlfs.plots.canvas import finite
from mlfs.plots.wording import level


@dataclass(frozen=True)
class Grid:
    """Values over two parameters.

    Attributes
    ----------
    values : (len(alphas), len(betas)), NaN where missing
    value : what they are
    names : of the two parameters
    lower : whether lower is better
    """

    values: np.ndarray
    alphas: tuple[float, ...]
    betas: tuple[float, ...]
    value: str
    names: tuple[str, str]
    lower: bool

    @classmethod
    def of(
        cls,
        values: np.ndarray,
        alphas: Sequence[float] | np.ndarray,
        betas: Sequence[float] | np.ndarray,
        value: str,
        names: tuple[str, str],
        lower: bool | None,
    ) -> Grid:
        values = finite(values)
        if values.shape != (len(alphas), len(betas)):
            raise ParameterError(
                f"The values have the shape {values.shape}, but {len(alphas)} values of {names[0]} and {len(betas)} of "
                f"{names[1]} need {(len(alphas), len(betas))}."
            )
        lower = lower_is_better(value) if lower is None else lower
        return cls(values, tuple(map(float, alphas)), tuple(map(float, betas)), value, names, lower)

    @property
    def best(self) -> tuple[int, int] | None:
        """Where the best value stands, the first of equals; None where there is no value."""
        if not np.isfinite(self.values).any():
            return None
        place = np.nanargmin(self.values if self.lower else -self.values)
        i, j = np.unravel_index(place, self.values.shape)
        return int(i), int(j)

    @property
    def alpha_words(self) -> list[str]:
        return [level(alpha) for alpha in self.alphas]

    @property
    def beta_words(self) -> list[str]:
        return [level(beta) for beta in self.betas]

    @property
    def labels(self) -> list[list[str]]:
        """What to call each cell, one row per β."""
        first, second = self.names
        return [[f"{first} = {a}, {second} = {b}" for a in self.alpha_words] for b in self.beta_words]

    def caption(self) -> str:
        """The best value and where it stands, for the figure itself."""
        assert self.best is not None
        i, j = self.best
        return f"best: {self.values[i, j]:.4f} at {self.labels[j][i]}"

    def describe(self) -> str:
        """One sentence with the main numbers."""
        assert self.best is not None
        i, j = self.best
        best, worst = self.values[i, j], np.nanmax(self.values) if self.lower else np.nanmin(self.values)
        missing = int(np.isnan(self.values).sum())
        rest = f"; {missing} of {self.values.size} cells are missing" if missing else ""
        return (
            f"{metric_title(self.value)} over {len(self.alphas)} values of {self.names[0]} and {len(self.betas)} of "
            f"{self.names[1]}: best {best:.4f} at {self.names[0]} = {self.alphas[i]:g}, "
            f"{self.names[1]} = {self.betas[j]:g}; worst {worst:.4f}{rest}."
        )
