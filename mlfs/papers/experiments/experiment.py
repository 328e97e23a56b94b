"""What one table or figure of a paper needs to be run again: data sets, plans of studies, and how cells become rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import pandas as pd

from mlfs.datasets import Dataset, load_dataset
from mlfs.papers.registry import get_paper
from mlfs.selectors.specification import method_text
from mlfs.studies import Plan, Store

#: Of every table of measured values. `size` is missing where there is none, `n` counts splits (of a statistic: data
#: sets, which `chosen` names, and `setting` is the metric that was tested), `chosen` tells parameters found by search.
COLUMNS = ["paper", "result", "dataset", "setting", "metric", "size", "value", "std", "n", "chosen"]

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, eq=False)
class Cells:
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
Reader = Callable[[Cells], pd.DataFrame]
#: Data set, repeats, how to tell of progress → the same, for what no study measures.
Direct = Callable[[Dataset, int, Progress], pd.DataFrame]
#: A data set → the same with its rows parted as the paper parted them.
Arrange = Callable[[Dataset], Dataset]
#: Rows of all data sets → the rows of a result that is about all of them.
Finish = Callable[[pd.DataFrame], pd.DataFrame]


@dataclass(frozen=True, eq=False)
class Experiment:
    """One table or figure, run again.

    Attributes
    ----------
    paper, result : the paper's id, and "table5", "figure2", "tableIV"
    datasets : those it needs, by the names of the catalogue
    kind : "losses", "curves", "sweep", "noise", "sizes", "choice", "times" or "statistics"
    repeats : how often splits are drawn unless told otherwise; `fewer` says it for single data sets
    notes : what differs from the paper, or should be known, a sentence each
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

    @property
    def title(self) -> str:
        """The caption of the table or figure, in our words."""
        paper = get_paper(self.paper)
        captions = {f"table{table.table}": table.caption for table in paper.tables}
        captions |= {f"figure{figure.figure}": figure.caption for figure in paper.figures}
        return captions[self.result]

    @property
    def is_of_table(self) -> bool:
        return self.result.startswith("table")

    @property
    def number(self) -> str:
        """As the paper counts its tables or figures: "5", "2a", "IV"."""
        return self.result.removeprefix("table").removeprefix("figure")

    @property
    def name(self) -> str:
        """As people write it: "Table 5"."""
        return f"{'Table' if self.is_of_table else 'Figure'} {self.number}"

    def repeats_on(self, dataset: str, repeats: int | None = None) -> int:
        """How often the splits are drawn on a data set: as asked, or by default."""
        return self.fewer.get(dataset, self.repeats) if repeats is None else repeats

    def plans(self, datasets: Sequence[str] | None = None, repeats: int | None = None) -> list[Plan]:
        """The studies that compute its cells, data set by data set; none where nothing but time is measured."""
        if self.plans_of is None:
            return []
        names = self.datasets if datasets is None else datasets
        return [plan for name in names for plan in self.plans_of(name, self.repeats_on(name, repeats))]

    def read(self, store: Store, plans: Sequence[Plan], datasets: Mapping[str, Dataset] | None = None) -> pd.DataFrame:
        """The rows of what the store has of these plans, with the columns COLUMNS."""
        names = dict.fromkeys(plan.datasets[0] for plan in plans)
        loaded = {name: (datasets or {}).get(name) or self.arranged(load_dataset(name)) for name in names}
        return self.finished([self.read_one(store, plans, name, ds) for name, ds in loaded.items()])

    def arranged(self, ds: Dataset) -> Dataset:
        """The data set as the paper used it."""
        return ds if self.arrange is None else self.arrange(ds)

    def read_one(self, store: Store, plans: Sequence[Plan], name: str, ds: Dataset) -> pd.DataFrame:
        """The rows of one data set, before anything is made of all of them."""
        own = tuple(plan for plan in plans if plan.datasets[0] == name)
        cells = [cell for plan in own for cell in plan.cells({name: ds})]
        results = store.results(cells)
        results = results[results["error"] == ""]
        if self.reader is None or results.empty:
            return _EMPTY
        found = Cells(ds, own, _named(results), lambda: _named(store.rankings(cells)))
        return self.reader(found).assign(dataset=name)

    def finished(self, parts: Sequence[pd.DataFrame]) -> pd.DataFrame:
        """Rows of several data sets as the rows of this result."""
        rows = pd.concat([part for part in parts if len(part)] or [_EMPTY], ignore_index=True)
        if self.finish is not None and len(rows):
            rows = self.finish(rows)
        return rows.assign(paper=self.paper, result=self.result).reindex(columns=COLUMNS).reset_index(drop=True)


_EMPTY = pd.DataFrame(columns=COLUMNS)


def _named(rows: pd.DataFrame) -> pd.DataFrame:
    pairs = list(zip(rows["method"], rows["parameters"], strict=True))
    names = {pair: method_text(pair[0], json.loads(pair[1])) for pair in dict.fromkeys(pairs)}
    return rows.assign(setting=[names[pair] for pair in pairs])
