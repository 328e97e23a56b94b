"""What selectors learn from the data alone. Computed when first asked for, kept, shared by many methods."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from mlfs.blocks import ranges
from mlfs.encoding import one_hot
from mlfs.information import (
    Tables,
    discretize,
    entropy,
    joint_entropy,
    label_interaction,
    labelset,
    mutual_information,
    pairs,
)
from mlfs.information.states import States
from mlfs.selectors.ranking import rank
from mlfs.similarity import center_full_columns
from mlfs.stopping import checkpoint

# Features in a block of the table of all pairs: 8 MiB.
BLOCK = 1024
# Half of that table is kept from product to product up to this size: 22,600 features.
KEPT_LIMIT = 2 << 30


class Evidence:
    """The data, checked, and what `Selector.prepare` notes about how it was prepared."""

    feature_names: np.ndarray | None = None
    preparation: tuple[Any, ...] = ()

    def __init__(self, X: Any, Y: np.ndarray) -> None:
        self.X, self.Y = X, Y
        self._known: dict[Hashable, Any] = {}
        self._lock = threading.RLock()

    def once(self, key: Hashable, compute: Callable[[], Any]) -> Any:
        """Compute a thing the first time it is asked for, and keep it; threads that ask meanwhile wait for it."""
        with self._lock:
            if key not in self._known:
                self._known[key] = compute()
            return self._known[key]

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock = threading.RLock()

    @property
    def sizes(self) -> dict[str, int]:
        """The sizes that parameters' ranges refer to."""
        return {"instances": self.X.shape[0], "features": self.X.shape[1], "labels": self.Y.shape[1]}


class Information(Evidence):
    """Entropies and mutual information of discretised features and labels, in bits.

    Memory: the indicators take about as much as X, the tables d × q numbers each; what a greedy search asks
    for (`conditional_relevance`, `information_with`) is kept at d numbers per picked feature.
    """

    def __init__(
        self,
        X: Any,
        Y: np.ndarray,
        *,
        n_bins: int,
        discretization: str,
        categorical: Sequence[int] = (),
        n_jobs: int | None = None,
    ) -> None:
        super().__init__(X, Y)
        self.n_jobs = n_jobs
        self.features = States.of(discretize(X, n_bins, discretization, categorical))
        self.tables = Tables(self.features, Y, n_jobs=n_jobs)

    @property
    def information(self) -> np.ndarray:
        """(d, q) M(f; l)."""
        return self.tables.information

    @cached_property
    def relevance(self) -> np.ndarray:
        """(d,) Rel(f) = Σ_l M(f; l)."""
        return self.information.sum(axis=1)

    @cached_property
    def feature_entropy(self) -> np.ndarray:
        return entropy(self.features)

    @cached_property
    def label_entropy(self) -> np.ndarray:
        return entropy(self.tables.second)

    @cached_property
    def labelset(self) -> np.ndarray:
        """(n,) the labelset of each row, as one variable."""
        return labelset(self.Y)

    @cached_property
    def labelset_information(self) -> np.ndarray:
        """(d,) M(f; labelset)."""
        return self.information_about(self.labelset)

    @cached_property
    def label_pairs(self) -> np.ndarray:
        """(d,) Σ_{l<l'} I3(f, l, l')."""
        return label_interaction(self.features, self.Y, n_jobs=self.n_jobs)

    def information_about(self, variable: np.ndarray) -> np.ndarray:
        """(d,) M(f; v) for a variable of any number of states."""
        alone = entropy(variable)[0]
        shared = self.feature_entropy + alone - joint_entropy(self.features, variable, n_jobs=self.n_jobs)
        return np.clip(shared, 0.0, np.minimum(self.feature_entropy, alone))

    def information_with(self, s: int) -> np.ndarray:
        """(d,) M(f; s) of every feature with feature s."""
        return self.once(("information_with", s), lambda: self.information_about(self.features.codes(s)))

    def conditional_relevance(self, s: int) -> np.ndarray:
        """(d,) Σ_l M(f; l | s) for feature s."""
        return self.once(
            ("conditional_relevance", s), lambda: self.tables.conditional(self.features.codes(s)).sum(axis=1)
        )

    @property
    def feature_information(self) -> np.ndarray:
        """(d, d) M(f; f'), with H(f) on the diagonal; read-only. It takes 8·d² bytes once it was asked for."""

        def compute() -> np.ndarray:
            table = mutual_information(self.features, n_jobs=self.n_jobs)
            np.fill_diagonal(table, self.feature_entropy)
            table.setflags(write=False)
            return table

        return self.once("feature_information", compute)

    def feature_information_product(self, diagonal: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
        """The function B ↦ G·B for G = M(f; f') beside the given diagonal, made of blocks of G.

        For as long as the function lives it keeps the blocks, which take long, where `kept_bytes` says so; else each
        product computes them anew.
        """
        d = self.sizes["features"]
        known: dict[int, np.ndarray] = {}
        blocks = [(slice(*span), self.features.block(*span)) for span in ranges(d, BLOCK)]
        places = [(upper, lower) for place, upper in enumerate(blocks) for lower in blocks[place:]]
        # All blocks together are large where no single one is.
        information = pairs.information if pairs.suits(self.features, self.features) else mutual_information

        def block(place: int) -> np.ndarray:
            if place in known:
                return known[place]
            (rows, upper), (columns, lower) = places[place]
            table = information(upper, lower, n_jobs=self.n_jobs)
            if rows == columns:
                np.fill_diagonal(table, 0.0)
            if kept_bytes(d):
                known[place] = table
            return table

        def product(B: np.ndarray) -> np.ndarray:
            image = diagonal[:, None] * B
            for place, ((rows, _), (columns, _)) in enumerate(places):
                checkpoint()
                table = block(place)
                image[rows] += table @ B[columns]
                if rows != columns:
                    image[columns] += table.T @ B[rows]
            return image

        return product

    def labels_by_entropy(self, descending: bool = True) -> np.ndarray:
        """Label indices, highest entropy first (or lowest first); ties by index."""
        return rank(self.label_entropy if descending else -self.label_entropy)


def kept_bytes(d: int) -> int:
    """What `Information.feature_information_product` keeps of d features: half of the table of all pairs, or none."""
    # Blocks on the diagonal are whole.
    half = 4 * d * (d + min(d, BLOCK))
    return half if half <= KEPT_LIMIT else 0


class Raw(Evidence):
    """The numbers themselves: categorical columns one-hot, every column without implicit zeros centred by its mean.

    Attributes
    ----------
    columns : the expanded matrix, dense and centred or CSR as it is
    owner : the feature each column belongs to
    varies : whether each column has more than one value
    """

    def __init__(self, X: Any, Y: np.ndarray, *, categorical: Sequence[int] = ()) -> None:
        super().__init__(X, Y)
        self.columns, self.owner = one_hot(X, categorical)
        self.varies = _varies(self.columns)
        if sparse.issparse(self.columns):
            self.columns = center_full_columns(self.columns).tocsr()
        else:
            self.columns = self.columns - self.columns.mean(axis=0)

    def per_feature(self, scores: np.ndarray) -> np.ndarray:
        """Scores of columns to scores of features: a categorical feature is as good as its best category."""
        return best_of_owner(scores, self.owner)


def best_of_owner(scores: np.ndarray, owner: np.ndarray) -> np.ndarray:
    """The best score among the columns of each owner; `owner` is sorted and every owner has a column."""
    return np.maximum.reduceat(scores, np.searchsorted(owner, np.arange(owner[-1] + 1)))


def _varies(columns: Any) -> np.ndarray:
    low, high = columns.min(axis=0), columns.max(axis=0)
    if sparse.issparse(columns):
        low, high = low.toarray().ravel(), high.toarray().ravel()
    return low != high
