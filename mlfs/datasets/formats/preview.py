"""A first look at files, before a data set is made of them: the first rows, and which columns are probably labels.

Of a large text file only the beginning is read. A table such as a CSV does not tell labels from features; its labels
mostly stand together at one end and hold nothing but 0 and 1, so those are proposed, with a word on how sure that is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from mlfs.datasets.formats.build import FeatureColumns, choose_labels, columns_of, in_words, refuse_one_column
from mlfs.datasets.formats.errors import DEFAULT_LIMITS, Limits, count, listing
from mlfs.datasets.formats.input_files import InputFile
from mlfs.datasets.formats.parsed_table import ParsedTable
from mlfs.datasets.formats.read import parse_files
from mlfs.datasets.formats.registry import FORMATS
from mlfs.encoding import dense
from mlfs.errors import DatasetError
from mlfs.terminal import printable

#: Bytes of a text file that are looked at.
SAMPLE = 2 * 1024**2
#: Rows that a preview shows.
FIRST_ROWS = 6
SURE, LIKELY, UNSURE = "sure", "likely", "unsure"

# How a name begins that calls its column a label.
_LABEL_NAME = re.compile(r"(?i:labels?|class(es)?|tags?|targets?|topics?|y)(?![A-Za-z])")


@dataclass(frozen=True)
class LabelProposal:
    """Which columns of a table are probably its labels.

    Parameters
    ----------
    labels : int or list of str
        As `read_dataset` takes them: the first n columns, the last -n, or these names.
    columns : list of int
        The same columns by their place.
    certainty : {"sure", "likely", "unsure"}
    reason : str
        A sentence on what speaks for them, and what against.
    """

    labels: int | list[str]
    columns: list[int]
    certainty: str
    reason: str


@dataclass(frozen=True)
class TablePreview:
    """What a first look at files shows.

    Parameters
    ----------
    names : list of str
        Of the columns.
    declared : list of int or None
        The label columns, where the files themselves say which they are.
    problem : str or None
        What is wrong with what the files say of their labels.
    proposal : LabelProposal or None
        For files that do not say which columns are labels; None where nothing speaks for any.
    row_ids : list of int
        Columns that name the rows, and will be no features.
    n_rows : int
        Rows that were looked at.
    is_whole : bool
        Whether these are all rows.
    notes : list of str
        How the files were understood, each a sentence.
    """

    names: list[str]
    declared: list[int] | None
    problem: str | None
    proposal: LabelProposal | None
    row_ids: list[int]
    n_rows: int
    is_whole: bool
    notes: list[str]
    _cells: np.ndarray = field(repr=False)
    _words: dict[int, list[str]] = field(repr=False)

    def first_cells(self, column: int) -> list[str]:
        """The first cells of a column as text, empty where a value is missing."""
        if column in self._words:
            return self._words[column]
        return ["" if np.isnan(value) else f"{value:.6g}" for value in self._cells[:, column]]

    def chosen(self, labels: Sequence[str] | int | None) -> list[int]:
        """The places of the columns that `labels`, as `read_dataset` takes them, makes labels."""
        if labels is None:
            return self.declared or []
        places = list(range(len(self.names)))
        if isinstance(labels, int):
            return places[:labels] if labels > 0 else places[labels:]
        return [place for place, name in enumerate(self.names) if name in labels]

    def excerpt(self, labels: Collection[int], most_features: int, most_labels: int) -> list[int | None]:
        """Columns to show, in their order: the first features and the first labels; None stands for those between.

        >>> look = preview_files({"t.csv": b"a,b,c,d,y,z\\n1,2,3,4,0,1\\n"})
        >>> look.excerpt([4, 5], 2, 2)
        [0, 1, None, 4, 5]
        """
        d = len(self.names)
        features = [j for j in range(d) if j not in set(labels)]
        shown = sorted({*features[:most_features], *sorted(labels)[:most_labels]})
        excerpt: list[int | None] = []
        for before, place in zip([-1, *shown], [*shown, d], strict=True):
            excerpt += [None] if place > before + 1 else []
            excerpt += [place] if place < d else []
        return excerpt


def preview_files(
    files: Mapping[str, bytes],
    *,
    limits: Limits = DEFAULT_LIMITS,
    sample: int = SAMPLE,
    variables: Sequence[str] | None = None,
    transposed: str | None = None,
    sheet: str | int | None = None,
) -> TablePreview:
    """Look at files in memory, such as uploads, before `read_files` reads them.

    Parameters
    ----------
    files : mapping of str to bytes
        The content of each file by its name.
    limits : Limits
    sample : int
        Bytes of each text file that are looked at, uncompressed.
    variables, transposed, sheet : as `read_dataset` takes them

    Returns
    -------
    TablePreview

    Raises
    ------
    DatasetError
        Where the files cannot be read, whatever their labels are.

    Examples
    --------
    >>> look = preview_files({"tiny.csv": b"height,tall,heavy\\n1.9,1,0\\n1.5,0,0\\n1.8,1,1\\n"})
    >>> look.proposal.labels, look.proposal.certainty
    (-2, 'likely')
    >>> look.first_cells(0)
    ['1.9', '1.5', '1.8']
    """
    cut: list[str] = []
    try:
        part = partial(_beginning, limits=limits, sample=sample, cut=cut)
        table, xml = parse_files(files, limits, part, variables, transposed, sheet)
    except DatasetError:
        if not cut:
            raise
        cut.clear()  # the cut itself may be the mistake: within quotes, or above the first row
        table, xml = parse_files(files, limits, lambda file, _: file, variables, transposed, sheet)
    refuse_one_column(table)
    declared, problem, proposal = None, None, None
    columns = columns_of(table, limits)
    features = FeatureColumns(table, columns)
    row_ids = [j for j in range(len(table.columns)) if features.names_rows(j)]
    names = [column.name for column in table.columns]
    if xml is not None or table.labels is not None:
        try:
            declared = choose_labels(table, None, xml, limits)
        except DatasetError as error:
            problem = str(error)
    if declared is None:
        yes_no = [j for j in range(len(names)) if _is_yes_no(in_words(table, j, columns.column(j)))]
        proposal = propose_labels(names, yes_no, row_ids)
    n_rows, notes = table.cells.shape[0], [printable(note) for note in table.notes]
    return TablePreview(names, declared, problem, proposal, row_ids, n_rows, not cut, notes, *_first_rows(table))


def propose_labels(names: Sequence[str], yes_no: Sequence[int], row_ids: Sequence[int] = ()) -> LabelProposal | None:
    """Which columns of a table are probably its labels; None where nothing speaks for any.

    Columns whose names call them labels and that stand together at an end are taken for the labels. Else it is the
    longer of the runs of 0/1 columns at the two ends, the right one where they are equally long.

    Parameters
    ----------
    names : sequence of str
    yes_no : sequence of int
        The columns that hold only 0 and 1, or say yes and no in words.
    row_ids : sequence of int
        Columns that name the rows: what is at an end but for them is at that end.

    Returns
    -------
    LabelProposal or None

    Examples
    --------
    >>> propose_labels(["age", "weight", "height", "asthma", "cough"], [3, 4])
    LabelProposal(labels=-2, columns=[3, 4], certainty='sure', reason='No other column holds only 0 and 1.')
    """
    usable = [j for j in range(len(names)) if j not in set(row_ids)]
    binary = set(yes_no) & set(usable)
    right, left = _run(usable[::-1], binary)[::-1], _run(usable, binary)
    if called := _called_labels(names, left, right):
        if len(called) == 1:
            return _proposal(names, called, LIKELY, "Its name calls it a label, but most sets have several.")
        return _proposal(names, called, SURE, "Their names call them labels, and they hold only 0 and 1.")
    if not binary or len(right) == len(usable):
        return None
    run, other = (left, right) if len(left) > len(right) else (right, left)
    if not run:
        return None
    elsewhere = [names[j] for j in usable if j in binary - set(run)]
    if other:
        reason = (
            f"They are the longer run of 0/1 columns; at the other end stands {listing([names[j] for j in other])}."
        )
        return _proposal(names, run, UNSURE, reason)
    if len(run) == 1:
        return _proposal(names, run, UNSURE, "It is the only 0/1 column at an end, and most sets have several labels.")
    if elsewhere:
        others = f"{count(len(elsewhere), 'other column')} ({listing(elsewhere)}) that would be features"
        return _proposal(names, run, LIKELY, f"They stand together at the end, but there are {others}, 0/1 too.")
    if 2 * len(run) > len(usable):
        reason = (
            "No other column holds only 0 and 1, but there are more of them than of features: some may be features."
        )
        return _proposal(names, run, LIKELY, reason)
    return _proposal(names, run, SURE, "No other column holds only 0 and 1.")


def _called_labels(names: Sequence[str], left: list[int], right: list[int]) -> list[int]:
    """The columns at an end of the table whose names call them labels, where no other column is called so."""
    called = [j for j in sorted({*left, *right}) if _LABEL_NAME.match(names[j])]
    at_an_end = called and called in (left[: len(called)], right[-len(called) :])
    return called if at_an_end and len(called) < len(names) else []


def _run(order: Sequence[int], binary: set[int]) -> list[int]:
    """The columns before the first that is not binary."""
    end = next((place for place, j in enumerate(order) if j not in binary), len(order))
    return list(order[:end])


def _proposal(names: Sequence[str], columns: list[int], certainty: str, reason: str) -> LabelProposal:
    labels: int | list[str] = [names[j] for j in columns]
    if columns == list(range(len(columns))):
        labels = len(columns)
    elif columns == list(range(len(names) - len(columns), len(names))):
        labels = -len(columns)
    return LabelProposal(labels, columns, certainty, reason)


def _is_yes_no(values: np.ndarray) -> bool:
    """Whether all values are 0 and 1, or -1 and 1; none is missing."""
    distinct = set(np.unique(values).tolist())
    return distinct <= {0.0, 1.0} or distinct <= {-1.0, 1.0}


def _beginning(file: InputFile, format: str, *, limits: Limits, sample: int, cut: list[str]) -> InputFile:
    """The first lines of a text file; `cut` gets its name where there are more."""
    if FORMATS[format].first_line is None:
        return file
    content = b""
    for chunk in file.chunks(limits):
        content += chunk
        if len(content) > sample and (end := content.rfind(b"\n", 0, sample)) > 0:
            cut.append(file.name)
            return InputFile.from_bytes(file.name, content[: end + 1])
    return file


def _first_rows(table: ParsedTable) -> tuple[np.ndarray, dict[int, list[str]]]:
    cells, words = dense(table.cells[:FIRST_ROWS]).copy(), {}  # a view would keep the whole table
    for j, column in enumerate(table.columns):
        if column.words is not None:
            listed = list(column.words)
            words[j] = ["" if np.isnan(code) else listed[int(code)] for code in cells[:, j]]
    return cells, words
