"""A parameter's kind, range, default and meaning, declared once where it belongs: on a selector, a protocol, a maker.

Sliders, links, the command line, validation and the docs all read these declarations; a selector's
constructor is made from them. Values are written as text, ``alpha=1,rank=none``, and read back: for links, commands
and plans.
"""

from __future__ import annotations

import numbers
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mlfs.checks import described, is_whole
from mlfs.errors import ParameterError, did_you_mean

# Bounds that the data decide are named, and looked up when the data are there.
Bound = float | int | str | None
NONE = "none"
BETWEEN_COLUMNS = "+"


@dataclass(frozen=True)
class Parameter:
    """One argument of a selector, a protocol or a maker of data.

    Attributes
    ----------
    kind : "integer", "number", "choice", "columns" or "jobs"
    default : the value used where none is given
    meaning : one line for the user
    low, high : range, both ends included; "features", "labels", "instances" mean the size of the data
    open_ends : whether low and high themselves are excluded
    scale : "linear" or "log": how a slider steps
    choices : the allowed values of a choice; a registry's keys, where more may come
    none : what None stands for, where None is allowed
    prepares : whether the evidence depends on it (else it only tunes, which is free)
    """

    kind: str
    default: Any
    meaning: str
    low: Bound = None
    high: Bound = None
    open_ends: bool = False
    scale: str = "linear"
    choices: Collection[Any] = ()
    none: str | None = None
    prepares: bool = False
    name: str = field(default="", compare=False)

    def __set_name__(self, owner: type, name: str) -> None:
        object.__setattr__(self, "name", name)

    @property
    def annotation(self) -> Any:
        """The type of the values, for signatures."""
        kinds = {"integer": int, "number": float, "columns": Sequence[int], "jobs": int}
        of_choices = {type(choice) for choice in self.choices}
        kind: Any = kinds.get(self.kind) or (of_choices.pop() if len(of_choices) == 1 else Any)
        return kind if self.none is None else kind | None

    def describe_range(self, sizes: Mapping[str, int] | None = None) -> str:
        """The allowed values in words, with the data's own sizes where they are given."""
        if self.kind == "choice":
            words = "one of " + ", ".join(map(repr, self.choices))
        elif self.kind == "columns":
            words = (
                f"a list of column indices from 0 to {sizes['features'] - 1}" if sizes else "a list of column indices"
            )
        elif self.kind == "jobs":
            words = "a whole number from 1, -1 for all cores"
        else:
            number = "a whole number" if self.kind == "integer" else "a number"
            if self.low is None and self.high is None:
                words = number
            elif self.high is None:
                words = f"{number} {'above' if self.open_ends else 'from'} {self.low}"
            else:
                ends = "between {} and {}" if self.open_ends else "from {} to {}"
                words = f"{number} {ends.format(self.low, _named(self.high, sizes))}"
        return words + (f", or None ({self.none})" if self.none else "")

    def check(self, value: Any, sizes: Mapping[str, int] | None = None) -> None:
        """Raise ParameterError where the value is not allowed for data of these sizes, or for any data."""
        if value is None and self.none is not None:
            return
        if not self._allows(value, sizes):
            hint = ""
            if self.kind == "choice" and isinstance(value, str):
                hint = f" ({did_you_mean(value, map(str, self.choices))})"
            raise ParameterError(f"{self.name} must be {self.describe_range(sizes)}, not {described(value)}{hint}.")

    def _allows(self, value: Any, sizes: Mapping[str, int] | None) -> bool:
        if self.kind == "choice":
            return any(value == choice and type(value) is type(choice) for choice in self.choices)
        if self.kind == "columns":
            return (
                isinstance(value, Sequence | np.ndarray)
                and not isinstance(value, str)
                and all(is_whole(j) and j >= 0 and (sizes is None or j < sizes["features"]) for j in value)
            )
        if self.kind == "jobs":
            return is_whole(value) and (value >= 1 or value == -1)
        if isinstance(value, bool) or not isinstance(value, numbers.Real) or value != value:
            return False
        if self.kind == "integer" and not is_whole(value):
            return False
        try:
            value = float(value)
        except OverflowError:  # a whole number beyond what a float can hold
            return False
        low, high = _size(self.low, sizes), _size(self.high, sizes)
        if self.open_ends:
            return (low is None or value > low) and (high is None or value < high)
        return (low is None or value >= low) and (high is None or value <= high)


def _size(bound: Bound, sizes: Mapping[str, int] | None) -> float | int | None:
    if not isinstance(bound, str):
        return bound
    return sizes[bound] if sizes else None


def _named(bound: Bound, sizes: Mapping[str, int] | None) -> str:
    if not isinstance(bound, str):
        return str(bound)
    return f"{sizes[bound]} (the number of {bound})" if sizes else f"the number of {bound}"


# These return Any so that a declaration may carry the type of the value: `n_bins: int = integer(…)`.


def integer(default: int | None, low: Bound, high: Bound, meaning: str, **more: Any) -> Any:
    return Parameter("integer", default, meaning, low, high, **more)


def number(default: float | None, low: Bound, high: Bound, meaning: str, **more: Any) -> Any:
    return Parameter("number", default, meaning, low, high, **more)


def weight(default: float, meaning: str, decades: int = 4) -> Any:
    """A positive factor that is searched by powers of ten, so many up and down from 1."""
    return number(default, 10.0**-decades, 10.0**decades, meaning, scale="log")


def columns(meaning: str, **more: Any) -> Any:
    return Parameter("columns", (), meaning, **more)


def jobs(meaning: str) -> Any:
    return Parameter("jobs", None, meaning, none="all cores")


def choice(default: str, choices: Sequence[str], meaning: str, **more: Any) -> Any:
    return Parameter("choice", default, meaning, choices=tuple(choices), **more)


def parse_specification(text: str, declared: Mapping[str, Parameter]) -> dict[str, Any]:
    """The parameters of a word such as ``grro:alpha=1,beta=0.1``, typed and checked as they are declared.

    Ranges that the data decide are checked later, when the data are there.

    >>> parse_specification("toy:k=3", {"k": Parameter("integer", 1, "neighbours", 1, 9, name="k")})
    {'k': 3}
    """
    owner, _, rest = (piece.strip() for piece in text.partition(":"))
    parameters: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in rest.split(","))):
        name, sign, value = (piece.strip() for piece in part.partition("="))
        if not sign or not name or not value:
            raise ParameterError(f"{part!r} in {text!r} is not a parameter: write name=value, separated by commas.")
        if name in parameters:
            raise ParameterError(f"{name} appears twice in {text!r}: keep one of them.")
        parameters[name] = parse_value(owner, declared[known_name(owner, name, declared)], value)
    return parameters


def specification_text(owner: str, parameters: Mapping[str, Any]) -> str:
    """The inverse of `parse_specification`.

    >>> specification_text("toy", {"k": 3, "rank": None})
    'toy:k=3,rank=none'
    """
    parts = (f"{name}={value_text(value)}" for name, value in parameters.items())
    return ":".join(filter(None, (owner, ",".join(parts))))


def known_name(owner: str, name: str, declared: Mapping[str, Parameter]) -> str:
    """The name, where there is such a parameter."""
    if name not in declared:
        raise ParameterError(f"{owner} has no parameter {name!r}: {did_you_mean(name, declared)}")
    return name


def check_value(owner: str | None, parameter: Parameter, value: Any) -> None:
    """`Parameter.check` for any data, with the owner named where there is one."""
    try:
        parameter.check(value)
    except ParameterError as problem:
        raise ParameterError(f"{owner}: {problem}" if owner else str(problem)) from None


def parse_value(owner: str | None, parameter: Parameter, text: str) -> Any:
    """A parameter's value from its text, typed by the declaration."""
    value: Any = text
    try:
        if text.lower() == NONE and parameter.none is not None:
            value = None
        elif parameter.kind == "choice":
            value = next((choice for choice in parameter.choices if str(choice) == text), text)
        elif parameter.kind == "columns":
            value = () if text.lower() == NONE else tuple(int(column) for column in text.split(BETWEEN_COLUMNS))
        elif parameter.kind == "number":
            value = float(text)
        else:
            value = int(text)
    except ValueError:
        pass  # the check below finds the sentence
    check_value(owner, parameter, value)
    return value


def value_text(value: Any) -> str:
    """A parameter's value as text: exact, and short where it can be."""
    if value is None:
        return NONE
    if isinstance(value, str | bool):
        return str(value)
    if hasattr(value, "__iter__"):
        return BETWEEN_COLUMNS.join(str(int(column)) for column in value) or NONE
    whole = isinstance(value, numbers.Integral) or (abs(value) < 1e16 and value == int(value))
    return str(int(value)) if whole else repr(float(value))
