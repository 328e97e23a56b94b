"""What public functions are given, checked in one place: the value in the form the work needs, or a sentence.

`checked` reads the annotations of a function, so that what it wants stands once, in its signature; what an annotation
cannot say (a table of finite numbers, different indices) is said by the functions below it.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import reprlib
import sys
import types
import typing
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Integral, Real
from typing import Annotated, Any, TypeVar, Union

import numpy as np
from scipy import sparse

from mlfs.errors import ParameterError

Function = TypeVar("Function", bound=Callable[..., Any])
# An argument may be a list of millions; a sentence should not.
_SHORT = reprlib.Repr()
_SHORT.maxlong, _SHORT.maxstring, _SHORT.maxother, _SHORT.maxlist, _SHORT.maxdict = 40, 60, 60, 4, 4
_LOOKED_AT = 1000  # entries of a list
_LISTS = (Sequence, Iterable, Collection, list, tuple, set, frozenset)


def described(value: Any) -> str:
    """A value in a sentence: short, and in one line.

    >>> described(np.zeros((2, 3))), described([1] * 9), described("a\\nb")
    ('an array of shape (2, 3)', '[1, 1, 1, 1, ...]', "'a\\\\nb'")
    """
    if isinstance(value, np.ndarray) or sparse.issparse(value):
        return f"an array of shape {value.shape}"
    if type(value).__module__.partition(".")[0] == "pandas":
        return f"a {type(value).__name__}"
    return " ".join(_SHORT.repr(value).split())


def checked(function: Function, but: Collection[str] = ()) -> Function:
    """Check the arguments of a function against its annotations at every call; classes by `isinstance`, lists by entry.

    Where `Sides` are annotated, lists of numbers are given to the function as arrays. What the function itself has a
    better sentence for is named in `but`: ``@partial(checked, but=["labels"])``.

    >>> @checked
    ... def double(number: int, times: Sequence[float] = ()) -> int:
    ...     return 2 * number
    >>> double(2)
    4
    >>> double("2")
    Traceback (most recent call last):
    mlfs.errors.ParameterError: double: number must be a whole number, not '2'.
    >>> double(2, times=[1, None])
    Traceback (most recent call last):
    mlfs.errors.ParameterError: double: times must be a list of numbers, not [1, None].
    >>> @checked
    ... def draw(Z: Annotated[np.ndarray, Sides("d", "q")], names: Annotated[Sequence[str], Sides("d")]) -> None:
    ...     pass
    >>> draw([[1.0, 2.0], [3.0, 4.0]], ["a"])
    Traceback (most recent call last):
    mlfs.errors.ParameterError: draw: Z of shape (2, 2) and names of length 1 do not match.
    """
    parameters = inspect.signature(function).parameters.values()
    names = [p.name for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    many = next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), "")  # Python tells of too many
    others = next((p.name for p in parameters if p.kind is p.VAR_KEYWORD), "")
    kinds: dict[str, _Kind] = {}
    sides: dict[str, _Sided] = {}

    @functools.wraps(function)
    def call(*positional: Any, **named: Any) -> Any:
        if not kinds:  # at the first call: what it is annotated with may be defined below it
            kinds.update({name: kind for name, kind in _kinds(function, sides).items() if name not in but})
        given = itertools.zip_longest(names[: len(positional)], positional, fillvalue=many)
        for name, value in itertools.chain(given, named.items()):
            kind = kinds.get(name) if name != others else None
            if kind is not None and not kind.allows(value):
                sentence = f"{function.__name__}: {name} must be {kind.words}, not {described(value)}."
                raise ParameterError(sentence)
        if sides:
            known = dict(zip(names, positional, strict=False)) | named
            try:
                arrays = _fitting({name: (*sides[name], value) for name, value in known.items() if name in sides})
            except ParameterError as problem:
                raise ParameterError(f"{function.__name__}: {problem}") from None
            rest = positional[len(names) :]
            positional = (*(arrays.get(name, value) for name, value in zip(names, positional, strict=False)), *rest)
            named = {name: arrays.get(name, value) for name, value in named.items()}
        return function(*positional, **named)

    return typing.cast(Function, call)


@dataclass(frozen=True, init=False)
class Sides:
    """The sides of an array or a list, in an annotation: those of one function that share a name are equally long.

    Parameters
    ----------
    names : one for each side; a number where it is that long
    of : "numbers", "whole numbers" or "True and False"
    """

    names: tuple[str | int, ...]
    of: str

    def __init__(self, *names: str | int, of: str = "numbers") -> None:
        object.__setattr__(self, "names", names)
        object.__setattr__(self, "of", of)


@dataclass(frozen=True)
class IndicesOf:
    """Different indices of the entries along a side of another argument, in an annotation."""

    side: str


#: Annotations for what is about d features and q labels.
FeatureNames = Annotated[Sequence[str], Sides("d")]
LabelNames = Annotated[Sequence[str], Sides("q")]
Features = Annotated[Sequence[int] | np.ndarray, IndicesOf("d")]
OfFeatures = Annotated[np.ndarray, Sides("d")]
OfLabels = Annotated[np.ndarray, Sides("q")]
FeaturesByLabels = Annotated[np.ndarray, Sides("d", "q")]

# What is annotated, and whether of an array.
_Sided = tuple[Sides | IndicesOf, bool]


def _fitting(given: Mapping[str, tuple[Sides | IndicesOf, bool, Any]]) -> dict[str, Any]:
    """Arrays and indices as arrays; refused are sides of one name that differ, and indices beyond theirs."""
    lengths: dict[str | int, tuple[int, str]] = {}
    arrays: dict[str, Any] = {}
    for name, (sides, is_array, value) in given.items():
        if isinstance(sides, IndicesOf) or value is None:
            continue
        if is_array:
            arrays[name] = value = np.asarray(value)
        shape = value.shape if is_array else (len(value),)
        shaped = f"{name} of shape {shape}" if len(shape) > 1 else f"{name} of length {shape[0]}"
        for side, length in zip(sides.names, shape, strict=True):
            if isinstance(side, int) and length != side:
                raise ParameterError(f"{name} must have {side} columns, not {length}.")
            before, other = lengths.setdefault(side, (length, shaped))
            if length != before:
                raise ParameterError(
                    f"{shaped} must be square." if other == shaped else f"{other} and {shaped} do not match."
                )
    for name, (sides, _, value) in given.items():
        if isinstance(sides, IndicesOf) and value is not None:
            arrays[name] = indices(value, lengths[sides.side][0], name, empty=True)
    return arrays


@dataclass(frozen=True)
class _Kind:
    """What a value may be, and how a sentence says it, of one and of several."""

    allows: Callable[[Any], bool]
    words: str
    several: str


def _kinds(function: Callable[..., Any], sides: dict[str, _Sided]) -> dict[str, _Kind]:
    """What each argument may be; those whose sides are annotated are noted in `sides`, too."""
    known = {**vars(typing), **vars(sys.modules[function.__module__])}
    kinds = {}
    for name, hint in inspect.get_annotations(function).items():
        if isinstance(hint, str):
            try:
                hint = eval(hint, known)
            except NameError:  # imported for type checkers only
                continue
        if name != "return" and (kind := _kind(hint)) is not None:
            kinds[name] = kind
            if (declared := _declared_sides(hint)) is not None:
                sides[name] = declared
    return kinds or {"": _ANYTHING}


def is_whole(value: Any) -> bool:
    """Whether it is a whole number; True and False are none."""
    return isinstance(value, Integral) and not isinstance(value, bool | np.bool_)


def is_list(value: Any) -> bool:
    """Whether its entries can be gone through: a text is one thing, and so are a mapping and a sparse table."""
    single = isinstance(value, str | bytes | Mapping) or sparse.issparse(value) or getattr(value, "ndim", 1) < 1
    return isinstance(value, Iterable) and not single


def _is_real(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool | np.bool_) and bool(value == value)


_ANYTHING = _Kind(lambda value: True, "anything", "anything")
_SIMPLE: dict[Any, _Kind] = {
    int: _Kind(is_whole, "a whole number", "whole numbers"),
    float: _Kind(_is_real, "a number", "numbers"),
    str: _Kind(lambda value: isinstance(value, str), "a text", "texts"),
    bool: _Kind(lambda value: isinstance(value, bool | np.bool_), "True or False", "True and False"),
    None: _Kind(lambda value: value is None, "None", "None"),
    type(None): _Kind(lambda value: value is None, "None", "None"),
    np.ndarray: _Kind(lambda value: _is_array(value), "an array of numbers", "arrays of numbers"),
}
_ARRAYS = {1: ("a vector of", "vectors of"), 2: ("a table of", "tables of")}
_OF = {"numbers": "biuf", "whole numbers": "iu", "True and False": "b"}


def _declared_sides(hint: Any) -> _Sided | None:
    for part in (hint, *typing.get_args(hint)):  # of an optional one, too
        if typing.get_origin(part) is Annotated:
            base, sides = typing.get_args(part)
            return sides, _is_of_arrays(base)
    return None


def _is_of_arrays(base: Any) -> bool:
    return np.ndarray in (base, *typing.get_args(base))


def _array_kind(sides: Sides) -> _Kind:
    """An array of so many sides; NaN and infinity are the function's business."""
    words = [f"{start} {sides.of}" for start in _ARRAYS[len(sides.names)]]
    return _Kind(lambda value: _is_array(value, len(sides.names), _OF[sides.of]), *words)


def _is_array(value: Any, sides: int | None = None, dtypes: str = "biuf") -> bool:
    """Whether it is numbers, in an array or in lists that make one."""
    if not isinstance(value, np.ndarray):
        if not isinstance(value, Sequence) or isinstance(value, str | bytes):
            return False
        try:
            value = np.asarray(value)
        except (TypeError, ValueError, OverflowError):
            return False
    return (value.dtype.kind in dtypes or value.size == 0) and sides in (None, value.ndim)


def _kind(hint: Any) -> _Kind | None:
    """What an annotation asks for; None where it asks for nothing that can be checked."""
    if hint in (Any, object) or isinstance(hint, TypeVar):
        return None
    try:
        if hint in _SIMPLE:
            return _SIMPLE[hint]
    except TypeError:
        return None
    origin, parts = typing.get_origin(hint), typing.get_args(hint)
    if origin is Annotated:
        return _array_kind(parts[1]) if isinstance(parts[1], Sides) and _is_of_arrays(parts[0]) else _kind(parts[0])
    if origin in (Union, types.UnionType):
        return _any_of([_kind(part) for part in parts])
    if origin is tuple and parts and parts[-1] is not Ellipsis:
        return _tuple_of([_kind(part) for part in parts])
    if origin in _LISTS or hint in _LISTS:
        return _list_of(_kind(parts[0]) if parts else None, origin or hint)
    if origin in (Mapping, dict) or hint in (Mapping, dict):
        return _mapping_to(_kind(parts[1]) if parts else None)
    if origin is Callable or hint is Callable:
        return _Kind(callable, "a function", "functions")
    cls = origin or hint
    if not isinstance(cls, type):
        return None
    name = cls.__name__
    if getattr(cls, "_is_protocol", False):
        members = {*(name for name in vars(cls) if not name.startswith("_")), *inspect.get_annotations(cls)}
        return _Kind(lambda value: all(hasattr(value, member) for member in members), f"a {name}", f"{name}s")
    return _Kind(lambda value: isinstance(value, cls), f"{'an' if name[0] in 'AEIOU' else 'a'} {name}", f"{name}s")


def _any_of(kinds: list[_Kind | None]) -> _Kind | None:
    known = [kind for kind in kinds if kind is not None]
    if len(known) < len(kinds):
        return None
    words = (" or ".join(dict.fromkeys(getattr(kind, which) for kind in known)) for which in ("words", "several"))
    return _Kind(lambda value: any(kind.allows(value) for kind in known), *words)


def _list_of(entry: _Kind | None, wanted: Any) -> _Kind:
    unordered = wanted in (Iterable, Collection, set, frozenset)
    of_lists = entry is None or "list" in entry.words or "array" in entry.words

    def allows(value: Any) -> bool:
        if isinstance(value, Mapping) and wanted is Iterable:
            return all(map(entry.allows, itertools.islice(value, _LOOKED_AT))) if entry else True
        if not is_list(value) or (getattr(value, "ndim", 1) > 1 and not of_lists):
            return False
        if not unordered and not hasattr(value, "__getitem__"):
            return False
        if entry is None or not hasattr(value, "__len__"):
            return True  # what can be gone through once is not gone through here
        return all(map(entry.allows, itertools.islice(value, _LOOKED_AT)))

    of = "" if entry is None else f" of {entry.several}"
    return _Kind(allows, f"a list{of}", f"lists{of}")


def _tuple_of(entries: list[_Kind | None]) -> _Kind:
    def allows(value: Any) -> bool:
        return (
            isinstance(value, tuple | list)
            and len(value) == len(entries)
            and all(entry is None or entry.allows(part) for entry, part in zip(entries, value, strict=True))
        )

    of = ", ".join("anything" if entry is None else entry.words for entry in entries)
    return _Kind(allows, f"a tuple of {of}", f"tuples of {of}")


def _mapping_to(entry: _Kind | None) -> _Kind:
    if entry is _SIMPLE[float]:  # among several, NaN stands for a number that there is not
        entry = replace(entry, allows=lambda value: isinstance(value, Real) and not isinstance(value, bool | np.bool_))

    def allows(value: Any) -> bool:
        return isinstance(value, Mapping) and (
            entry is None or all(map(entry.allows, itertools.islice(value.values(), _LOOKED_AT)))
        )

    to = "" if entry is None else f" to {entry.several}"
    return _Kind(allows, f"a mapping{to}", f"mappings{to}")


# What annotations cannot say


def table(X: Any, name: str = "X", *, columns: int | None = None) -> Any:
    """A table of finite numbers, (n, d) with n and d from 1: a float array, or a CSR matrix where it was sparse.

    Parameters
    ----------
    columns : how many it must have, where that is known

    Examples
    --------
    >>> table([[1, 2], [3, 4]]).shape
    (2, 2)
    >>> table([[1.0, float("nan")]])
    Traceback (most recent call last):
    mlfs.errors.ParameterError: X must be a table of finite numbers: NaN or infinity found.
    """
    wanted = f"{name} must be a table of numbers, rows × columns, not {{}}."
    without_mask(X, name)
    if not sparse.issparse(X):
        try:
            given = np.asarray(X)
            X = given if given.dtype.kind in "biuf" else given.astype(np.float64) if given.dtype.kind == "O" else None
        except (TypeError, ValueError):
            X = None
        if X is None:
            raise ParameterError(wanted.format("texts, complex numbers or lists of different length"))
        X = X.astype(np.float64, copy=False)
    elif X.dtype.kind not in "biuf":
        raise ParameterError(wanted.format("complex numbers"))
    else:
        X = X.tocsr()
    if X.ndim != 2 or 0 in X.shape:
        raise ParameterError(wanted.format(f"of shape {X.shape}"))
    if not np.isfinite(X.data if sparse.issparse(X) else X).all():
        raise ParameterError(f"{name} must be a table of finite numbers: NaN or infinity found.")
    if columns is not None and X.shape[1] != columns:
        raise ParameterError(f"{name} must have {columns} columns, as the table that it goes with, not {X.shape[1]}.")
    return X


def without_mask(values: Any, name: str) -> Any:
    """The values; refused where some are masked, which NumPy would take as if they were not.

    >>> without_mask(np.ma.masked_array([1, 2], mask=[True, False]), "X")
    Traceback (most recent call last):
    mlfs.errors.ParameterError: X has masked values: fill them in, or leave out their rows.
    """
    if np.ma.is_masked(values):
        raise ParameterError(f"{name} has masked values: fill them in, or leave out their rows.")
    return values


def same_order(first: Any, second: Any, names: str) -> None:
    """Refuse two DataFrames that have the same columns in another order: they are used by place.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"a": [1], "b": [2]})
    >>> same_order(frame, frame[["b", "a"]], "X_train and X_test")
    Traceback (most recent call last):
    mlfs.errors.ParameterError: X_train and X_test have the same columns in another order: give both the same.
    """
    before, after = (list(getattr(each, "columns", ())) for each in (first, second))
    if before != after and len(before) == len(after) and set(before) == set(after):
        raise ParameterError(f"{names} have the same columns in another order: give both the same.")


def indices(values: Any, n: int, name: str, *, what: str = "feature indices", empty: bool = False) -> np.ndarray:
    """Different whole numbers from 0 to n − 1, as an array.

    >>> indices([2, 0], 3, "subset")
    array([2, 0])
    >>> indices([2, 3], 3, "subset")
    Traceback (most recent call last):
    mlfs.errors.ParameterError: subset must hold feature indices from 0 to 2, not 3.
    """
    try:
        numbers = np.asarray(values)
    except ValueError:
        numbers = np.zeros((0, 0))
    if numbers.ndim == 1 and numbers.size == 0 and empty:
        return np.zeros(0, dtype=np.intp)
    if numbers.ndim != 1 or numbers.size == 0 or numbers.dtype.kind not in "iu" or isinstance(values, set | Mapping):
        raise ParameterError(f"{name} must be a list of different {what}, not {described(values)}.")
    wrong = numbers[(numbers < 0) | (numbers >= n)]
    if wrong.size:
        raise ParameterError(f"{name} must hold {what} from 0 to {n - 1}, not {wrong[0]}.")
    if len(np.unique(numbers)) < len(numbers):
        raise ParameterError(f"{name} must be a list of different {what}: some occur twice.")
    return numbers.astype(np.intp)


def table_columns(table: Any, needed: Sequence[str], what: str) -> None:
    """Refuse a table that lacks a column.

    >>> import pandas as pd
    >>> table_columns(pd.DataFrame({"size": [1]}), ["size", "value"], "curves")
    Traceback (most recent call last):
    mlfs.errors.ParameterError: The table of curves lacks the column 'value'; it needs size, value.
    """
    if missing := [name for name in needed if name not in table.columns]:
        raise ParameterError(f"The table of {what} lacks the column '{missing[0]}'; it needs {', '.join(needed)}.")


def numbers(values: Any, name: str) -> np.ndarray:
    """Numbers in whatever form as a vector of floats, NaN among them.

    >>> numbers([[1], [2]], "values")
    array([1., 2.])
    >>> numbers("a", "values")
    Traceback (most recent call last):
    mlfs.errors.ParameterError: values must be numbers, not 'a'.
    """
    array = values.toarray() if sparse.issparse(values) else values
    try:
        array = np.asarray(array)
        array = array.astype(np.float64) if array.dtype.kind in "biufO" else None
    except (TypeError, ValueError):
        array = None
    if array is None:
        raise ParameterError(f"{name} must be numbers, not {described(values)}.")
    return array.ravel()


def number(name: str, value: Any, least: float, most: float) -> float:
    """A number within these bounds.

    >>> number("height", float("inf"), 1, 10_000)
    Traceback (most recent call last):
    mlfs.errors.ParameterError: height must be a number from 1 to 10000, not inf.
    """
    if not _is_real(value) or not least <= value <= most:
        raise ParameterError(f"{name} must be a number from {least:g} to {most:g}, not {described(value)}.")
    return float(value)


def flag(name: str, value: Any) -> bool:
    """True or False.

    >>> flag("lower_is_better", "no")
    Traceback (most recent call last):
    mlfs.errors.ParameterError: lower_is_better must be True or False, not 'no'.
    """
    if not isinstance(value, bool | np.bool_):
        raise ParameterError(f"{name} must be True or False, not {described(value)}.")
    return bool(value)


def whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """A whole number within these bounds.

    >>> whole("folds", 1.5, 2)
    Traceback (most recent call last):
    mlfs.errors.ParameterError: folds must be a whole number from 2, not 1.5.
    """
    if not is_whole(value) or value < least or (most is not None and value > most):
        to = "" if most is None else f" to {most}"
        raise ParameterError(f"{name} must be a whole number from {least}{to}, not {described(value)}.")
    return int(value)
