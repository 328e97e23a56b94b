"""Values of declared parameters as text, ``alpha=1,rank=none``, and back: for links, commands and plans."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from typing import Any

from mlfs.errors import ParameterError, did_you_mean
from mlfs.parameters import Parameter

NONE = "none"
BETWEEN_COLUMNS = "+"


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
            raise ParameterError(f"{part!r} in {text!r} is not a parameter: write name=value, with commas between.")
        if name in parameters:
            raise ParameterError(f"{name} stands twice in {text!r}: keep one of them.")
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
