"""Sechidis et al. 2014 again: losses for every number of features."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd

from mlfs.papers.experiment import Experiment, FinishedCells
from mlfs.papers.experiment_rows import over_splits
from mlfs.papers.figures import loss_curves
from mlfs.papers.paper import PublishedFigure, get_paper
from mlfs.studies import MethodGrid, Plan

PAPER = "sechidis_2014"
REPEATS = 30
#: The forward search with nearest neighbours takes minutes a split, the others seconds.
SLOW, SLOW_REPEATS = "ppt_mi:estimator=knn", {"yeast": 3, "scene": 1}
#: Every size is computed; of the larger ones these are told, which is enough for the shape of a curve.
ALL_UP_TO, STEP = 20, 5

_THINNED = f"Computed for every number of features; told for 1 to {ALL_UP_TO} and for every fifth one after them."
_FEWER_SPLITS = (
    f"The nearest-neighbour search of PPT-MI is slow: it has {SLOW_REPEATS['yeast']} splits on yeast and "
    f"{SLOW_REPEATS['scene']} on scene, the other methods {REPEATS}."
)


def _grids(figure: PublishedFigure, slow: bool) -> tuple[MethodGrid, ...]:
    return tuple(MethodGrid(method) for method in figure.methods if (method == SLOW) is slow)


def _plans(figure: PublishedFigure, dataset: str, repeats: int) -> list[Plan]:
    parts = {
        "methods": (_grids(figure, slow=False), repeats),
        "nearest neighbours": (_grids(figure, slow=True), min(repeats, SLOW_REPEATS[dataset])),
    }
    return [
        Plan(f"{PAPER}: {name} of {figure.name} on {dataset}", (dataset,), methods, PAPER, {"repeats": often})
        for name, (methods, often) in parts.items()
        if methods
    ]


def _read(cells: FinishedCells) -> pd.DataFrame:
    rows = cells.results
    return over_splits(rows[(rows["size"] <= ALL_UP_TO) | (rows["size"] % STEP == 0)])


def _experiment(figure: PublishedFigure) -> Experiment:
    notes = (_THINNED, _FEWER_SPLITS) if SLOW in figure.methods else (_THINNED,)
    draw = partial(loss_curves, band="ci")  # the paper draws the 95% confidence intervals of its means
    how: dict[str, Any] = {"plans_of": partial(_plans, figure), "reader": _read, "draw": draw}
    return Experiment(PAPER, figure.result, figure.datasets, "curves", REPEATS, notes, **how)


EXPERIMENTS = tuple(_experiment(figure) for figure in get_paper(PAPER).figures)
