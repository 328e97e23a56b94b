"""Which values of a parameter a sweep tries: spread over its declared range, by its declared scale."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mlfs.errors import ParameterError
from mlfs.parameters import Parameter
from mlfs.selectors.specification import method_parameters
from mlfs.studies.cell import NOT_EFFECTIVE

# What the papers vary, where it is not the first parameter that is declared.
USUAL = {"grro": ("alpha", "beta"), "elc": ("k",)}
# A declared end this many times beyond the default is a limit of the program, and nobody's choice.
FAR = 20


def sweepable(method: str) -> dict[str, Parameter]:
    """The parameters of a method that have numbers to go through."""
    return {
        name: parameter
        for name, parameter in method_parameters(method).items()
        if name not in NOT_EFFECTIVE
        and parameter.kind in ("integer", "number")
        and not (parameter.high is None and parameter.default is None)
    }


def usually_swept(method: str) -> tuple[str, ...]:
    """The one or two parameters one looks at first.

    >>> usually_swept("els"), usually_swept("grro"), usually_swept("mapd"), usually_swept("mfs")
    (('n_labels',), ('alpha', 'beta'), ('alpha',), ())
    """
    return USUAL.get(method) or tuple(sweepable(method))[:1]


def usual_range(parameter: Parameter, sizes: Mapping[str, int]) -> tuple[float, float]:
    """From where to where a sweep goes unless told; ends that the data decide are looked up in `sizes`.

    >>> sizes = {"labels": 6, "features": 72, "instances": 593}
    >>> [usual_range(p, sizes) for p in (sweepable("els")["n_labels"], sweepable("grro_ls")["k"])]
    [(0, 6), (1, 10)]
    """
    low, high = (sizes[end] if isinstance(end, str) else end for end in (parameter.low, parameter.high))
    low = 0 if low is None else low
    whole, log = parameter.kind == "integer", parameter.scale == "log"
    far = whole and not isinstance(parameter.high, str) and parameter.default is not None
    if high is None or (far and high > FAR * max(parameter.default, 1)):
        high = max(2 * parameter.default, low + 9)
    if parameter.open_ends and not log:
        margin = (high - low) / 10
        low, high = _rounded(low + margin), _rounded(high - margin)
    return low, high


def values_between(parameter: Parameter, low: float, high: float, steps: int) -> tuple[Any, ...]:
    """At most `steps` values from low to high, both included, each once: even steps, or even factors on a log scale.

    >>> values_between(sweepable("grro")["alpha"], 0.01, 100, 5)
    (0.01, 0.1, 1.0, 10.0, 100.0)
    >>> values_between(sweepable("els")["n_labels"], 0, 6, 4)
    (0, 2, 4, 6)
    """
    if steps < 2 or not low < high:
        raise ParameterError(f"{parameter.name}: a sweep needs two steps or more, and a first value below the last.")
    spread = np.geomspace if parameter.scale == "log" and low > 0 else np.linspace
    values = [_rounded(value) for value in spread(low, high, steps)]
    if parameter.kind == "integer":
        # Half of them would go to the even neighbour otherwise, and the steps would limp.
        values = [int(np.floor(value + 0.5)) for value in values]
    for value in (values[0], values[-1]):
        parameter.check(value)
    return tuple(dict.fromkeys(values))


def _rounded(value: float) -> float:
    """Six digits: what a person would write."""
    return float(f"{value:.6g}")
