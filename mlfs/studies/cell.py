"""One cell of a study, and what comes out of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mlfs import __version__
from mlfs.classifiers import make_classifier
from mlfs.evaluation.configure import chosen_selector, seeded
from mlfs.evaluation.protocols import Protocol
from mlfs.metrics import METRICS
from mlfs.selectors import SELECTORS, Selector
from mlfs.studies.settings import protocol_of

# Raised by hand when a correction changes numbers within a version, be it not of one method or metric alone, which have
# versions of their own: results from before are then not found any more, and are computed anew. The version of mlfs
# stands beside it for the changes that nobody noticed.
RESULTS_VERSION = 1
VERSION = f"{__version__}/{RESULTS_VERSION}"

# What the protocol and the data decide, or what changes no number.
NOT_EFFECTIVE = ("n_features_to_select", "categorical_features", "n_jobs")


@dataclass(frozen=True, eq=False)
class Cell:
    """One method with one set of parameters on one split of one data set.

    Attributes
    ----------
    key : content address: equal for cells that must give the same numbers
    group : equal for cells that share data, split and preparation
    dataset : its name in the plan
    fingerprint : of the data set's content
    parameters : those the plan sets, without the protocol's
    repeat : which split of the protocol, from 0
    protocol, settings : as `get_protocol` takes them
    """

    key: str
    group: str
    dataset: str
    fingerprint: str
    method: str
    parameters: Mapping[str, Any]
    repeat: int
    seed: int
    protocol: str
    settings: Mapping[str, Any]

    @property
    def text(self) -> str:
        """What is being done, for a line of progress."""
        return f"{self.method} on {self.dataset}, split {self.repeat + 1}"

    def selector(self) -> Selector:
        """The selector of this cell, with the protocol's parameters and, where it draws lots, the seed."""
        return seeded_selector(self.method, self.parameters, protocol_of(self.protocol, self.settings), self)


@dataclass(frozen=True, eq=False)
class CellResult:
    """What a cell gave.

    Attributes
    ----------
    values : (sizes, metrics) float array
    ranking : the features in the order of the method, as far as they were looked at
    seconds : of the selection, its preparation included
    prepare_seconds : of the preparation alone, which cells of a group share
    wall_seconds : of the whole cell without the preparation
    error : why it failed, or ""
    again : whether a later run should try again: the worker died, which is not the cell's own doing
    """

    key: str
    fingerprint: str
    method: str
    sizes: tuple[int, ...] = ()
    metrics: tuple[str, ...] = ()
    values: np.ndarray = field(default_factory=lambda: np.empty((0, 0)))
    ranking: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    n_selected: int = 0
    seconds: float = float("nan")
    prepare_seconds: float = 0.0
    wall_seconds: float = 0.0
    error: str = ""
    again: bool = False


def failure(cell: Cell, problem: object, again: bool = False) -> CellResult:
    """The result of a cell that gave nothing but a reason."""
    reason = " ".join(str(problem).split()) or type(problem).__name__
    return CellResult(cell.key, cell.fingerprint, cell.method, error=reason, again=again)


def seeded_selector(method: str, parameters: Mapping[str, Any], protocol: Protocol, where: Any) -> Selector:
    """A method as the protocol sets it up for one split; `where` has seed and repeat."""
    selector, own = chosen_selector((method, dict(parameters)), protocol)
    return seeded(selector, own, where.seed, where.repeat)


def addresses(
    fingerprint: str, features: int, selector: Selector, protocol: Protocol, seed: int, repeat: int
) -> tuple[str, str]:
    """Key and group of a cell: hashes of what its result, and its preparation, depend on, and of nothing else.

    The number of repeats is not among it, nor the seed where the split is given and the method draws no lots: a study
    that asks for more, or under another name, finds what is there.
    """
    split = _split(protocol, seed, repeat)
    effective = {name: _plain(selector, name, value) for name, value in selector.get_params().items()}
    group = _hash([fingerprint, split, repr(selector.preparation)])
    sizes: Any = protocol.sizes_for(features)
    if not sizes:
        sizes = [protocol.natural_size_of, dict(protocol.selector_parameters)]
    key = _hash(
        {
            "version": VERSION,
            "data": fingerprint,
            "method": f"{selector.id}/{selector.version}" if selector.version else selector.id,
            "parameters": {name: value for name, value in effective.items() if name not in NOT_EFFECTIVE},
            "split": split,
            "sizes": sizes,
            "classifier": _classifier(protocol.classifier),
            "scaling": protocol.scaling,
            "metrics": sorted(map(_metric, protocol.metrics)),
        }
    )
    return key, group


def _split(protocol: Protocol, seed: int, repeat: int) -> list[Any]:
    """What decides the rows of one split."""
    if protocol.split == "given":
        return ["given"]
    how = protocol.test_share if protocol.split == "random" else protocol.folds
    return [protocol.split, how, protocol.stratified, seed, repeat]


def _classifier(classifier: Any) -> Any:
    """A classifier by its name and parameters: "mlknn" and MLkNN() are the same."""
    made = make_classifier(classifier)
    parameters = {name: value for name, value in made.get_params().items() if name != "n_jobs"}
    spelled = {name: value if _is_plain(value) else repr(value) for name, value in parameters.items()}
    return [type(made).__name__, spelled]


def _metric(name: str) -> str:
    version = METRICS[name].version if name in METRICS else ""
    return f"{name}/{version}" if version else name


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float | bool)


def _plain(selector: Selector, name: str, value: Any) -> Any:
    """One spelling for one value: 1 and 1.0 are the same number."""
    if value is not None and SELECTORS[selector.id].parameters[name].kind == "number":
        return float(value)
    return value.item() if isinstance(value, np.generic) else value


def _hash(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
