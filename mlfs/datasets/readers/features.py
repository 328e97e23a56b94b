"""Columns → features: words become 0/1 or categories, gaps are filled, row IDs go; each quirk leaves a note."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np

from mlfs.datasets.readers.cells import Cells
from mlfs.datasets.readers.columns import Words
from mlfs.datasets.readers.labels import meaning
from mlfs.datasets.readers.problems import count, listing, show
from mlfs.datasets.readers.table import Table

# A column of words names its rows where nearly every row has its own word. In a small file that happens to an
# honest nominal attribute too, so a declared one needs more words to be suspected than a column of text.
_ID_SHARE = 0.9
_ID_WORDS_DECLARED = 10
_ID_WORDS_TEXT = 3

_MOST_NOTES = 5


class FeatureColumns:
    """The feature columns of a table, put in order one after the other.

    Attributes
    ----------
    kept : list of int
        The columns of the table that become the columns of X.
    categories : dict
        By place in X, the words of the categorical columns.
    """

    def __init__(self, table: Table, cells: Cells) -> None:
        self.kept: list[int] = []
        self.categories: dict[int, list[str]] = {}
        self._table = table
        self._cells = cells
        self._row_ids: list[str] = []
        self._two_valued: Counter[tuple[str, str]] = Counter()
        self._n_filled: Counter[int] = Counter()  # by column
        self._with_missing = cells.with_missing()

    def add(self, j: int) -> None:
        """Take a column of the table as a feature, unless it names the rows."""
        words = self._table.columns[j].words
        if words is None:
            self._add_numbers(j)
        elif self._is_row_id(j, words):
            self._row_ids.append(self._table.columns[j].name)
        else:
            self._add_words(j, words)

    def _add_numbers(self, j: int) -> None:
        self.kept.append(j)
        if j in self._with_missing:
            self._cells.put(j, self._filled(j, self._cells.column(j), _mean))

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
            values = self._cells.column(j)
            values = recode[np.where(np.isnan(values), len(words), values).astype(np.intp)]
            self._cells.put(j, self._filled(j, values, _mode))

    def _is_row_id(self, j: int, words: Words) -> bool:
        at_least = max(_ID_WORDS_TEXT if words.growing else _ID_WORDS_DECLARED, _ID_SHARE * self._table.cells.shape[0])
        if len(words) < at_least:
            return False
        values = self._cells.column(j)
        return len(np.unique(values[~np.isnan(values)])) >= at_least

    def _filled(self, j: int, values: np.ndarray, typical: Callable[[np.ndarray], float]) -> np.ndarray:
        """Fill the gaps with the typical value of the training rows; of all rows where those have none."""
        missing = np.isnan(values)
        n_train = self._table.n_train
        for known in (values[:n_train][~missing[:n_train]], values[~missing], np.zeros(1)):
            if len(known):
                values[missing] = typical(known)
                break
        self._n_filled[j] = int(missing.sum())
        return values

    def notes(self) -> list[str]:
        notes = []
        if self._row_ids:
            what = "it names the rows, so it is" if len(self._row_ids) == 1 else "they name the rows, so they are"
            notes.append(f"Nearly every row has its own value of {listing(self._row_ids)}: {what} no feature.")
        for (zero, one), n in self._two_valued.most_common(_MOST_NOTES):
            notes.append(f"{count(n, 'two-valued feature')}: {show(zero)} was read as 0 and {show(one)} as 1.")
        n_more = len(self._two_valued) - _MOST_NOTES
        if n_more > 0:
            notes.append(f"{n_more} more pairs of values were read as 0 and 1, in the order of their declaration.")
        n_filled = self._n_filled.total()
        if n_filled:
            where = f"{count(n_filled, 'missing value')} in {count(len(+self._n_filled), 'feature')}"
            rows = "" if self._table.split is None else " of the training rows"
            notes.append(f"{where}: filled with the mean, or for words the most frequent one{rows}.")
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
