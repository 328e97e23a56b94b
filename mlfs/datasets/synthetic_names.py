"""Synthetic sets by name: ``synthetic:n_labels=4,seed=1`` says all that makes the set, so that a link can hold it.

Whoever opens a link has the server make the set, so that its size is bounded as well as each of its parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mlfs.datasets.dataset import Dataset
from mlfs.datasets.synthetic import SYNTHETIC, make_synthetic
from mlfs.errors import ParameterError
from mlfs.parameters import parse_specification, specification_text

PLAIN = "synthetic"
MOST_VALUES = 4_000_000  # instances × (features + labels); 32 MB as floating-point numbers


def is_synthetic(name: str) -> bool:
    """Whether a name is that of a synthetic set, with or without parameters.

    >>> is_synthetic("synthetic"), is_synthetic("synthetic:seed=1"), is_synthetic("synthetics")
    (True, True, False)
    """
    return name.partition(":")[0] == PLAIN


def parse_synthetic(name: str) -> dict[str, Any]:
    """The arguments of `make_synthetic` that a name sets.

    >>> parse_synthetic("synthetic:n_labels=4,seed=1")
    {'n_labels': 4, 'seed': 1}
    """
    parameters = parse_specification(name, SYNTHETIC)
    sizes = {size: parameters.get(size, SYNTHETIC[size].default) for size in SYNTHETIC if size.startswith("n_")}
    instances = sizes.pop("n_instances")
    if instances * sum(sizes.values()) > MOST_VALUES:
        raise ParameterError(
            f"A synthetic set of {instances} instances with {sum(sizes.values())} features and labels is too large: "
            f"keep their product to {MOST_VALUES:,}."
        )
    return parameters


def synthetic_name(parameters: Mapping[str, Any]) -> str:
    """The one name of the set that these arguments make: what is the default is left out, in the order of declaration.

    >>> synthetic_name({"seed": 1, "n_relevant": 10, "n_labels": 4})
    'synthetic:n_labels=4,seed=1'
    """
    told = {
        name: parameters[name]
        for name, parameter in SYNTHETIC.items()
        if name in parameters and parameters[name] != parameter.default
    }
    return specification_text(PLAIN, told)


def load_synthetic(name: str) -> Dataset:
    """Make the set with this name.

    >>> load_synthetic("synthetic:n_labels=4,seed=1")
    <Dataset synthetic:n_labels=4,seed=1: 500 instances, 50 features (dense), 4 labels>
    """
    parameters = parse_synthetic(name)
    return replace(make_synthetic(**parameters), name=synthetic_name(parameters))
