"""A guided tour of a paper: a few steps on bundled data or a toy, each with something to move and a live figure.

A step looks at a data set through a `Explorer`, so that a move of a slider repeats only what depends on it. What it
says is made of the numbers it draws; none is typed. A paper's `tour.py` declares its `TOUR`; `TOURS` has them by the
ids of the papers, and `take_step` takes one step without the app.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from mlfs.datasets import bundled_names, load_dataset
from mlfs.errors import ParameterError, did_you_mean
from mlfs.evaluation import Explorer, Protocol
from mlfs.evaluation.protocols import Choice, configured_selector
from mlfs.metrics import metric_title
from mlfs.papers.paper import TOURS
from mlfs.parameters import Parameter, known_name
from mlfs.results import setting_title
from mlfs.selectors import SELECTORS
from mlfs.selectors.evidence import Information

Tasks = Mapping[str, Callable[[], Any]]


@dataclass(frozen=True)
class StepView:
    """What a step shows.

    Attributes
    ----------
    sentence : what to look at, with the numbers of the figure; plain text
    figure : drawn from the same numbers
    notes : what is doubtful about it, a sentence each
    """

    sentence: str
    figure: go.Figure
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Knob:
    """Something a person moves in a step.

    Attributes
    ----------
    label : what it is called on the page
    parameter : its range, default and meaning
    method : whose parameter it is, where it is that of a method
    step : of a slider, where not every whole number will do
    """

    label: str
    parameter: Parameter
    method: str | None = None
    step: int | None = None

    @property
    def name(self) -> str:
        """As the step's function calls it."""
        return self.parameter.name

    @property
    def key(self) -> str:
        """As links call it."""
        return self.name if self.method is None else f"{self.method}.{self.name}"


def tuned(method: str, name: str, label: str) -> Knob:
    """A parameter of a method, as the method declares it."""
    return Knob(label, SELECTORS[method].parameters[name], method)


@dataclass(frozen=True)
class TourStep:
    """One step of a tour.

    Attributes
    ----------
    title : what the step is about
    look : (explorer, **knobs) → StepView. A step on a toy takes no explorer; one with `work` takes its results after it
    knobs : what can be moved
    toy : whether it needs no data set
    work : (explorer, **knobs) → tasks by the method they run, for what may take longer than a page may wait. `look`
        draws what has arrived
    """

    title: str
    look: Callable[..., StepView]
    knobs: tuple[Knob, ...] = ()
    toy: bool = False
    work: Callable[..., Tasks] | None = None

    def tasks(self, explorer: Explorer, settings: Mapping[str, Any]) -> Tasks:
        """The work of the step, method by method; none where it is quick."""
        return {} if self.work is None else self.work(explorer, **settings)

    def see(
        self, explorer: Explorer, settings: Mapping[str, Any], results: Mapping[str, Any] | None = None
    ) -> StepView:
        """The step at these settings of its knobs, by their names.

        Parameters
        ----------
        results : of `tasks` by method, as far as they are there; unless given, all are computed now
        """
        if self.toy:
            return self.look(**settings)
        if self.work is None:
            return self.look(explorer, **settings)
        if results is None:
            results = {method: task() for method, task in self.tasks(explorer, settings).items()}
        return self.look(explorer, results, **settings)

    def checked(self, settings: Mapping[str, Any], sizes: Mapping[str, int]) -> dict[str, Any]:
        """All knobs by name: the given values where they are allowed, the defaults of the others."""
        declared = {knob.name: knob.parameter for knob in self.knobs}
        for name, value in settings.items():
            if not declared:
                raise ParameterError(f"There is nothing to set in the step {self.title!r}: leave {name} out.")
            declared[known_name("This step", name, declared)].check(value, sizes)
        return {name: settings.get(name, parameter.default) for name, parameter in declared.items()}


@dataclass(frozen=True)
class Tour:
    """A paper, step by step.

    Attributes
    ----------
    paper : its id in `mlfs.papers.PAPERS`
    data : the bundled set it begins with
    """

    paper: str
    data: str
    steps: tuple[TourStep, ...]

    @property
    def knobs(self) -> dict[str, Knob]:
        """The knobs of all steps by their key; the same knob in two steps is one."""
        return {knob.key: knob for step in self.steps for knob in step.knobs}

    def query(self, step: int = 1) -> dict[str, str]:
        """The query parameters with which Learn opens it."""
        return {"tour": self.paper, **({"step": str(step)} if step > 1 else {})}


def take_step(paper: str, step: int, data: str | None = None, **settings: Any) -> StepView:
    """One step of a tour: its sentence and its figure.

    Parameters
    ----------
    step : counted from 1
    data : a bundled set; that of the tour unless given
    settings : the step's knobs by name, such as ``n_labels=3``

    >>> take_step("sechidis_2014", 2, copied=100).sentence[:41]
    'f₁ is picked. On 100% of the instances f₂'
    """
    tour = TOURS.named(paper)
    if step not in range(1, len(tour.steps) + 1):
        raise ParameterError(f"The tour of {paper} has the steps 1 to {len(tour.steps)}, not {step!r}.")
    name = tour.data if data is None else data
    if name not in bundled_names():
        raise ParameterError(
            f"Tours are made for the bundled data sets, not {name!r}: {did_you_mean(name, bundled_names())}"
        )
    explorer, chosen = Explorer(load_dataset(name)), tour.steps[step - 1]
    return chosen.see(explorer, chosen.checked(settings, explorer.ds.sizes))


# What steps of several tours measure, on the first of the splits that the paper's protocol draws


def first_curve(explorer: Explorer, selector: Choice, protocol: Protocol) -> pd.DataFrame:
    """The loss curve of a method. Unlike `Explorer.explore` it never learns from all features, which takes longest."""
    return explorer.split(protocol).measure(configured_selector(selector, protocol, explorer.ds), protocol).curve


def information_of(explorer: Explorer, method: str, protocol: Protocol) -> Information:
    """What a method that counts information learns from the training rows."""
    evidence: Information = explorer.evidence(method, protocol)
    return evidence


def means_in_words(curves: Mapping[str, pd.DataFrame], metric: str) -> str:
    """The mean over the sizes that all curves have, lowest first.

    >>> curve = pd.DataFrame({"size": [1, 2], "hamming_loss": [0.3, 0.2]})
    >>> means_in_words({"els": curve, "mfs": curve.assign(hamming_loss=0.2)}, "hamming_loss")
    'Hamming loss, mean over 2 sizes: MFS 0.2000, ELS 0.2500'
    """
    shared = set.intersection(*(set(curve["size"]) for curve in curves.values()))
    means = {method: float(curve.loc[curve["size"].isin(shared), metric].mean()) for method, curve in curves.items()}
    words = ", ".join(f"{setting_title(method)} {means[method]:.4f}" for method in sorted(means, key=means.__getitem__))
    return f"{metric_title(metric)}, mean over {len(shared)} sizes: {words}"


def where_largest(table: np.ndarray) -> tuple[int, int]:
    """Row and column of the largest entry; the first of equal ones.

    >>> where_largest(np.array([[1, 3], [3, 2]]))
    (0, 1)
    """
    row, column = np.unravel_index(int(np.nanargmax(table)), table.shape)
    return int(row), int(column)


def overlap(first: Iterable[int], second: Iterable[int]) -> int:
    """How many features two sets have in common."""
    return len(np.intersect1d(list(first), list(second)))
