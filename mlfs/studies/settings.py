"""What a plan may change about its protocol, checked before anything runs."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

from mlfs.errors import StudyError, did_you_mean
from mlfs.evaluation.protocols import PROTOCOLS, SETTINGS, Protocol, get_protocol
from mlfs.metrics import METRICS
from mlfs.selectors import SELECTORS

NAMES = (*SETTINGS, "sizes", "every_size", "natural_size_of", "metrics", "selector_parameters")


def checked_protocol(name: str) -> str:
    """The name, where there is such a protocol."""
    if name not in PROTOCOLS:
        raise StudyError(f"There is no protocol {name!r}: {did_you_mean(str(name), PROTOCOLS)}")
    return name


def checked_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings as `get_protocol` takes them."""
    checked = {}
    for name, value in settings.items():
        if name not in NAMES:
            raise StudyError(f"A protocol has no setting {name!r}: {did_you_mean(str(name), NAMES)}")
        checked[name] = _checked(name, value)
    return checked


def protocol_of(name: str, settings: Mapping[str, Any]) -> Protocol:
    """The protocol of a plan or a cell."""
    return get_protocol(name, **settings)


def _checked(name: str, value: Any) -> Any:
    if name in SETTINGS:
        SETTINGS[name].check(value)
        return float(value) if SETTINGS[name].kind == "number" else value
    if name == "sizes":
        if not isinstance(value, list | tuple | range) or not all(_is_size(size) for size in value):
            raise StudyError(
                f"sizes must be a list of whole numbers from 1, or of shares between 0 and 1, not {value!r}."
            )
        return tuple(int(size) if size >= 1 else float(size) for size in value)
    if name == "metrics":
        wanted = (value,) if isinstance(value, str) else tuple(value)
        for metric in wanted or ("",):
            if metric not in METRICS:
                raise StudyError(f"There is no metric {metric!r}: {did_you_mean(str(metric), METRICS)}")
        return wanted
    if name == "every_size":
        if not isinstance(value, bool):
            raise StudyError(f"every_size must be true or false, not {value!r}.")
        return value
    if name == "natural_size_of":
        if value not in SELECTORS:
            raise StudyError(f"There is no method {value!r}: {did_you_mean(str(value), SELECTORS)}")
        return value
    if not isinstance(value, Mapping):
        raise StudyError(f"selector_parameters must be a table of names and values, not {value!r}.")
    return dict(value)


def _is_size(size: Any) -> bool:
    if isinstance(size, bool) or not isinstance(size, Real):
        return False
    number = float(size)
    return 0 < number < 1 or (number >= 1 and number.is_integer())
