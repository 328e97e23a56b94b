"""CSV: a header, the features, then the labels as 0 and 1."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from mlfs.datasets.dataset import Dataset
from mlfs.datasets.writers.numbers import number_text
from mlfs.encoding import dense


def write(ds: Dataset, rows: np.ndarray, path: Path) -> None:
    """Write the rows; categories by their names."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*ds.feature_names, *ds.label_names])
        for row in rows:
            values: Sequence[float] = dense(ds.X[[row]])[0].tolist()
            cells = [
                ds.categories[j][int(value)] if j in ds.categories else number_text(value)
                for j, value in enumerate(values)
            ]
            writer.writerow([*cells, *ds.Y[row].tolist()])
