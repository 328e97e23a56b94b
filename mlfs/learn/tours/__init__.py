"""A guided tour of each paper: three to five steps on bundled data or a toy, each a live figure and what to see in it.

`TOURS` has them by the ids of `mlfs.papers.PAPERS`; `take_step` takes one step without the app.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from mlfs.datasets import bundled_names, load_dataset
from mlfs.errors import ParameterError, did_you_mean
from mlfs.evaluation import Explorer
from mlfs.learn.tours import lee_kim_2016, sechidis_2014, wang_2020_elc, zhang_2020_grro, zhou_2023_mapd
from mlfs.learn.tours.tour import Knob, Seen, Step, Tour

__all__ = ["TOURS", "Knob", "Seen", "Step", "Tour", "get_tour", "take_step"]

TOURS: Mapping[str, Tour] = MappingProxyType(
    {
        module.TOUR.paper: module.TOUR
        for module in (lee_kim_2016, wang_2020_elc, sechidis_2014, zhou_2023_mapd, zhang_2020_grro)
    }
)


def get_tour(paper: str) -> Tour:
    """
    >>> get_tour("lee_kim_2015")
    Traceback (most recent call last):
    mlfs.errors.ParameterError: There is no tour of the paper 'lee_kim_2015': did you mean 'lee_kim_2016'?
    """
    if paper not in TOURS:
        raise ParameterError(f"There is no tour of the paper {paper!r}: {did_you_mean(str(paper), TOURS)}")
    return TOURS[paper]


def take_step(paper: str, step: int, data: str | None = None, **settings: Any) -> Seen:
    """One step of a tour: its sentence and its figure.

    Parameters
    ----------
    step : counted from 1
    data : a bundled set; that of the tour unless given
    settings : the step's knobs by name, such as ``n_labels=3``

    >>> take_step("sechidis_2014", 2, copied=100).sentence[:41]
    'f₁ is picked. On 100% of the instances f₂'
    """
    tour = get_tour(paper)
    if step not in range(1, len(tour.steps) + 1):
        raise ParameterError(f"The tour of {paper} has the steps 1 to {len(tour.steps)}, not {step!r}.")
    name = tour.data if data is None else data
    if name not in bundled_names():
        raise ParameterError(
            f"Tours are made for the bundled data sets, not {name!r}: {did_you_mean(name, bundled_names())}"
        )
    explorer, chosen = Explorer(load_dataset(name)), tour.steps[step - 1]
    return chosen.see(explorer, chosen.checked(settings, explorer.ds.sizes))
