"""Zhou & Guo 2023 again: one comparison for all tables and figures, each method with its natural number of features."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from mlfs.papers.experiment import Draw, Experiment, FinishedCells, Reader
from mlfs.papers.experiment_rows import at_own_size, number_of_features, of_metrics
from mlfs.papers.paper import get_paper, get_table
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


def _losses(metrics: Sequence[str], alphas: bool) -> Reader:
    def read(cells: FinishedCells) -> pd.DataFrame:
        return at_own_size(of_metrics((_alphas if alphas else _methods)(cells.results), metrics))

    return read


def _counts(alphas: bool) -> Reader:
    def read(cells: FinishedCells) -> pd.DataFrame:
        return number_of_features((_alphas if alphas else _methods)(cells.results))

    return read


def _experiment(result: str, kind: str, reader: Reader, *notes: str, draw: Draw | None = None) -> Experiment:
    fewer = {"bibtex": 1, "corel5k": 1}
    return Experiment(
        PAPER, result, DATASETS, kind, 5, (_FOLDS, *notes), fewer, plans_of=_plans, reader=reader, draw=draw
    )


EXPERIMENTS = (
    *(
        _experiment(
            table.result,
            "losses",
            _losses(table.metrics, alphas="mapd" not in table.methods),
            _SPREAD,
            *((_SIZES,) if "mapd" in table.methods else ()),
        )
        for table in get_paper(PAPER).tables
    ),
    _experiment("figure1", "sizes", _counts(alphas=True), draw=against_alpha),
    _experiment("figure2", "sizes", _counts(alphas=False), _SIZES, draw=by_method),
)
