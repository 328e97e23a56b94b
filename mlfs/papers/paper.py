"""What is known of a paper: where it appeared, what it proposes, its tables and figures, and its slips.

The sentences are ours. The numbers are not here: `mlfs.papers.reading` reads them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from mlfs.metrics import Quantity, quantity
from mlfs.papers.reading import table_rows


@dataclass(frozen=True)
class PublishedTable:
    """One table of results.

    Attributes
    ----------
    paper, table : the paper's id, and the number it gives the table, such as "5", "2a" or "IV"
    caption : what the table holds, in our words
    metrics : the quantities in it, each a grid of its own; see `quantity`
    rank_test : the test whose critical-difference diagram the paper draws from these numbers, or None
    control : the method this test compares with all others
    note : what to know when reading the numbers
    """

    paper: str
    table: str
    caption: str
    metrics: tuple[str, ...]
    rank_test: str | None = None
    control: str | None = None
    note: str = ""

    @property
    def metric(self) -> str:
        """The only metric, or the first."""
        return self.metrics[0]

    @property
    def _quantity(self) -> Quantity:
        return quantity(self.metric)

    @property
    def lower_is_better(self) -> bool | None:
        """None where no value is better than another."""
        return self._quantity.lower_is_better

    @property
    def unit(self) -> str:
        return self._quantity.unit

    @property
    def is_of_statistics(self) -> bool:
        """Whether its rows are metrics that were tested, and not data sets."""
        return self.metric == "friedman_F"

    @property
    def datasets(self) -> tuple[str, ...]:
        """In the order of the table, by the names of the catalogue; none in a table of statistics."""
        return self._named("dataset")

    @property
    def methods(self) -> tuple[str, ...]:
        """In the order of the table, as `mlfs.selectors.specification` writes them; none in a table of statistics."""
        return self._named("setting")

    @property
    def has_std(self) -> bool:
        """Whether standard deviations are printed."""
        return bool(table_rows(self.paper, self.table)["std"].notna().any())

    def _named(self, column: str) -> tuple[str, ...]:
        names = table_rows(self.paper, self.table)[column]
        return tuple(names[names != ""].unique())


@dataclass(frozen=True)
class PublishedFigure:
    """One figure: what it shows, and the page of the app that draws the same kind of picture.

    ``datasets``, ``methods`` and ``metrics`` are those of the figure; ``swept`` the parameters on its axes, if any.
    """

    paper: str
    figure: str
    caption: str
    page: str
    datasets: tuple[str, ...]
    methods: tuple[str, ...]
    metrics: tuple[str, ...]
    swept: tuple[str, ...] = ()

    def query(self, at_hand: Collection[str]) -> dict[str, str]:
        """The query parameters of the page, with the data sets of the figure that are at hand.

        >>> figure = PublishedFigure("p", "1", "", "noise", ("enron", "yeast"), ("elc", "mifs"), ("redundancy",))
        >>> figure.query({"yeast"})
        {'data': 'yeast', 'methods': 'elc,mifs'}
        """
        datasets = [name for name in self.datasets if name in at_hand]
        first = self.methods[0].partition(":")[0]
        if self.page == "compare":
            return compare_query(self.paper, datasets, self.methods)
        if self.page == "significance" or not datasets:
            return {}
        chosen = {"methods": ",".join(self.methods)} if self.page == "noise" else {"method": first}
        return {"data": datasets[0], **chosen}


def compare_query(protocol: str, datasets: Collection[str], methods: Collection[str]) -> dict[str, str]:
    """The query parameters with which Compare runs these methods by this protocol."""
    words = {"protocol": protocol, "sets": ",".join(datasets), "methods": ",".join(methods)}
    return {key: word for key, word in words.items() if word}


@dataclass(frozen=True)
class Paper:
    """One paper.

    Attributes
    ----------
    proposes : in one sentence of ours
    protocol : its way of running an experiment, as `mlfs.evaluation.PROTOCOLS` calls it
    methods : ids of the methods it compares, its own first
    slips : what is printed otherwise than it is or was meant, a sentence each
    unknown_datasets : names the catalogue lacks → why
    not_methods : columns of its tables that are no method of `SELECTORS` → why
    """

    id: str
    title: str
    authors: str
    year: int
    venue: str
    proposes: str
    protocol: str
    methods: tuple[str, ...]
    slips: tuple[str, ...]
    tables: tuple[PublishedTable, ...]
    figures: tuple[PublishedFigure, ...]
    unknown_datasets: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    not_methods: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def main_table(self) -> PublishedTable | None:
        """The first table that compares methods by a test, else the first; None where there are figures only."""
        return next((table for table in self.tables if table.rank_test), next(iter(self.tables), None))

    @property
    def datasets(self) -> tuple[str, ...]:
        """Of its tables and figures, in their order, by the names of the catalogue."""
        of_tables = [name for table in self.tables for name in table.datasets]
        of_figures = [name for figure in self.figures for name in figure.datasets]
        return tuple(name for name in dict.fromkeys(of_tables + of_figures) if name not in self.unknown_datasets)

    def compare_query(self, at_hand: Collection[str]) -> dict[str, str]:
        """The query parameters with which Compare runs its methods by its protocol, on its data sets at hand."""
        return compare_query(self.protocol, [name for name in self.datasets if name in at_hand], self.methods)

    @property
    def citation(self) -> str:
        return f"{self.authors}, {self.title}, {self.venue}, {self.year}"

    @property
    def short(self) -> str:
        """As one would say it: the first family names and the year."""
        family = [author.split()[-1] for author in self.authors.replace(" & ", ", ").split(", ")]
        names = f"{family[0]} et al." if len(family) > 2 else " & ".join(family)
        return f"{names} {self.year}"
