"""Which columns are labels, and their 0s and 1s.

The caller goes before the XML, and the XML before the file's own word (``-C`` in MEKA's @relation): files that went
through Weka's filters carry a ``-C`` that no longer holds (medical, llog).
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Sequence

import numpy as np

from mlfs.datasets.readers.cells import Cells
from mlfs.datasets.readers.limits import Limits
from mlfs.datasets.readers.problems import count, problem, show
from mlfs.datasets.readers.table import Table

_POSITIVE = ("1", "yes", "true", "y", "t")
_NEGATIVE = ("0", "no", "false", "n", "f", "-1")


def meaning(word: str) -> int | None:
    """1 or 0 for a word that says yes or no, else None.

    >>> meaning("YES"), meaning("f"), meaning("red")
    (1, 0, None)
    """
    word = word.lower()
    if word in _POSITIVE:
        return 1
    return 0 if word in _NEGATIVE else None


def choose_labels(
    table: Table, asked: Sequence[str] | int | None, xml: tuple[str, list[str]] | None, limits: Limits
) -> list[int]:
    """The label columns, in the order of the file: so the Mulan, MEKA and CSV copies of a data set agree.

    `asked` is what the caller of read_dataset wants, `xml` the name of an XML file and the labels in it.
    """
    file = table.origins.files[0]
    if asked is not None:
        chosen = _first_or_last(table, asked) if isinstance(asked, int) else _by_name(table, asked, "the call")
    elif xml is not None:
        chosen = _by_xml(table, *xml)
    elif table.labels is not None:
        chosen = _by_file(table)
    else:
        ways = "by their names or their number (6: the first six columns, -6: the last six), or in an XML beside it"
        raise problem(file, None, f"it does not tell labels from features; give the labels {ways}.")
    if not chosen:
        raise problem(file, None, "no row has a label; check that this is the multi-label file.")
    if len(chosen) > limits.max_labels:
        raise problem(file, None, f"more than {count(limits.max_labels, 'label')}; take a part, or raise max_labels.")
    if len(table.columns) - len(chosen) > limits.max_features:
        many = count(limits.max_features, "feature")
        raise problem(file, None, f"more than {many}; take a part of them, or raise max_features.")
    if len(chosen) == len(table.columns):
        raise problem(file, None, "all columns are labels; leave some as features.")
    return chosen


def label_matrix(table: Table, cells: Cells, chosen: Sequence[int], limits: Limits) -> np.ndarray:
    """Y, after a check that every label is 0 or 1, or says so in words."""
    n = table.cells.shape[0]
    if n * len(chosen) > limits.max_cells:
        sentence = f"{n:,} rows of {len(chosen):,} labels are too many; take a part of them, or raise max_cells."
        raise problem(table.origins.files[0], None, sentence)
    Y = np.zeros((n, len(chosen)), dtype=np.int8)
    n_with_minus = 0
    for k, j in enumerate(chosen):
        values = _in_words(table, j, cells.column(j))
        n_with_minus += int((values == -1).any())
        values[values == -1] = 0
        bad = np.flatnonzero((values != 0) & (values != 1))
        if len(bad):
            row = int(bad[0])
            said = _text_of(table, j, cells.column(j)[row])
            sentence = f"the label {show(table.columns[j].name)} is {said}; in every row it must be 0 or 1, no or yes."
            raise table.origins.problem(row, sentence)
        Y[:, k] = values
    if n_with_minus:
        table.notes.append(f"{count(n_with_minus, 'label')} had the value -1, which was read as 0.")
    return Y


def _in_words(table: Table, j: int, values: np.ndarray) -> np.ndarray:
    """What the cells of a column of words say: 0, 1 or NaN. Numbers stay."""
    words = table.columns[j].words
    if words is None:
        return values
    meanings = np.array([np.nan if (said := meaning(word)) is None else said for word in words] + [np.nan])
    return meanings[np.where(np.isnan(values), len(words), values).astype(np.intp)]


def _text_of(table: Table, j: int, value: float) -> str:
    words = table.columns[j].words
    if np.isnan(value):
        return "missing"
    return show(f"{value:g}" if words is None else list(words)[int(value)])


def _first_or_last(table: Table, n_labels: int) -> list[int]:
    d = len(table.columns)
    file = table.origins.files[0]
    if d == 1:
        raise problem(file, None, "it has one column only; features and labels need one each, apart by commas.")
    if not 0 < abs(n_labels) < d:
        sentence = f"{n_labels} of its {d} columns cannot be the labels; give 1 to {d - 1}, or minus that."
        raise problem(file, None, sentence)
    return list(range(n_labels) if n_labels > 0 else range(d + n_labels, d))


def _by_name(table: Table, names: Sequence[str], said_by: str) -> list[int]:
    file = table.origins.files[0]
    known = [column.name for column in table.columns]
    places = {name: j for j, name in enumerate(known)}
    uses = Counter(known)
    for name in names:
        if name not in places:
            # Where thousands of names are, or long ones, looking for a near one would take too long.
            near = difflib.get_close_matches(name[:50], [other[:50] for other in known[-5000:]], n=1)
            hint = f"did you mean {near[0]!r}?" if near else "use the names of the columns."
            raise problem(file, None, f"it has no column {show(name)}, which {said_by} names as a label; {hint}")
        if uses[name] > 1:
            sentence = f"more than one column is called {show(name)}, so it cannot be a label; rename one."
            raise problem(file, None, sentence)
    return sorted({places[name] for name in names})


def _by_xml(table: Table, xml: str, names: list[str]) -> list[int]:
    chosen = _by_name(table, names, xml)
    if table.labels is not None and list(table.labels) != chosen:
        table.notes.append(f"The -C in @relation does not fit {xml}, which was followed.")
    if [table.columns[j].name for j in chosen] != names:
        table.notes.append(f"{xml} lists the labels in another order; they keep the order of the data file.")
    return chosen


def _by_file(table: Table) -> list[int]:
    assert table.labels is not None
    for j in table.labels:
        if table.columns[j].words is None:
            n = len(table.labels) if table.labels[0] else -len(table.labels)
            sentence = (
                f"-C in @relation makes {show(table.columns[j].name)} a label, but it is numeric; "
                f"add the XML, or give the number of labels (they may be at the other end: {n})."
            )
            raise problem(table.origins.files[0], None, sentence)
    return list(table.labels)
