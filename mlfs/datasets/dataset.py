"""The one object every reader returns and everything else takes."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from mlfs.checks import described, is_whole
from mlfs.encoding import dense, one_hot, zero_or_one
from mlfs.errors import DatasetError

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Dataset:
    """A multi-label data set. Its arrays are read-only: one copy may serve many sessions.

    Parameters
    ----------
    X : (n, d) float64 array or CSR matrix
        One column per feature. A categorical column holds category codes 0, 1, …
    Y : (n, q) int8 array of 0 and 1
    feature_names, label_names : sequences of str
    name : str
    split : (train_rows, test_rows) or None
        Row indices of the usual train/test split, where the source has one.
    categories : mapping of column index to category names
        The columns of X that are categorical, and what their codes stand for.
    notes : sequence of str
        What the reader did to the file, each a sentence for the user.
    source : str
        Where the data came from.
    truth : object or None
        For synthetic sets, which features matter.

    Examples
    --------
    >>> Dataset([[0.5, 1], [2, 0]], [[1], [0]], ["height", "season"], ["tall"], "toy", categories={1: ["dry", "wet"]})
    <Dataset toy: 2 instances, 2 features (dense), 1 labels>
    """

    X: Any
    Y: np.ndarray
    feature_names: Sequence[str]
    label_names: Sequence[str]
    name: str
    split: tuple[np.ndarray, np.ndarray] | None = None
    categories: Mapping[int, Sequence[str]] = field(default_factory=dict)
    notes: Sequence[str] = ()
    source: str = ""
    truth: Any = None

    def __post_init__(self) -> None:
        self._check_kinds()
        if np.ma.is_masked(self.X) or np.ma.is_masked(self.Y):  # what NumPy would take as if it were not
            raise DatasetError(f"{self.name}: X or Y has masked values: fill them in, or leave out their rows.")
        try:
            if sparse.issparse(self.X):
                X = sparse.csr_matrix(self.X, dtype=np.float64, copy=True)
                X.sum_duplicates()
                X.eliminate_zeros()
            else:
                if (given := np.asarray(self.X)).dtype.kind == "c":
                    raise TypeError("complex numbers")
                X = np.array(given, dtype=np.float64, order="C")
        except (TypeError, ValueError):
            raise DatasetError(f"{self.name}: X must be a table of numbers, not {described(self.X)}.") from None
        if not np.isfinite(X.data if sparse.issparse(X) else X).all():
            raise DatasetError(f"{self.name}: the features in X must be finite numbers; NaN or infinity found.")
        try:
            given = dense(self.Y)
        except ValueError:
            raise DatasetError(f"{self.name}: the labels in Y must be a table of 0 and 1.") from None
        if not zero_or_one(given).all():  # int8 would make 0 of 0.5, and 1 of 257
            raise DatasetError(f"{self.name}: the labels in Y must be 0 or 1.")
        Y = np.array(given, dtype=np.int8, order="C")
        if X.ndim != 2 or Y.ndim != 2 or X.shape[0] != Y.shape[0]:
            raise DatasetError(f"{self.name}: X {X.shape} and Y {Y.shape} must be tables with the same number of rows.")
        if X.shape[1] != len(self.feature_names) or Y.shape[1] != len(self.label_names):
            raise DatasetError(
                f"{self.name}: {X.shape[1]} features and {Y.shape[1]} labels, "
                f"but {len(self.feature_names)} and {len(self.label_names)} names."
            )
        if self.split is not None:
            try:
                split = tuple(np.array(rows, dtype=np.intp) for rows in self.split)
            except (TypeError, ValueError):
                split = ()
            if len(split) != 2 or any(rows.ndim != 1 for rows in split):
                raise DatasetError(f"{self.name}: the split must be two lists of rows, those of training and of test.")
            if any(rows.size and not 0 <= rows.min() <= rows.max() < len(Y) for rows in split):
                raise DatasetError(f"{self.name}: the split names rows outside 0 … {len(Y) - 1}.")
            object.__setattr__(self, "split", split)
        object.__setattr__(self, "X", X)
        object.__setattr__(self, "Y", Y)
        self._make_read_only()
        object.__setattr__(self, "feature_names", tuple(map(str, self.feature_names)))
        object.__setattr__(self, "label_names", tuple(map(str, self.label_names)))
        object.__setattr__(self, "notes", tuple(self.notes))
        categories = {int(j): tuple(map(str, names)) for j, names in sorted(self.categories.items())}
        object.__setattr__(self, "categories", MappingProxyType(categories))

    def _check_kinds(self) -> None:
        """What numbers and texts are made of below must be there."""

        def is_list(value: Any) -> bool:
            is_other = isinstance(value, Mapping) or sparse.issparse(value)
            return isinstance(value, Collection) and not is_other and getattr(value, "ndim", 1) > 0

        for name in ("feature_names", "label_names", "notes"):
            if not is_list(getattr(self, name)):
                raise DatasetError(f"{name} must be a list of texts, not {described(getattr(self, name))}.")
        named = isinstance(self.categories, Mapping) and all(map(is_list, self.categories.values()))
        if not named or not all(map(is_whole, self.categories)):
            raise DatasetError("categories must map the indices of columns to lists of the names of their categories.")

    @classmethod
    def from_frame(cls, frame: pd.DataFrame, labels: Sequence[Any] | int, *, name: str = "frame") -> Dataset:
        """Make a data set of a pandas DataFrame, as the reader of CSV files does.

        Words become categories, in the order of the alphabet or, of a categorical column, in its own; gaps are filled
        with the mean or the most frequent word, and IDs dropped; ``notes`` says so. The index is not used.

        Parameters
        ----------
        frame : DataFrame
            One row per instance.
        labels : names or int
            The label columns: their names, or how many they are, n > 0 for the first n columns and n < 0 for the last.
            Their values are 0 and 1, no and yes, or -1 and 1.
        name : str

        Returns
        -------
        Dataset

        Examples
        --------
        >>> import pandas as pd
        >>> frame = pd.DataFrame({"height": [1.9, 1.5, None], "soil": ["dry", "wet", ""], "tall": ["yes", "no", "yes"]})
        >>> ds = Dataset.from_frame(frame, labels=["tall"])
        >>> ds.X[:, 0].tolist(), ds.Y[:, 0].tolist()
        ([1.9, 1.5, 1.7], [1, 0, 1])
        """
        # The formats need this module, and pandas; most sets do without both.
        from mlfs.datasets.formats.frames import dataset_of

        return dataset_of(frame, labels, name)

    def _make_read_only(self) -> None:
        X = self.X
        for part in (*((X.data, X.indices, X.indptr) if sparse.issparse(X) else (X,)), self.Y, *(self.split or ())):
            part.setflags(write=False)

    def __repr__(self) -> str:
        n, d = self.X.shape
        kind = "sparse" if sparse.issparse(self.X) else "dense"
        return f"<Dataset {self.name}: {n} instances, {d} features ({kind}), {self.Y.shape[1]} labels>"

    def __getstate__(self) -> dict[str, Any]:
        # A mappingproxy does not pickle, and workers receive data sets.
        return {**self.__dict__, "categories": dict(self.categories)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, categories=MappingProxyType(state["categories"]))
        self._make_read_only()  # NumPy's pickles forget it

    @property
    def categorical(self) -> tuple[int, ...]:
        """Indices of the categorical columns, as selectors take them (``categorical_features``)."""
        return tuple(self.categories)

    def one_hot(self) -> tuple[Any, np.ndarray]:
        """X as classifiers see it: each categorical column as one 0/1 column per category.

        Returns the expanded matrix and, for each of its columns, the column of X it came from.
        """
        return one_hot(self.X, self.categorical)

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes that the ranges of parameters refer to."""
        return {"instances": self.X.shape[0], "features": self.X.shape[1], "labels": self.Y.shape[1]}

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the content: the values, the names and the split, however X is stored."""
        digest = hashlib.sha256()

        def add(*arrays: np.ndarray) -> None:
            for array in arrays:
                digest.update(np.ascontiguousarray(array).tobytes())

        X = sparse.csr_matrix(self.X)
        X.sort_indices()
        add(np.array(self.X.shape + self.Y.shape, dtype=np.int64))
        add(X.indptr.astype(np.int64), X.indices.astype(np.int64), X.data.astype(np.float64), self.Y)
        for rows in self.split or ():
            add(np.array([len(rows)], dtype=np.int64), rows.astype(np.int64))
        digest.update(repr((self.feature_names, self.label_names, tuple(self.categories.items()))).encode())
        return digest.hexdigest()
