"""``mlfs noise``: how redundant the selected features are, and what of the labels' correlation they leave."""

from __future__ import annotations

import argparse
from typing import Any

from mlfs.cli.arguments import add_dataset, add_methods, add_repeat, reading
from mlfs.cli.curve import NOISE
from mlfs.cli.output import Answer, figure, table
from mlfs.cli.parser import Parser, describe
from mlfs.cli.progress import ProgressLine
from mlfs.cli.protocol_flags import add_protocol_flags, add_seed, protocol_document, protocol_of
from mlfs.datasets import load_dataset
from mlfs.evaluation import Explorer, noise_at_tenths
from mlfs.evaluation.noise import noise_protocol
from mlfs.evaluation.protocols import SPLITTING
from mlfs.selectors.specification import method_text, parse_method


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
    add_methods(parser)
    add_repeat(parser)
    add_seed(parser)
    add_protocol_flags(parser, SPLITTING)


def run(arguments: argparse.Namespace) -> Answer:
    methods = [parse_method(text) for text in arguments.methods]
    protocol = noise_protocol(protocol_of(arguments))
    ds = load_dataset(arguments.dataset, **reading(arguments))
    explorer, at = Explorer(ds), {"seed": arguments.seed, "repeat": arguments.repeat}
    rows: list[dict[str, Any]] = []
    with ProgressLine() as progress:
        for done, (method, parameters) in enumerate(methods):
            progress(done, len(methods), method)
            measured = noise_at_tenths(explorer, (method, parameters), protocol, **at)
            rows += [{"method": method, "parameters": parameters, **row} for row in measured.to_dict("records")]
    document = {
        "dataset": ds.name,
        "protocol": protocol_document(protocol, arguments.seed),
        "repeat": arguments.repeat,
        "rows": rows,
    }
    names = [method_text(*method) for method in methods]
    return Answer(document, "\n\n".join(_size_table(title, name, rows, names) for name, title in NOISE.items()))


def _size_table(title: str, measure: str, rows: list[dict[str, Any]], names: list[str]) -> str:
    """One table: sizes down, methods across."""
    values = {(row["size"], method_text(row["method"], row["parameters"])): row[measure] for row in rows}
    sizes = sorted({size for size, _ in values})
    cells = [[str(size), *(figure(values.get((size, name), float("nan"))) for name in names)] for size in sizes]
    return f"{title}\n\n" + table(["features", *names], cells, left=0)
