"""The arguments that several verbs have, so that they are called and explained the same in each."""

from __future__ import annotations

from mlfs.cli.parser import Parser
from mlfs.cli.values import labels, whole


def add_dataset(parser: Parser) -> None:
    """DATASET, and what files that do not name their labels need."""
    parser.add_argument("dataset", metavar="DATASET", help="a name of mlfs data list, or a path")
    add_labels(parser)


def add_datasets(parser: Parser) -> None:
    """One DATASET or more."""
    parser.add_argument("datasets", nargs="+", metavar="DATASET", help="names of mlfs data list, or paths")
    add_labels(parser)


def add_labels(parser: Parser) -> None:
    either = parser.add_mutually_exclusive_group()
    either.add_argument(
        "--labels",
        type=labels,
        metavar="LIST",
        help="for files that do not name their labels: their names with commas between, or their number "
        "(6: the first six columns, -6: the last six)",
    )
    either.add_argument(
        "--label",
        action="append",
        dest="labels",
        metavar="NAME",
        help="one of them, once for each; with --label=NAME a name may hold commas or begin with a dash",
    )


def add_method(parser: Parser) -> None:
    parser.add_argument("method", metavar="METHOD", help="an id, or with parameters: grro:alpha=1,beta=0.1")


def add_methods(parser: Parser) -> None:
    parser.add_argument(
        "--methods",
        nargs="+",
        required=True,
        metavar="METHOD",
        help="ids, or with parameters: els grro:alpha=1,beta=0.1",
    )


def add_repeat(parser: Parser, default: int | None = 0) -> None:
    which = "all of them" if default is None else default
    parser.add_argument(
        "--repeat",
        type=whole(0),
        default=default,
        metavar="N",
        help=f"which of the protocol's splits, from 0 (default: {which})",
    )
