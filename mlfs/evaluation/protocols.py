"""How an experiment is run: split, sizes, classifier, scaling, discretisation. The five papers' own, by name.

`configured_selector` sets a method up for one of a protocol's splits: the one place where that is done.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, cast

import numpy as np
from sklearn.base import clone

from mlfs.checks import checked, described
from mlfs.classifiers import BRLR, CLASSIFIERS, MLkNN
from mlfs.datasets import Dataset
from mlfs.errors import ParameterError, did_you_mean
from mlfs.evaluation.external_ranking import ExternalRanking
from mlfs.evaluation.splits import Split, given_split, k_folds, random_splits
from mlfs.parameters import Parameter
from mlfs.selectors import ConstrainedSelector, ScikitLearnSelector, Selector, adapted, make_selector

SPLITS = {
    "random": "rows drawn at random",
    "given": "the split that came with the data set",
    "folds": "cross-validation: each fold is once the test part",
}
SCALINGS = {
    "none": "the numbers as they are",
    "z_score": "mean 0, standard deviation 1",
    "unit": "smallest value 0, largest 1",
    "unit_parts": "the same for training and test rows each by themselves, where values do not lie in [0, 1] anyway",
}


@dataclass(frozen=True)
class Protocol:
    """One way to run an experiment.

    Attributes
    ----------
    split : "given", "random" (with test_share) or "folds"
    repeats : how often the random split or the folds are drawn anew
    sizes : numbers of features; a share below 1 is of all features. Empty: the natural size of each method, and for
        methods without one that of `natural_size_of`
    every_size : 1, 2, …, d instead of `sizes`
    classifier : as `loss_curve` takes it
    scaling : as `scale` takes it
    selector_parameters : given to every method that has them, unless it sets them itself
    metrics : what is measured
    """

    name: str
    split: str = "random"
    test_share: float = 0.2
    folds: int = 5
    repeats: int = 1
    stratified: bool = False
    sizes: tuple[float, ...] = (1, *range(5, 55, 5))
    every_size: bool = False
    natural_size_of: str = "mapd"
    classifier: Any = "mlknn"
    scaling: str = "none"
    selector_parameters: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    metrics: tuple[str, ...] = ("hamming_loss", "ranking_loss")
    note: str = ""

    def splits(self, ds: Any, seed: int = 0) -> Iterator[Split]:
        """The train/test rows, one pair after another."""
        if self.split not in SPLITS:
            raise ParameterError(f"There is no split {self.split!r}: {did_you_mean(str(self.split), SPLITS)}")
        if self.split == "given":
            return iter([given_split(ds)])
        if self.split == "random":
            return random_splits(ds.Y, self.test_share, self.repeats, seed, self.stratified)
        return k_folds(ds.Y, self.folds, self.repeats, seed, self.stratified)

    @property
    def n_splits(self) -> int:
        return {"given": 1, "random": self.repeats}.get(self.split, self.folds * self.repeats)

    def sizes_for(self, d: int) -> list[int]:
        """Numbers of features for data with d of them, each once, none above d; empty means the natural size."""
        if self.every_size:
            return list(range(1, d + 1))
        absolute = (round(size * d) if 0 < size < 1 else int(size) for size in self.sizes)
        return sorted({min(max(size, 1), d) for size in absolute})


@checked
def sizes_up_to(most: int) -> tuple[int, ...]:
    """One feature, then ten equal steps: enough for the shape of a curve, few enough to draw it at once.

    >>> sizes_up_to(50)
    (1, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50)
    """
    return tuple(sorted({1, *(max(1, round(most * step / 10)) for step in range(1, 11))}))


# What of a protocol a person may set; pages, links, the command line and plans of studies read it here.
SETTINGS: dict[str, Parameter] = {
    parameter.name: parameter
    for parameter in (
        Parameter(
            "choice", "random", "how rows are divided into training and test", choices=tuple(SPLITS), name="split"
        ),
        Parameter(
            "number", 0.2, "share of the rows used for testing, in a random split", 0.05, 0.95, name="test_share"
        ),
        Parameter("integer", 5, "number of folds", 2, 20, name="folds"),
        Parameter("integer", 1, "how often the split or the folds are drawn anew", 1, 100, name="repeats"),
        Parameter("choice", False, "keep each label's share in every part", choices=(False, True), name="stratified"),
        Parameter("choice", "mlknn", "what learns from the features", choices=CLASSIFIERS.keys(), name="classifier"),
        Parameter(
            "choice", "none", "how the classifier's features are scaled", choices=tuple(SCALINGS), name="scaling"
        ),
    )
}
# Those that decide which rows train and which test.
SPLITTING = ("split", "test_share", "folds", "repeats", "stratified")


def _bins(n_bins: int, discretization: str) -> Mapping[str, Any]:
    return MappingProxyType({"n_bins": n_bins, "discretization": discretization})


PROTOCOLS: dict[str, Protocol] = {
    protocol.name: protocol
    for protocol in (
        Protocol("quick", note="One random split, 80% of the rows for training."),
        Protocol("given", split="given", note="The split that came with the data set."),
        Protocol(
            "lee_kim_2016",
            repeats=10,
            classifier=BRLR(),
            selector_parameters=_bins(2, "equal_width"),
            note="80/20 at random, ten times; 1, 5, …, 50 features; BRLR on the raw features; two equal-width bins.",
        ),
        Protocol(
            "wang_2020_elc",
            split="folds",
            sizes=tuple(np.arange(1, 10) / 10),
            scaling="z_score",
            note="Five folds; 10% to 90% of the features; ML-kNN on z-scores.",
        ),
        Protocol(
            "sechidis_2014",
            test_share=0.5,
            repeats=30,
            every_size=True,
            classifier=MLkNN(k=7),
            selector_parameters=_bins(5, "equal_width"),
            note="50/50 at random, thirty times; every number of features; ML-kNN with k = 7; five equal-width bins.",
        ),
        Protocol(
            "zhou_2023_mapd",
            split="folds",
            repeats=5,
            sizes=(),
            selector_parameters=_bins(5, "equal_width"),
            metrics=("hamming_loss", "ranking_loss", "subset_accuracy"),
            note="Five times five folds; each method with the number of features that MAPD selects; ML-kNN, which the "
            "paper does not name; five equal-width bins.",
        ),
        Protocol(
            "zhang_2020_grro",
            split="given",
            sizes=tuple(range(1, 51)),
            scaling="unit_parts",
            selector_parameters=_bins(2, "equal_frequency_strict"),
            metrics=("macro_f1", "micro_f1", "hamming_loss", "ranking_loss"),
            note="The given split; 1, 2, …, 50 features, averaged; ML-kNN on features as they are where they lie in "
            "[0, 1], else with training and test rows each scaled to it by themselves; two equal-frequency bins, "
            "two-valued features cut too. The paper says neither, but only this gives the numbers it prints.",
        ),
    )
}


@checked
def get_protocol(protocol: str | Protocol, **changes: Any) -> Protocol:
    """A protocol by name, with some of its settings changed.

    >>> get_protocol("lee_kim_2016", repeats=3).repeats
    3
    """
    if isinstance(protocol, str):
        if protocol not in PROTOCOLS:
            raise ParameterError(f"There is no protocol {protocol!r}: {did_you_mean(protocol, PROTOCOLS)}")
        protocol = PROTOCOLS[protocol]
    unknown = [name for name in changes if name not in Protocol.__dataclass_fields__]
    if unknown:
        known = Protocol.__dataclass_fields__
        raise ParameterError(f"A protocol has no setting {unknown[0]!r}: {did_you_mean(unknown[0], known)}")
    return replace(protocol, **changes) if changes else protocol


#: A method: its id, a selector, ours or scikit-learn's, or a pair of id and parameters; or a ranking from elsewhere.
Choice = str | Selector | ConstrainedSelector | tuple[str, Mapping[str, Any]] | ExternalRanking


def method_and_parameters(choice: Choice) -> tuple[str, dict[str, Any]]:
    """The id of a method, and its parameters as far as they were set; of a selector, those that are not its defaults.

    >>> method_and_parameters(make_selector("els", n_labels=2))
    ('els', {'n_labels': 2})
    """
    if isinstance(choice, ConstrainedSelector):
        raise ParameterError(
            f"{choice.id} with features that it must keep, not use or keep together can be explored, but not compared."
        )
    choice = adapted(choice)
    if isinstance(choice, ScikitLearnSelector):
        return choice.id, choice.settings
    if isinstance(choice, ExternalRanking):
        return choice.name, dict(choice.parameters)
    if isinstance(choice, Selector):
        declared = type(choice).parameters
        changed = {
            name: value
            for name, value in choice.get_params().items()
            if not np.array_equal(value, declared[name].default)
        }
        return choice.id, changed
    try:
        method, parameters = (choice, {}) if isinstance(choice, str) else choice
        parameters = dict(parameters)
        if not isinstance(method, str) or not all(isinstance(name, str) for name in parameters):
            raise TypeError
        return method, parameters
    except (TypeError, ValueError):
        raise ParameterError(
            "A method must be an id such as 'els', a pair of id and parameters, or a selector of mlfs or scikit-learn, "
            f"which has fit and get_support, not {described(choice)}."
        ) from None


def parameters_text(method: str, parameters: Mapping[str, Any]) -> str:
    """Parameters as JSON, as tables of results have them."""
    try:
        return json.dumps(dict(parameters), sort_keys=True, default=lambda value: value.tolist())
    except (TypeError, AttributeError):
        raise ParameterError(
            f"The parameters of {method} must be plain numbers and words, not {dict(parameters)!r}."
        ) from None


def configured_selector(
    choice: Choice, protocol: Protocol, ds: Dataset, seed: int = 0, repeat: int = 0, n_jobs: int | None = None
) -> Selector:
    """The selector that a protocol runs on one of its splits of a data set, not yet fitted.

    What the choice sets goes before what the protocol gives to every method. A method that draws lots draws others in
    each repeat, unless its seed was given.
    """
    if isinstance(choice, ConstrainedSelector):
        inner = configured_selector(choice.selector, protocol, ds, seed, repeat, n_jobs)
        return cast(Selector, clone(choice).set_params(selector=inner))  # to whoever measures it, it is one
    choice = adapted(choice)
    method, parameters = method_and_parameters(choice)
    if isinstance(choice, ExternalRanking):
        selector: Selector = choice.selector(repeat, protocol.n_splits)
    elif isinstance(choice, ScikitLearnSelector):
        selector = clone(choice)
    else:
        selector = make_selector(method, **parameters)
    settings = {
        name: value
        for name, value in protocol.selector_parameters.items()
        if name in selector.parameters and name not in parameters
    }
    if "random_state" in selector.parameters and "random_state" not in parameters:
        settings["random_state"] = int(np.random.default_rng([seed, repeat]).integers(2**31))
    settings["n_features_to_select"] = max(protocol.sizes_for(ds.X.shape[1]), default=None)
    settings["categorical_features"], settings["n_jobs"] = ds.categorical, n_jobs
    return selector.set_params(**settings)
