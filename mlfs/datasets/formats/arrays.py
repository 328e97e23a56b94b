"""Named arrays, as .mat and .npz files hold them: which are the features, which the labels, and which way round.

The names are those under which researchers pass data sets on, in any case of letters. An instance is a row or a column:
the number of instances is the side that features and labels share, the numbers of features and labels are the sides
equal in the training and the test part. Where that leaves a choice, the habit that goes with the names decides. Every
guess is noted, and `ArrayChoice` corrects a wrong one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from mlfs.datasets.formats.errors import Limits, count, excerpt, file_error, listing
from mlfs.datasets.formats.input_files import InputFile
from mlfs.datasets.formats.parsed_table import Column, Origins, ParsedTable
from mlfs.encoding import dense
from mlfs.errors import DatasetError, did_you_mean

#: Which of features (X) and labels (Y) may have an instance in each column, the most usual first.
TRANSPOSED = ("none", "Y", "XY", "X")

_FEATURE_NAMES, _LABEL_NAMES = "feature_names", "label_names"


@dataclass(frozen=True)
class StoredArray:
    """An array in a file, before it is read.

    Parameters
    ----------
    kind : "numbers", "text", "texts", "cell" or "other"
        What `load` gives: a table, dense or sparse; a string; a list of them; a list of stored arrays; nothing.
    shape : tuple of int
    n_values : int
        How many values reading takes memory for.
    load : callable
    """

    kind: str
    shape: tuple[int, ...]
    n_values: int
    load: Callable[[], Any]

    def __str__(self) -> str:
        return " × ".join(map(str, self.shape))


ReadArrays = Callable[[InputFile, Limits], Mapping[str, StoredArray]]


@dataclass(frozen=True)
class ArrayChoice:
    """What the caller knows of the arrays of a file.

    Parameters
    ----------
    variables : tuple of str
        The names of the features and the labels, then of those of the test part; one name where a single table holds
        both. None of them: as the names say.
    transposed : one of `TRANSPOSED` or None
        Which of them have an instance in each column; None: as the sides say.
    """

    variables: tuple[str, ...] = ()
    transposed: str | None = None

    def __post_init__(self) -> None:
        if len(self.variables) not in (0, 1, 2, 4):
            raise DatasetError(
                "The variables are two names, features and labels, or four, with those of the test part after them."
            )
        if self.transposed is not None and self.transposed not in TRANSPOSED:
            raise DatasetError(f"There is no transposed={self.transposed!r}: {did_you_mean('', TRANSPOSED)}")


@dataclass(frozen=True)
class _Habit:
    """Names that go together: features, labels, and those of the test part; and which are usually transposed."""

    names: tuple[str, ...]
    transposed: str = "none"


# A file with both a training and a test part is known by that before it is known by anything else.
_HABITS = (
    _Habit(("train_data", "train_target", "test_data", "test_target"), "Y"),
    _Habit(("x_train", "y_train", "x_test", "y_test")),
    _Habit(("train", "test"), "XY"),  # each a cell {X, Y}
    _Habit(("train_data", "train_target"), "Y"),
    _Habit(("x_train", "y_train")),
    _Habit(("data", "target"), "Y"),
    _Habit(("features", "labels")),
    _Habit(("dataset", "targets")),
    _Habit(("set", "set_answer")),
    _Habit(("input_space", "target_space")),
    _Habit(("data", "labels")),
    _Habit(("x", "y")),
)


@dataclass(frozen=True)
class _Part:
    """The features and labels of the training rows, of the test rows, or of all; no labels where one table has both."""

    file: str
    x_name: str
    X: StoredArray
    y_name: str = ""
    Y: StoredArray | None = None

    def sizes(self, transposed: str) -> tuple[int, int, int, int]:
        """Instances and features, instances and labels, if these are transposed."""
        assert self.Y is not None
        n, d = self.X.shape[::-1] if "X" in transposed else self.X.shape
        m, q = self.Y.shape[::-1] if "Y" in transposed else self.Y.shape
        return n, d, m, q


def read(
    files: Sequence[InputFile], read_arrays: ReadArrays, limits: Limits, choice: ArrayChoice | None = None
) -> ParsedTable:
    """The table in the arrays of one file, which may have a training and a test part, or in those of two files."""
    choice = choice or ArrayChoice()
    parts: list[_Part] = []
    names: dict[str, list[str]] = {}
    habit = "none"
    for file in files:
        stored = read_arrays(file, limits)
        parts_here, habit = _find_parts(file.name, stored, choice)
        if len(files) > 1 and len(parts_here) > 1:
            raise file_error(file.name, None, "it has a training and a test part of its own; give this file alone.")
        parts += parts_here
        names = names or _names(stored, limits)
    n_values = sum(array.n_values for part in parts for array in (part.X, part.Y) if array is not None)
    if n_values > limits.max_cells:
        many = count(limits.max_cells, "value")
        raise file_error(parts[0].file, None, f"more than {many}; use fewer rows, or raise max_cells.")
    if parts[0].Y is None:
        return _one_table(parts, limits, choice, names)
    transposed, notes = _orientation(parts, choice, habit)
    if sum(part.sizes(transposed)[0] for part in parts) > limits.max_rows:
        many = count(limits.max_rows, "row")
        raise file_error(parts[0].file, None, f"more than {many}; use fewer, or raise max_rows.")
    Y = _labels([_loaded(part.Y, "Y" in transposed) for part in parts if part.Y is not None], parts, limits, notes)
    X = _features([_loaded(part.X, "X" in transposed) for part in parts], parts)
    X = _without_labels(X, Y, parts[0].x_name, notes)
    columns = [Column(name) for name in _named(names.get(_FEATURE_NAMES), "f", X.shape[1])]
    columns += [Column(name) for name in _named(names.get(_LABEL_NAMES), "", Y.shape[1])]
    cells = sparse.hstack([X, sparse.csr_matrix(Y)], format="csr") if sparse.issparse(X) else np.hstack([X, Y])
    labels = range(X.shape[1], len(columns))
    return ParsedTable(columns, cells, _origins(parts, transposed), labels, notes)


def checked_csc(data: np.ndarray, rows: np.ndarray, ends: np.ndarray, shape: tuple[int, int]) -> sparse.csc_matrix:
    """A sparse table from its three vectors, which a stranger wrote; ValueError where they do not fit."""
    rows, ends = rows.astype(np.int64), ends.astype(np.int64)
    if len(ends) != shape[1] + 1 or ends[0] != 0 or (np.diff(ends) < 0).any() or ends[-1] > min(len(rows), len(data)):
        raise ValueError("a sparse array with wrong column ends")
    rows = rows[: ends[-1]]
    if len(rows) and not 0 <= rows.min() <= rows.max() < shape[0]:
        raise ValueError("a sparse array with rows outside it")
    return sparse.csc_matrix((data[: ends[-1]].astype(np.float64), rows, ends), shape=shape)


def _find_parts(file: str, stored: Mapping[str, StoredArray], choice: ArrayChoice) -> tuple[list[_Part], str]:
    """The parts, and which of X and Y their names usually mean to be transposed."""
    if choice.variables:
        names = [_asked(file, stored, name) for name in choice.variables]
        habit = next((each for each in _HABITS if each.names[:2] == tuple(map(str.lower, names[:2]))), _Habit(()))
    else:
        by_small_name = {name.lower(): name for name in reversed(list(stored))}
        fitting = (each for each in _HABITS if all(name in by_small_name for name in each.names))
        known = next(fitting, None)
        if known is None:
            tables = [name for name, array in stored.items() if is_table(array)]
            if len(tables) != 1:
                raise file_error(file, None, _unknown(stored))
            known = _Habit((tables[0].lower(),))
        habit, names = known, [by_small_name[name] for name in known.names]
    pairs = _cells(file, stored, names)
    if pairs is None:
        pairs = [[(name, stored[name]) for name in names[start : start + 2]] for start in range(0, len(names), 2)]
    parts = []
    for pair in pairs:
        for name, array in pair:
            if not is_table(array):
                raise file_error(file, None, f"{excerpt(name)} is not a table of numbers; say which variables are.")
        (x_name, X), *rest = pair
        parts.append(_Part(file, x_name, X, *(rest[0] if rest else ())))
    return parts, habit.transposed


def _asked(file: str, stored: Mapping[str, StoredArray], name: str) -> str:
    if name in stored:
        return name
    for other in stored:
        if other.lower() == name.lower():
            return other
    raise file_error(file, None, f"it has no variable {excerpt(name)}; {did_you_mean(name, list(stored)[:20])}")


def _cells(
    file: str, stored: Mapping[str, StoredArray], names: Sequence[str]
) -> list[list[tuple[str, StoredArray]]] | None:
    """Features and labels out of cells {X, Y}, one for each part; None where the names are no cells."""
    if not all(stored[name].kind == "cell" for name in names):
        return None
    pairs = []
    for name in names:
        if math.prod(stored[name].shape) != 2:
            raise file_error(
                file, None, f"the cell {excerpt(name)} does not have two parts, features and labels; correct it."
            )
        pairs.append([(f"{name}{{{place}}}", array) for place, array in enumerate(stored[name].load(), start=1)])
    return pairs


def is_table(array: StoredArray) -> bool:
    """Whether an array can be features or labels."""
    return array.kind == "numbers" and len(array.shape) == 2 and min(array.shape) > 0


def _unknown(stored: Mapping[str, StoredArray]) -> str:
    tables = [f"{name} {array}" for name, array in stored.items() if is_table(array)]
    if not tables:
        return "it holds no table of numbers; save features and labels as two matrices, such as data and target."
    return f"its variables ({listing(tables)}) do not tell features from labels; name both by the option variables."


def _orientation(parts: Sequence[_Part], choice: ArrayChoice, habit: str) -> tuple[str, list[str]]:
    """Which of X and Y are transposed, and what to say of it."""
    part = parts[0]
    fitting = [way for way in TRANSPOSED if _fits(parts, way) and choice.transposed in (None, way)]
    if not fitting:
        sides = "; ".join(f"{each.x_name} is {each.X}, {each.y_name} is {each.Y}" for each in parts)
        sentence = f"features and labels do not have the same number of instances ({sides}); name other variables"
        if choice.transposed is not None and any(_fits(parts, way) for way in TRANSPOSED):
            sentence += f", or leave out transposed={choice.transposed}"
        raise file_error(part.file, None, f"{sentence}.")
    way = habit if habit in fitting else fitting[0]
    x_has, y_has = ("column" if which in way else "row" for which in "XY")
    note = f"The features are {part.x_name}, an instance in each {x_has}; the labels {part.y_name}, one in each {y_has}"
    if len(fitting) > 1:
        note += ": the sizes would fit another way too, so check this"
    return way, [f"{note}."]


def _fits(parts: Sequence[_Part], transposed: str) -> bool:
    sizes = [part.sizes(transposed) for part in parts]
    return all(n == m for n, _, m, _ in sizes) and len({(d, q) for _, d, _, q in sizes}) == 1


def _loaded(array: StoredArray, transpose: bool) -> Any:
    table = array.load()
    return table.T if transpose else table


def _features(tables: list[Any], parts: Sequence[_Part]) -> Any:
    for part, table in zip(parts, tables, strict=True):
        if np.isinf(table.data if sparse.issparse(table) else table).any():
            raise file_error(
                part.file, None, f"{part.x_name} holds infinity; correct it, or write NaN where it is missing."
            )
    if any(map(sparse.issparse, tables)):
        return sparse.vstack(tables, format="csr")
    return np.vstack(tables)


def _labels(tables: list[Any], parts: Sequence[_Part], limits: Limits, notes: list[str]) -> np.ndarray:
    """Y as 0 and 1."""
    part = parts[0]
    if sum(math.prod(table.shape) for table in tables) > limits.max_cells:
        raise file_error(part.file, None, "too many rows × labels; use fewer, or raise max_cells.")
    Y = np.vstack([dense(table) for table in tables])
    values = np.unique(Y)
    if np.isin(values, (0, 1)).all():
        return Y
    if np.isin(values, (-1, 1)).all():
        notes.append("The labels were -1 and 1: -1 was read as 0.")
        return (Y == 1).astype(np.float64)
    if np.isin(values, (-1, 0, 1)).all():
        raise file_error(
            part.file, None, f"{part.y_name} holds -1, 0 and 1, where 0 means unknown; decide those first."
        )
    bad = "NaN" if np.isnan(values).any() else f"{values[~np.isin(values, (-1, 0, 1))][0]:g}"
    raise file_error(part.file, None, f"{part.y_name} holds {bad}; labels are 0 and 1, or -1 and 1.")


def _without_labels(X: Any, Y: np.ndarray, x_name: str, notes: list[str]) -> Any:
    """Cut off a copy of the labels that stands in the last columns of X."""
    q = Y.shape[1]
    if X.shape[1] <= q:
        return X
    last = dense(X[:, -q:])
    if not (np.array_equal(last, Y) or np.array_equal(last, 2 * Y - 1)):
        return X
    notes.append(f"The last {count(q, 'column')} of {x_name} repeat the labels, and are no features.")
    return X[:, :-q]


def _one_table(
    parts: Sequence[_Part], limits: Limits, choice: ArrayChoice, names: Mapping[str, list[str]]
) -> ParsedTable:
    """One table with features and labels, which it does not tell apart."""
    transposed = "X" if "X" in (choice.transposed or "") else "none"
    cells = _features([_loaded(part.X, transposed == "X") for part in parts], parts)
    if cells.shape[0] > limits.max_rows:
        many = count(limits.max_rows, "row")
        raise file_error(parts[0].file, None, f"more than {many}; use fewer, or raise max_rows.")
    columns = [Column(name) for name in _named(None, "column ", cells.shape[1])]
    note = f"The file has one table, {parts[0].x_name}: its columns are named by their place."
    return ParsedTable(columns, cells, _origins(parts, transposed), notes=[note])


def _origins(parts: Sequence[_Part], transposed: str) -> Origins:
    return Origins.of_rows([(part.file, part.X.shape["X" in transposed]) for part in parts])


def _names(stored: Mapping[str, StoredArray], limits: Limits) -> dict[str, list[str]]:
    """The names of features and labels, where the file has them."""
    names = {}
    for which in (_FEATURE_NAMES, _LABEL_NAMES):
        array = stored.get(which)
        if array is None or array.n_values > limits.max_features + limits.max_labels:
            continue
        if array.kind == "texts":
            names[which] = array.load()
        elif array.kind == "cell":
            texts = array.load()
            if all(text.kind == "text" for text in texts):
                names[which] = [text.load() for text in texts]
    return names


def _named(names: list[str] | None, letter: str, number: int) -> list[str]:
    """The names in the file where there are as many as needed, else numbers."""
    if names is not None and len(names) == number:
        return names
    return [f"{letter}{place}" for place in range(1, number + 1)]
