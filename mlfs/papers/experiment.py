"""One table or figure of a paper, run again: data sets, plans of studies, and how cells become rows.

experiment → plans → cells of a store → tidy rows; `mlfs.papers.published_vs_measured` sets them beside the published
numbers.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field, replace
from threading import Event
from typing import TYPE_CHECKING

import pandas as pd

from mlfs.datasets import Dataset, list_datasets, load_dataset
from mlfs.errors import MlfsError, ParameterError, did_you_mean
from mlfs.evaluation.protocols import PROTOCOLS
from mlfs.evaluation.splits import Split
from mlfs.papers.data_notes import drawn_at_random, labels_without_positives, unlike_catalogue, unlike_printed_split
from mlfs.papers.experiment_rows import FEWEST_DATASETS
from mlfs.papers.paper import ResultName, get_paper
from mlfs.selectors.specification import method_text
from mlfs.stopping import GivenUp, stoppable
from mlfs.studies import Cell, Estimate, Plan, Store, estimate, run
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
#: Finished cells of one data set → the studies that depend on what they show.
NextPlans = Callable[[FinishedCells], list[Plan]]
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
    next_plans : the studies that come after, where a method takes what was chosen for another
    computed_by : a method of the table → the one whose numbers these are, where the paper misnames it
    follows : a method of `next_plans` → the one whose choice it takes
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
    next_plans: NextPlans | None = None
    computed_by: Mapping[str, str] = field(default_factory=dict)
    follows: Mapping[str, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The caption of the table or figure, in our words."""
        return get_paper(self.paper).results[self.result].caption

    @property
    def label(self) -> str:
        """How it is called in lists.

        >>> get_paper("lee_kim_2016").experiments["table5"].label
        'Table 5 · Hamming loss, 50 features'
        """
        published = get_paper(self.paper).results[self.result]
        return f"{self.name} · {published.topic or published.caption.rstrip('.')}"

    def repeats_on(self, dataset: str, repeats: int | None = None) -> int:
        """How often the splits are drawn on a data set: as asked, or by default."""
        return self.fewer.get(dataset, self.repeats) if repeats is None else repeats

    def plans(self, datasets: Sequence[str] | None = None, repeats: int | None = None) -> list[Plan]:
        """The studies that compute its cells, data set by data set; none where nothing but time is measured."""
        if self.plans_of is None:
            return []
        names = self.datasets if datasets is None else datasets
        return [plan for name in names for plan in self.plans_of(name, self.repeats_on(name, repeats))]

    @property
    def methods(self) -> tuple[str, ...]:
        """Ids of the methods that can be run by themselves, as the paper calls them; none where all belong together."""
        if self.plans_of is None or self.kind == "statistics":
            return ()
        grids = [grid for plan in self.plans(self.datasets[:1], 1) for grid in plan.methods]
        run_here = {*self.follows, *(grid.method for grid in grids)}
        named = dict.fromkeys(text.partition(":")[0] for text in get_paper(self.paper).results[self.result].methods)
        return tuple(name for name in named if self.computed_by.get(name, name) in run_here)

    def only(self, methods: Sequence[str]) -> Experiment:
        """The same with some of its methods.

        >>> [plan] = get_paper("lee_kim_2016").experiments["table5"].only(["mfs"]).plans(["yeast"])
        >>> [grid.method for grid in plan.methods]
        ['mfs']
        """
        if not self.methods:
            raise ParameterError(
                f"{self.name} of {self.paper} needs all of its methods at once: leave out which to run."
            )
        for name in methods:
            if name not in self.methods:
                hint = did_you_mean(name, self.methods)
                raise ParameterError(f"{self.name} of {self.paper} has no method {name!r}: {hint}")
        plans_of, next_plans, reader = self.plans_of, self.next_plans, self.reader
        computed = {self.computed_by.get(name, name) for name in methods}
        needed = computed | {self.follows[name] for name in computed if name in self.follows}

        def kept(plans: Sequence[Plan]) -> list[Plan]:
            chosen = [(plan, [grid for grid in plan.methods if grid.method in needed]) for plan in plans]
            return [replace(plan, methods=tuple(grids)) for plan, grids in chosen if grids]

        def read(cells: FinishedCells) -> pd.DataFrame:
            rows = _EMPTY if reader is None else reader(cells)
            return rows[rows["setting"].str.partition(":")[0].isin(methods)]

        return replace(
            self,
            plans_of=None if plans_of is None else lambda name, repeats: kept(plans_of(name, repeats)),
            next_plans=None if next_plans is None else lambda cells: kept(next_plans(cells)),
            reader=read,
        )

    def available(self, datasets: Sequence[str] | None = None) -> tuple[tuple[str, ...], tuple[str, ...]]:
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

    def splits(self, ds: Dataset, name: str, repeats: int | None = None) -> Iterator[Split]:
        """The rows that train and test on a data set; where only time is measured, those of a given split."""
        for plan in self.plans([name], repeats)[:1]:
            for seed in plan.seeds:
                yield from plan.resolved_protocol.splits(ds, seed)
        if self.plans_of is None and PROTOCOLS[get_paper(self.paper).protocol].split == "given" and ds.split:
            yield ds.split

    def following(self, store: Store, plans: Sequence[Plan], name: str, ds: Dataset) -> list[Plan]:
        """The studies of one data set that depend on what these found."""
        if self.next_plans is None:
            return []
        finished = self._finished(store, plans, name, ds)
        return [] if finished is None else self.next_plans(finished)

    def read(self, store: Store, plans: Sequence[Plan], name: str, ds: Dataset) -> pd.DataFrame:
        """The rows of one data set by these studies, `following` ones included, before anything is made of all."""
        finished = self._finished(store, plans, name, ds)
        return _EMPTY if self.reader is None or finished is None else self.reader(finished).assign(dataset=name)

    def _finished(self, store: Store, plans: Sequence[Plan], name: str, ds: Dataset) -> FinishedCells | None:
        """The finished cells of one data set; None where there are none."""
        plans = tuple(plan for plan in plans if plan.datasets[0] == name)
        cells = [cell for plan in plans for cell in plan.cells({name: ds})]
        results = store.results(cells)
        results = results[results["error"] == ""]
        if results.empty:
            return None
        return FinishedCells(ds, plans, _named(results), lambda: _named(store.rankings(cells)))

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
    notes : what to know of the numbers, a sentence each; what was noticed of the data comes first
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
    expected: Callable[[Estimate], None] | None = None,
    cancel: Event | None = None,
) -> ExperimentResult:
    """Compute what the store lacks of an experiment, and read its rows.

    A data set that cannot be run is told among the problems, and the others go on. One that is not as the catalogue
    lists it, is parted otherwise than the paper prints, or was parted at random because it came without a split, is
    told among the notes, and so are labels without positives among the test rows, where macro-F1 is measured.

    Parameters
    ----------
    datasets : some of the experiment's; all where None, and of these those that are at hand
    repeats : how often the splits are drawn; where None the experiment's own number
    engine, workers : as `mlfs.studies.run` takes them; times are always measured in this process
    progress : called with parts done, parts in all, and what was done last
    expected : called with what the studies will take before they start, where anything is left to compute; not known
        then are times, and studies that depend on what others find
    cancel : stops soon after it is set; the rows are then those of what was done
    """
    start = time.monotonic()
    names, missing = experiment.available(datasets)
    runner = ExperimentRunner(experiment, names, repeats, store, engine, workers, progress, cancel)
    if expected is not None:
        runner.tell_expected(expected)
    rows = experiment.finished(runner.measure())
    too_few = (TOO_FEW,) if experiment.kind == "statistics" and rows.empty and names else ()
    return ExperimentResult(
        rows=rows,
        datasets=names,
        missing=missing,
        notes=(*dict.fromkeys(runner.noticed), *experiment.notes, *too_few),
        problems=tuple(runner.problems),
        seconds=time.monotonic() - start,
        cancelled=runner.is_cancelled,
    )


class ExperimentRunner:
    """One run of an experiment, data set after data set.

    Parameters
    ----------
    experiment : what is run
    names : its data sets, all at hand
    repeats, store, engine, workers, progress, cancel : as `run_experiment` takes them

    Attributes
    ----------
    noticed : what to know of the data, a sentence each
    problems : what failed, a sentence each
    """

    def __init__(
        self,
        experiment: Experiment,
        names: Sequence[str],
        repeats: int | None,
        store: Store,
        engine: str | Engine | None = None,
        workers: int | None = None,
        progress: Progress | None = None,
        cancel: Event | None = None,
    ) -> None:
        self.experiment, self.names, self.repeats = experiment, tuple(names), repeats
        self.store, self.engine, self.workers = store, engine or "local", workers
        self.progress, self.cancel = progress, cancel
        self.noticed: list[str] = []
        self.problems: list[str] = []
        self._loaded: dict[str, Dataset] = {}

    @property
    def is_cancelled(self) -> bool:
        return self.cancel is not None and self.cancel.is_set()

    def tell_expected(self, tell: Callable[[Estimate], None]) -> None:
        """What the studies will take, where anything is left to compute."""
        if self.experiment.plans_of is None:
            return
        plans, cells = self.experiment.plans(self.names, self.repeats), list[Cell]()
        for name in self.names:
            # What cannot be loaded or planned is told when its turn comes.
            with suppress(MlfsError):
                self._loaded[name] = self._load(name)
                plans_here = [plan for plan in plans if plan.datasets[0] == name]
                cells += [cell for plan in plans_here for cell in plan.cells({name: self._loaded[name]})]
        if len(self.store.finished(cell.key for cell in cells)) < len({cell.key for cell in cells}):
            every = replace(plans[0], datasets=tuple(self._loaded))
            tell(estimate(every, self.store, datasets=self._loaded, cells=cells, workers=self.workers))

    def measure(self) -> list[pd.DataFrame]:
        """The rows of each data set; those that are left when it is cancelled have none."""
        parts = []
        for name in self.names:
            if self.is_cancelled:
                break
            try:
                ds = self._loaded.pop(name) if name in self._loaded else self._load(name)
                direct = self.experiment.direct
                parts.append(self._studied(name, ds) if direct is None else self._timed(direct, name, ds))
            except MlfsError as problem:
                self.problems.append(f"{name}: {problem}")
            except GivenUp:
                break
        return parts

    def _load(self, name: str) -> Dataset:
        loaded = load_dataset(name)
        self.noticed.extend(unlike_catalogue(name, loaded))
        ds = self.experiment.arranged(loaded)
        self.noticed.extend(drawn_at_random(name, loaded, ds))
        splits = self.experiment.splits(ds, name, self.repeats)
        self.noticed.extend(unlike_printed_split(self.experiment.paper, name, splits))
        return ds

    def _timed(self, direct: Direct, name: str, ds: Dataset) -> pd.DataFrame:
        """What no study measures."""
        with nullcontext() if self.cancel is None else stoppable(self.cancel):
            often = self.experiment.repeats_on(name, self.repeats)
            return direct(ds, often, self._share(name, 0.0, 1.0)).assign(dataset=name)

    def _studied(self, name: str, ds: Dataset) -> pd.DataFrame:
        """What cells of studies say, and of those that depend on what they found."""
        plans = self.experiment.plans([name], self.repeats)
        stages = len(plans) + (self.experiment.next_plans is not None)
        for place, plan in enumerate(plans):
            self._compute(plan, ds, self._share(name, place / stages, 1 / stages))
        following = self.experiment.following(self.store, plans, name, ds)
        if not self.is_cancelled:
            for plan in following:
                self._compute(plan, ds, self._share(name, len(plans) / stages, 1 / stages))
        rows = self.experiment.read(self.store, [*plans, *following], name, ds)
        if "macro_f1" in {*rows["metric"]}:
            splits = self.experiment.splits(ds, name, self.repeats)
            self.noticed.extend(labels_without_positives(name, ds, splits))
        return rows

    def _compute(self, plan: Plan, ds: Dataset, progress: Progress) -> None:
        done = run(
            plan,
            self.store,
            engine=self.engine,
            workers=self.workers,
            datasets={plan.datasets[0]: ds},
            progress=progress,
            cancel=self.cancel,
        )
        if self.store.study(done.study).failed:
            failed = failures(self.store.results(done.study))
            self.problems.extend(f"{row.setting} on {row.dataset}: {row.error}" for row in failed.itertuples())

    def _share(self, name: str, before: float, part: float) -> Progress:
        """Progress of one part of one data set, as thousandths of the whole: data sets count alike."""

        def tell(done: int, total: int, text: str) -> None:
            if self.progress is not None and total:
                whole = (self.names.index(name) + before + part * done / total) / len(self.names)
                self.progress(round(1000 * whole), 1000, text)

        return tell
