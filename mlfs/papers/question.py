"""A question that a careful reader of the papers asks, with an experiment that answers it.

Data sets in, tables out, findings worded from the tables. The tables are those of runs that were made
(`Question.stored`) or are measured anew (`Question.run`). `QUESTIONS` has them by id: the `question.py` of each folder.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pandas as pd

from mlfs.datasets import Dataset, list_datasets, load_dataset
from mlfs.errors import ParameterError, StudyError, did_you_mean
from mlfs.papers.data_notes import unlike_catalogue
from mlfs.papers.experiment import Progress
from mlfs.papers.findings import Finding
from mlfs.papers.stored_runs import StoredTables, stored_tables
from mlfs.stopping import CancelToken, checkpoint
from mlfs.studies import Plan, Store
from mlfs.studies import run as run_plan
from mlfs.studies.engines import Engine
from mlfs.studies.engines.local import LocalEngine

#: Table name → its numbers.
Tables = Mapping[str, pd.DataFrame]


def no_progress(done: int, total: int, text: str) -> None:
    """For those who do not want to know how far it is."""


@dataclass(frozen=True)
class RunContext:
    """How a question is being answered.

    Attributes
    ----------
    store : where the cells of its studies are
    repeats : how often the rows are parted anew
    engine : computes the cells of its studies
    progress : called with parts done, parts in all, and what was done last
    """

    store: Store
    repeats: int = 1
    engine: str | Engine = "local"
    progress: Progress = no_progress
    cancel: CancelToken | None = None

    def step(self, done: int, total: int, text: str) -> None:
        """Between two parts of work that is no study: tell how far it is, and end here if that is wished."""
        if self.cancel is not None and self.cancel.is_set():
            raise StudyError("The experiment was stopped early: run it again to continue.")
        checkpoint()
        self.progress(done, total, text)

    def study(self, plan: Plan, datasets: Mapping[str, Dataset]) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Results and rankings of a plan, as `Store` gives them; cells that are known are not computed again."""
        run_plan(
            plan,
            self.store,
            engine=self.engine,
            datasets=datasets,
            progress=self.progress,
            cancel=self.cancel,
        )
        cells = plan.cells(datasets)
        results = self.store.results(cells)
        failed = results[results["error"] != ""]
        if not failed.empty:
            first = failed.iloc[0]
            raise StudyError(f"{first['method']} on {first['dataset']}: {first['error']}")
        if len(self.store.finished({cell.key for cell in cells})) < len({cell.key for cell in cells}):
            raise StudyError("The experiment was stopped early: run it again to continue.")
        return results, self.store.rankings(cells)


@dataclass(frozen=True)
class Question:
    """A question about one or several papers, and the experiment that answers it.

    Attributes
    ----------
    papers : whose readers ask it
    asks : the question, and why it is asked
    how : what the experiment does
    datasets : those it is meant for, in the order in which they are shown
    folder : where the stored runs ship
    tables : name → columns; each table has the columns dataset and, where splits are told apart, repeat
    measure : one data set → tables
    word : tables and the id of a paper → claims, with the figures of the tables as evidence
    repeats : how often the rows are parted anew, unless asked for otherwise
    order : its place among the questions
    explains : tables and the id of a paper → the numbers of its tables as the experiment gives them, with the columns
        `mlfs.papers.closeness.EXPLAINED_COLUMNS`; None where it explains none
    """

    id: str
    papers: tuple[str, ...]
    title: str
    asks: str
    how: str
    datasets: tuple[str, ...]
    folder: Path = field(repr=False)
    tables: Mapping[str, tuple[str, ...]]
    measure: Callable[[Dataset, RunContext], Tables] = field(repr=False)
    word: Callable[[Tables, str], list[Finding]] = field(repr=False)
    repeats: int = 1
    order: float = float("inf")
    explains: Callable[[Tables, str], pd.DataFrame] | None = field(default=None, repr=False)

    @classmethod
    def of(cls, module: str, **declared: Any) -> Question:
        """The question of a module, whose functions are `measure`, `word` and `explains`; its runs ship beside it."""
        has = vars(sys.modules[module])
        functions = {"measure": has["measure"], "word": has["word"], "explains": has.get("explains")}
        return cls(folder=Path(has["__file__"]).parent / "measured" / "question", **{**functions, **declared})

    def available(self) -> list[str]:
        """Those of its data sets that can be loaded here."""
        known = list_datasets()
        return [name for name in self.datasets if name in known]

    def run(
        self,
        datasets: Sequence[str] | None = None,
        repeats: int | None = None,
        *,
        store: Store | None = None,
        workers: int | None = None,
        engine: Engine | None = None,
        progress: Progress | None = None,
        cancel: CancelToken | None = None,
        notice: Callable[[str], None] | None = None,
    ) -> Tables:
        """Measure anew, on all its data sets at hand unless told on which.

        The same numbers come out on any number of workers. Whatever a store knows is not computed again.

        Parameters
        ----------
        engine : computes the cells, and stays open; unless given, one of so many `workers` for this run
        notice : called with a sentence on each data set that is not as the catalogue lists it
        """
        names = self.available() if datasets is None else [self._known(name) for name in dict.fromkeys(datasets)]
        if not names:
            raise ParameterError("The experiment needs at least one data set: name one.")
        if repeats is not None and repeats < 1:
            raise ParameterError(f"repeats must be a whole number of at least 1, not {repeats}.")
        with ExitStack() as opened:
            cells = opened.enter_context(_store_or_temporary(store))
            chosen = engine or opened.enter_context(closing(LocalEngine(workers, keep=True)))
            context = RunContext(cells, repeats or self.repeats, chosen, progress or no_progress, cancel)
            return self.joined([self.measure(_loaded(name, notice), context) for name in names])

    def joined(self, parts: Sequence[Tables]) -> Tables:
        """The tables of several data sets, below each other in the order of the question."""
        return {name: self._ordered(name, [part[name] for part in parts]) for name in self.tables}

    def findings(self, tables: Tables, paper: str | None = None) -> list[Finding]:
        """What the tables say; `paper` is whose reader asks, where several do."""
        if all(table.empty for table in tables.values()):
            return []
        return self.word(tables, paper or self.papers[0])

    def stored(self, folder: Path | None = None) -> StoredTables:
        """The tables of runs that were made, and what is known of these runs."""
        return stored_tables(self, folder)

    def _known(self, name: str) -> str:
        if name not in self.datasets:
            raise ParameterError(
                f"The experiment {self.id} is not made for {name!r}: {did_you_mean(str(name), self.datasets)}"
            )
        return name

    def _ordered(self, name: str, parts: Sequence[pd.DataFrame]) -> pd.DataFrame:
        parts = [part for part in parts if not part.empty]
        if not parts:
            return pd.DataFrame(columns=list(self.tables[name]))
        table = pd.concat(parts, ignore_index=True)[list(self.tables[name])]
        place = {dataset: number for number, dataset in enumerate(self.datasets)}
        return table.sort_values("dataset", key=lambda names: names.map(place), kind="stable", ignore_index=True)


def shown_datasets(table: pd.DataFrame) -> list[str]:
    """The data sets of a table, in its order."""
    return [str(name) for name in table["dataset"].unique()]


def renamed(context: RunContext, text: str) -> RunContext:
    """The same, which says first what it is at."""
    return replace(context, progress=lambda done, total, last: context.progress(done, total, f"{text}: {last}"))


def _loaded(name: str, notice: Callable[[str], None] | None) -> Dataset:
    ds = load_dataset(name)
    if notice is not None:
        for sentence in unlike_catalogue(name, ds):
            notice(sentence)
    return ds


@contextmanager
def _store_or_temporary(store: Store | None) -> Iterator[Store]:
    if store is not None:
        yield store
        return
    with tempfile.TemporaryDirectory(prefix="mlfs-question-") as folder, Store(Path(folder) / "cells.sqlite") as made:
        yield made
