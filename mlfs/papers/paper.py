"""A paper is a folder: what it prints, how it is run again, what was found, its tour and its question.

`paper.toml` describes it, `published.csv` has the numbers of its tables and `datasets.csv` those of its data sets;
`experiments.py`, `findings.py`, `tour.py` and `question.py` are imported when first asked for. `PAPERS` has every such
folder beside this file, and every one that MLFS_EXTENSIONS names: there is no list of them.
"""

from __future__ import annotations

import pkgutil
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from mlfs import extensions
from mlfs.checks import checked
from mlfs.errors import ParameterError, did_you_mean
from mlfs.papers.published_numbers import published_numbers

if TYPE_CHECKING:
    import pandas as pd

    from mlfs.papers.experiment import Experiment
    from mlfs.papers.question import Question
    from mlfs.papers.tour import Tour

T = TypeVar("T")
DESCRIPTION = "paper.toml"


def result_name(written: str | int) -> str:
    """The name of a table or figure in small letters, however it is written; a bare number is that of a table.

    >>> [result_name(written) for written in ("Table 5", 5, "tab. IV", "figure2", "Fig. 2")]
    ['table5', 'table5', 'tableiv', 'figure2', 'figure2']
    """
    match = re.fullmatch(r"\s*(table|tab|figure|fig|)\.?\s*(\w+)\s*", str(written), flags=re.IGNORECASE)
    if match is None:
        return str(written)
    return f"{'figure' if match[1].casefold().startswith('fig') else 'table'}{match[2]}".casefold()


def find_result(written: str | int, known: Mapping[str, T]) -> T | None:
    """That of the known results which is meant."""
    name = result_name(written)
    return next((result for key, result in known.items() if key.casefold() == name), None)


class ResultName:
    """How a table or figure is called: "table5" in code, links and commands, "Table 5" in sentences."""

    paper: str
    result: str

    @property
    def is_of_table(self) -> bool:
        return self.result.startswith("table")

    @property
    def number(self) -> str:
        """As the paper counts its tables or figures: "5", "2a", "IV"."""
        return self.result.removeprefix("table").removeprefix("figure")

    @property
    def name(self) -> str:
        return f"{'Table' if self.is_of_table else 'Figure'} {self.number}"


@dataclass(frozen=True)
class PublishedTable(ResultName):
    """One table of results.

    Attributes
    ----------
    paper, result : the paper's id, and a name such as "table5", "table2a" or "tableIV"
    caption : what the table holds, in our words
    topic : the same in a few words, for lists
    metrics : the quantities in it, each a grid of its own; see `mlfs.metrics.quantity`
    rank_test : the test whose critical-difference diagram the paper draws from these numbers, or None
    control : the method this test compares with all others
    note : what to know when reading the numbers
    """

    paper: str
    result: str
    folder: Path = field(repr=False)
    caption: str
    metrics: tuple[str, ...]
    rank_test: str | None = None
    control: str | None = None
    note: str = ""
    topic: str = ""

    @property
    def metric(self) -> str:
        """The only metric, or the first."""
        return self.metrics[0]

    @property
    def is_of_statistics(self) -> bool:
        """Whether its rows are metrics that were tested, and not data sets."""
        return self.metric == "friedman_F"

    @property
    def rows(self) -> pd.DataFrame:
        """Its numbers, one row each, with the columns that `mlfs.papers.published` explains."""
        rows = published_numbers(self.folder, self.paper)
        return rows[rows["table"] == self.number].reset_index(drop=True)

    @cached_property
    def datasets(self) -> tuple[str, ...]:
        """In the order of the table, by the names of the catalogue; none in a table of statistics."""
        return self._named("dataset")

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """In the order of the table, as `mlfs.selectors.specification` writes them; none in a table of statistics."""
        return self._named("setting")

    def _named(self, column: str) -> tuple[str, ...]:
        names = self.rows[column]
        return tuple(names[names != ""].unique())


@dataclass(frozen=True)
class PublishedFigure(ResultName):
    """One figure: what it shows, and the page of the app that draws the same kind of picture.

    ``datasets``, ``methods`` and ``metrics`` are those of the figure; ``swept`` the parameters on its axes, if any;
    ``topic`` is the caption in a few words.
    """

    paper: str
    result: str
    caption: str
    page: str
    datasets: tuple[str, ...]
    methods: tuple[str, ...]
    metrics: tuple[str, ...]
    swept: tuple[str, ...] = ()
    topic: str = ""

    def query(self, available: Collection[str]) -> dict[str, str]:
        """The query parameters of the page, with the data sets of the figure that are at hand.

        >>> figure = PublishedFigure("p", "figure1", "", "noise", ("enron", "yeast"), ("elc", "mifs"), ("redundancy",))
        >>> figure.query({"yeast"})
        {'data': 'yeast', 'methods': 'elc,mifs'}
        """
        datasets = [name for name in self.datasets if name in available]
        first = self.methods[0].partition(":")[0]
        if self.page == "compare":
            return _compare_query(self.paper, datasets, self.methods)
        if self.page == "significance" or not datasets:
            return {}
        chosen = {"methods": ",".join(self.methods)} if self.page == "noise" else {"method": first}
        return {"data": datasets[0], **chosen}


def _compare_query(protocol: str, datasets: Collection[str], methods: Collection[str]) -> dict[str, str]:
    """The query parameters with which Compare runs these methods by this protocol."""
    words = {"protocol": protocol, "sets": ",".join(datasets), "methods": ",".join(methods)}
    return {key: word for key, word in words.items() if word}


@dataclass(frozen=True)
class Trial:
    """What was tried for numbers that do not come out, or was not, in sentences.

    Attributes
    ----------
    datasets, methods, metrics : of the numbers that it is about; all where none are named
    """

    text: str
    datasets: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()

    def is_about(self, dataset: str, method: str, metric: str) -> bool:
        """
        >>> trial = Trial("Both losses.", methods=("els",))
        >>> trial.is_about("yeast", "els", "hamming_loss"), trial.is_about("yeast", "mfs", "hamming_loss")
        (True, False)
        """
        named = ((self.datasets, dataset), (self.methods, method), (self.metrics, metric))
        return all(not names or name in names for names, name in named)


@dataclass(frozen=True)
class Paper:
    """One paper. The sentences are ours.

    Attributes
    ----------
    package : the folder as Python imports it, whose last word is the paper's id
    proposes : in one sentence
    protocol : its way of running an experiment, as `mlfs.evaluation.PROTOCOLS` calls it
    methods : ids of the methods it compares, its own first
    known_errors : what is printed otherwise than it is or was meant, a sentence each
    tried : what was tried for numbers that do not come out
    unknown_datasets : names the catalogue lacks → why
    not_methods : columns of its tables that are no method of `SELECTORS` → why
    order : its place among the papers; those without come last, by their year
    """

    package: str
    folder: Path = field(repr=False)
    title: str
    authors: str
    year: int
    venue: str
    proposes: str
    protocol: str
    methods: tuple[str, ...]
    tables: tuple[PublishedTable, ...] = ()
    figures: tuple[PublishedFigure, ...] = ()
    known_errors: tuple[str, ...] = ()
    tried: tuple[Trial, ...] = ()
    unknown_datasets: Mapping[str, str] = field(default_factory=dict)
    not_methods: Mapping[str, str] = field(default_factory=dict)
    order: float = float("inf")

    @property
    def id(self) -> str:
        return self.package.rpartition(".")[2]

    @property
    def main_table(self) -> PublishedTable | None:
        """The first table that compares methods by a test, else the first; None where there are figures only."""
        return next((table for table in self.tables if table.rank_test), next(iter(self.tables), None))

    @property
    def results(self) -> dict[str, PublishedTable | PublishedFigure]:
        """Its tables, then its figures, by name."""
        results: list[PublishedTable | PublishedFigure] = [*self.tables, *self.figures]
        return {result.result: result for result in results}

    @property
    def datasets(self) -> tuple[str, ...]:
        """Of its tables and figures, in their order, by the names of the catalogue."""
        names = [name for result in self.results.values() for name in result.datasets]
        return tuple(name for name in dict.fromkeys(names) if name not in self.unknown_datasets)

    def compare_query(self, available: Collection[str]) -> dict[str, str]:
        """The query parameters with which Compare runs its methods by its protocol, on its data sets at hand."""
        return _compare_query(self.protocol, [name for name in self.datasets if name in available], self.methods)

    @property
    def citation(self) -> str:
        return f"{self.authors}, {self.title}, {self.venue}, {self.year}"

    @property
    def short(self) -> str:
        """As one would say it: the first family names and the year."""
        family = [author.split()[-1] for author in self.authors.replace(" & ", ", ").split(", ")]
        names = f"{family[0]} et al." if len(family) > 2 else " & ".join(family)
        return f"{names} {self.year}"

    def has(self, part: str) -> bool:
        """Whether there is such a module, without importing it: "experiments", "findings", "tour" or "question"."""
        return (self.folder / f"{part}.py").exists()

    @property
    def experiments(self) -> dict[str, Experiment]:
        """How its tables and figures are run again, by name and in its order.

        >>> list(get_paper("zhou_2023_mapd").experiments)
        ['tableII', 'tableIII', 'tableIV', 'tableV', 'figure1', 'figure2']
        """
        from mlfs.papers.experiment import Experiment

        known = {experiment.result: experiment for experiment in declared_in(self.package, "experiments", ())}
        for name in set(known) - set(self.results):
            hint = did_you_mean(name, self.results)
            raise ParameterError(f"{DESCRIPTION} of {self.id} does not describe {name!r}, of its experiments: {hint}")
        # What nobody runs again is shown as it is printed.
        return {name: known.get(name) or Experiment(self.id, name, (), "losses", 1) for name in self.results}

    @property
    def questions(self) -> list[Question]:
        """The questions that concern it.

        >>> [question.id for question in get_paper("zhou_2023_mapd").questions]
        ['label_columns', 'mapd_classifier']
        """
        return [question for question in QUESTIONS.values() if self.id in question.papers]


def declared_in(package: str, part: str, default: Any = None) -> Any:
    """What a module of a folder declares under its own name in capitals; the default where there is no such module."""
    if find_spec(f"{package}.{part}") is None:
        return default
    return getattr(import_module(f"{package}.{part}"), part.upper())


def read_paper(package: str, folder: Path) -> Paper:
    """Read the description of a paper."""
    path = folder / DESCRIPTION
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        results, tried = content.pop("results", {}), content.pop("tried", [])
        about: dict[str, Any] = {"paper": package.rpartition(".")[2]}
        tables = {name: entries for name, entries in results.items() if name.startswith("table")}
        figures = {name: entries for name, entries in results.items() if name not in tables}
        return Paper(
            package=package,
            folder=folder,
            tables=tuple(
                PublishedTable(**about, result=name, folder=folder, **_frozen(entries))
                for name, entries in tables.items()
            ),
            figures=tuple(
                PublishedFigure(**about, result=name, **_frozen(entries)) for name, entries in figures.items()
            ),
            tried=tuple(Trial(**_frozen(entries)) for entries in tried),
            **_frozen(content),
        )
    except (OSError, ValueError, TypeError, AttributeError) as problem:
        raise ParameterError(f"{path} does not describe a paper ({problem}): correct it.") from problem


def _frozen(entries: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in entries.items()}


def _folders() -> Iterator[tuple[str, Path]]:
    """Every folder that may be one of a paper or a question, as Python imports it and where it is."""
    beside = pkgutil.iter_modules([str(Path(__file__).parent)], f"{__package__}.")
    for name in (*(module.name for module in beside if module.ispkg), *extensions.names()):
        spec = find_spec(name)
        for place in (spec.submodule_search_locations if spec is not None else None) or ():
            yield name, Path(place)


class Registry(Mapping[str, T]):
    """What the folders declare of one kind, by id: found when first asked for, each read once.

    Parameters
    ----------
    noun : what one of them is called in sentences
    find : all of them
    """

    def __init__(self, noun: str, find: Callable[[], Iterable[tuple[str, T]]]) -> None:
        self._noun, self._find = noun, find

    @cached_property
    def _known(self) -> dict[str, T]:
        return dict(self._find())

    def __getitem__(self, name: str) -> T:
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    def named(self, name: str) -> T:
        """The same as ``[name]``, with a sentence for people where there is none.

        >>> PAPERS.named("zhang_2020_groo")
        Traceback (most recent call last):
        mlfs.errors.ParameterError: There is no paper 'zhang_2020_groo': did you mean 'zhang_2020_grro'?
        """
        if name not in self._known:
            raise ParameterError(f"There is no {self._noun} {name!r}: {did_you_mean(str(name), self._known)}")
        return self._known[name]


def _papers() -> Iterator[tuple[str, Paper]]:
    papers = [read_paper(name, folder) for name, folder in _folders() if (folder / DESCRIPTION).exists()]
    for paper in sorted(papers, key=lambda paper: (paper.order, paper.year, paper.id)):
        yield paper.id, paper


def _questions() -> Iterator[tuple[str, Question]]:
    questions = [declared_in(name, "question") for name, folder in _folders() if (folder / "question.py").exists()]
    for question in sorted(questions, key=lambda question: (question.order, question.id)):
        yield question.id, question


def _tours() -> Iterator[tuple[str, Tour]]:
    return ((paper.id, declared_in(paper.package, "tour")) for paper in PAPERS.values() if paper.has("tour"))


PAPERS: Registry[Paper] = Registry("paper", _papers)
QUESTIONS: Registry[Question] = Registry("question", _questions)
TOURS: Registry[Tour] = Registry("tour of the paper", _tours)
get_paper = PAPERS.named


@checked
def get_table(paper: str, table: str | int) -> PublishedTable:
    """One table, however its name is written: "table5", "5", 5, "Table IV", "2A".

    >>> get_table("zhou_2023_mapd", "table iv").caption
    'Hamming loss of MAPD and three other methods.'
    """
    known = {declared.result: declared for declared in get_paper(paper).tables}
    if not known:
        raise ParameterError(f"{paper} prints its results as figures only: see PAPERS[{paper!r}].figures.")
    if (meant := find_result(table, known)) is None:
        numbers = ", ".join(declared.number for declared in known.values())
        raise ParameterError(f"{paper} has no table {str(table)!r}: choose from {numbers}.")
    return meant


@checked
def get_experiment(paper: str, result: str | int) -> Experiment:
    """How one table or figure is run again, however its name is written.

    >>> get_experiment("zhou_2023_mapd", "fig. 2").title
    'How many features MAPD and three other methods select.'
    """
    known = get_paper(paper).experiments
    if (meant := find_result(result, known)) is None:
        raise ParameterError(f"{paper} has no result {str(result)!r}: {did_you_mean(result_name(result), known)}")
    return meant
