"""What a multi-label data set looks like in numbers, before anything is selected from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from mlfs.checks import checked
from mlfs.datasets.dataset import Dataset
from mlfs.wording import count


@dataclass(frozen=True, eq=False)
class Profile:
    """The measures of one data set.

    Parameters
    ----------
    name : str
    instances, features, labels : int
    cardinality : float
        Mean number of labels per instance.
    density : float
        Cardinality divided by the number of labels.
    distinct_labelsets : int
        How many different rows Y has.
    unlabelled : float
        Share of the instances that have no label.
    mean_imbalance : float or None
        MeanIR of Charte et al. (Neurocomputing 163, 2015): the mean over labels of (positives of the most frequent
        label) / (positives of this label). Labels that are never positive are left out; None if all are.
    never_positive : tuple of str
        The labels left out of ``mean_imbalance``.
    label_names : tuple of str
    label_counts : tuple of int
        Positive instances of each label.
    co_occurrence : (labels, labels) int array, read-only
        In how many instances two labels are positive together; the diagonal is ``label_counts``.
    feature_types : dict of str to int
        How many features are constant (one value), binary (two values, named or not), categorical (three or more
        named values) or numeric (any other).
    """

    name: str
    instances: int
    features: int
    labels: int
    cardinality: float
    density: float
    distinct_labelsets: int
    unlabelled: float
    mean_imbalance: float | None
    never_positive: tuple[str, ...]
    label_names: tuple[str, ...]
    label_counts: tuple[int, ...]
    co_occurrence: np.ndarray
    feature_types: dict[str, int]

    @property
    def label_shares(self) -> tuple[float, ...]:
        """The share of the instances that carry each label."""
        return tuple(count / max(self.instances, 1) for count in self.label_counts)

    @property
    def sentence(self) -> str:
        """What the set is like, in a sentence.

        >>> from mlfs.datasets import load_dataset
        >>> profile(load_dataset("emotions")).sentence
        '593 rows, 72 features and 6 labels; a row has 1.9 labels on average, and a label is on 25% to 45% of the rows.'
        """
        sizes = f"{count(self.instances, 'row')}, {count(self.features, 'feature')} and {count(self.labels, 'label')}"
        shares = self.label_shares
        if not shares or not any(shares):
            return f"{sizes}; no row has a label."
        rarest, commonest = (_percent(share) for share in (min(shares), max(shares)))
        spread = f"{rarest} to {commonest}" if rarest != commonest else rarest
        if self.labels == 1:
            return f"{sizes}, which {commonest} of the rows carry."
        average = f"{self.cardinality:.1f} {'label' if f'{self.cardinality:.1f}' == '1.0' else 'labels'}"
        return f"{sizes}; a row has {average} on average, and a label is on {spread} of the rows."

    def as_dict(self) -> dict[str, Any]:
        """The same in plain values (numbers, strings, lists), ready for JSON."""
        plain = {key: list(value) if isinstance(value, tuple) else value for key, value in vars(self).items()}
        return {**plain, "co_occurrence": self.co_occurrence.tolist(), "feature_types": dict(self.feature_types)}


@checked
def profile(ds: Dataset) -> Profile:
    """Measure a data set.

    Parameters
    ----------
    ds : Dataset

    Returns
    -------
    Profile

    Examples
    --------
    >>> from mlfs.datasets import load_dataset
    >>> p = profile(load_dataset("emotions"))
    >>> p.instances, round(p.cardinality, 3), round(p.density, 3), p.distinct_labelsets
    (593, 1.868, 0.311, 27)
    >>> p.feature_types
    {'numeric': 72, 'binary': 0, 'categorical': 0, 'constant': 0}
    """
    n, q = ds.Y.shape
    # Y is int8: sums and products need wider integers, and few labels are positive at once.
    Y = sparse.csr_array(ds.Y, dtype=np.int64)
    co_occurrence = (Y.T @ Y).toarray()
    co_occurrence.setflags(write=False)
    counts = np.diagonal(co_occurrence)
    occurring = counts[counts > 0]
    per_instance = Y.sum(axis=1)
    return Profile(
        name=ds.name,
        instances=n,
        features=ds.X.shape[1],
        labels=q,
        cardinality=float(counts.sum() / max(n, 1)),
        density=float(counts.sum() / max(n * q, 1)),
        distinct_labelsets=len(np.unique(np.packbits(ds.Y, axis=1), axis=0)),
        unlabelled=float((per_instance == 0).sum() / max(n, 1)),
        mean_imbalance=float((occurring.max() / occurring).mean()) if len(occurring) else None,
        never_positive=tuple(name for name, count in zip(ds.label_names, counts, strict=True) if count == 0),
        label_names=tuple(ds.label_names),
        label_counts=tuple(counts.tolist()),
        co_occurrence=co_occurrence,
        feature_types=_feature_types(ds),
    )


def _percent(share: float) -> str:
    """
    >>> [_percent(share) for share in (0.25, 0.014, 0.0004, 0)]
    ['25%', '1.4%', '0.04%', '0%']
    """
    return f"{100 * share:.0f}%" if share >= 0.095 else f"{100 * share:.2g}%"


def _feature_types(ds: Dataset) -> dict[str, int]:
    lowest, highest, two_valued = (_sparse_extremes if sparse.issparse(ds.X) else _dense_extremes)(ds.X)
    constant = lowest == highest
    binary = two_valued & ~constant
    named = np.zeros(ds.X.shape[1], dtype=bool)
    named[list(ds.categorical)] = True
    categorical = named & ~constant & ~binary
    numeric = ~(constant | binary | categorical)
    kinds = {"numeric": numeric, "binary": binary, "categorical": categorical, "constant": constant}
    return {kind: int(columns.sum()) for kind, columns in kinds.items()}


def _dense_extremes(X: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Smallest and largest value of each column, and whether it has no other."""
    lowest, highest = X.min(axis=0), X.max(axis=0)
    return lowest, highest, ((lowest == X) | (highest == X)).all(axis=0)


def _sparse_extremes(X: sparse.csr_matrix) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """As `_dense_extremes`, from the stored values: what is not stored is zero."""
    n, d = X.shape
    lowest, highest = X.min(axis=0).toarray().ravel(), X.max(axis=0).toarray().ravel()
    extreme = (X.data == lowest[X.indices]) | (X.data == highest[X.indices])
    others = np.bincount(X.indices[~extreme], minlength=d)
    has_zeros = np.bincount(X.indices, minlength=d) < n
    zero_is_extreme = (lowest == 0) | (highest == 0)
    return lowest, highest, (others == 0) & (~has_zeros | zero_is_extreme)
