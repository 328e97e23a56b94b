"""``mlfs compare``: many methods on many data sets under one protocol."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pandas as pd

from mlfs.cli.arguments import add_datasets, add_methods, new_file, reading, size, whole
from mlfs.cli.output import Answer, failures, loss, notes, records, table, written
from mlfs.cli.parser import Parser, UsageError, describe
from mlfs.cli.progress import ProgressLine
from mlfs.cli.protocol_flags import add_measuring_flags, add_protocol_flags, add_seed, protocol_document, protocol_of
from mlfs.cli.rankings import add_rankings, need_a_choice, ranking_notes, read_rankings
from mlfs.datasets import load_dataset
from mlfs.evaluation import ExternalRanking, compare
from mlfs.metrics import metric_title
from mlfs.results import saw_test_rows_notes, settings_of
from mlfs.selectors.specification import parse_method
from mlfs.tables import summary, to_csv, to_text
from mlfs.tables.answer import best_method
from mlfs.tables.joining import join_summaries
from mlfs.tables.table_text import decoded
from mlfs.wording import duration


def build(parser: Parser) -> None:
    describe(
        parser,
        run,
        "many methods on many data sets under one protocol",
        more="One row per data set, method, split and size; --summary gives the mean ± standard deviation over the\n"
        "splits instead. The rows of --csv are what mlfs significance reads.",
        examples="""
            mlfs compare emotions --methods els mim_br --sizes 5,10
            mlfs compare emotions yeast --methods els mim_br all_features --repeats 3 --sizes 10 --summary
            mlfs compare synthetic emotions yeast scene --methods els fimf random --sizes 5 --csv results.csv
        """,
    )
    add_datasets(parser)
    add_methods(parser, required=False)
    parser.add_argument("--summary", action="store_true", help="mean ± standard deviation over the splits")
    parser.add_argument(
        "--at",
        type=size,
        metavar="SIZE",
        help="with --summary: a number of features, mean over the sizes, or best size (default: the last size)",
    )
    parser.add_argument(
        "--join",
        type=Path,
        metavar="CSV",
        help="with --summary: results of another program, as mlfs significance --join takes them, in the same tables",
    )
    parser.add_argument("--csv", type=new_file, metavar="FILE", help="write all rows to a file, in full precision")
    parser.add_argument("--jobs", type=whole(1), default=1, metavar="N", help="worker processes (default: 1)")
    add_seed(parser)
    add_rankings(parser)
    add_protocol_flags(parser)
    add_measuring_flags(parser)


def run(arguments: argparse.Namespace) -> Answer:
    if arguments.join and not arguments.summary:
        raise UsageError("--join needs --summary: the results of another program stand in the tables of means.")
    # Read before the work: a file that is not there is told at once.
    joined = arguments.join and decoded(arguments.join.read_bytes())
    need_a_choice(arguments, arguments.methods)
    methods = [parse_method(text) for text in arguments.methods]
    protocol = protocol_of(arguments)
    datasets: list[Any] = arguments.datasets
    rankings: dict[str, dict[str, ExternalRanking]] = {}
    if arguments.ranking or any(option is not None for option in reading(arguments).values()):
        datasets = [load_dataset(name, **reading(arguments)) for name in datasets]
        loaded = dict(zip(arguments.datasets, datasets, strict=True))
        for ranking in read_rankings(arguments, loaded):
            rankings.setdefault(ranking.name, {})[loaded[ranking.dataset].name] = ranking
    with ProgressLine() as progress:
        rows = compare(
            datasets,
            methods,
            protocol,
            rankings=rankings,
            seed=arguments.seed,
            n_jobs=arguments.jobs,
            progress=progress,
        )
    remarks = ranking_notes([ranking for of_name in rankings.values() for ranking in of_name.values()])
    document: dict[str, Any] = {"protocol": protocol_document(protocol, arguments.seed), "rows": records(rows)}
    if rankings:
        document["notes"] = remarks
    problems = (*(written(arguments.csv, to_csv(rows)) if arguments.csv else ()), *failures(rows))
    if not arguments.summary:
        best = best_method(summary(rows, protocol.metrics[0]))
        text = "\n\n".join([*filter(None, [best]), _rows_text(rows[rows["error"] == ""]), *notes(remarks)])
        return Answer(document, text, problems)
    summaries = [summary(rows, metric, arguments.at) for metric in protocol.metrics]
    best = best_method(summaries[0])
    if joined:
        summaries = join_summaries(summaries, joined)
    document["summary"] = [
        {"metric": each.metric, "at": each.size, "rows": records(each.tidy()), "notes": each.notes}
        for each in summaries
    ]
    # The table itself says which rankings flatter.
    read = remarks[: len(remarks) - len(saw_test_rows_notes(settings_of(rows)))]
    text = "\n".join([*filter(None, [best and f"{best}\n"]), *map(to_text, summaries), *notes(read)])
    return Answer(document, text, problems)


def _rows_text(rows: pd.DataFrame) -> str:
    """One line per run and size, the metrics beside each other."""
    metrics = list(dict.fromkeys(rows["metric"]))
    runs = rows.assign(setting=settings_of(rows))
    keys = ["dataset", "setting", "repeat", "size"]
    cells = []
    for key, run in runs.groupby(keys, sort=False):
        values = dict(zip(run["metric"], run["value"], strict=True))
        took = duration(run["seconds"].iloc[0])
        cells.append([*map(str, (*key[:3], int(key[3]))), *(loss(values[metric]) for metric in metrics), took])
    return table(["dataset", "method", "repeat", "features", *map(metric_title, metrics), "selection"], cells, left=2)
