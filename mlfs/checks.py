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
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any, TypeVar, Union

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


def checked(function: Function) -> Function:
    """Check the arguments of a function against its annotations at every call; classes by `isinstance`, lists by entry.

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
    """
    signature = inspect.signature(function)
    kinds: dict[str, _Kind] = {}
    many = {p.name for p in signature.parameters.values() if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD)}

    @functools.wraps(function)
    def call(*positional: Any, **named: Any) -> Any:
        if not kinds:  # at the first call: what it is annotated with may be defined below it
            kinds.update(_kinds(function))
        for name, value in signature.bind(*positional, **named).arguments.items():
            kind = kinds.get(name)
            if kind is not None and name not in many and not kind.allows(value):
                sentence = f"{function.__name__}: {name} must be {kind.words}, not {described(value)}."
                raise ParameterError(sentence)
        return function(*positional, **named)

    return typing.cast(Function, call)


@dataclass(frozen=True)
class _Kind:
    """What a value may be, and how a sentence says it, of one and of several."""

    allows: Callable[[Any], bool]
    words: str
    several: str


def _kinds(function: Callable[..., Any]) -> dict[str, _Kind]:
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
    return kinds or {"": _ANYTHING}


def is_whole(value: Any) -> bool:
    """Whether it is a whole number; True and False are none."""
    return isinstance(value, Integral) and not isinstance(value, bool | np.bool_)


def is_list(value: Any) -> bool:
    """Whether its entries can be gone through: a text is one thing, and so are a mapping and a sparse table."""
    one = isinstance(value, str | bytes | Mapping) or sparse.issparse(value) or getattr(value, "ndim", 1) < 1
    return isinstance(value, Iterable) and not one


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
    np.ndarray: _Kind(lambda value: _is_array(value), "an array", "arrays"),
}


def _is_text(value: Any) -> bool:
    return isinstance(value, str | bytes)


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray | Sequence) and not _is_text(value)


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
    if origin in (Union, types.UnionType):
        return _any_of([_kind(part) for part in parts])
    if origin in _LISTS or hint in _LISTS:
        return _list_of(_kind(parts[0]) if parts and origin is not tuple else None)
    if origin is Mapping or hint is Mapping or origin is dict:
        return _Kind(lambda value: isinstance(value, Mapping), "a mapping", "mappings")
    if origin is Callable or hint is Callable:
        return _Kind(callable, "a function", "functions")
    cls = origin or hint
    if not isinstance(cls, type) or getattr(cls, "_is_protocol", False):
        return None
    name = cls.__name__
    return _Kind(lambda value: isinstance(value, cls), f"{'an' if name[0] in 'AEIOU' else 'a'} {name}", f"{name}s")


def _any_of(kinds: list[_Kind | None]) -> _Kind | None:
    known = [kind for kind in kinds if kind is not None]
    if len(known) < len(kinds):
        return None
    words = (" or ".join(dict.fromkeys(getattr(kind, which) for kind in known)) for which in ("words", "several"))
    return _Kind(lambda value: any(kind.allows(value) for kind in known), *words)


def _list_of(entry: _Kind | None) -> _Kind:
    def allows(value: Any) -> bool:
        if not is_list(value) or (entry in _SIMPLE.values() and getattr(value, "ndim", 1) > 1):
            return False
        if entry is None or not hasattr(value, "__len__"):
            return True  # what can be gone through once is not gone through here
        return all(map(entry.allows, itertools.islice(value, _LOOKED_AT)))

    of = "" if entry is None else f" of {entry.several}"
    return _Kind(allows, f"a list{of}", f"lists{of}")


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


def indices(values: Any, n: int, name: str, *, what: str = "feature indices", empty: bool = False) -> np.ndarray:
    """Different whole numbers from 0 to n − 1, as an array.

    >>> indices([2, 0], 3, "subset")
    array([2, 0])
    >>> indices([2, 3], 3, "subset")
    Traceback (most recent call last):
    mlfs.errors.ParameterError: subset must hold feature indices from 0 to 2, not 3.
    """
    try:
        found = np.asarray(values)
    except ValueError:
        found = np.zeros((0, 0))
    if found.ndim == 1 and found.size == 0 and empty:
        return np.zeros(0, dtype=np.intp)
    if found.ndim != 1 or found.size == 0 or found.dtype.kind not in "iu" or isinstance(values, set | Mapping):
        raise ParameterError(f"{name} must be a list of different {what}, not {described(values)}.")
    wrong = found[(found < 0) | (found >= n)]
    if wrong.size:
        raise ParameterError(f"{name} must hold {what} from 0 to {n - 1}, not {wrong[0]}.")
    if len(np.unique(found)) < len(found):
        raise ParameterError(f"{name} must be a list of different {what}: some occur twice.")
    return found.astype(np.intp)


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
