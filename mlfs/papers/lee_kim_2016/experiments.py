"""Lee & Kim 2016 again: one comparison for Tables 5 to 7 and Figures 4 to 6, one sweep of |Y| for the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from mlfs.datasets import CATALOGUE, Dataset
from mlfs.papers.experiment import Experiment, Finish, FinishedCells, PlansOf, Progress, Reader
from mlfs.papers.experiment_rows import friedman_rows, of_metrics, over_splits, with_size
from mlfs.papers.lee_kim_2016.figures import sweep
from mlfs.papers.paper import get_table
from mlfs.papers.timing import CLASSIFIER_TIMES, TIMES, classifier_seconds, selection_seconds
from mlfs.results import parameter_values
from mlfs.selectors.specification import method_parameters
from mlfs.studies import MethodGrid, Plan
from mlfs.studies.sweep import values_between

PAPER = "lee_kim_2016"
DATASETS = ("bibtex", "corel5k", "delicious", "enron", "genbase", "llog", "slashdot", "yeast")
OTHERS = ("br_cc", "br_or", "ela_chi", "fimf", "mfs")
LOSSES = ("hamming_loss", "ranking_loss")
STEPS = 10
READ_AT = (10, 30, 50)

_Y = "ELS takes the |Y| of the paper's Table 2."
_SWEEP = f"About {STEPS} values of |Y| from 1 to all labels, and the paper's own among them."
_ALL = "With all features of bibtex and delicious BRLR takes minutes: there they have one split only."
# Where more splits would take hours.
_FEWER, _FEW_WITH_ALL = {"delicious": 1}, {"bibtex": 1, "delicious": 1}


def published_y(dataset: str) -> int:
    """|Y| of Table 2.

    >>> published_y("yeast")
    3
    """
    rows = get_table(PAPER, "table2").rows
    return int(rows.loc[rows["dataset"] == dataset, "value"].iloc[0])


def swept_y(dataset: str) -> tuple[int, ...]:
    """About ten |Y| from 1 to all labels, and that of Table 2 among them.

    >>> swept_y("yeast")
    (1, 2, 3, 4, 5, 7, 8, 10, 11, 13, 14)
    """
    steps = values_between(method_parameters("els")["n_labels"], 1, CATALOGUE[dataset].labels, STEPS)
    return tuple(sorted({*steps, published_y(dataset)}))


def _comparison(dataset: str, repeats: int) -> list[Plan]:
    methods = (MethodGrid("els", {"n_labels": published_y(dataset)}), *map(MethodGrid, OTHERS))
    few = min(repeats, _FEW_WITH_ALL.get(dataset, repeats))
    return [
        Plan(f"{PAPER}: all features of {dataset}", (dataset,), (MethodGrid("all_features"),), PAPER, {"repeats": few}),
        Plan(f"{PAPER}: methods on {dataset}", (dataset,), methods, PAPER, {"repeats": repeats}),
    ]


def _sweep(orders: Sequence[str]) -> PlansOf:
    def plans(dataset: str, repeats: int) -> list[Plan]:
        swept = {"n_labels": swept_y(dataset)}
        grid = MethodGrid("els", grid={"label_order": orders, **swept} if orders else swept)
        name = f"{PAPER}: |Y| on {dataset}{', in two orders' if orders else ''}"
        return [Plan(name, (dataset,), (grid,), PAPER, {"repeats": repeats, "sizes": READ_AT})]

    return plans


def _at_50(*metrics: str) -> Reader:
    def read(cells: FinishedCells) -> pd.DataFrame:
        rows = over_splits(of_metrics(with_size(cells.results, (50,)), metrics))
        return _els_by_name(rows.assign(size=np.nan))

    return read


def _curves(metric: str) -> Reader:
    def read(cells: FinishedCells) -> pd.DataFrame:
        selected = cells.results[cells.results["method"] != "all_features"]
        return _els_by_name(over_splits(of_metrics(selected, (metric,))))

    return read


def _els_by_name(rows: pd.DataFrame) -> pd.DataFrame:
    """ELS goes by its id, as in the published tables; what it was told stands beside."""
    els = rows["setting"].str.startswith("els:")
    return rows.assign(
        chosen=rows["setting"].str.partition(":")[2].where(els, ""), setting=rows["setting"].mask(els, "els")
    )


def _swept(metric: str) -> Reader:
    def read(cells: FinishedCells) -> pd.DataFrame:
        return over_splits(of_metrics(cells.results, (metric,)))

    return read


def _best_y(cells: FinishedCells) -> pd.DataFrame:
    """The |Y| with the least mean Hamming loss at 50 features, and how much the others lose by it."""
    rows = of_metrics(with_size(cells.results, (50,)), ("hamming_loss",))
    losses = rows.groupby(parameter_values(rows, "n_labels").astype(int))["value"].mean()
    best, worst = int(losses.idxmin()), int(losses.idxmax())
    losses_in_words = f"Hamming loss {losses[best]:.4f}; at the worst |Y| = {worst} it is {losses[worst]:.4f}"
    splits = len(rows[["seed", "repeat"]].drop_duplicates())
    row = {"setting": "els", "metric": "promising_labels", "value": float(best), "n": splits, "chosen": losses_in_words}
    return pd.DataFrame([row])


def _selection_seconds(ds: Dataset, repeats: int, progress: Progress) -> pd.DataFrame:
    settings = (f"els:n_labels={published_y(ds.name)}", *OTHERS)
    return _els_by_name(selection_seconds(ds, settings, PAPER, repeats, progress))


def _classifier_seconds(ds: Dataset, repeats: int, progress: Progress) -> pd.DataFrame:
    return classifier_seconds(ds, PAPER, 50, repeats, progress)


def _of_comparison(result: str, kind: str, reader: Reader, finish: Finish | None = None) -> Experiment:
    how: dict[str, Any] = {"plans_of": _comparison, "reader": reader, "finish": finish}
    return Experiment(PAPER, result, DATASETS, kind, 10, (_Y, _ALL), _FEWER, **how)


def _of_sweep(result: str, kind: str, reader: Reader, *notes: str, orders: Sequence[str] = ()) -> Experiment:
    how: dict[str, Any] = {"plans_of": _sweep(orders), "reader": reader, "draw": sweep}
    return Experiment(PAPER, result, DATASETS, kind, 10, (_SWEEP, *notes), _FEWER, **how)


_BOTH = ("max_entropy", "min_entropy")

EXPERIMENTS = (
    _of_sweep("table2", "choice", _best_y, "The |Y| with the least Hamming loss at 50 features is taken."),
    Experiment(PAPER, "table3", DATASETS, "times", 3, (_Y, TIMES), direct=_selection_seconds),
    Experiment(PAPER, "table4", DATASETS, "times", 1, (CLASSIFIER_TIMES,), direct=_classifier_seconds),
    _of_comparison("table5", "losses", _at_50("hamming_loss")),
    _of_comparison("table6", "losses", _at_50("ranking_loss")),
    _of_comparison("table7", "statistics", _at_50(*LOSSES), friedman_rows),
    _of_sweep("figure2", "sweep", _swept("hamming_loss")),
    _of_sweep("figure3", "sweep", _swept("ranking_loss")),
    _of_comparison("figure4", "curves", _curves("hamming_loss")),
    _of_comparison("figure5", "curves", _curves("ranking_loss")),
    _of_comparison("figure6", "losses", _at_50(*LOSSES)),
    _of_sweep("figure7", "sweep", _swept("hamming_loss"), orders=_BOTH),
    _of_sweep("figure8", "sweep", _swept("ranking_loss"), orders=_BOTH),
)
