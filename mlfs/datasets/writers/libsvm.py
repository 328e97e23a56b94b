"""Multi-label LibSVM: ``1,3 4:0.5 7:1``; labels and features count from 1, and their names are lost."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy import sparse

from mlfs.datasets.dataset import Dataset
from mlfs.datasets.writers.numbers import number_text
from mlfs.errors import DatasetError


def write(ds: Dataset, rows: np.ndarray, path: Path) -> None:
    """Write the rows."""
    if ds.categories:
        raise DatasetError(f"LibSVM knows no categories, and {ds.name} has some: write it as ARFF.")
    if never := [name for name, column in zip(ds.label_names, ds.Y.T, strict=True) if not column.any()]:
        raise DatasetError(f"LibSVM cannot tell that the label {never[0]!r} of {ds.name} never applies: write ARFF.")
    X, d = sparse.csr_matrix(ds.X), ds.X.shape[1]
    X.sort_indices()
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for place, row in enumerate(rows):
            start, end = X.indptr[row : row + 2]
            values = dict(zip((X.indices[start:end] + 1).tolist(), X.data[start:end].tolist(), strict=True))
            if place == 0:
                values.setdefault(d, 0.0)  # else a last feature that is always 0 would be lost
            labels = ",".join(str(label + 1) for label in np.flatnonzero(ds.Y[row]).tolist())
            if not labels and not values:
                values[1] = 0.0  # an empty line would not be a row
            pairs = [f"{j}:{number_text(value)}" for j, value in values.items()]
            file.write(" ".join(filter(None, [labels, *pairs])) + "\n")
