"""What a method with its parameters is called in tables and figures, so that two settings of one method stay apart."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pandas as pd


def settings_of(results: pd.DataFrame) -> pd.Series:
    """A name for the method and setting of each row of a tidy table of results.

    A method that occurs in one setting, or with its defaults, keeps its id, and with it its colour; other settings
    are named as `mlfs.selectors.specification.method_text` writes them.

    >>> settings_of(pd.DataFrame({"method": ["els", "grro", "grro"], "parameters": ["{}", "{}", '{"alpha": 10.0}']}))
    0              els
    1             grro
    2    grro:alpha=10
    dtype: object
    """
    methods = results["method"].astype(str).astype(object)
    if "parameters" not in results:
        return methods.rename(None)
    parameters = results["parameters"].fillna("{}").astype(str)
    pairs = list(zip(methods, parameters, strict=True))
    known = dict.fromkeys(pairs)
    settings = Counter(method for method, _ in known)
    names = {pair: _setting(*pair) if settings[pair[0]] > 1 else pair[0] for pair in known}
    return pd.Series([names[pair] for pair in pairs], index=results.index, dtype=object)


def setting_title(setting: Any) -> str:
    """The name that people read.

    >>> setting_title("grro"), setting_title("grro:alpha=10,beta=0.1"), setting_title("my method")
    ('GRRO', 'GRRO (alpha=10, beta=0.1)', 'my method')
    """
    # Late: with the selectors comes scikit-learn, which importing a table or a figure need not wait for.
    from mlfs.selectors import SELECTORS

    method, _, parameters = str(setting).partition(":")
    if method not in SELECTORS:
        return str(setting)
    name = SELECTORS[method].name
    return f"{name} ({parameters.replace(',', ', ')})" if parameters else name


def parameter_values(results: pd.DataFrame, parameter: str) -> pd.Series:
    """The value of one parameter in each row of a tidy table of results; the method's default where it was not set.

    >>> list(parameter_values(pd.DataFrame({"method": "grro", "parameters": ['{"alpha": 10.0}', "{}"]}), "alpha"))
    [10.0, 1.0]
    """
    from mlfs.selectors import SELECTORS

    def value(method: str, parameters: str) -> Any:
        declared = SELECTORS[method].parameters if method in SELECTORS else {}
        default = declared[parameter].default if parameter in declared else None
        try:
            return json.loads(parameters).get(parameter, default)
        except (AttributeError, TypeError, ValueError):
            return default

    pairs = list(zip(results["method"], results["parameters"], strict=True))
    known = {pair: value(*pair) for pair in dict.fromkeys(pairs)}
    return pd.Series([known[pair] for pair in pairs], index=results.index, dtype=object)


def _setting(method: str, parameters: str) -> str:
    from mlfs.parameters import value_text

    try:
        own = json.loads(parameters)
        words = ",".join(f"{name}={value_text(value)}" for name, value in own.items())
    except (AttributeError, TypeError, ValueError):
        words = parameters  # not written by `compare`
    return f"{method}:{words}" if words else method
