"""One cell of a study, and the address by which its result is found again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mlfs import __version__
from mlfs.classifiers import make_classifier
from mlfs.datasets import Dataset
from mlfs.evaluation.cell_result import CellResult, failed
from mlfs.evaluation.external_ranking import ExternalRanking
from mlfs.evaluation.protocols import Choice, Protocol, configured_selector, get_protocol
from mlfs.metrics import METRICS
from mlfs.selectors import Selector

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
    ranking : from elsewhere, where the cell is about one
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
    ranking: ExternalRanking | None = None

    @property
    def choice(self) -> Choice:
        """The method, as `configured_selector` takes it."""
        return (self.method, self.parameters) if self.ranking is None else self.ranking

    @property
    def text(self) -> str:
        """What is being done, for a line of progress."""
        return f"{self.method} on {self.dataset}, split {self.repeat + 1}"

    @property
    def resolved_protocol(self) -> Protocol:
        return get_protocol(self.protocol, **self.settings)

    def selector(self, ds: Dataset) -> Selector:
        """The selector of this cell, not yet fitted."""
        return configured_selector(self.choice, self.resolved_protocol, ds, self.seed, self.repeat)

    def tag(self, result: CellResult) -> CellResult:
        """The result, known as that of this cell."""
        return replace(result, key=self.key, fingerprint=self.fingerprint, method=self.method)

    def failed(self, problem: object, again: bool = False) -> CellResult:
        """The result where this cell gave nothing but a reason."""
        return self.tag(failed(problem, again))


def addresses(ds: Dataset, selector: Selector, protocol: Protocol, seed: int, repeat: int) -> tuple[str, str]:
    """Key and group of a cell: hashes of what its result, and its preparation, depend on, and of nothing else.

    The number of repeats is not among it, nor the seed where the split is given and the method draws no lots: a study
    that asks for more, or under another name, finds what is there.
    """
    split = _split(protocol, seed, repeat)
    effective = {name: _plain(selector, name, value) for name, value in selector.get_params().items()}
    group = _hash([ds.fingerprint, split, repr(selector.preparation)])
    sizes: Any = protocol.sizes_for(ds.X.shape[1])
    if not sizes:
        sizes = [protocol.natural_size_of, dict(protocol.selector_parameters)]
    key = _hash(
        {
            "version": VERSION,
            "data": ds.fingerprint,
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
    if value is not None and selector.parameters[name].kind == "number":
        return float(value)
    return value.item() if isinstance(value, np.generic) else value


def _hash(content: Any) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
