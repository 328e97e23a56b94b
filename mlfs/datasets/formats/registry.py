"""The file formats mlfs reads and writes: one row of `FORMATS` each, and a module that parses and writes it.

A new format needs nothing else: suffixes, the choice by content, reading, writing and what is said of them follow.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import numpy as np

from mlfs.datasets.dataset import Dataset
from mlfs.datasets.formats import arff, arrow, csv, excel, keel, libsvm, mat, npz, rda
from mlfs.datasets.formats.arrays import ReadArrays
from mlfs.datasets.formats.errors import Limits, file_error
from mlfs.datasets.formats.input_files import InputFile, lines, without_compression
from mlfs.datasets.formats.parsed_table import ParsedTable

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True)
class Format:
    """One file format.

    Parameters
    ----------
    name : str
        In `read_dataset`, and the suffix under which `write_dataset` writes it.
    suffixes : tuple of str
        By which files are known, compressed or not.
    read : callable or None
        ``read(files, limits)`` parses one file, or a training and a test part, into a `ParsedTable`; with ``sheet`` as
        a third argument where there are `sheets`.
    arrays : callable or None
        In place of `read`, for formats of named arrays: ``arrays(file, limits)`` gives them by name, not read yet.
    sheets : callable or None
        ``sheets(file, limits)`` names the tables of a file that may hold several, of which one is read.
    write : callable or None
        ``write(ds, rows, path)`` writes these rows of a data set; None for a format that is only read.
    title : str
        What people call it, for lists of formats.
    write_split : callable or None
        ``write_split(ds, path)`` writes all rows and the split into one file, for formats that can hold it.
    first_line : pattern or None
        By which the first lines of a file whose name does not tell are known; None for a format that has no lines.
    magic : tuple of bytes
        With which all files of the format begin, whatever their name; none for a format that has no such mark.
    is_table : bool
        Whether a file is a table of columns that need not tell labels from features: the person does, or an XML.
    with_xml : bool
        Whether writing adds an XML that names the labels.
    names_lost : bool
        Whether a file holds numbers in place of the names of features and labels, and itself says what its labels are.
    shared_suffix : bool
        Whether other programs give the suffix to other files, so that the first lines decide.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[..., ParsedTable] | None = None
    write: Callable[[Dataset, np.ndarray, Path], None] | None = None
    title: str = ""
    arrays: ReadArrays | None = None
    write_split: Callable[[Dataset, Path], None] | None = None
    first_line: re.Pattern[str] | None = None
    magic: tuple[bytes, ...] = ()
    is_table: bool = False
    sheets: Callable[[InputFile, Limits], list[str]] | None = None
    with_xml: bool = False
    names_lost: bool = False
    shared_suffix: bool = False

    @property
    def takes_xml(self) -> bool:
        """Whether an XML beside a file may name its labels; other formats name them themselves."""
        return self.with_xml or self.is_table


#: By name. CSV is first: its mark, any separator, counts only where no other format knows the line.
FORMATS: dict[str, Format] = {
    format.name: format
    for format in (
        Format(
            "csv",
            (".csv", ".tsv"),
            csv.read,
            csv.write,
            first_line=re.compile(r"[,;\t|]"),
            is_table=True,
            title="CSV with a header",
        ),
        Format(
            "arff",
            (".arff",),
            arff.read,
            arff.write,
            first_line=re.compile(r"@(relation|attribute)\b", re.IGNORECASE),
            with_xml=True,
            title="ARFF of Mulan (with its XML) or MEKA",
        ),
        Format(
            "keel",
            (".dat",),
            keel.read,
            first_line=re.compile(r"^@(inputs?|outputs?)\b", re.IGNORECASE),
            shared_suffix=True,
            title="KEEL",
        ),
        Format(
            "libsvm",
            (".libsvm", ".svmlight", ".svm"),
            libsvm.read,
            libsvm.write,
            first_line=re.compile(r"^(?!@)(?:.*\s)?[0-9]+:\S|^[0-9]+ [0-9]+ [0-9]+$"),
            names_lost=True,
            title="LibSVM",
        ),
        Format(
            "mat",
            (".mat",),
            arrays=mat.arrays,
            write=mat.write,
            write_split=mat.write_split,
            magic=(b"MATLAB 5.0 MAT-file", b"MATLAB 7.3 MAT-file", b"\x89HDF\r\n\x1a\n"),
            title="MATLAB",
        ),
        Format("npz", (".npz",), title="NumPy", arrays=npz.arrays),
        Format(
            "parquet",
            (".parquet",),
            arrow.read_parquet,
            arrow.write_parquet,
            magic=(b"PAR1",),
            is_table=True,
            title="Parquet",
        ),
        Format(
            "feather",
            (".feather", ".arrow"),
            arrow.read_feather,
            arrow.write_feather,
            magic=(b"ARROW1", b"FEA1"),
            is_table=True,
            title="Feather",
        ),
        Format("xlsx", (".xlsx", ".xlsm"), excel.read, title="Excel", is_table=True, sheets=excel.sheets),
        Format(
            "rda",
            (".rda", ".rdata", ".rds"),
            rda.read,
            title="R (an mldr object)",
            magic=(b"RDX2\n", b"RDX3\n", b"RDA"),
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


def format_by_content(file: InputFile, named: str, limits: Limits) -> str:
    """The format of a file that is named like `named`: another one where its first bytes say so."""
    by_magic = _by_magic(file.head(limits))
    if by_magic is None and FORMATS[named].shared_suffix:
        return sniff_format(file, limits)
    return by_magic or named


def sniff_format(file: InputFile, limits: Limits) -> str:
    """The format of a file whose name does not tell, from its first bytes, or its first lines."""
    head = file.head(limits)
    if by_magic := _by_magic(head):
        return by_magic
    file.refuse_by_content(head)
    latest = -1
    if b"\0" not in head or head.startswith(_UTF_16):
        for _, line in lines(file, limits):
            line = line.strip()
            if not line or line[0] in "%#":
                continue
            for place, format in enumerate(FORMATS.values()):
                if format.first_line and format.first_line.search(line):
                    latest = max(latest, place)
            if not line.startswith("@") or line.lower().startswith("@data"):  # a header goes over several lines
                break
    if latest >= 0:
        return list(FORMATS)[latest]
    *others, last = suffixes()
    sentence = f"its format is not known; name it {', '.join(others)} or {last}, or give the format."
    raise file_error(file.name, None, sentence)


def _by_magic(head: bytes) -> str | None:
    return next((format.name for format in FORMATS.values() if format.magic and head.startswith(format.magic)), None)


def suffixes() -> list[str]:
    """The usual suffix of each format, in the order of the alphabet.

    >>> suffixes()
    ['.arff', '.csv', '.dat', '.feather', '.libsvm', '.mat', '.npz', '.parquet', '.rda', '.xlsx']
    """
    return sorted(format.suffixes[0] for format in FORMATS.values())


def suffixes_written() -> list[str]:
    """The suffixes that `write_dataset` takes.

    >>> suffixes_written()
    ['.csv', '.arff', '.libsvm', '.mat', '.parquet', '.feather']
    """
    return [f".{format.name}" for format in FORMATS.values() if format.write is not None]
