"""``mlfs select``: the features a method picks, best first, with their scores."""

from __future__ import annotations

import argparse
import time

import numpy as np

from mlfs.cli.arguments import add_dataset, add_method, add_repeat, reading, whole
from mlfs.cli.output import Answer, figure, notes, table
from mlfs.cli.parser import Parser, UsageError, describe
from mlfs.cli.protocol_flags import add_protocol_flags, add_seed, protocol_document, protocol_of
from mlfs.cli.rankings import add_rankings, choice_text, need_a_choice, ranking_notes, read_rankings
from mlfs.datasets import load_dataset
from mlfs.evaluation import Explorer
from mlfs.evaluation.external_ranking import ROWS
from mlfs.evaluation.protocols import SPLITTING, Choice, configured_selector, method_and_parameters
from mlfs.selectors.specification import parse_method
from mlfs.wording import duration


def build(parser: Parser) -> None:
    describe(
        parser,
        run,
        "rank the features of a data set by a method",
        more="All rows are used, or with --rows train the training rows of one of the protocol's splits. With\n"
        "--ranking the features are listed as another program has ranked them.",
        examples="""
            mlfs select emotions els:n_labels=2 --features 5
            mlfs select emotions grro:alpha=1,beta=0.1 --features 5 --rows train --split given
        """,
    )
    add_dataset(parser)
    add_method(parser, required=False)
    parser.add_argument(
        "--features", type=whole(1), metavar="N", help="how many to select (default: the method's own number)"
    )
    parser.add_argument("--rows", choices=("all", "train"), default="all", help="which rows to use (default: all)")
    add_repeat(parser)
    add_seed(parser)
    add_rankings(parser)
    add_protocol_flags(parser, SPLITTING)


def run(arguments: argparse.Namespace) -> Answer:
    need_a_choice(arguments, arguments.method, "METHOD")
    if len(arguments.ranking) + bool(arguments.method) > 1:
        raise UsageError("Features are listed by one method or by one --ranking.")
    protocol = protocol_of(arguments)
    ds = load_dataset(arguments.dataset, **reading(arguments))
    rankings = read_rankings(arguments, {arguments.dataset: ds})
    if any(ranking.rows != arguments.rows for ranking in rankings):
        raise UsageError(f"{rankings[0].name} is of {ROWS[rankings[0].rows]}: give --rows {rankings[0].rows}.")
    choice: Choice = rankings[0] if rankings else parse_method(arguments.method)
    method, parameters = method_and_parameters(choice)
    rows = np.arange(len(ds.Y))
    if arguments.rows == "train":
        rows = Explorer(ds).split(protocol, seed=arguments.seed, repeat=arguments.repeat).train
    selector = configured_selector(choice, protocol, ds, arguments.seed, arguments.repeat)
    selector.set_params(n_features_to_select=arguments.features or parameters.get("n_features_to_select"))
    start = time.perf_counter()
    selector.fit(ds.X[rows], ds.Y[rows])
    seconds = float("nan") if rankings else time.perf_counter() - start
    remarks = ranking_notes(rankings) or selector.notes_
    picked = selector.ranking_[: selector.n_selected_].tolist()
    document = {
        "dataset": ds.name,
        "method": method,
        "parameters": parameters,
        "rows": arguments.rows,
        "n_rows": len(rows),
        "repeat": arguments.repeat if arguments.rows == "train" else None,
        "protocol": protocol_document(protocol, arguments.seed),
        "features": [
            {"rank": rank, "index": j, "name": ds.feature_names[j], "score": selector.scores_[j]}
            for rank, j in enumerate(picked, start=1)
        ],
        "seconds": seconds,
        "notes": remarks,
    }
    cells = [
        [str(rank), ds.feature_names[j], str(j), figure(selector.scores_[j])] for rank, j in enumerate(picked, start=1)
    ]
    kind = "training rows" if arguments.rows == "train" else "rows"
    took = "selected elsewhere" if rankings else f"selected in {duration(seconds)}"
    title = f"{choice_text(choice)} on {ds.name}, {len(rows)} {kind}: {took}"
    listed = table(["rank", "feature", "index", "score"], cells, left=2)
    return Answer(document, "\n\n".join([title, listed, *notes(remarks)]))
