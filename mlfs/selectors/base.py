"""What all selectors share: a scikit-learn selector in two steps, *prepare* and *tune*.

`prepare(X, Y)` does what depends on the data alone and returns the evidence; `fit_prepared(evidence)` does what
depends on the tuning parameters. `fit` is one after the other. Whoever keeps the evidence tunes for free.

A method is a subclass that declares its parameters as class attributes (see `parameters`) and supplies one step:
`_score` for methods that score each feature once, `_search` for methods that pick one feature after another.
"""

from __future__ import annotations

import itertools
import re
from abc import abstractmethod
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, clone
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_array, check_is_fitted

from mlfs.checks import without_mask
from mlfs.encoding import dense, zero_or_one
from mlfs.errors import ExtensionError, ParameterError, TooLargeError, did_you_mean
from mlfs.extensions import same_definition
from mlfs.information.discretization import BINNINGS
from mlfs.parameters import choice, columns, integer, jobs
from mlfs.selectors.declaration import Declaring, make_docstring
from mlfs.selectors.evidence import Evidence, Information, Raw
from mlfs.selectors.ranking import best, rank
from mlfs.stopping import checkpoint

DEFAULT_SIZE = 50
MEMORY_LIMIT = 8 << 30
# Squares of larger numbers come near the end of floating point.
LARGEST = 1e150

SELECTORS: dict[str, type[Selector]] = {}
#: The groups of methods in menus, in their order there.
FAMILIES = (
    "information",
    "regression with sparsity",
    "latent factors",
    "graph",
    "Pareto",
    "Relief",
    "scikit-learn",
    "baselines",
)
#: What a method says of itself, in class attributes, before it is registered.
DESCRIPTION = ("name", "summary", "formula", "paper", "cost")


def _register(cls: type[Selector]) -> None:
    """Put a method into `SELECTORS`, where everything finds it, if it says of itself what pages and commands need."""
    # Links and commands write a method as its id and parameters, els:n_labels=2, with commas between several.
    who, method = cls.__qualname__, cls.id
    if not re.fullmatch(r"[a-z][a-z0-9_]*", str(method)):
        raise ExtensionError(f"{who}: the id {method!r} must be small letters, digits and underscores.")
    missing = [name for name in DESCRIPTION if not getattr(cls, name, "")]
    if missing:
        raise ExtensionError(f"{who}: say {', '.join(missing)} of the method {method!r} as class attributes.")
    if cls.family not in FAMILIES:
        raise ExtensionError(f"{who}: there is no family {cls.family!r}: {did_you_mean(str(cls.family), FAMILIES)}")
    taken = SELECTORS.get(method, cls)
    if not same_definition(taken, cls):
        raise ExtensionError(
            f"{who}: the id {method!r} is taken by {taken.__module__}.{taken.__qualname__}; choose another."
        )
    SELECTORS[method] = cls


class RankingMixin(SelectorMixin):
    """What whatever ranks features is to scikit-learn: the first `n_selected_` of `ranking_`, for 0/1 labels."""

    n_features_in_: int
    n_selected_: int
    ranking_: np.ndarray

    def _get_support_mask(self) -> np.ndarray:
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[self.ranking_[: self.n_selected_]] = True
        return mask

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        return tags


class Selector(Declaring, RankingMixin, BaseEstimator):
    """Base of all multi-label feature selectors: scikit-learn selectors that also rank.

    Attributes
    ----------
    scores_ : (d,) float array
        Higher is better. For greedy methods the value at the moment of picking, NaN for the never picked.
    ranking_ : int array
        Feature indices, best first. Greedy methods stop at ``n_features_to_select``.
    n_selected_ : int
        Natural size for methods that select sets, else ``n_features_to_select``.
    n_features_in_ : int
        Features of the X that was fitted.
    feature_names_in_ : (d,) array of str
        Their names, where X came with column names.
    notes_ : list of str
        What the user should know about this result, each a sentence.
    """

    id: ClassVar[str]
    """The method's word in commands, links and tables."""
    name: ClassVar[str]
    """What figures and tables call it."""
    long_name: ClassVar[str] = ""
    """What that stands for or does, in a few words, for menus."""
    summary: ClassVar[str]
    """What it does, in one to three sentences."""
    formula: ClassVar[str]
    """What it computes, in LaTeX."""
    paper: ClassVar[str]
    """The paper it is from."""
    year: ClassVar[str] = ""
    """The year of that paper, where it names one."""
    cost: ClassVar[str]
    """How its time, or memory, grows with n rows, d features and q labels."""
    family: ClassVar[str] = FAMILIES[0]
    """Its group in menus, one of `FAMILIES`: measures of single features belong to the first."""
    slips: ClassVar[str] = ""
    """What public programs of it are known to compute instead, in whole sentences."""
    version: ClassVar[str] = ""
    """Raised when a correction changes the method's numbers: a study then computes them anew."""
    variants: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """The values of its parameter `variant`, and what each means."""
    selects_sets: ClassVar[bool] = False
    """Whether it decides itself how many features to select."""

    n_features_to_select: int | None = integer(
        None, 1, "features", "how many features to select", none=f"{DEFAULT_SIZE}, or all where there are fewer"
    )
    categorical_features: Sequence[int] = columns("columns that hold category codes, not numbers", prepares=True)
    n_jobs: int | None = jobs("threads; the result does not depend on it")

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "id" in vars(cls):
            _register(cls)
            named = re.search(r"\b(19|20)\d\d\b", cls.paper)
            cls.year = named[0] if named else ""
        cls.__doc__ = make_docstring(cls)

    def fit(self, X: Any, Y: Any) -> Selector:
        """Select features: `prepare`, then `fit_prepared`.

        Parameters
        ----------
        X : (n, d) array, DataFrame or sparse matrix
            The features, finite numbers.
        Y : (n, q) array, DataFrame or sparse matrix
            The labels, 0 and 1.

        Returns
        -------
        self : Selector
            With `ranking_`, `scores_` and the other fitted attributes.
        """
        return self.fit_prepared(self.prepare(X, Y))

    def prepare(self, X: Any, Y: Any) -> Any:
        """Do what depends on the data alone; the result may serve any number of `fit_prepared`.

        Parameters
        ----------
        X, Y : as `fit` takes them

        Returns
        -------
        evidence : Evidence
            Entropies, tables, factors: what the method's kind needs. Methods of one kind may share it.
        """
        names = np.asarray(X.columns, dtype=object) if hasattr(X, "columns") else None
        # All parameters, not only those that prepare: a bad value is better found before the long part.
        X, Y = _check_data(self, X, Y)
        sizes = Evidence(X, Y).sizes
        self._check_parameters(sizes)
        _check_codes(X, self.categorical_features)
        self._refuse_too_large(sizes)
        evidence = self._evidence(X, Y)
        evidence.feature_names, evidence.preparation = names, self.preparation
        return evidence

    def fit_prepared(self, evidence: Any) -> Selector:
        """Select by what `prepare` made.

        Parameters
        ----------
        evidence : Evidence
            From a selector with the same `preparation`.

        Returns
        -------
        self : Selector
        """
        if not isinstance(evidence, Evidence):
            raise ParameterError(f"{self.id} needs evidence from prepare(X, Y), not {type(evidence).__name__}.")
        self._check_parameters(evidence.sizes)
        self._refuse_too_large(evidence.sizes)
        if evidence.preparation != self.preparation:
            raise ParameterError(
                f"This evidence was prepared as {evidence.preparation}, but {self.id} needs {self.preparation}: "
                "prepare it again."
            )
        if evidence.feature_names is not None and all(isinstance(name, str) for name in evidence.feature_names):
            self.feature_names_in_ = evidence.feature_names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self.n_features_in_ = evidence.sizes["features"]
        self.n_selected_ = self._size(self.n_features_in_)
        self.notes_: list[str] = []
        self.scores_, self.ranking_ = self._rank(evidence)
        return self

    def path(self, evidence: Any, **grids: Iterable[Any]) -> Path:
        """Rankings over a grid of tuning parameters.

        Preparation is shared, and so is whatever the method keeps in the evidence.

        Parameters
        ----------
        evidence : Evidence
            As `fit_prepared` takes it.
        **grids : iterables
            The values of each parameter that varies: ``path(evidence, alpha=[0.1, 1], beta=[1, 10])``.

        Returns
        -------
        path : Path
            One fitted selector per combination.
        """
        cells, selectors = self._grid(grids)
        return Path(cells, tuple(selector.fit_prepared(evidence) for selector in selectors))

    def _grid(self, grids: Mapping[str, Iterable[Any]]) -> tuple[tuple[dict[str, Any], ...], tuple[Any, ...]]:
        """The cells of a grid, and for each a selector that is still to be fitted."""
        for name, values in grids.items():
            if isinstance(values, str) or not hasattr(values, "__iter__"):
                raise ParameterError(f"path needs a list of values for {name}, not {values!r}.")
            if name not in self.parameters:
                raise ParameterError(f"{self.id} has no parameter {name!r}: {did_you_mean(name, self.parameters)}")
        cells = tuple(dict(zip(grids, values, strict=True)) for values in itertools.product(*grids.values()))
        return cells, tuple(clone(self).set_params(**cell) for cell in cells)

    @property
    def preparation(self) -> tuple[Any, ...]:
        """What the evidence depends on beside the data: equal for selectors that can share it."""
        values = {name: getattr(self, name) for name, p in self.parameters.items() if p.prepares}
        values["categorical_features"] = tuple(self.categorical_features)
        return (type(self)._evidence.__qualname__, *sorted(values.items()))

    def prefix_length(self, size: int) -> int:
        """How many features of the ranking the subset of a size holds; 0 where there is no such subset.

        Fewer than the size only where features belong together (`ConstrainedSelector`).
        """
        return size

    def required_bytes(self, sizes: Mapping[str, int]) -> int:
        """Memory needed beyond a few copies of X and d × q numbers; methods with larger tables say so here."""
        return 0

    def _check_parameters(self, sizes: Mapping[str, int]) -> None:
        for parameter in self.parameters.values():
            parameter.check(getattr(self, parameter.name), sizes)

    def _refuse_too_large(self, sizes: Mapping[str, int]) -> None:
        needed = self.required_bytes(sizes)
        if needed > MEMORY_LIMIT:
            raise TooLargeError(
                f"{self.id} would need {needed / 2**30:.1f} GiB for {sizes['instances']} instances, "
                f"{sizes['features']} features and {sizes['labels']} labels, more than the limit of "
                f"{MEMORY_LIMIT / 2**30:.0f} GiB{self._way_out()}."
            )

    def _way_out(self) -> str:
        """What to do instead where `required_bytes` is too much, continuing the sentence."""
        return ": choose fewer features first, for example with els"

    def _size(self, available: int) -> int:
        return min(DEFAULT_SIZE, available) if self.n_features_to_select is None else self.n_features_to_select

    @abstractmethod
    def _evidence(self, X: Any, Y: np.ndarray) -> Any:
        """Compute what depends on the data alone."""

    @abstractmethod
    def _rank(self, evidence: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return scores_ and ranking_."""


@dataclass(frozen=True)
class Path:
    """A method fitted on every cell of a grid.

    Attributes
    ----------
    parameters : one dict per cell, the last named parameter varying fastest
    fitted : one fitted selector per cell
    """

    parameters: tuple[dict[str, Any], ...]
    fitted: tuple[Selector, ...]

    @property
    def scores(self) -> np.ndarray:
        """(cells, d)"""
        return np.stack([selector.scores_ for selector in self.fitted])

    @property
    def rankings(self) -> list[np.ndarray]:
        return [selector.ranking_ for selector in self.fitted]

    @property
    def n_selected(self) -> np.ndarray:
        """(cells,)"""
        return np.array([selector.n_selected_ for selector in self.fitted])


class ScoreSelector(Selector):
    """Methods that give every feature a score, once; the ranking is the order of the scores."""

    @abstractmethod
    def _score(self, evidence: Any) -> np.ndarray:
        """(d,) scores, higher is better; NaN where a feature does not compete."""

    def _rank(self, evidence: Any) -> tuple[np.ndarray, np.ndarray]:
        # A copy: scores may be part of what the evidence keeps for others.
        scores = np.array(self._score(evidence), dtype=np.float64)
        return scores, rank(scores)


class GreedySelector(Selector):
    """Methods that pick one feature after another, each pick changing the scores of the rest."""

    # What `ConstrainedSelector` asks for: features that go before all others, and features that follow one at once.
    _picked_first: Sequence[int] = ()
    _picked_together: Mapping[int, Sequence[int]] = MappingProxyType({})

    @abstractmethod
    def _search(self, evidence: Any) -> Generator[np.ndarray, int, None]:
        """Yield a score for each feature, receive the feature that was picked, and so on for ever."""

    def _rank(self, evidence: Any) -> tuple[np.ndarray, np.ndarray]:
        scores = np.full(self.n_features_in_, np.nan)
        ranking = np.empty(self.n_selected_, dtype=np.intp)
        free, first = (np.full(self.n_features_in_, whether) for whether in (True, False))
        first[list(self._picked_first)] = True
        search = self._search(evidence)
        offered = next(search)
        for position in range(self.n_selected_):
            checkpoint()
            pick = best(np.where(first if first.any() else free, offered, -np.inf))
            ranking[position], scores[pick], free[pick] = pick, offered[pick], False
            first[list(self._picked_together.get(pick, ()))] = True
            first &= free
            if position + 1 < self.n_selected_:
                offered = search.send(pick)
        search.close()
        return scores, ranking


class InformationSelector(Selector):
    """Methods that see discretised features: the parameters of the discretisation, and their evidence."""

    n_bins: int = integer(5, 2, 256, "bins per numeric feature; features with fewer values keep them", prepares=True)
    discretization: str = choice("equal_width", BINNINGS, "how numeric features are cut into bins", prepares=True)

    @property
    def preparation(self) -> tuple[Any, ...]:
        kind, *values = super().preparation
        return (kind, *((name, self._binning if name == "discretization" else value) for name, value in values))

    @property
    def _binning(self) -> str:
        """How features are cut; a variant may do it otherwise than `discretization` says."""
        return self.discretization

    def _evidence(self, X: Any, Y: np.ndarray) -> Information:
        return Information(
            X,
            Y,
            n_bins=self.n_bins,
            discretization=self._binning,
            categorical=self.categorical_features,
            n_jobs=self.n_jobs,
        )


class InformationScore(InformationSelector, ScoreSelector):
    """Information methods that score each feature once."""


class InformationSearch(InformationSelector, GreedySelector):
    """Information methods that pick one feature after another."""


class RawSelector(Selector):
    """Methods that see the raw numbers."""

    def _evidence(self, X: Any, Y: np.ndarray) -> Raw:
        return Raw(X, Y, categorical=self.categorical_features)


class RawScore(RawSelector, ScoreSelector):
    """Methods that score each column once; a categorical feature counts as its best category."""

    def _score(self, evidence: Raw) -> np.ndarray:
        return evidence.per_feature(self._score_columns(evidence))

    @abstractmethod
    def _score_columns(self, evidence: Raw) -> np.ndarray:
        """(columns,) scores of the one-hot expanded columns."""


def _check_data(selector: Selector, X: Any, Y: Any) -> tuple[Any, np.ndarray]:
    """Validate as scikit-learn does, and Y beyond it: 0 and 1 only."""
    if Y is None:
        # The wording scikit-learn's own estimators use, which its checks look for.
        raise ValueError(f"{type(selector).__name__} requires y to be passed, but the target y is None.")
    for values, name in ((X, "X"), (Y, "Y")):
        without_mask(values, name)
    # A copy: the evidence outlives the call, and the caller may change what is theirs. No attribute is set yet.
    X = check_array(
        X, accept_sparse="csr", dtype=np.float64, copy=True, ensure_min_samples=2, estimator=selector, input_name="X"
    )
    if sparse.issparse(X):
        X = sparse.csr_matrix(X)
        X.sum_duplicates()
    largest = np.abs(X.data if sparse.issparse(X) else X).max(initial=0.0)
    if largest > LARGEST:
        raise ValueError(f"X holds values up to {largest:.3g}, whose squares overflow: scale the features first.")
    Y = dense(Y)
    Y = Y[:, None] if Y.ndim == 1 else Y
    if Y.ndim != 2 or Y.shape[1] == 0:
        raise ValueError(f"Y must be a table of rows × labels with at least one label, not of shape {Y.shape}.")
    if len(Y) != X.shape[0]:
        raise ValueError(f"X and Y must have the same rows: X has {X.shape[0]}, Y has {len(Y)}.")
    wrong = ~zero_or_one(Y)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        label = Y[row, column]
        said = repr(str(label)) if isinstance(label, str) else label
        raise ValueError(f"Y must hold only 0 and 1; row {row}, column {column} holds {said}.")
    return X, np.ascontiguousarray(Y, dtype=np.int8)


def _check_codes(X: Any, categorical: Any) -> None:
    """Categories are numbered; a fraction or a negative number is a sign that the column is not one of categories."""
    if len(categorical) == 0:
        return
    columns = X[:, list(categorical)]
    codes = np.asarray(columns.data if sparse.issparse(columns) else columns)
    if ((codes < 0) | (codes != np.floor(codes)) | (codes >= 2**31)).any():
        raise ValueError("Category codes in categorical_features must be whole numbers from 0 to 2147483647.")
