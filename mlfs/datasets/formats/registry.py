"""The file formats mlfs reads and writes: one row of `FORMATS` each, and a module that parses and writes it.

A new format needs nothing else: suffixes, the choice by content, reading, writing and what is said of them follow.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import numpy as np

from mlfs.datasets.dataset import Dataset
from mlfs.datasets.formats import arff, csv, libsvm
from mlfs.datasets.formats.errors import Limits, file_error
from mlfs.datasets.formats.input_files import InputFile, lines, without_compression
from mlfs.datasets.formats.parsed_table import ParsedTable


@dataclass(frozen=True)
class Format:
    """One file format.

    Parameters
    ----------
    name : str
        In `read_dataset`, and the suffix under which `write_dataset` writes it.
    suffixes : tuple of str
        By which files are known, compressed or not.
    read : callable
        ``read(files, limits)`` parses one file, or a training and a test part, into a `ParsedTable`.
    write : callable or None
        ``write(ds, rows, path)`` writes these rows of a data set; None for a format that is only read.
    first_line : pattern or None
        By which the first line of a file whose name does not tell is known; None for a format that has no lines.
    column_names : callable or None
        ``column_names(file, limits)`` for formats that do not tell labels from features: a person picks among them.
    with_xml : bool
        Whether writing adds an XML that names the labels.
    names_lost : bool
        Whether a file holds numbers in place of the names of features and labels, and itself says what its labels are.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[Sequence[InputFile], Limits], ParsedTable]
    write: Callable[[Dataset, np.ndarray, Path], None] | None = None
    first_line: re.Pattern[str] | None = None
    column_names: Callable[[InputFile, Limits], list[str]] | None = None
    with_xml: bool = False
    names_lost: bool = False


#: By name. CSV is first: its mark, any separator, counts only where no other format knows the line.
FORMATS: dict[str, Format] = {
    format.name: format
    for format in (
        Format("csv", (".csv", ".tsv"), csv.read, csv.write, re.compile(r"[,;\t|]"), column_names=csv.column_names),
        Format(
            "arff",
            (".arff",),
            arff.read,
            arff.write,
            re.compile(r"@(relation|attribute)\b", re.IGNORECASE),
            with_xml=True,
        ),
        Format(
            "libsvm",
            (".libsvm", ".svmlight", ".svm"),
            libsvm.read,
            libsvm.write,
            re.compile(r"^(?!@)(?:.*\s)?[0-9]+:\S|^[0-9]+ [0-9]+ [0-9]+$"),
            names_lost=True,
        ),
    )
}


def format_of(name: str) -> str | None:
    """The format that the name of a file promises.

    >>> format_of("a/emotions.arff.gz"), format_of("a/readme.txt")
    ('arff', None)
    """
    suffix = PurePosixPath(without_compression(name)).suffix.lower()
    return next((format.name for format in FORMATS.values() if suffix in format.suffixes), None)


def sniff_format(file: InputFile, limits: Limits) -> str:
    """The format of a file whose name does not tell, from its first line."""
    for _, line in lines(file, limits):
        line = line.strip()
        if not line or line[0] in "%#":
            continue
        matching = [name for name, format in FORMATS.items() if format.first_line and format.first_line.search(line)]
        if matching:
            return matching[-1]
        break
    *others, last = suffixes()
    sentence = f"its format is not known; name it {', '.join(others)} or {last}, or give the format."
    raise file_error(file.name, None, sentence)


def suffixes() -> list[str]:
    """The usual suffix of each format, in the order of the alphabet.

    >>> suffixes()
    ['.arff', '.csv', '.libsvm']
    """
    return [FORMATS[name].suffixes[0] for name in sorted(FORMATS)]
