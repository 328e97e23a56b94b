"""How a selector is set up for one run: by the protocol, by the data set, by the seed."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from mlfs.datasets import Dataset
from mlfs.errors import ParameterError
from mlfs.evaluation.protocols import Protocol
from mlfs.selectors import SELECTORS, Selector, make_selector

Choice = str | Selector | tuple[str, dict[str, Any]]


def configure(choice: Choice, protocol: Protocol, ds: Dataset, seed: int, repeat: int) -> Selector:
    """The selector that a protocol runs on one of its splits of a data set, not yet fitted."""
    selector, parameters = chosen_selector(choice, protocol)
    largest = max(protocol.sizes_for(ds.X.shape[1]), default=None)
    return prepared(seeded(selector, parameters, seed, repeat), ds, largest, None)


def chosen_selector(given: Choice, protocol: Protocol) -> tuple[Selector, str]:
    """The selector with the protocol's parameters filled in, and its own parameters as JSON."""
    if isinstance(given, Selector):
        own = {
            name: value
            for name, value in given.get_params().items()
            if not np.array_equal(value, type(given).parameters[name].default)
        }
        method = given.id
    else:
        method, own = (given, {}) if isinstance(given, str) else given
    selector = make_selector(method, **own)
    known = SELECTORS[method].parameters
    selector.set_params(**{k: v for k, v in protocol.selector_parameters.items() if k in known and k not in own})
    try:
        return selector, json.dumps(own, sort_keys=True, default=lambda value: value.tolist())
    except (TypeError, AttributeError):
        raise ParameterError(f"The parameters of {method} must be plain numbers and words, not {own!r}.") from None


def seeded(selector: Selector, parameters: str, seed: int, repeat: int) -> Selector:
    """A method that draws lots draws others in each repeat, unless its seed was given."""
    if "random_state" in selector.parameters and "random_state" not in json.loads(parameters):
        drawn = int(np.random.default_rng([seed, repeat]).integers(2**31))
        return make_selector(selector.id, **{**selector.get_params(), "random_state": drawn})
    return selector


def prepared(selector: Selector, ds: Dataset, size: int | None, n_jobs: int | None) -> Selector:
    fresh = make_selector(selector.id, **selector.get_params())
    return fresh.set_params(n_features_to_select=size, categorical_features=ds.categorical, n_jobs=n_jobs)
