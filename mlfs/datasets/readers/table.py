"""What every parser hands over: named columns of numbers and codes, before anything is decided about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mlfs.datasets.readers.columns import Column
from mlfs.datasets.readers.rows import Origins


@dataclass
class Table:
    """Columns and their cells.

    Parameters
    ----------
    cells : (n, d) float array or CSR matrix
        Numbers, and codes of words; NaN where a value is missing.
    origins : Origins
        The files the rows came from, one or (training part first) two, and their lines.
    labels : column indices or None
        The label columns, where the file itself says which they are.
    notes : list of str
    """

    columns: list[Column]
    cells: Any
    origins: Origins
    labels: Sequence[int] | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def n_train(self) -> int:
        """How many rows statistics may be taken from: the training part, or all."""
        return [*self.origins.starts, self.cells.shape[0]][1]

    @property
    def split(self) -> tuple[np.ndarray, np.ndarray] | None:
        if len(self.origins.files) == 1:
            return None
        rows = np.arange(self.cells.shape[0])
        return rows[: self.n_train], rows[self.n_train :]
