"""One table or figure of a paper, run again: data sets, plans of studies, and how cells become rows.

experiment → plans → cells of a store → tidy rows; `mlfs.papers.published_vs_measured` sets them beside the published
numbers.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from threading import Event
from typing import TYPE_CHECKING

import pandas as pd

from mlfs.datasets import Dataset, list_datasets, load_dataset
from mlfs.errors import MlfsError, ParameterError, did_you_mean
from mlfs.papers.experiment_rows import FEWEST_DATASETS
from mlfs.papers.paper import ResultName, get_paper
from mlfs.selectors.specification import method_text
from mlfs.stopping import GivenUp, stoppable
from mlfs.studies import Plan, Store, run
from mlfs.studies.comparison import failures
from mlfs.studies.engines import Engine

if TYPE_CHECKING:
    import plotly.graph_objects as go

#: Of every table of measured values. `size` is missing where there is none, `n` counts splits (of a statistic: data
#: sets, which `chosen` names, and `setting` is the metric that was tested), `chosen` tells parameters found by search.
COLUMNS = ["paper", "result", "dataset", "setting", "metric", "size", "value", "std", "n", "chosen"]
_EMPTY = pd.DataFrame(columns=COLUMNS)
TOO_FEW = f"Friedman's test needs {FEWEST_DATASETS} data sets on which every method has a value."

#: Called with parts done, parts in all, and what was done last.
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, eq=False)
class FinishedCells:
    """The finished cells of one data set, as a reader sees them.

    `results` and what `rankings` reads are those of the store, failures left out, with a column setting that names
    method and parameters as `mlfs.selectors.specification` writes them.
    """

    dataset: Dataset
    plans: tuple[Plan, ...]
    results: pd.DataFrame
    rankings: Callable[[], pd.DataFrame]


#: Data set, repeats → the studies that compute its cells.
PlansOf = Callable[[str, int], list[Plan]]
#: Cells of one data set → rows with setting, metric, size, value, std, n and chosen.
Reader = Callable[[FinishedCells], pd.DataFrame]
#: Data set, repeats, how to tell of progress → the same, for what no study measures.
Direct = Callable[[Dataset, int, Progress], pd.DataFrame]
#: A data set → the same with its rows parted as the paper parted them.
Arrange = Callable[[Dataset], Dataset]
#: Rows of all data sets → the rows of a result that is about all of them.
Finish = Callable[[pd.DataFrame], pd.DataFrame]
#: Measured rows → the pictures of a figure, by a short name.
Draw = Callable[[pd.DataFrame], "dict[str, go.Figure]"]


@dataclass(frozen=True, eq=False)
class Experiment(ResultName):
    """One table or figure, run again.

    Attributes
    ----------
    paper, result : the paper's id, and "table5", "figure2", "tableIV"
    datasets : those it needs, by the names of the catalogue
    kind : "losses", "curves", "sweep", "noise", "sizes", "choice", "times" or "statistics"
    repeats : how often splits are drawn unless told otherwise; `fewer` says it for single data sets
    notes : what differs from the paper, or should be known, a sentence each
    draw : where the paper's figure is drawn otherwise than `mlfs.papers.figures` draws its kind
    """

    paper: str
    result: str
    datasets: tuple[str, ...]
    kind: str
    repeats: int
    notes: tuple[str, ...] = ()
    fewer: Mapping[str, int] = field(default_factory=dict)
    plans_of: PlansOf | None = None
    reader: Reader | None = None
    direct: Direct | None = None
    finish: Finish | None = None
    arrange: Arrange | None = None
    draw: Draw | None = None

    @property
    def title(self) -> str:
        """The caption of the table or figure, in our words."""
        return get_paper(self.paper).results[self.result].caption

    def repeats_on(self, dataset: str, repeats: int | None = None) -> int:
        """How often the splits are drawn on a data set: as asked, or by default."""
        return self.fewer.get(dataset, self.repeats) if repeats is None else repeats

    def plans(self, datasets: Sequence[str] | None = None, repeats: int | None = None) -> list[Plan]:
        """The studies that compute its cells, data set by data set; none where nothing but time is measured."""
        if self.plans_of is None:
            return []
        names = self.datasets if datasets is None else datasets
        return [plan for name in names for plan in self.plans_of(name, self.repeats_on(name, repeats))]

    def at_hand(self, datasets: Sequence[str] | None = None) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Those of the data sets (all of its own where None) that can be loaded now, and those that cannot."""
        for name in datasets or ():
            if name not in self.datasets:
                hint = did_you_mean(name, self.datasets)
                raise ParameterError(f"{self.name} of {self.paper} has no data set {name!r}: {hint}")
        here = list_datasets()
        wanted = [name for name in self.datasets if datasets is None or name in datasets]
        return tuple(name for name in wanted if name in here), tuple(name for name in wanted if name not in here)

    def arranged(self, ds: Dataset) -> Dataset:
        """The data set as the paper used it."""
        return ds if self.arrange is None else self.arrange(ds)

    def read(self, store: Store, plans: Sequence[Plan], name: str, ds: Dataset) -> pd.DataFrame:
        """The rows of one data set, before anything is made of all of them."""
        plans = tuple(plan for plan in plans if plan.datasets[0] == name)
        cells = [cell for plan in plans for cell in plan.cells({name: ds})]
        results = store.results(cells)
        results = results[results["error"] == ""]
        if self.reader is None or results.empty:
            return _EMPTY
        finished = FinishedCells(ds, plans, _named(results), lambda: _named(store.rankings(cells)))
        return self.reader(finished).assign(dataset=name)

    def finished(self, parts: Sequence[pd.DataFrame]) -> pd.DataFrame:
        """Rows of several data sets as the rows of this result."""
        rows = pd.concat([part for part in parts if len(part)] or [_EMPTY], ignore_index=True)
        if self.finish is not None and len(rows):
            rows = self.finish(rows)
        return rows.assign(paper=self.paper, result=self.result).reindex(columns=COLUMNS).reset_index(drop=True)


def _named(rows: pd.DataFrame) -> pd.DataFrame:
    pairs = list(zip(rows["method"], rows["parameters"], strict=True))
    names = {pair: method_text(pair[0], json.loads(pair[1])) for pair in dict.fromkeys(pairs)}
    return rows.assign(setting=[names[pair] for pair in pairs])


@dataclass(frozen=True, eq=False)
class ExperimentResult:
    """What an experiment gave.

    Attributes
    ----------
    rows : tidy, with the columns COLUMNS
    datasets : those it ran on
    missing : those it needs, or was asked for, that are not at hand
    notes : what to know of the numbers, a sentence each
    problems : what failed, a sentence each
    seconds : the whole run took
    cancelled : whether it was stopped before the end
    """

    rows: pd.DataFrame
    datasets: tuple[str, ...]
    missing: tuple[str, ...]
    notes: tuple[str, ...]
    problems: tuple[str, ...]
    seconds: float
    cancelled: bool = False


def run_experiment(
    experiment: Experiment,
    datasets: Sequence[str] | None = None,
    repeats: int | None = None,
    *,
    store: Store,
    engine: str | Engine | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    cancel: Event | None = None,
) -> ExperimentResult:
    """Compute what the store lacks of an experiment, and read its rows.

    A data set that cannot be run is told among the problems, and the others go on.

    Parameters
    ----------
    datasets : some of the experiment's; all where None, and of these those that are at hand
    repeats : how often the splits are drawn; where None the experiment's own number
    engine, workers : as `mlfs.studies.run` takes them; times are always measured in this process
    progress : called with parts done, parts in all, and what was done last
    cancel : stops soon after it is set; the rows are then those of what was done
    """
    start = time.monotonic()
    names, missing = experiment.at_hand(datasets)
    parts: list[pd.DataFrame] = []
    problems: list[str] = []

    def share(name: str, before: float, part: float) -> Progress:
        """Progress of one part of one data set, as thousandths of the whole: data sets count alike."""

        def tell(done: int, total: int, text: str) -> None:
            if progress is not None and total:
                whole = (names.index(name) + before + part * done / total) / len(names)
                progress(round(1000 * whole), 1000, text)

        return tell

    def measure(name: str) -> pd.DataFrame:
        ds = experiment.arranged(load_dataset(name))
        if experiment.direct is not None:
            with nullcontext() if cancel is None else stoppable(cancel):
                often = experiment.repeats_on(name, repeats)
                return experiment.direct(ds, often, share(name, 0.0, 1.0)).assign(dataset=name)
        plans = experiment.plans([name], repeats)
        for place, plan in enumerate(plans):
            done = run(
                plan,
                store,
                engine=engine or "local",
                workers=workers,
                datasets={name: ds},
                progress=share(name, place / len(plans), 1 / len(plans)),
                cancel=cancel,
            )
            if store.study(done.study).failed:
                failed = failures(store.results(done.study))
                problems.extend(f"{row.setting} on {row.dataset}: {row.error}" for row in failed.itertuples())
        return experiment.read(store, plans, name, ds)

    for name in names:
        if cancel is not None and cancel.is_set():
            break
        try:
            parts.append(measure(name))
        except MlfsError as problem:
            problems.append(f"{name}: {problem}")
        except GivenUp:
            break
    rows = experiment.finished(parts)
    too_few = (TOO_FEW,) if experiment.kind == "statistics" and rows.empty and names else ()
    return ExperimentResult(
        rows=rows,
        datasets=names,
        missing=missing,
        notes=(*experiment.notes, *too_few),
        problems=tuple(problems),
        seconds=time.monotonic() - start,
        cancelled=cancel is not None and cancel.is_set(),
    )
