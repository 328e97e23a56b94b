"""``mlfs study show``: the means of a study, a sweep parameter by parameter."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

import pandas as pd

from mlfs.cli.answer import Answer
from mlfs.cli.parser import Parser, UsageError, add_verb
from mlfs.cli.values import size, words
from mlfs.errors import did_you_mean
from mlfs.parameters import parse_value
from mlfs.selectors.specification import method_parameters
from mlfs.studies import MethodGrid, Plan

LAST = "last"


def add_show(verbs: Any) -> Parser:
    parser = add_verb(
        verbs,
        "show",
        run_show,
        "mean and standard deviation of a metric over the splits of a study",
        more="Of a sweep one row for each value of the varied parameters, of other studies one column per method.",
        examples="mlfs study show second\nmlfs study show second --metric ranking_loss --at 5 --json",
    )
    parser.add_argument("study", metavar="STUDY", help="its number or name")
    parser.add_argument("--metric", metavar="NAME", help="a metric of the study, or ACR (default: its first metric)")
    parser.add_argument(
        "--at",
        type=_sizes,
        default=(None,),
        metavar="LIST",
        help="numbers of features, mean over the sizes, or last size (default: last)",
    )
    parser.add_argument(
        "--hold", nargs="+", default=[], metavar="NAME=VALUE", help="only the rows in which a parameter has this value"
    )
    return parser


def run_show(arguments: argparse.Namespace) -> Answer:
    # Late: that module imports this one.
    from mlfs.cli.study import find_study, open_store
    from mlfs.studies.settings import protocol_of
    from mlfs.tables import summary, to_text

    with open_store(arguments.store) as store:
        study = find_study(store, arguments.study)
        rows = store.results(study.id)
    metric = arguments.metric or protocol_of(study.plan.protocol, study.plan.settings).metrics[0]
    errors = tuple(dict.fromkeys(error for error in rows["error"] if error))
    swept = [method for method in study.plan.methods if method.grid]
    if swept:
        tables = _sweeps(study.plan, swept, rows, metric, arguments)
        text = "\n".join(f"{head}\n\n{to_text(table)}" for head, table in tables.items())
        document = [{"of": head, "rows": table.to_dict("records")} for head, table in tables.items()]
    else:
        found = [summary(rows, metric, at) for at in arguments.at]
        text = "\n".join(map(to_text, found))
        document = [{"at": one.size, "rows": one.tidy().to_dict("records")} for one in found]
    return Answer({"study": study.id, "name": study.plan.name, "metric": metric, "tables": document}, text, errors)


def _sweeps(
    plan: Plan, swept: list[MethodGrid], rows: pd.DataFrame, metric: str, arguments: argparse.Namespace
) -> dict[str, pd.DataFrame]:
    """One table for each data set and method whose parameters vary."""
    from mlfs.studies.sweep import held_at, numbers

    tables = {}
    for dataset in plan.datasets:
        for grid in swept:
            held = _held(grid, arguments.hold)
            own = held_at(rows[(rows["dataset"] == dataset) & (rows["method"] == grid.method)], held)
            names = [name for name in grid.grid if name not in held]
            tables[f"{grid.method} on {dataset}, {metric}"] = numbers(own, names, metric, arguments.at)
    return tables


def _held(grid: MethodGrid, words: list[str]) -> Mapping[str, Any]:
    held = {}
    for word in words:
        name, _, value = word.partition("=")
        if name not in grid.grid or not value:
            raise UsageError(
                f"--hold must be a varied parameter and its value, not {word!r}: {did_you_mean(name, grid.grid)}"
            )
        held[name] = parse_value(grid.method, method_parameters(grid.method)[name], value)
    return held


def _sizes(text: str) -> tuple[int | str | None, ...]:
    """``10,30``, ``mean`` or ``last``."""
    return tuple(None if word == LAST else size(word) for word in words(text))
