"""Columns of values that are typed already: those of a pandas DataFrame, of Parquet, Feather, Excel and R.

What they become is what the same table as CSV becomes: numbers stay, words are categories, gaps are gaps, and a column
of numbers with a stray word in it is an error. A declared list of categories keeps its order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mlfs.datasets.dataset import Dataset
from mlfs.datasets.formats.build import build_dataset, checked_labels
from mlfs.datasets.formats.csv import check_word, probe
from mlfs.datasets.formats.errors import NO_LIMITS, Limits, count, excerpt, file_error
from mlfs.datasets.formats.parsed_table import Column, Origins, ParsedTable, Words
from mlfs.errors import DatasetError

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Cells:
    """A column as a file holds it.

    Parameters
    ----------
    values : (n,) array
        Numbers with NaN for a gap; where there are words, their places in `words`, -1 for a gap.
    words : sequence or None
        What the values of a column that is not numeric are.
    declared : bool
        Whether the words are a list that the file declares, in its order.
    """

    name: str
    values: np.ndarray
    words: Sequence[Any] | None = None
    declared: bool = False


def check_size(file: str, n_rows: int, n_columns: int, limits: Limits) -> None:
    """Refuse a table by its size alone, before it is read."""
    if n_rows == 0 or n_columns == 0:
        raise file_error(file, None, "there are no data rows; the file may be empty.")
    if n_columns > limits.max_features + limits.max_labels:
        raise file_error(file, None, "too many columns; use fewer, or raise max_features.")
    if n_rows > limits.max_rows:
        many = count(limits.max_rows, "row")
        raise file_error(file, None, f"more than {many}; use fewer, or raise max_rows.")
    if n_rows * n_columns > limits.max_cells:
        many = count(limits.max_cells, "value")
        raise file_error(file, None, f"more than {many}; use fewer rows or columns, or raise max_cells.")


def dataset_of(frame: pd.DataFrame, labels: Sequence[Any] | int, name: str) -> Dataset:
    """A DataFrame as a data set; see `Dataset.from_frame`."""
    import pandas as pd

    if not isinstance(frame, pd.DataFrame):
        raise DatasetError(f"A pandas DataFrame is needed, not {type(frame).__name__}.")
    if not isinstance(labels, str | int):
        labels = [str(label) for label in labels]  # pandas names columns by anything
    # What is in memory already may be as large as it is.
    limits = NO_LIMITS
    table = read_frames([(name, frame)], limits)
    asked = checked_labels(labels)
    return build_dataset(table, name=name, source="a pandas DataFrame", labels=asked, xml=None, limits=limits)


def read_frames(frames: Sequence[tuple[str, pd.DataFrame]], limits: Limits) -> ParsedTable:
    """The table in one DataFrame, or in a training and a test part with the same columns; each with its file's name."""
    first, names = frames[0][0], [str(name).strip() for name in frames[0][1].columns]
    for file, frame in frames:
        check_size(file, len(frame), len(names), limits)
        if [str(name).strip() for name in frame.columns] != names:
            raise file_error(file, None, f"not the columns of {first}; give both parts the same.")
    check_size(first, sum(len(frame) for _, frame in frames), len(names), limits)

    def column(j: int) -> Cells:
        import pandas as pd

        series = [frame.iloc[:, j] for _, frame in frames]
        return _cells(names[j], series[0] if len(series) == 1 else pd.concat(series, ignore_index=True), first)

    return read_columns([(file, len(frame)) for file, frame in frames], len(names), column)


def read_columns(parts: Sequence[tuple[str, int]], n_columns: int, column: Callable[[int], Cells]) -> ParsedTable:
    """The table of columns, which `column` gives one by one; `parts` are the files and their numbers of rows."""
    origins = Origins.of_rows(parts)
    cells = np.empty((len(origins.lines), n_columns))
    columns = []
    for j in range(n_columns):
        given = column(j)
        described, cells[:, j] = _numbers(given, origins) if given.words is None else _words(given, origins)
        columns.append(described)
    return ParsedTable(columns, cells, origins)


def tell_labels(table: ParsedTable, names: Sequence[str]) -> None:
    """Note which columns the file says are labels; nothing where one of them is missing."""
    places = {column.name: j for j, column in enumerate(table.columns)}
    if names and all(name in places for name in names):
        table.labels = sorted(places[name] for name in names)


def durations(column: str) -> str:
    """What is said of a column of times that something took."""
    return f"column {excerpt(column)} holds durations; write them as numbers, of seconds for example."


def _cells(name: str, series: pd.Series, file: str) -> Cells:
    """One column of a DataFrame."""
    import pandas as pd

    if isinstance(series.dtype, pd.CategoricalDtype):
        return Cells(name, series.cat.codes.to_numpy(), series.cat.categories.tolist(), declared=True)
    if series.dtype.kind == "m":
        raise file_error(file, None, durations(name))
    if series.dtype.kind in "biuf":
        return Cells(name, series.to_numpy(dtype=np.float64, na_value=np.nan))
    try:
        codes, words = pd.factorize(series)
    except TypeError as error:  # lists, dicts and the like have no hash
        sentence = f"column {excerpt(name)} holds neither numbers nor words; leave it out, or split it up."
        raise file_error(file, None, sentence) from error
    return Cells(name, codes, list(words))


def _numbers(given: Cells, origins: Origins) -> tuple[Column, np.ndarray]:
    infinite = np.flatnonzero(np.isinf(given.values))
    if len(infinite):
        sentence = f"infinity in column {excerpt(given.name)}; correct it, or leave it empty where it is missing."
        raise origins.error(int(infinite[0]), sentence)
    return Column(given.name), given.values


def _words(given: Cells, origins: Origins) -> tuple[Column, np.ndarray]:
    assert given.words is not None
    texts = [_text(word) for word in given.words]
    missing = len(texts)
    codes = np.where(given.values < 0, missing, given.values).astype(np.intp)
    if given.declared and len(set(texts) - {""}) == len(texts):
        return Column(given.name, Words(texts)), np.array([*range(missing), math.nan])[codes]
    numbers = np.array([*map(probe, texts), math.nan])
    values = numbers[codes]
    is_word = np.isinf(values)
    if not is_word.any():
        return Column(given.name), values
    row = int(np.flatnonzero(is_word)[0])
    try:
        check_word(texts[codes[row]], given.name, stray=np.isfinite(values).sum() > is_word.sum())
    except ValueError as error:
        raise origins.error(row, str(error)) from error
    words = Words(growing=True)
    return Column(given.name, words), np.array([*(words[text] for text in texts), math.nan])[codes]


def _text(word: Any) -> str:
    if word is None:
        return ""
    return str(int(word)) if isinstance(word, bool | np.bool_) else str(word).strip()
