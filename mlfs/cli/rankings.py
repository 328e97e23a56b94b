"""The flags for rankings from elsewhere: ``--ranking mine=mine.csv``, and what a file does not say of itself."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mlfs.cli.parser import Parser, UsageError
from mlfs.datasets import Dataset
from mlfs.errors import did_you_mean
from mlfs.evaluation import ExternalRanking, read_ranking
from mlfs.evaluation.external_ranking import ROWS
from mlfs.evaluation.protocols import Choice, method_and_parameters
from mlfs.evaluation.ranking_files import KINDS
from mlfs.results import saw_test_rows_notes
from mlfs.selectors.specification import method_text


def add_rankings(parser: Parser) -> None:
    """Add --ranking and the flags that say how such files are to be understood."""
    group = parser.add_argument_group("rankings from elsewhere")
    group.add_argument(
        "--ranking",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="a ranking that another program made (CSV, text or MAT), once for each; NAME@DATASET=FILE where there are "
        "several data sets",
    )
    group.add_argument(
        "--ranking-base", type=int, choices=(0, 1), metavar="N", help="features are counted from 0 (Python) or 1"
    )
    group.add_argument("--ranking-kind", choices=KINDS, help="what the files hold (default: guessed from their cells)")
    group.add_argument(
        "--ranking-rows",
        choices=tuple(ROWS),
        help="the rows that the program saw (default: all; train where there is one ranking per split)",
    )
    group.add_argument(
        "--ranking-variable", metavar="NAME", help="which one to read, of a MAT file with several variables"
    )


def read_rankings(arguments: argparse.Namespace, datasets: Mapping[str, Dataset]) -> list[ExternalRanking]:
    """The rankings that the flags name, each of one of the data sets, given by their names in the command."""
    rankings: list[ExternalRanking] = []
    for word in arguments.ranking:
        name, dataset, file = _parts(word, datasets)
        if not name or not file:
            raise UsageError(f"--ranking must be a name and a file, as mine=mine.csv, not {word!r}.")
        if not dataset and len(datasets) > 1:
            raise UsageError(f"Say which data set {name} ranks: --ranking {name}@{next(iter(datasets))}={file}.")
        dataset = dataset or next(iter(datasets))
        if dataset not in datasets:
            raise UsageError(f"--ranking names {dataset!r}, which is not compared: {did_you_mean(dataset, datasets)}")
        if any((ranking.name, ranking.dataset) == (name, dataset) for ranking in rankings):
            raise UsageError(f"Two rankings of {dataset} are called {name}: rename one.")
        ranking = read_ranking(
            file,
            datasets[dataset],
            name,
            base=arguments.ranking_base,
            kind=arguments.ranking_kind,
            rows=arguments.ranking_rows,
            variable=arguments.ranking_variable,
        )
        rankings.append(replace(ranking, dataset=dataset))
    return rankings


def _parts(word: str, datasets: Mapping[str, Dataset]) -> tuple[str, str, str]:
    """Name, data set and file; the name of a data set may hold an equals sign, as synthetic:seed=1 does."""
    head, _, file = word.partition("=")
    if "@" not in head:
        return head, "", file
    name, _, rest = word.partition("@")
    known = [dataset for dataset in datasets if rest.startswith(f"{dataset}=")]
    dataset = max(known, key=len, default=rest.partition("=")[0])
    return name, dataset, rest[len(dataset) + 1 :]


def need_a_choice(arguments: argparse.Namespace, methods: Any, called: str = "--methods") -> None:
    """Methods, `called` so in the command, may be left out where there are rankings."""
    if not methods and not arguments.ranking:
        prog = arguments.parser.prog
        raise UsageError(f"{prog} needs {called} or --ranking: run {prog} --help for an example.")


def choice_text(choice: Choice) -> str:
    """A method or a ranking as tables of a command name it."""
    return choice.setting if isinstance(choice, ExternalRanking) else method_text(*method_and_parameters(choice))


def ranking_notes(rankings: list[ExternalRanking]) -> list[str]:
    """How files were understood, and which rankings flatter."""
    read = [f"{ranking.name}: {' '.join(ranking.notes)}" for ranking in rankings if ranking.notes]
    return [*read, *saw_test_rows_notes(ranking.setting for ranking in rankings)]
