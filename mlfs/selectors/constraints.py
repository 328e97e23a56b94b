"""Features that a selection must keep, must not use, or takes together: for every method, in one place.

Columns that are never used are not there for the method. What is always kept stands first in the ranking; a method
that picks one feature after another starts with it picked, so that what it shares with others counts. The place of a
group is that of its best member, and all of it stands there. A group with one member that is always kept, or never
used, is kept, or left out, as a whole. Sizes count columns: the subset of a size holds whole groups only, as many as
fit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, clone

from mlfs.encoding import dense
from mlfs.errors import ParameterError, did_you_mean
from mlfs.selectors.base import GreedySelector, RankingMixin, Selector

WILD = "*?"


@dataclass(frozen=True)
class Constraints:
    """What a selection has to respect, as column indices; empty, nothing.

    Attributes
    ----------
    always_keep, never_use : columns
    groups : columns that go in or out together
    """

    always_keep: tuple[int, ...] = ()
    never_use: tuple[int, ...] = ()
    groups: tuple[tuple[int, ...], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.always_keep or self.never_use or self.groups)

    def around(self, selector: Selector) -> Selector | ConstrainedSelector:
        """The selector with these constraints; itself where there are none."""
        if not self:
            return selector
        return ConstrainedSelector(selector, always_keep=self.always_keep, never_use=self.never_use, groups=self.groups)


def named_constraints(
    feature_names: Sequence[str],
    always_keep: Iterable[str] = (),
    never_use: Iterable[str] = (),
    groups: Iterable[Iterable[str]] = (),
) -> Constraints:
    """Constraints by the names of features, or by patterns such as ``petal_*`` (``?`` stands for one letter).

    >>> named_constraints(["petal_width", "petal_length", "id"], never_use=["id"], groups=[["petal_*"]])
    Constraints(always_keep=(), never_use=(2,), groups=((0, 1),))
    """
    constraints = Constraints(
        matching(feature_names, always_keep),
        matching(feature_names, never_use),
        tuple(matching(feature_names, words) for words in groups),
    )
    _Units(constraints, feature_names)  # what contradicts itself is told by name
    return constraints


def matching(feature_names: Sequence[str], words: Iterable[str]) -> tuple[int, ...]:
    """The columns that words name, in the order of the columns; a word is a name, or a pattern with ``*`` or ``?``.

    >>> matching(["a1", "a2", "b*"], ["b*", "a2"])
    (1, 2)
    """
    matches: set[int] = set()
    for word in words:
        columns = [j for j, name in enumerate(feature_names) if name == word]
        if not columns and any(sign in word for sign in WILD):
            pattern = re.compile("".join({"*": ".*", "?": "."}.get(sign, re.escape(sign)) for sign in word), re.DOTALL)
            columns = [j for j, name in enumerate(feature_names) if pattern.fullmatch(name)]
        if not columns:
            near = did_you_mean(word, feature_names) if len(feature_names) <= 20 else _near(word, feature_names)
            raise ParameterError(f"No feature is called {word!r}: {near}")
        matches.update(columns)
    return tuple(sorted(matches))


def one_hot_groups(X: Any, feature_names: Sequence[str]) -> tuple[tuple[int, ...], ...]:
    """Neighbouring 0/1 columns of which every row has exactly one, and whose names begin alike up to ``=`` or ``_``.

    >>> X = np.array([[1, 0, 5], [0, 1, 6]])
    >>> one_hot_groups(X, ["colour=red", "colour=blue", "size"])
    ((0, 1),)
    """
    stems = [re.fullmatch(r"(.+)[=_][^=_]*", name, re.DOTALL) for name in feature_names]
    runs: list[list[int]] = []
    for column, stem in enumerate(stems):
        before = stems[column - 1] if column else None
        if stem and before and stem[1] == before[1]:
            runs[-1].append(column)
        else:
            runs.append([column])
    tables = ((run, dense(X[:, run])) for run in runs if len(run) > 1)
    return tuple(tuple(run) for run, table in tables if np.isin(table, (0, 1)).all() and (table.sum(axis=1) == 1).all())


def one_hot_patterns(X: Any, feature_names: Sequence[str]) -> dict[str, int]:
    """Patterns that name the `one_hot_groups`, as far as one can, with their numbers of columns.

    >>> one_hot_patterns(np.array([[1, 0, 5], [0, 1, 6]]), ["colour=red", "colour=blue", "size"])
    {'colour=*': 2}
    """
    patterns = {}
    for group in one_hot_groups(X, feature_names):
        first = feature_names[group[0]]
        pattern = f"{first[: max(first.rfind('='), first.rfind('_')) + 1]}*"
        if matching(feature_names, [pattern]) == group:
            patterns[pattern] = len(group)
    return patterns


class ConstrainedSelector(RankingMixin, BaseEstimator):
    """A method that keeps some features always, does not use others, and takes those of a group together.

    Parameters
    ----------
    selector : Selector
        The method.
    always_keep : sequence of int, default=()
        Columns that stand first in the ranking. A method that picks one feature after another starts with them picked.
    never_use : sequence of int, default=()
        Columns that are not there for the method.
    groups : sequence of sequences of int, default=()
        Columns that go in or out together, where the best of them stands.
    n_features_to_select : int or None, default=None
        At most so many columns of the ranking, whole groups only; what is always kept, or else the first group, even
        where it is more. Methods that select sets are cut by it too. None: as the method has it.

    Attributes
    ----------
    scores_, ranking_, n_selected_, notes_, n_features_in_ : as a `Selector` has them
    selector_ : Selector
        The method as it was fitted, on the columns that may be used.

    Examples
    --------
    >>> from mlfs.selectors import make_selector
    >>> Y = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 5)
    >>> X = np.column_stack([Y[:, 0], np.arange(20) % 3 == 0, Y[:, 1], np.arange(20) % 5 == 0])
    >>> ConstrainedSelector(make_selector("scls"), always_keep=[1], never_use=[0]).fit(X, Y).ranking_
    array([1, 2, 3])
    """

    def __init__(
        self,
        selector: Selector,
        *,
        always_keep: Sequence[int] = (),
        never_use: Sequence[int] = (),
        groups: Sequence[Sequence[int]] = (),
        n_features_to_select: int | None = None,
    ) -> None:
        self.selector = selector
        self.always_keep = always_keep
        self.never_use = never_use
        self.groups = groups
        self.n_features_to_select = n_features_to_select

    @property
    def id(self) -> str:
        return self.selector.id

    @property
    def name(self) -> str:
        return self.selector.name

    @property
    def selects_sets(self) -> bool:
        return self.selector.selects_sets

    @property
    def preparation(self) -> tuple[Any, ...]:
        """As `Selector.preparation`; that of the method itself where all columns may be used."""
        inner = self.selector.preparation
        return (*inner, ("never_use", tuple(sorted(self._unused())))) if self._unused() else inner

    def fit(self, X: Any, Y: Any) -> ConstrainedSelector:
        """As `Selector.fit`."""
        names = np.asarray(X.columns, dtype=object) if hasattr(X, "columns") else None
        self.fit_prepared(self.prepare(X, Y))
        if names is not None and all(isinstance(name, str) for name in names):
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return self

    def prepare(self, X: Any, Y: Any) -> Any:
        """What the method prepares from the columns that may be used."""
        d = int(np.shape(X)[1])
        units = self._units(d)
        if len(units.usable) < d:
            if hasattr(X, "iloc"):
                X = X.iloc[:, units.usable]
            else:
                X = (sparse.csr_matrix(X) if sparse.issparse(X) else np.asarray(X))[:, units.usable]
        return self._inner(units).prepare(X, Y)

    def fit_prepared(self, evidence: Any) -> ConstrainedSelector:
        """As `Selector.fit_prepared`."""
        units = self._units(evidence.sizes["features"] + len(self._unused()))
        inner = self._inner(units).fit_prepared(evidence)
        self.selector_, self.notes_ = inner, list(inner.notes_)
        self.n_features_in_ = units.d
        self.scores_ = np.full(units.d, np.nan)
        self.scores_[units.usable] = inner.scores_
        order = units.usable[inner.ranking_]
        self.ranking_, self._ends = units.ranking(order)
        if self.selects_sets and self.n_features_to_select is None:
            chosen = {*units.kept, *order[: inner.n_selected_].tolist()}
            self.n_selected_ = int(sum(len(unit) for unit in {units.of.get(j, (j,)) for j in chosen}))
        else:
            wanted = self._wanted(len(units.usable))
            self.n_selected_ = self.prefix_length(wanted) or int(self._ends[:1].sum())
            if self.n_selected_ > wanted:
                self.notes_.append(
                    f"{self.n_selected_} features are selected, not {wanted}: what must be kept, or be kept together, "
                    "is that many."
                )
        return self

    def prefix_length(self, size: int) -> int:
        """How many features whole groups, and what is always kept, allow for a size; 0 where not even those fit."""
        place = int(np.searchsorted(self._ends, size, side="right"))
        return int(self._ends[place - 1]) if place else 0

    def _wanted(self, available: int) -> int:
        given = self.n_features_to_select or self.selector.n_features_to_select
        return min(given or self.selector._size(available), available)

    def _needed(self, available: int, kept: int) -> int | None:
        """How many the method has to rank; None where it decides, as long as that is enough for what is kept."""
        given = max(self.n_features_to_select or 0, self.selector.n_features_to_select or 0)
        if not given and kept <= self._wanted(available):
            return None
        return min(max(given, kept), available)

    def _inner(self, units: _Units) -> Selector:
        """The method, on the columns that may be used."""
        place = {int(column): position for position, column in enumerate(units.usable)}
        inner: Selector = clone(self.selector)
        categorical = tuple(place[j] for j in inner.categorical_features if j in place)
        number = self._needed(len(place), len(units.kept))
        inner.set_params(categorical_features=categorical, n_features_to_select=number)
        if isinstance(inner, GreedySelector):
            inner._picked_first = [place[j] for j in units.kept]
            inner._picked_together = {
                place[j]: [place[other] for other in unit] for j, unit in units.of.items() if j in place
            }
        return inner

    def _constraints(self) -> Constraints:
        return Constraints(
            tuple(map(int, self.always_keep)),
            tuple(map(int, self.never_use)),
            tuple(tuple(map(int, group)) for group in self.groups),
        )

    def _units(self, d: int) -> _Units:
        return _Units(self._constraints(), range(d))

    def _unused(self) -> set[int]:
        return _unused(self._constraints())


class _Units:
    """Checked constraints of d columns.

    Attributes
    ----------
    of : column → its whole group, for the columns of groups
    kept : columns that are always kept, groups completed, ascending
    usable : columns that the method sees, ascending
    """

    def __init__(self, constraints: Constraints, names: Sequence[Any]) -> None:
        self.d = len(names)
        self.of: dict[int, tuple[int, ...]] = {}
        for column in (*constraints.always_keep, *constraints.never_use, *(j for g in constraints.groups for j in g)):
            if not 0 <= column < self.d:
                raise ParameterError(f"Columns must be from 0 to {self.d - 1}, not {column}.")
        for group in constraints.groups:
            members = tuple(sorted(set(group)))
            for column in members:
                if column in self.of:
                    raise ParameterError(f"Feature {names[column]!r} is in two groups: leave it in one of them.")
                self.of[column] = members
        kept = {member for column in constraints.always_keep for member in self.of.get(column, (column,))}
        unused = _unused(constraints)
        if both := sorted(kept & unused):
            raise ParameterError(
                f"Feature {names[both[0]]!r}, or its group, is both to be kept and not to be used: decide for one."
            )
        self.kept = sorted(kept)
        self.usable = np.array([column for column in range(self.d) if column not in unused], dtype=np.intp)
        if not len(self.usable):
            raise ParameterError("All features are among those not to be used: leave at least one.")

    def ranking(self, order: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The ranking with what is kept first and groups together, and the sizes at which it may be cut."""
        place = {column: position for position, column in enumerate(order.tolist())}

        def by_place(columns: Iterable[int]) -> list[int]:
            return sorted(columns, key=lambda column: (place.get(column, self.d), column))

        ranking = by_place(self.kept)
        ends, done = [len(ranking)] if ranking else [], set(ranking)
        for column in order.tolist():
            if column not in done:
                members = by_place(self.of.get(column, (column,)))
                ranking += members
                done.update(members)
                ends.append(len(ranking))
        return np.array(ranking, dtype=np.intp), np.array(ends, dtype=np.intp)


def _unused(constraints: Constraints) -> set[int]:
    """The columns that are not used, groups completed."""
    unused = set(constraints.never_use)
    return unused.union(*(group for group in constraints.groups if unused & set(group)))


def _near(word: str, names: Sequence[str]) -> str:
    hint = did_you_mean(word, names)
    return hint if hint.startswith("did you mean") else "check it, or use a pattern such as a*."
