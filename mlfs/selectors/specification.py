"""A method and its parameters as one word, such as ``grro:alpha=1,beta=0.1``: for links, commands and plans."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mlfs import parameters as declarations
from mlfs.errors import ParameterError, did_you_mean
from mlfs.parameters import Parameter, check_value, parse_specification, specification_text
from mlfs.selectors.base import SELECTORS


def parse_method(text: str) -> tuple[str, dict[str, Any]]:
    """The method's id and its parameters, typed and checked as they are declared.

    Ranges that the data decide are checked later, when the data are there.

    >>> parse_method("grro:alpha=1,rank=none")
    ('grro', {'alpha': 1.0, 'rank': None})
    """
    method = text.partition(":")[0].strip()
    return method, parse_specification(text.strip(), method_parameters(method))


def method_text(method: str, parameters: Mapping[str, Any] | None = None) -> str:
    """The inverse of `parse_method`.

    >>> method_text("grro", {"alpha": 1.0, "rank": None})
    'grro:alpha=1,rank=none'
    """
    check_parameters(method, parameters or {})
    return specification_text(method, parameters or {})


def check_parameters(method: str, parameters: Mapping[str, Any]) -> None:
    """Raise ParameterError where a name is unknown or a value is allowed for no data."""
    declared = method_parameters(method)
    for name, value in parameters.items():
        check_value(method, declared[known_name(method, name)], value)


def method_parameters(method: str) -> Mapping[str, Parameter]:
    """The declared parameters of the method with this id."""
    if method not in SELECTORS:
        raise ParameterError(f"There is no method {method!r}: {did_you_mean(method, SELECTORS)}")
    return SELECTORS[method].parameters


def known_name(method: str, name: str) -> str:
    """The name, where the method has such a parameter."""
    return declarations.known_name(method, name, method_parameters(method))
