"""``mlfs pareto``: the front of the features under some labels, and what approximate dominance selects by all."""

from __future__ import annotations

import argparse
from typing import Any

from mlfs.cli.arguments import add_dataset, add_repeat, reading
from mlfs.cli.output import Answer, figure, notes, table
from mlfs.cli.parser import Parser, describe
from mlfs.cli.protocol_flags import add_protocol_flags, add_seed, protocol_document, protocol_of
from mlfs.datasets import load_dataset
from mlfs.evaluation import Explorer, compare_features
from mlfs.evaluation.protocols import SPLITTING
from mlfs.selectors.specification import method_text, parse_method


def build(parser: Parser) -> None:
    describe(
        parser,
        run,
        "the front of the features under some labels, and what MAPD selects",
        more="By symmetrical uncertainty (SU) on the training rows of one split. On the front are the features that\n"
        "no other beats in each of the labels of --under; selected those that none dominates by all labels.",
        examples="mlfs pareto emotions mapd:alpha=0.7 --under quiet-still sad-lonely --split given",
    )
    add_dataset(parser)
    parser.add_argument(
        "method", nargs="?", default="mapd", metavar="METHOD", help="mapd or parfs, with parameters (default: mapd)"
    )
    parser.add_argument(
        "--under",
        nargs="+",
        action="extend",
        metavar="LABEL",
        help="the labels of the front (default: the first two); --under=LABEL for one that begins with a dash",
    )
    add_repeat(parser)
    add_seed(parser)
    add_protocol_flags(parser, SPLITTING)


def run(arguments: argparse.Namespace) -> Answer:
    method, parameters = parse_method(arguments.method)
    protocol = protocol_of(arguments)
    ds = load_dataset(arguments.dataset, **reading(arguments))
    labels = arguments.under or list(ds.label_names[:2])
    front = compare_features(
        Explorer(ds), labels, (method, parameters), protocol, seed=arguments.seed, repeat=arguments.repeat
    )
    features, steps = front.table(), front.steps()
    document: dict[str, Any] = {
        "dataset": ds.name,
        "method": method,
        "parameters": parameters,
        "labels": labels,
        "protocol": protocol_document(protocol, arguments.seed),
        "repeat": arguments.repeat,
        "selected": int(features["selected"].sum()),
        "on_front": int(features["on the front"].sum()),
        "features": features.to_dict("records"),
        "steps": steps.to_dict("records"),
        "notes": front.selector.notes_,
    }
    title = (
        f"{method_text(method, parameters)} on {ds.name} selects {document['selected']} of {len(ds.feature_names)} "
        f"features; {document['on_front']} are on the front of {', '.join(labels)}"
    )
    cells = [[_word(cell) for cell in row] for row in features.itertuples(index=False)]
    counts = [[figure(row[0]), str(int(row[1]))] for row in steps.itertuples(index=False)]
    listed = [table(list(features.columns), cells), table(list(steps.columns), counts, left=0)]
    return Answer(document, "\n\n".join([title, *listed, *notes(front.selector.notes_)]))


def _word(cell: Any) -> str:
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return figure(cell) if isinstance(cell, float) else str(cell)
