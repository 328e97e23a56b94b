"""``mlfs noise``: how redundant the selected features are, and what of the labels' correlation they leave."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

import pandas as pd

from mlfs.cli.arguments import add_dataset, add_methods, add_repeat, reading
from mlfs.cli.curve import NOISE
from mlfs.cli.output import Answer, figure, notes, table
from mlfs.cli.parser import Parser, describe
from mlfs.cli.progress import ProgressLine
from mlfs.cli.protocol_flags import add_protocol_flags, add_seed, protocol_document, protocol_of
from mlfs.cli.rankings import add_rankings, choice_text, need_a_choice, ranking_notes, read_rankings
from mlfs.datasets import load_dataset
from mlfs.evaluation import Explorer, noise_at_tenths
from mlfs.evaluation.noise import least_noise, noise_protocol
from mlfs.evaluation.protocols import SPLITTING, Choice, method_and_parameters
from mlfs.selectors.specification import parse_method


def build(parser: Parser) -> None:
    describe(
        parser,
        run,
        "R(F) and C(F) of several methods at tenths of the features",
        more="R(F), the redundancy, and C(F), the residual label correlation, of the first d/10, 2d/10, … 9d/10 of\n"
        "the d features (Wang et al. 2020), selected and measured on the training rows of one split. Lower is better.",
        examples="mlfs noise emotions --methods els mim_br random --split given",
    )
    add_dataset(parser)
    add_methods(parser, required=False)
    add_repeat(parser)
    add_seed(parser)
    add_rankings(parser)
    add_protocol_flags(parser, SPLITTING)


def run(arguments: argparse.Namespace) -> Answer:
    need_a_choice(arguments, arguments.methods)
    methods: list[Choice] = [parse_method(text) for text in arguments.methods]
    protocol = noise_protocol(protocol_of(arguments))
    ds = load_dataset(arguments.dataset, **reading(arguments))
    rankings = read_rankings(arguments, {arguments.dataset: ds})
    explorer, at = Explorer(ds), {"seed": arguments.seed, "repeat": arguments.repeat}
    rows: list[dict[str, Any]] = []
    tables: dict[str, pd.DataFrame] = {}
    with ProgressLine() as progress:
        choices = [*methods, *rankings]
        for done, choice in enumerate(choices):
            method, parameters = method_and_parameters(choice)
            progress(done, len(choices), method)
            measured = noise_at_tenths(explorer, choice, protocol, **at)
            tables[choice_text(choice)] = measured.set_index("size")
            rows += [{"method": method, "parameters": parameters, **row} for row in measured.to_dict("records")]
    document = {
        "dataset": ds.name,
        "protocol": protocol_document(protocol, arguments.seed),
        "repeat": arguments.repeat,
        "rows": rows,
    }
    remarks = ranking_notes(rankings)
    if rankings:
        document["notes"] = remarks
    shown = [_size_table(title, name, tables) for name, title in NOISE.items()]
    together = pd.concat([table.reset_index().assign(setting=name) for name, table in tables.items()])
    least = [least_noise(together)] if len(tables) > 1 else []
    return Answer(document, "\n\n".join([*filter(None, least), *shown, *notes(remarks)]))


def _size_table(title: str, measure: str, tables: Mapping[str, pd.DataFrame]) -> str:
    """One table: sizes down, methods across."""
    grid = pd.DataFrame({name: measured[measure] for name, measured in tables.items()}).sort_index()
    cells = [[str(size), *map(figure, row)] for size, row in zip(grid.index, grid.to_numpy(), strict=True)]
    return f"{title}\n\n" + table(["features", *tables], cells, left=0)
