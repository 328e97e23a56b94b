"""Run an experiment on those of its data sets that are at hand."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from threading import Event

import pandas as pd

from mlfs.datasets import Dataset, list_datasets, load_dataset
from mlfs.errors import MlfsError, ParameterError, did_you_mean
from mlfs.papers.experiments.experiment import Experiment, Progress
from mlfs.papers.experiments.statistics import LEAST
from mlfs.stopping import GivenUp, stoppable
from mlfs.studies import Store, run
from mlfs.studies.comparison import failures
from mlfs.studies.engines import Engine

TOO_FEW = f"Friedman's test needs {LEAST} data sets on which every method has a value."


@dataclass(frozen=True, eq=False)
class Measured:
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


def at_hand(experiment: Experiment, datasets: Sequence[str] | None = None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Those of the data sets (all of the experiment's where None) that can be loaded now, and those that cannot."""
    for name in datasets or ():
        if name not in experiment.datasets:
            hint = did_you_mean(name, experiment.datasets)
            raise ParameterError(f"{experiment.name} of {experiment.paper} has no data set {name!r}: {hint}")
    here = list_datasets()
    wanted = [name for name in experiment.datasets if datasets is None or name in datasets]
    return tuple(name for name in wanted if name in here), tuple(name for name in wanted if name not in here)


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
) -> Measured:
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
    names, missing = at_hand(experiment, datasets)
    work = _Work(experiment, names, repeats, store, engine or "local", workers, progress, cancel)
    parts: list[pd.DataFrame] = []
    problems: list[str] = []
    for name in names:
        if cancel is not None and cancel.is_set():
            break
        try:
            rows, failed = work.on(name)
        except MlfsError as problem:
            rows, failed = pd.DataFrame(), (f"{name}: {problem}",)
        except GivenUp:
            break
        problems += failed
        parts.append(rows)
    rows = experiment.finished(parts)
    too_few = (TOO_FEW,) if experiment.kind == "statistics" and rows.empty and names else ()
    return Measured(
        rows=rows,
        datasets=names,
        missing=missing,
        notes=(*experiment.notes, *too_few),
        problems=tuple(problems),
        seconds=time.monotonic() - start,
        cancelled=cancel is not None and cancel.is_set(),
    )


@dataclass(frozen=True, eq=False)
class _Work:
    """What `run_experiment` was asked for, and how to do it on one data set."""

    experiment: Experiment
    names: Sequence[str]
    repeats: int | None
    store: Store
    engine: str | Engine
    workers: int | None
    progress: Progress | None
    cancel: Event | None

    def on(self, name: str) -> tuple[pd.DataFrame, tuple[str, ...]]:
        """The rows of one data set, and what failed there."""
        ds = self.experiment.arranged(load_dataset(name))
        if self.experiment.direct is not None:
            return self._timed(name, ds), ()
        plans = self.experiment.plans([name], self.repeats)
        problems: list[str] = []
        for place, plan in enumerate(plans):
            done = run(
                plan,
                self.store,
                engine=self.engine,
                workers=self.workers,
                datasets={name: ds},
                progress=self._share(name, place / len(plans), 1 / len(plans)),
                cancel=self.cancel,
            )
            if self.store.study(done.study).failed:
                failed = failures(self.store.results(done.study))
                problems += [f"{row.setting} on {row.dataset}: {row.error}" for row in failed.itertuples()]
        return self.experiment.read_one(self.store, plans, name, ds), tuple(problems)

    def _timed(self, name: str, ds: Dataset) -> pd.DataFrame:
        assert self.experiment.direct is not None
        repeats = self.experiment.repeats_on(name, self.repeats)
        with nullcontext() if self.cancel is None else stoppable(self.cancel):
            return self.experiment.direct(ds, repeats, self._share(name, 0.0, 1.0)).assign(dataset=name)

    def _share(self, name: str, before: float, part: float) -> Progress:
        """Progress of one part of one data set, as thousandths of the whole: data sets count alike."""

        def tell(done: int, total: int, text: str) -> None:
            if self.progress is not None and total:
                share = (self.names.index(name) + before + part * done / total) / len(self.names)
                self.progress(round(1000 * share), 1000, text)

        return tell
