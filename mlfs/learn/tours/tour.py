"""The shape of a tour: a paper in a few steps, each with something to move, a live figure and what to see in it.

A step looks at a data set through an `Explorer`, so that a move of a slider repeats only what depends on it. What it
says is made of the numbers it draws; none is typed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go

from mlfs.errors import ParameterError
from mlfs.evaluation import Explorer
from mlfs.parameters import Parameter, known_name
from mlfs.selectors import SELECTORS

Tasks = Mapping[str, Callable[[], Any]]


@dataclass(frozen=True)
class Seen:
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
class Step:
    """One step of a tour.

    Attributes
    ----------
    title : what the step is about
    look : (explorer, **knobs) → Seen. A step on a toy takes no explorer; one with `work` takes its results after it
    knobs : what can be moved
    toy : whether it needs no data set
    work : (explorer, **knobs) → tasks by the method they run, for what may take longer than a page may wait; `look`
        draws what has arrived
    """

    title: str
    look: Callable[..., Seen]
    knobs: tuple[Knob, ...] = ()
    toy: bool = False
    work: Callable[..., Tasks] | None = None

    def tasks(self, explorer: Explorer, settings: Mapping[str, Any]) -> Tasks:
        """The work of the step, method by method; none where it is quick."""
        return {} if self.work is None else self.work(explorer, **settings)

    def see(self, explorer: Explorer, settings: Mapping[str, Any], found: Mapping[str, Any] | None = None) -> Seen:
        """The step at these settings of its knobs, by their names.

        Parameters
        ----------
        found : results of `tasks` by method, as far as they are there; unless given, all are computed now
        """
        if self.toy:
            return self.look(**settings)
        if self.work is None:
            return self.look(explorer, **settings)
        if found is None:
            found = {method: task() for method, task in self.tasks(explorer, settings).items()}
        return self.look(explorer, found, **settings)

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
    steps: tuple[Step, ...]

    @property
    def knobs(self) -> dict[str, Knob]:
        """The knobs of all steps by their key; the same knob in two steps is one."""
        return {knob.key: knob for step in self.steps for knob in step.knobs}

    def query(self, step: int = 1) -> dict[str, str]:
        """The query parameters with which Learn opens it."""
        return {"tour": self.paper, **({"step": str(step)} if step > 1 else {})}
