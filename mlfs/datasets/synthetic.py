"""Data sets whose truth is known: which features drive the labels, which repeat others, which are noise.

On real data nobody knows the right answer; here a ranking can be marked like an examination. Sets have names that say
all that makes them, ``synthetic:n_labels=4,seed=1``, so that a link can hold one. Whoever opens a link has the server
make the set, so that its size is bounded as well as each of its parameters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np
from scipy import sparse as sp

from mlfs.checks import checked
from mlfs.datasets.dataset import Dataset
from mlfs.errors import ParameterError
from mlfs.parameters import Parameter, parse_specification, specification_text

#: The arguments of `make_synthetic`. Sets by name (links, commands, widgets) keep to the ranges; a call may
#: go above those of whole numbers, for its own memory pays.
SYNTHETIC: Mapping[str, Parameter] = MappingProxyType(
    {
        parameter.name: parameter
        for parameter in (
            Parameter("integer", 500, "number of instances", 2, 20_000, name="n_instances"),
            Parameter("integer", 10, "number of features that drive the labels", 1, 100, name="n_relevant"),
            Parameter("integer", 10, "number of features that repeat relevant ones", 0, 200, name="n_redundant"),
            Parameter("integer", 30, "number of features that say nothing", 0, 2000, name="n_irrelevant"),
            Parameter("integer", 6, "number of labels", 1, 100, name="n_labels"),
            Parameter("number", 0.5, "mean correlation of two labels' scores", 0, 0.99, name="label_correlation"),
            Parameter(
                "number", 0.3, "share of the instances that have a label", 0, 1, open_ends=True, name="label_density"
            ),
            Parameter("number", 0.1, "how much scores and redundant features are blurred", 0, 5, name="noise"),
            Parameter("choice", False, "show each feature's upper fifth only", choices=(False, True), name="sparse"),
            Parameter("choice", False, "show only whether a feature is high", choices=(False, True), name="binary"),
            Parameter("integer", 0, "where the random numbers start", 0, 2**31 - 1, name="seed"),
        )
    }
)

PLAIN = "synthetic"
MOST_HERE = 10**10  # values; more than any memory holds is a mistake
MOST_VALUES = 4_000_000  # instances × (features + labels); 32 MB as floating-point numbers
# A sparse set shows a value only above this point: the upper fifth of a standard normal distribution.
_SPARSE_THRESHOLD = 0.8416


@dataclass(frozen=True, eq=False)
class Truth:
    """Which columns of a synthetic set matter. Column indices are those of ``ds.X``.

    Parameters
    ----------
    relevant, redundant, irrelevant : tuples of int
        Each column is in exactly one of them.
    weights : (len(relevant), n_labels) array
        What each relevant column contributes to the score of each label; every row has a weight that is not zero.
    source_of_redundant : tuple of tuples of int
        For each redundant column the one or two relevant columns it was made from.
    """

    relevant: tuple[int, ...]
    redundant: tuple[int, ...]
    irrelevant: tuple[int, ...]
    weights: np.ndarray
    source_of_redundant: tuple[tuple[int, ...], ...]

    def recovery(self, ranking: Sequence[int] | np.ndarray, k: int) -> float:
        """Share of what the first k features could have found: \\|first k ∩ relevant\\| / min(k, \\|relevant\\|).

        It is 1 when the first k are all relevant, or hold all that are. A ranking shorter than k has found less.

        >>> truth = Truth((0, 2), (1,), (3,), np.ones((2, 1)), ((0,),))
        >>> truth.recovery([2, 1, 0, 3], 1), truth.recovery([2, 1, 0, 3], 2), truth.recovery([2, 1, 0, 3], 3)
        (1.0, 0.5, 1.0)
        """
        if k < 1:
            raise ParameterError(f"k must be at least 1, not {k}.")
        hits = set(self.relevant).intersection(int(j) for j in ranking[:k])
        return len(hits) / min(k, len(self.relevant))


@partial(checked, but=[name for name in SYNTHETIC if name not in ("sparse", "binary")])
def make_synthetic(
    n_instances: int = 500,
    n_relevant: int = 10,
    n_redundant: int = 10,
    n_irrelevant: int = 30,
    n_labels: int = 6,
    label_correlation: float = 0.5,
    label_density: float = 0.3,
    noise: float = 0.1,
    sparse: bool = False,
    binary: bool = False,
    seed: int = 0,
) -> Dataset:
    """Make a multi-label data set with known truth (``ds.truth``, a `Truth`).

    Relevant features are independent standard normal variables. The score of a label is a weighted sum of them, of
    variance 1, plus noise; the ``label_density`` of the instances with the highest scores have the label. A redundant
    feature is one relevant feature, or the sum or difference of two, plus noise. Irrelevant features are independent
    of everything. The seed also decides in which column each feature stands.

    Parameters
    ----------
    n_instances, n_relevant, n_redundant, n_irrelevant, n_labels : int
    label_correlation : float from 0 to 0.99
        Mean correlation of two labels' scores before noise. At 0 each label has relevant features of its own (if
        there are as many as labels; else the labels' weights are merely uncorrelated); towards 1 all share the same
        weights. The labels themselves are less correlated than their scores.
    label_density : float in (0, 1)
        Share of positive instances, the same for every label.
    noise : float from 0 to 5
        Standard deviation of what is added to scores and redundant features.
    sparse : bool
        Show only the upper fifth of each feature, the rest as zeros, in a CSR matrix: as word counts look.
    binary : bool
        Show only whether a feature is high: above its median, or in its upper fifth if sparse.
    seed : int

    Returns
    -------
    Dataset

    Examples
    --------
    >>> ds = make_synthetic(seed=1)
    >>> ds
    <Dataset synthetic: 500 instances, 50 features (dense), 6 labels>
    >>> len(ds.truth.relevant), ds.feature_names[ds.truth.relevant[0]]
    (10, 'relevant_1')
    >>> float(ds.Y.mean())
    0.3
    """
    given: dict[str, Any] = dict(locals())
    for name, parameter in SYNTHETIC.items():
        _without_top(parameter).check(given[name])
    if n_instances * (n_relevant + n_redundant + n_irrelevant + n_labels) > MOST_HERE:
        raise ParameterError(f"A synthetic set has at most {MOST_HERE:,} values: make it smaller.")

    rng = np.random.default_rng(seed)
    relevant = rng.standard_normal((n_instances, n_relevant))
    weights = _label_weights(rng, n_relevant, n_labels, label_correlation)
    scores = relevant @ weights + noise * rng.standard_normal((n_instances, n_labels))
    redundant, sources = _redundant(rng, relevant, n_redundant, noise)
    irrelevant = rng.standard_normal((n_instances, n_irrelevant))

    columns = np.hstack([relevant, redundant, irrelevant])
    names = [
        f"{kind}_{i + 1}"
        for kind, count in (("relevant", n_relevant), ("redundant", n_redundant), ("irrelevant", n_irrelevant))
        for i in range(count)
    ]
    order = rng.permutation(len(names))  # column c shows feature order[c]
    column_of = np.argsort(order).tolist()
    weights.setflags(write=False)
    truth = Truth(
        relevant=tuple(column_of[:n_relevant]),
        redundant=tuple(column_of[n_relevant : n_relevant + n_redundant]),
        irrelevant=tuple(column_of[n_relevant + n_redundant :]),
        weights=weights,
        source_of_redundant=tuple(tuple(column_of[j] for j in source) for source in sources),
    )
    return Dataset(
        X=_shown(columns[:, order], sparse=sparse, binary=binary),
        Y=_highest(scores, label_density),
        feature_names=[names[j] for j in order],
        label_names=[f"label_{i + 1}" for i in range(n_labels)],
        name="synthetic",
        source=f"mlfs.datasets.make_synthetic, seed {seed}",
        truth=truth,
    )


@checked
def is_synthetic(name: str) -> bool:
    """Whether a name is that of a synthetic set, with or without parameters.

    Parameters
    ----------
    name : str

    Returns
    -------
    bool

    Examples
    --------
    >>> is_synthetic("synthetic"), is_synthetic("synthetic:seed=1"), is_synthetic("synthetics")
    (True, True, False)
    """
    return name.partition(":")[0] == PLAIN


@checked
def parse_synthetic(name: str) -> dict[str, Any]:
    """The arguments of `make_synthetic` that a name sets.

    Parameters
    ----------
    name : str

    Returns
    -------
    dict

    Examples
    --------
    >>> parse_synthetic("synthetic:n_labels=4,seed=1")
    {'n_labels': 4, 'seed': 1}
    """
    parameters = parse_specification(name, SYNTHETIC)
    sizes = {size: parameters.get(size, SYNTHETIC[size].default) for size in SYNTHETIC if size.startswith("n_")}
    instances = sizes.pop("n_instances")
    if instances * sum(sizes.values()) > MOST_VALUES:
        raise ParameterError(
            f"A synthetic set of {instances} instances with {sum(sizes.values())} features and labels is too large: "
            f"keep their product to {MOST_VALUES:,}."
        )
    return parameters


@checked
def synthetic_name(parameters: Mapping[str, Any]) -> str:
    """The one name of the set that these arguments make: what is the default is left out, in the order of declaration.

    Parameters
    ----------
    parameters : mapping
        Arguments of `make_synthetic`.

    Returns
    -------
    str

    Examples
    --------
    >>> synthetic_name({"seed": 1, "n_relevant": 10, "n_labels": 4})
    'synthetic:n_labels=4,seed=1'
    """
    changed = {
        name: parameters[name]
        for name, parameter in SYNTHETIC.items()
        if name in parameters and parameters[name] != parameter.default
    }
    return specification_text(PLAIN, changed)


def load_synthetic(name: str) -> Dataset:
    """Make the set with this name.

    >>> load_synthetic("synthetic:n_labels=4,seed=1")
    <Dataset synthetic:n_labels=4,seed=1: 500 instances, 50 features (dense), 4 labels>
    """
    parameters = parse_synthetic(name)
    return replace(make_synthetic(**parameters), name=synthetic_name(parameters))


def _without_top(parameter: Parameter) -> Parameter:
    return replace(parameter, high=None) if parameter.kind == "integer" else parameter


def _label_weights(rng: np.random.Generator, r: int, q: int, correlation: float) -> np.ndarray:
    """Weights (r, q) of unit length whose mean pairwise inner product is ``correlation``.

    Label l starts with weights of its own u_l: on the features j with j ≡ l modulo min(r, q), so that every feature
    serves some label. Each u_l is split into its part along the labels' common direction s and a rest v_l of unit
    length orthogonal to s; then w_l = √t·s + √(1−t)·v_l has ⟨w_l, w_m⟩ = t + (1−t)⟨v_l, v_m⟩, whose mean is linear in
    t. With r ≥ q and correlation 0 this gives back w_l = u_l: labels with disjoint features.
    """
    signs = rng.choice([-1.0, 1.0], (r, 1))
    is_own = (np.arange(r)[:, None] - np.arange(q)) % min(r, q) == 0
    u = is_own * rng.uniform(0.5, 1.0, (r, q))
    if min(r, q) == 1:  # one label, or labels that cannot differ
        return signs * u / np.linalg.norm(u, axis=0)
    if r < q:  # labels that share their feature still have to differ
        u += rng.uniform(0.0, 0.5, (r, q))
    u /= np.linalg.norm(u, axis=0)
    s = u.sum(axis=1, keepdims=True)
    s /= np.linalg.norm(s)
    v = u - s * (s.T @ u)
    v /= np.linalg.norm(v, axis=0)
    rest = (np.square(v.sum(axis=1)).sum() - q) / (q * (q - 1))  # mean of the inner products of different v
    t = np.clip((correlation - rest) / (1 - rest), 0, 1)
    return signs * (np.sqrt(t) * s + np.sqrt(1 - t) * v)


def _redundant(
    rng: np.random.Generator, relevant: np.ndarray, count: int, noise: float
) -> tuple[np.ndarray, list[tuple[int, ...]]]:
    """Copies and two-feature mixtures by turns, and the indices of the relevant features each was made from."""
    n, r = relevant.shape
    columns, sources = np.empty((n, count)), []
    for i in range(count):
        size = 1 if i % 2 == 0 or r == 1 else 2
        source = tuple(sorted(rng.choice(r, size, replace=False).tolist()))
        signs = rng.choice([-1.0, 1.0], size)
        columns[:, i] = relevant[:, source] @ signs / np.sqrt(size) + noise * rng.standard_normal(n)
        sources.append(source)
    return columns, sources


def _highest(scores: np.ndarray, density: float) -> np.ndarray:
    """The labels: 1 for the share ``density`` of the highest scores in each column, at least one and never all."""
    n = len(scores)
    count = min(max(round(density * n), 1), n - 1)
    Y = np.zeros(scores.shape, dtype=np.int8)
    np.put_along_axis(Y, np.argsort(-scores, axis=0, kind="stable")[:count], 1, axis=0)
    return Y


def _shown(columns: np.ndarray, *, sparse: bool, binary: bool) -> np.ndarray | sp.csr_matrix:
    """The values as the data set shows them."""
    threshold = _SPARSE_THRESHOLD if sparse else 0.0
    if binary:
        columns = (columns > threshold).astype(np.float64)
    elif sparse:
        columns = np.maximum(columns - threshold, 0.0)
    return sp.csr_matrix(columns) if sparse else columns
