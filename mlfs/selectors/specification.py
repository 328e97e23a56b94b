"""A method and its parameters as one word, such as ``grro:alpha=1,beta=0.1``: for links, commands and plans."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from typing import Any

from mlfs.errors import ParameterError, did_you_mean
from mlfs.selectors.base import SELECTORS
from mlfs.selectors.parameters import Parameter

NONE = "none"
BETWEEN_COLUMNS = "+"


def parse_method(text: str) -> tuple[str, dict[str, Any]]:
    """The method's id and its parameters, typed and checked as they are declared.

    Ranges that the data decide are checked later, when the data are there.

    >>> parse_method("grro:alpha=1,rank=none")
    ('grro', {'alpha': 1.0, 'rank': None})
    """
    method, _, rest = text.strip().partition(":")
    declared = method_parameters(method)
    parameters: dict[str, Any] = {}
    for part in filter(None, (part.strip() for part in rest.split(","))):
        name, sign, value = (piece.strip() for piece in part.partition("="))
        if not sign or not name or not value:
            raise ParameterError(f"{part!r} in {text!r} is not a parameter: write name=value, with commas between.")
        if name in parameters:
            raise ParameterError(f"{name} stands twice in {text!r}: keep one of them.")
        parameters[name] = parse_value(method, declared[known_name(method, name)], value)
    return method, parameters


def method_text(method: str, parameters: Mapping[str, Any] | None = None) -> str:
    """The inverse of `parse_method`.

    >>> method_text("grro", {"alpha": 1.0, "rank": None})
    'grro:alpha=1,rank=none'
    """
    check_parameters(method, parameters or {})
    parts = (f"{name}={value_text(value)}" for name, value in (parameters or {}).items())
    return ":".join(filter(None, (method, ",".join(parts))))


def check_parameters(method: str, parameters: Mapping[str, Any]) -> None:
    """Raise ParameterError where a name is unknown or a value is allowed for no data."""
    declared = method_parameters(method)
    for name, value in parameters.items():
        check_value(method, declared[known_name(method, name)], value)


def check_value(method: str | None, parameter: Parameter, value: Any) -> None:
    """`Parameter.check` for any data, with the method named where there is one."""
    try:
        parameter.check(value)
    except ParameterError as problem:
        raise ParameterError(f"{method}: {problem}" if method else str(problem)) from None


def parse_value(method: str | None, parameter: Parameter, text: str) -> Any:
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
    check_value(method, parameter, value)
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


def method_parameters(method: str) -> Mapping[str, Parameter]:
    """The declared parameters of the method with this id."""
    if method not in SELECTORS:
        raise ParameterError(f"There is no method {method!r}: {did_you_mean(method, SELECTORS)}")
    return SELECTORS[method].parameters


def known_name(method: str, name: str) -> str:
    """The name, where the method has such a parameter."""
    declared = method_parameters(method)
    if name not in declared:
        raise ParameterError(f"{method} has no parameter {name!r}: {did_you_mean(name, declared)}")
    return name
