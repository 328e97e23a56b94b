"""The arguments that several verbs have, called and explained the same in each, and the types of their words.

A type turns a word of a command into a value, as argparse's ``type=``; what it says of a wrong word follows the name
of its option.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mlfs.cli.parser import Parser

STORE = "studies.sqlite"


def add_dataset(parser: Parser) -> None:
    """DATASET, and what files that do not name their labels need."""
    parser.add_argument("dataset", metavar="DATASET", help="a name from mlfs data list, or a path")
    add_labels(parser)


def add_datasets(parser: Parser) -> None:
    """One DATASET or more."""
    parser.add_argument("datasets", nargs="+", metavar="DATASET", help="names from mlfs data list, or paths")
    add_labels(parser)


def add_labels(parser: Parser) -> None:
    either = parser.add_mutually_exclusive_group()
    either.add_argument(
        "--labels",
        type=labels,
        metavar="LIST",
        help="for files that do not say which columns are labels: their names, separated by commas, or their number "
        "(6: the first six columns, -6: the last six)",
    )
    either.add_argument(
        "--label",
        action="append",
        dest="labels",
        metavar="NAME",
        help="the name of one label, once for each; with --label=NAME it may contain commas or begin with a dash",
    )

    parser.add_argument(
        "--variables",
        type=words,
        metavar="LIST",
        help="for MATLAB and NumPy files: which variables hold the features and the labels, separated by a comma, and "
        "after them those of a test part",
    )
    parser.add_argument(
        "--transposed",
        metavar="WHICH",
        help="for the same files: which have one instance per column: none, X (features), Y (labels) or XY",
    )
    parser.add_argument("--sheet", metavar="NAME", help="for Excel files: the name of the sheet, or its number from 1")


def reading(arguments: argparse.Namespace) -> dict[str, Any]:
    """What `load_dataset` has to be told beside the name."""
    return {name: getattr(arguments, name) for name in ("labels", "variables", "transposed", "sheet")}


def add_method(parser: Parser, required: bool = True) -> None:
    parser.add_argument(
        "method",
        nargs=None if required else "?",
        metavar="METHOD",
        help="an id, or with parameters: grro:alpha=1,beta=0.1",
    )


def add_methods(parser: Parser, required: bool = True) -> None:
    parser.add_argument(
        "--methods",
        nargs="+",
        required=required,
        default=[],
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


def add_store(parser: Parser, kept: str = "cells") -> None:
    what = f"where {kept} are kept (default: {STORE})"
    parser.add_argument("--store", type=Path, default=STORE, metavar="FILE", help=what)


def add_workers(parser: Parser) -> None:
    parser.add_argument("--workers", type=whole(1), metavar="N", help="processes (default: one per core)")


def add_dask(parser: Parser) -> None:
    what = "run on a Dask cluster: its scheduler, such as tcp://host:8786"
    parser.add_argument("--dask", metavar="ADDRESS", help=what)


def whole(least: int) -> Callable[[str], int]:
    """A whole number from `least`."""

    def convert(word: str) -> int:
        try:
            value = int(word)
        except ValueError:
            value = least - 1
        if value < least:
            raise argparse.ArgumentTypeError(f"must be a whole number from {least}, not {word!r}")
        return value

    return convert


def positive(word: str) -> float:
    """
    >>> positive("0.5")
    0.5
    """
    try:
        value = float(word)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a number above 0, not {word!r}")
    return value


def words(text: str) -> tuple[str, ...]:
    """``a,b`` → the names.

    >>> words("hamming_loss, ranking_loss")
    ('hamming_loss', 'ranking_loss')
    """
    names = tuple(word.strip() for word in text.split(",") if word.strip())
    if not names:
        raise argparse.ArgumentTypeError(f"must be names separated by commas, not {text!r}")
    return names


def labels(text: str) -> int | tuple[str, ...]:
    """The labels of a file that does not name them: how many, the first (6) or the last (-6), or their names.

    >>> labels("-6"), labels("happy,sad")
    (-6, ('happy', 'sad'))
    """
    try:
        return int(text)
    except ValueError:
        return words(text)


def sizes(text: str) -> tuple[float, ...]:
    """Numbers of features: whole numbers, or shares of all features; none of them for ``natural``, a method's own size.

    >>> sizes("1,5,10"), sizes("0.1,0.5"), sizes("natural")
    ((1, 5, 10), (0.1, 0.5), ())
    """
    if text in ("", "natural"):
        return ()
    try:
        return tuple(_size(word) for word in words(text))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"must be numbers of features such as 1,5,10, shares such as 0.1,0.5, or natural, not {text!r}"
        ) from None


def seeds(text: str) -> tuple[int, ...]:
    """
    >>> seeds("0,1,2")
    (0, 1, 2)
    """
    return tuple(whole(0)(word) for word in words(text))


def new_file(word: str) -> Path:
    """A file to be written: found wrong before the work that fills it, not after."""
    path = Path(word)
    if path.is_dir() or not path.parent.is_dir() or not os.access(path.parent, os.W_OK):
        raise argparse.ArgumentTypeError(f"must be a file in a folder that may be written to, not {word!r}")
    return path


def size(word: str) -> int | str:
    """How runs over several sizes become one value each, as `mlfs.tables.summary` takes it."""
    if word in ("mean", "best"):
        return word
    try:
        return whole(1)(word)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"must be a number of features, mean or best, not {word!r}") from None


def _size(word: str) -> float | int:
    value = float(word)
    if 1 <= value <= sys.maxsize and value == int(value):
        return int(value)
    if 0 < value < 1:
        return value
    raise ValueError(word)
