"""Zhou & Guo 2023 again: one comparison for all tables and figures, each method with its natural number of features."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd

from mlfs.papers.experiment import Draw, Experiment, FinishedCells, Reader
from mlfs.papers.experiment_rows import at_own_size, number_of_features, of_metrics
from mlfs.papers.paper import PublishedTable, get_paper, get_table
from mlfs.papers.zhou_2023_mapd.figures import against_alpha, by_method
from mlfs.studies import MethodGrid, Plan

PAPER = "zhou_2023_mapd"
DATASETS = get_table(PAPER, "tableII").datasets
ALPHAS = (0.6, 0.7, 0.8, 0.9)
OTHERS = ("parfs", "scls", "ami")
OWN = "mapd:alpha=0.6"

_SPREAD = "The deviation is over all folds of all repeats."
_FOLDS = "Five times five folds; on bibtex and corel5k once five folds."
_SIZES = "SCLS and AMI get as many features as MAPD with alpha = 0.6 selects on the same fold."


def _plans(dataset: str, repeats: int) -> list[Plan]:
    methods = (MethodGrid("mapd", grid={"alpha": ALPHAS}), *map(MethodGrid, OTHERS))
    return [Plan(f"{PAPER}: methods on {dataset}", (dataset,), methods, PAPER, {"repeats": repeats})]


def _alphas(rows: pd.DataFrame) -> pd.DataFrame:
    return rows[rows["method"] == "mapd"]


def _methods(rows: pd.DataFrame) -> pd.DataFrame:
    """MAPD with the paper's own alpha goes by its id, as in Tables IV and V."""
    rows = rows[(rows["method"] != "mapd") | (rows["setting"] == OWN)]
    return rows.assign(setting=rows["method"])


def _losses(table: PublishedTable) -> Experiment:
    compares = "mapd" in table.methods
    rows_of = _methods if compares else _alphas

    def read(cells: FinishedCells) -> pd.DataFrame:
        return at_own_size(of_metrics(rows_of(cells.results), table.metrics))

    return _experiment(table.result, "losses", read, _SPREAD, *((_SIZES,) if compares else ()))


def _counts(rows_of: Callable[[pd.DataFrame], pd.DataFrame]) -> Reader:
    return lambda cells: number_of_features(rows_of(cells.results))


def _experiment(result: str, kind: str, reader: Reader, *notes: str, draw: Draw | None = None) -> Experiment:
    how: dict[str, Any] = {"plans_of": _plans, "reader": reader, "draw": draw}
    return Experiment(PAPER, result, DATASETS, kind, 5, (_FOLDS, *notes), {"bibtex": 1, "corel5k": 1}, **how)


EXPERIMENTS = (
    *map(_losses, get_paper(PAPER).tables),
    _experiment("figure1", "sizes", _counts(_alphas), draw=against_alpha),
    _experiment("figure2", "sizes", _counts(_methods), _SIZES, draw=by_method),
)
