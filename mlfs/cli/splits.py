"""``mlfs splits``: which rows train and which test, so that a program elsewhere can rank the features on the same."""

from __future__ import annotations

import argparse

from mlfs.cli.arguments import add_dataset, new_file, reading
from mlfs.cli.output import Answer, table
from mlfs.cli.parser import Parser, describe
from mlfs.cli.protocol_flags import add_protocol_flags, add_seed, protocol_of
from mlfs.datasets import load_dataset
from mlfs.evaluation import split_table
from mlfs.evaluation.protocols import SPLITTING
from mlfs.files import write_file
from mlfs.tables import to_csv


def build(parser: Parser) -> None:
    describe(
        parser,
        run,
        "which rows train and which test, for a program elsewhere",
        more="The file has a line for each row of the data: its number, counted from 1 as MATLAB and R do (--base 0\n"
        "as Python does), and for each split 1 where it trains, 0 where it tests. A ranking of the training rows of\n"
        "each split, one a column, is what --ranking of other verbs takes.",
        examples="""
            mlfs splits emotions --repeats 3 --csv splits.csv
            mlfs splits emotions --split folds --base 0 --json
        """,
    )
    add_dataset(parser)
    parser.add_argument("--base", type=int, choices=(0, 1), default=1, help="number of the first row (default: 1)")
    parser.add_argument("--csv", type=new_file, metavar="FILE", help="write the rows to a file")
    add_seed(parser)
    add_protocol_flags(parser, SPLITTING)


def run(arguments: argparse.Namespace) -> Answer:
    ds, protocol = load_dataset(arguments.dataset, **reading(arguments)), protocol_of(arguments)
    splits, base = list(protocol.splits(ds, arguments.seed)), arguments.base
    text = table(
        ["split", "training rows", "test rows"],
        [[str(number), str(len(train)), str(len(test))] for number, (train, test) in enumerate(splits, start=1)],
        left=0,
    )
    text = f"Splits of {ds.name}\n\n{text}"
    if arguments.csv:
        write_file(arguments.csv, to_csv(split_table(splits, len(ds.Y), base)))
        text += f"\n\nWrote {arguments.csv}: rows are counted from {base}, 1 trains and 0 tests."
    document = {
        "dataset": ds.name,
        "base": base,
        "splits": [{"train": train + base, "test": test + base} for train, test in splits],
    }
    return Answer(document, text)
