"""Parsed table → Dataset: which columns are labels, what becomes of the others, and notes on every quirk.

Of what says which columns are labels, the caller goes before the XML, and the XML before the file's own word (``-C`` in
MEKA's @relation): files that went through Weka's filters carry a ``-C`` that no longer holds (medical, llog). Of the
features, words become 0/1 or categories, gaps are filled and row IDs go.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any, Protocol

import numpy as np
from scipy import sparse

from mlfs.checks import is_list
from mlfs.datasets.dataset import Dataset
from mlfs.datasets.formats.errors import Limits, count, excerpt, file_error, listing
from mlfs.datasets.formats.parsed_table import ParsedTable, Words
from mlfs.errors import DatasetError
from mlfs.terminal import printable

_POSITIVE = ("1", "yes", "true", "y", "t")
_NEGATIVE = ("0", "no", "false", "n", "f", "-1")

# A column of words names its rows where nearly every row has its own word. In a small file that happens to an
# honest nominal attribute too, so a declared one needs more words to be suspected than a column of text.
_ID_SHARE = 0.9
_ID_WORDS_DECLARED = 10
_ID_WORDS_TEXT = 3

# A column of whole numbers is an ID where its name says so and no two rows have the same.
_ID_NAME = re.compile(r"(?:.*[\W_])?(?:id|ids|uuid|guid)|.*[a-z](?:Id|ID)", re.DOTALL)
_ID_ROWS = 3

_MOST_NOTES = 5
# Below this every whole number has a floating point number of its own.
_WHOLE = 2**53


def build_dataset(
    table: ParsedTable,
    *,
    name: str,
    source: str,
    labels: Sequence[str] | int | None,
    xml: tuple[str, list[str]] | None,
    limits: Limits,
) -> Dataset:
    """Decide what each column is and build the data set."""
    chosen = choose_labels(table, labels, xml, limits)
    file = table.origins.files[0]
    columns = columns_of(table, limits)
    Y = label_matrix(table, columns, chosen, limits)
    is_label = set(chosen)
    features = FeatureColumns(table, columns)
    for j in range(len(table.columns)):
        if j not in is_label:
            features.add(j)
    if not features.kept:
        raise file_error(file, None, "no column is left as a feature; check which columns are labels.")
    X = columns.take(features.kept)
    notes = table.notes + features.notes()
    feature_names = _distinct([table.columns[j].name for j in features.kept], "feature", notes)
    label_names = _distinct([table.columns[j].name for j in chosen], "label", notes)
    return Dataset(
        X=X,
        Y=Y,
        feature_names=feature_names,
        label_names=label_names,
        name=name,
        split=table.split,
        categories=features.categories,
        notes=[printable(note) for note in notes + _oddities(X, Y, label_names)],
        source=source,
    )


def meaning(word: str) -> int | None:
    """1 or 0 for a word that says yes or no, else None.

    >>> meaning("YES"), meaning("f"), meaning("red")
    (1, 0, None)
    """
    word = word.lower()
    if word in _POSITIVE:
        return 1
    return 0 if word in _NEGATIVE else None


def checked_labels(labels: Sequence[str] | int | None) -> list[str] | int | None:
    """What a caller says of the labels: names, a number, or nothing."""
    if labels is None:
        return None
    if isinstance(labels, Integral) and not isinstance(labels, bool):
        return int(labels)
    names: list[Any] = [*labels] if is_list(labels) else [labels]  # type: ignore[misc]
    if names and all(isinstance(name, str) for name in names):
        return [str(name) for name in names]
    raise DatasetError("The labels must be given as a list of column names or as a whole number.")


def choose_labels(
    table: ParsedTable, asked: Sequence[str] | int | None, xml: tuple[str, list[str]] | None, limits: Limits
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
        chosen = _by_relation(table) if table.labels_by_meka else list(table.labels)
    else:
        ways = "by their names or their number (6: the first six columns, -6: the last six), or in an XML beside it"
        raise file_error(file, None, f"it does not tell labels from features; give the labels {ways}.")
    if not chosen:
        raise file_error(file, None, "no row has a label; check that this is the multi-label file.")
    if len(chosen) > limits.max_labels:
        raise file_error(file, None, f"more than {count(limits.max_labels, 'label')}; use fewer, or raise max_labels.")
    if len(table.columns) - len(chosen) > limits.max_features:
        many = count(limits.max_features, "feature")
        raise file_error(file, None, f"more than {many}; use fewer, or raise max_features.")
    if len(chosen) == len(table.columns):
        raise file_error(file, None, "all columns are labels; leave some as features.")
    return chosen


def label_matrix(table: ParsedTable, columns: Columns, chosen: Sequence[int], limits: Limits) -> np.ndarray:
    """Y, after a check that every label is 0 or 1, or says so in words."""
    n = table.cells.shape[0]
    if n * len(chosen) > limits.max_cells:
        sentence = f"{n:,} rows of {len(chosen):,} labels are too many; use fewer, or raise max_cells."
        raise file_error(table.origins.files[0], None, sentence)
    Y = np.zeros((n, len(chosen)), dtype=np.int8)
    n_with_minus = 0
    for k, j in enumerate(chosen):
        values = in_words(table, j, columns.column(j))
        n_with_minus += int((values == -1).any())
        values[values == -1] = 0
        bad = np.flatnonzero((values != 0) & (values != 1))
        if len(bad):
            row = int(bad[0])
            said = _text_of(table, j, columns.column(j)[row])
            sentence = (
                f"the label {excerpt(table.columns[j].name)} is {said}; in every row it must be 0 or 1, no or yes."
            )
            raise table.origins.error(row, sentence)
        Y[:, k] = values
    if n_with_minus:
        table.notes.append(f"{count(n_with_minus, 'label')} had the value -1, which was read as 0.")
    return Y


def in_words(table: ParsedTable, j: int, values: np.ndarray) -> np.ndarray:
    """What the cells of a column of words say: 0, 1 or NaN. Numbers stay."""
    words = table.columns[j].words
    if words is None:
        return values
    meanings = np.array([np.nan if (said := meaning(word)) is None else said for word in words] + [np.nan])
    return meanings[np.where(np.isnan(values), len(words), values).astype(np.intp)]


def _text_of(table: ParsedTable, j: int, value: float) -> str:
    words = table.columns[j].words
    if np.isnan(value):
        return "missing"
    return excerpt(f"{value:g}" if words is None else list(words)[int(value)])


def refuse_one_column(table: ParsedTable) -> None:
    if len(table.columns) == 1:
        sentence = "it has one column only; features and labels need one each, separated by commas."
        raise file_error(table.origins.files[0], None, sentence)


def _first_or_last(table: ParsedTable, n_labels: int) -> list[int]:
    refuse_one_column(table)
    d = len(table.columns)
    file = table.origins.files[0]
    if not 0 < abs(n_labels) < d:
        sentence = f"{n_labels} of its {d} columns cannot be the labels; give 1 to {d - 1}, or minus that."
        raise file_error(file, None, sentence)
    return list(range(n_labels) if n_labels > 0 else range(d + n_labels, d))


def _by_name(table: ParsedTable, names: Sequence[str], said_by: str) -> list[int]:
    file = table.origins.files[0]
    known = [column.name for column in table.columns]
    places = {name: j for j, name in enumerate(known)}
    uses = Counter(known)
    twice = [name for name, n in Counter(names).items() if n > 1]
    if twice:
        raise file_error(file, None, f"{said_by} names {excerpt(twice[0])} twice as a label; name it once.")
    for name in names:
        if name not in places:
            # Where thousands of names are, or long ones, looking for a near one would take too long.
            near = difflib.get_close_matches(name[:50], [other[:50] for other in known[-5000:]], n=1)
            hint = f"did you mean {near[0]!r}?" if near else "use the names of the columns."
            raise file_error(file, None, f"it has no column {excerpt(name)}, which {said_by} names as a label; {hint}")
        if uses[name] > 1:
            sentence = f"more than one column is called {excerpt(name)}, so it cannot be a label; rename one."
            raise file_error(file, None, sentence)
    return sorted({places[name] for name in names})


def _by_xml(table: ParsedTable, xml: str, names: list[str]) -> list[int]:
    chosen = _by_name(table, names, xml)
    if table.labels_by_meka and table.labels is not None and list(table.labels) != chosen:
        table.notes.append(f"The -C in @relation disagrees with {xml}, which was used.")
    if [table.columns[j].name for j in chosen] != names:
        table.notes.append(f"{xml} lists the labels in another order; they keep the order of the data file.")
    return chosen


def _by_relation(table: ParsedTable) -> list[int]:
    assert table.labels is not None
    for j in table.labels:
        if table.columns[j].words is None:
            n = len(table.labels) if table.labels[0] else -len(table.labels)
            sentence = (
                f"-C in @relation makes {excerpt(table.columns[j].name)} a label, but it is numeric; "
                f"add the XML, or give the number of labels (they may be at the other end: {n})."
            )
            raise file_error(table.origins.files[0], None, sentence)
    return list(table.labels)


class FeatureColumns:
    """The feature columns of a table, put in order one after the other.

    Attributes
    ----------
    kept : list of int
        The columns of the table that become the columns of X.
    categories : dict
        By place in X, the words of the categorical columns.
    """

    def __init__(self, table: ParsedTable, columns: Columns) -> None:
        self.kept: list[int] = []
        self.categories: dict[int, list[str]] = {}
        self._table = table
        self._columns = columns
        self._row_ids: list[str] = []
        self._number_ids: list[str] = []
        self._two_valued: Counter[tuple[str, str]] = Counter()
        self._n_filled: Counter[int] = Counter()  # by column
        self._without_values: list[str] = []
        self._with_missing = columns.with_missing()

    def add(self, j: int) -> None:
        """Take a column of the table as a feature, unless it names the rows."""
        column = self._table.columns[j]
        words = column.words
        if words is None and self._is_number_id(j, column.name):
            self._number_ids.append(column.name)
        elif words is None:
            self._add_numbers(j)
        elif self._is_row_id(j, words):
            self._row_ids.append(column.name)
        else:
            self._add_words(j, words)

    def _add_numbers(self, j: int) -> None:
        self.kept.append(j)
        if j in self._with_missing:
            self._columns.put(j, self._filled(j, self._columns.column(j), _mean))

    def _add_words(self, j: int, words: Words) -> None:
        # Declared words keep their order; words as met would make the codes depend on the order of the rows.
        listed = sorted(words) if words.growing else list(words)
        if len(listed) == 2:
            listed = _negative_first(listed)
            if listed != ["0", "1"]:
                self._two_valued[listed[0], listed[1]] += 1
        elif listed:  # else all values are missing
            self.categories[len(self.kept)] = listed
        self.kept.append(j)
        if listed != list(words) or j in self._with_missing:
            code = {word: place for place, word in enumerate(listed)}
            recode = np.array([code[word] for word in words] + [np.nan])
            values = self._columns.column(j)
            values = recode[np.where(np.isnan(values), len(words), values).astype(np.intp)]
            self._columns.put(j, self._filled(j, values, _mode))

    def _is_row_id(self, j: int, words: Words) -> bool:
        at_least = max(_ID_WORDS_TEXT if words.growing else _ID_WORDS_DECLARED, _ID_SHARE * self._table.cells.shape[0])
        if len(words) < at_least:
            return False
        values = self._columns.column(j)
        return len(np.unique(values[~np.isnan(values)])) >= at_least

    def _is_number_id(self, j: int, name: str) -> bool:
        if not (_ID_NAME.fullmatch(name) or _ID_NAME.fullmatch(name.lower())):
            return False
        values = self._columns.column(j)
        n = len(values)
        return n >= _ID_ROWS and bool((values == np.floor(values)).all()) and len(np.unique(values)) == n

    def _filled(self, j: int, values: np.ndarray, typical: Callable[[np.ndarray], float]) -> np.ndarray:
        """Fill the gaps with the typical value of the training rows; of all rows where those have none."""
        missing = np.isnan(values)
        n_train = self._table.n_train
        for known in (values[:n_train][~missing[:n_train]], values[~missing], np.zeros(1)):
            if len(known):
                values[missing] = typical(known)
                break
        self._n_filled[j] = int(missing.sum())
        if missing.all():
            self._without_values.append(self._table.columns[j].name)
        return values

    def names_rows(self, j: int) -> bool:
        """Whether a column of the table names the rows, and would be no feature."""
        column = self._table.columns[j]
        return self._is_number_id(j, column.name) if column.words is None else self._is_row_id(j, column.words)

    def notes(self) -> list[str]:
        notes = []
        if self._row_ids:
            what = "it names the rows, and is" if len(self._row_ids) == 1 else "they name the rows, and are"
            notes.append(
                f"Nearly every row has its own value of {listing(self._row_ids)}: {what} not used as a feature."
            )
        if self._number_ids:
            what = (
                "by its name it is an ID, and is"
                if len(self._number_ids) == 1
                else "by their names they are IDs, and are"
            )
            notes.append(
                f"Every row has its own whole number of {listing(self._number_ids)}: {what} not used as a feature."
            )
        for (negative, positive), n in self._two_valued.most_common(_MOST_NOTES):
            notes.append(
                f"{count(n, 'two-valued feature')}: {excerpt(negative)} was read as 0 and {excerpt(positive)} as 1."
            )
        n_more = len(self._two_valued) - _MOST_NOTES
        if n_more > 0:
            notes.append(f"{n_more} more pairs of values were read as 0 and 1, in the order of their declaration.")
        n_filled = self._n_filled.total()
        if n_filled:
            where = f"{count(n_filled, 'missing value')} in {count(len(+self._n_filled), 'feature')}"
            rows = "" if self._table.split is None else " of the training rows"
            notes.append(f"{where}: filled with the mean, or for words the most frequent one{rows}.")
        if n_without := len(self._without_values):
            what = "has no value in any row and is" if n_without == 1 else "have no value in any row and are"
            notes.append(f"{count(n_without, 'feature')} {what} 0 throughout: {listing(self._without_values)}.")
        return notes


def _negative_first(pair: list[str]) -> list[str]:
    """Order two words so that the second is the one to be 1: yes where one says yes and one no, else the second.

    >>> _negative_first(["YES", "NO"]), _negative_first(["1", "2"])
    (['NO', 'YES'], ['1', '2'])
    """
    return pair[::-1] if [meaning(word) for word in pair] == [1, 0] else pair


def _mean(values: np.ndarray) -> float:
    # Scaled, since the sum of large numbers may be beyond all numbers.
    scale = np.abs(values).max()
    return float((values / scale).mean() * scale) if scale > 0 else 0.0


def _mode(values: np.ndarray) -> float:
    return float(np.bincount(values.astype(np.intp)).argmax())


class Columns(Protocol):
    """The columns of a table, dense or sparse, one by one."""

    def column(self, j: int) -> np.ndarray:
        """All n values of a column, as a vector of the caller's own."""

    def put(self, j: int, values: np.ndarray) -> None:
        """Replace a column."""

    def with_missing(self) -> set[int]:
        """The columns that miss values."""

    def take(self, columns: Sequence[int]) -> Any:
        """The table of these columns, as an array or CSR matrix."""


def columns_of(table: ParsedTable, limits: Limits) -> Columns:
    """The columns of a table, to be read and replaced."""
    if sparse.issparse(table.cells):
        return SparseColumns(table.cells, limits.max_cells, table.origins.files[0])
    return DenseColumns(table.cells)


class DenseColumns:
    """Columns of an array, which is changed in place."""

    def __init__(self, table: np.ndarray) -> None:
        self._table = table

    def column(self, j: int) -> np.ndarray:
        return self._table[:, j].copy()

    def put(self, j: int, values: np.ndarray) -> None:
        self._table[:, j] = values

    def with_missing(self) -> set[int]:
        # A sum is NaN where a term is: no table of flags is needed.
        with np.errstate(over="ignore", invalid="ignore"):
            return set(np.flatnonzero(~np.isfinite(self._table.sum(axis=0))).tolist())

    def take(self, columns: Sequence[int]) -> np.ndarray:
        return self._table[:, columns]


class SparseColumns:
    """Columns of a sparse table. Only the nonzero values of a replaced column are kept."""

    def __init__(self, table: sparse.csr_matrix, max_stored: int, file: str) -> None:
        self._table = table.tocsc()
        self._replaced: dict[int, tuple[np.ndarray, np.ndarray]] = {}
        self._n_stored = table.nnz
        self._max_stored = max_stored
        self._file = file

    def _stored(self, j: int) -> tuple[np.ndarray, np.ndarray]:
        if j in self._replaced:
            return self._replaced[j]
        part = slice(self._table.indptr[j], self._table.indptr[j + 1])
        return self._table.indices[part], self._table.data[part]

    def column(self, j: int) -> np.ndarray:
        rows, values = self._stored(j)
        vector = np.zeros(self._table.shape[0])
        vector[rows] = values
        return vector

    def put(self, j: int, values: np.ndarray) -> None:
        rows = np.flatnonzero(values)
        # A nominal column whose first, implicit value is YES is full once YES is 1.
        self._n_stored += len(rows)
        if self._n_stored > self._max_stored:
            sentence = f"more than {count(self._max_stored, 'value')} that are not 0; use fewer, or raise max_cells."
            raise file_error(self._file, None, sentence)
        self._replaced[j] = (rows, values[rows])

    def with_missing(self) -> set[int]:
        missing = np.isnan(self._table.data)
        ends = self._table.indptr
        return set((np.searchsorted(ends, np.flatnonzero(missing), side="right") - 1).tolist())

    def take(self, columns: Sequence[int]) -> sparse.csr_matrix:
        if not self._replaced:
            return self._table[:, columns].tocsr()
        parts = [self._stored(j) for j in columns]
        ends = np.cumsum([0] + [len(rows) for rows, _ in parts])
        rows = np.concatenate([rows for rows, _ in parts])
        values = np.concatenate([values for _, values in parts])
        return sparse.csc_matrix((values, rows, ends), shape=(self._table.shape[0], len(columns))).tocsr()


def _distinct(names: list[str], of_what: str, notes: list[str]) -> list[str]:
    """Number the names that occur again, and note it.

    >>> _distinct(["x", "y", "x"], "feature", [])
    ['x', 'y', 'x (2)']
    """
    taken = set(names)
    uses: Counter[str] = Counter()
    distinct = []
    for name in names:
        uses[name] += 1
        fresh = name
        while uses[name] > 1 and fresh in taken:
            fresh = f"{name} ({uses[name]})"
            uses[name] += fresh in taken
        taken.add(fresh)
        distinct.append(fresh)
    n_renamed = sum(fresh != name for fresh, name in zip(distinct, names, strict=True))
    if n_renamed:
        notes.append(f"{count(n_renamed, of_what)} had the name of an earlier one and got a number.")
    return distinct


def _oddities(X: Any, Y: np.ndarray, label_names: list[str]) -> list[str]:
    notes = []
    low, high = X.min(axis=0), X.max(axis=0)
    if sparse.issparse(X):
        low, high = low.toarray(), high.toarray()
    n_constant = int((low == high).sum())
    if n_constant:
        notes.append(f"{count(n_constant, 'feature')} {_is_are(n_constant)} constant; kept.")
    n_huge = int((np.maximum(-low, high) >= _WHOLE).sum())
    if n_huge:
        notes.append(
            f"{count(n_huge, 'feature')} {'has' if n_huge == 1 else 'have'} numbers of {_WHOLE:,} or more, of which "
            "only the first 15 digits are kept."
        )
    never = [name for name, positives in zip(label_names, Y.sum(axis=0, dtype=np.int64), strict=True) if not positives]
    if never:
        notes.append(f"{count(len(never), 'label')} {_is_are(len(never))} never positive ({listing(never)}); kept.")
    n_unlabelled = int((~Y.any(axis=1)).sum())
    if n_unlabelled:
        notes.append(f"{count(n_unlabelled, 'row')} {'has' if n_unlabelled == 1 else 'have'} no label; kept.")
    return notes


def _is_are(number: int) -> str:
    return "is" if number == 1 else "are"
