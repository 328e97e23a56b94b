"""Features on one scale, learned from the training rows only."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from mlfs.errors import ParameterError, did_you_mean

SCALINGS = {
    "none": "the numbers as they are",
    "z_score": "mean 0, standard deviation 1",
    "unit": "smallest value 0, largest 1",
}


def scale(train: Any, test: Any, scaling: str) -> tuple[Any, Any]:
    """Scale both parts by what the training part shows; a column constant in training becomes 0 there.

    A sparse matrix is only divided, not shifted, so that it stays sparse: distances do not see the shift, and a
    regression's intercept takes it up.
    """
    if scaling not in SCALINGS:
        raise ParameterError(f"There is no scaling {scaling!r}: {did_you_mean(str(scaling), SCALINGS)}")
    if scaling == "none":
        return train, test
    train, test = (X.astype(np.float64) if sparse.issparse(X) else np.asarray(X, np.float64) for X in (train, test))
    if sparse.issparse(train):
        low, high = train.min(axis=0).toarray().ravel(), train.max(axis=0).toarray().ravel()
        mean = np.asarray(train.mean(axis=0)).ravel()
        spread = np.sqrt(np.maximum(np.asarray(train.multiply(train).mean(axis=0)).ravel() - mean**2, 0.0))
    else:
        low, high, mean, spread = train.min(axis=0), train.max(axis=0), train.mean(axis=0), train.std(axis=0)
    shift, width = (mean, spread) if scaling == "z_score" else (low, high - low)
    # Constant columns: no width; infinity would survive as 0·∞ = NaN, so they are multiplied by 0.
    factor = np.divide(1.0, width, out=np.zeros_like(width), where=(high > low) & (width > 0))
    if sparse.issparse(train):
        stretch = sparse.diags(factor)
        return (train @ stretch).tocsr(), (test @ stretch).tocsr()
    return (train - shift) * factor, (test - shift) * factor
