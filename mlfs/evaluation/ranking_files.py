"""Rankings as other programs write them: CSV, text or MAT, of feature indices, names or scores, one or one per split.

`read_ranking` takes a file, `as_ranking` also what is in memory. A file becomes a table of cells, the table a list of
rankings, and each ranking feature indices from 0; what had to be guessed on the way stands in the ranking's notes.
Files come from strangers: whatever is wrong ends in a `RankingError` of one sentence.
"""

from __future__ import annotations

import csv
import io
import math
import re
import struct
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any

import numpy as np

from mlfs.checks import checked, described
from mlfs.datasets import Dataset
from mlfs.errors import RankingError, did_you_mean
from mlfs.evaluation.external_ranking import MOST_ENTRIES, ROWS, ExternalRanking
from mlfs.selectors.ranking import rank
from mlfs.wording import count, listing

KINDS = ("indices", "names", "scores")
SUFFIXES = (".csv", ".tsv", ".txt", ".dat", ".mat")
MOST_BYTES = 32 << 20
GUESSED = 5_000  # among more names than this a guess takes long
# Of a table: text of a file, or a number, or None where there is nothing.
Entry = str | float | None
_MISSING = frozenset({"", "na", "nan", "n/a", "none", "null", "-"})
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
_HDF5 = b"\x89HDF\r\n\x1a\n"
_COMPRESSED = 15  # the type of a compressed element of a MAT file of version 5


@checked
def read_ranking(
    path: str | Path,
    ds: Dataset,
    name: str | None = None,
    *,
    base: int | None = None,
    kind: str | None = None,
    rows: str | None = None,
    variable: str | None = None,
) -> ExternalRanking:
    """Read a ranking of the features of a data set from a file.

    Parameters
    ----------
    path : str or Path
        CSV or text (.csv, .tsv, .txt, .dat), or MAT of MATLAB 5 to 7. Rankings per split stand in columns, in rows or
        in variables rank1, rank2, …
    ds : Dataset
    name : str or None
        What tables and figures call it; the file's name where None.
    base : {0, 1} or None
        The number of the first feature; None where the file shows it: it does unless neither 0 nor the number of
        features occurs.
    kind : {"indices", "names", "scores"} or None
        What the file holds; None to see it from the cells. Whole numbers are taken for indices.
    rows : {"all", "train"} or None
        Which rows its author's program saw; None: all where there is one ranking, and the training rows of one split
        each where there are several.
    variable : str or None
        Of a MAT file, where it holds several.

    Returns
    -------
    ExternalRanking
    """
    path = Path(path)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise _too_large(path.name)
        content = path.read_bytes()
    except OSError as problem:
        why = (problem.strerror or type(problem).__name__).lower()
        raise RankingError(f"The ranking {path} cannot be read: {why}.") from None
    return parse_ranking(path.name, content, ds, name, base=base, kind=kind, rows=rows, variable=variable)


def parse_ranking(
    file: str, content: bytes, ds: Dataset, name: str | None = None, *, variable: str | None = None, **how: Any
) -> ExternalRanking:
    """As `read_ranking`, of a file's content."""
    if len(content) > MOST_BYTES:
        raise _too_large(file)
    suffix = PurePath(file).suffix.lower()
    if suffix not in SUFFIXES:
        raise RankingError(
            f"{file} is not a ranking that mlfs can read: give a file that ends in {', '.join(SUFFIXES)}."
        )
    name = name_of(file) if name is None else name
    if suffix == ".mat":
        return _understood(name, file, _mat_cells(file, content, variable), ds, **how)
    return _understood(name, file, _text_cells(file, content, ds), ds, text=True, **how)


def name_of(file: str) -> str:
    """A ranking's name by that of its file.

    >>> name_of("folder/my_rank:2.csv")
    'my_rank 2'
    """
    return re.sub(r"[:;,=@/\n]", " ", PurePath(file).stem).strip(" _-.")[:40].strip() or "ranking"


@checked
def as_ranking(
    name: str, given: Any, ds: Dataset, *, base: int | None = None, kind: str | None = None, rows: str | None = None
) -> ExternalRanking:
    """A ranking of a data set's features from whatever describes it.

    Parameters
    ----------
    given : ExternalRanking, path, array or list
        A file; feature indices, names or scores; or a list of such, one for each split. An index in memory is counted
        from 0 unless `base` says otherwise.
    base, kind, rows : as `read_ranking` takes them

    Examples
    --------
    >>> from mlfs import load_dataset
    >>> as_ranking("mine", ["Mean_Acc1298_Mean_Mem40_Centroid"], load_dataset("emotions")).orders
    ((0,),)
    """
    if isinstance(given, ExternalRanking):
        ranking = replace(given, name=name)
        if ranking.features != ds.X.shape[1]:
            raise RankingError(f"{name} ranks {ranking.features} features, and {ds.name} has {ds.X.shape[1]}.")
        return ranking
    if isinstance(given, str | Path):
        return read_ranking(given, ds, name, base=base, kind=kind, rows=rows)
    try:
        items = list(given)
    except TypeError:
        raise RankingError(
            f"The ranking {name!r} must be a path, an array or a list, not {described(given)}."
        ) from None
    several = bool(items) and not isinstance(items[0], str) and hasattr(items[0], "__len__")
    lists = [[_from_memory(name, cell) for cell in each] for each in (items if several else [items])]
    base = 0 if base is None else base
    rows = rows or ("train" if several else "all")
    return _of_lists(name, name, lists, ds, base=base, kind=kind, rows=rows, notes=[])


def rankings_of(
    ds: Dataset, dataset: str, rankings: Mapping[str, Any] | None, datasets: Sequence[str], **how: Any
) -> list[ExternalRanking]:
    """Those of some rankings that are of one of several data sets.

    Parameters
    ----------
    dataset : the name of the data set, as the caller wrote it
    rankings : by name what `as_ranking` takes, or, where there are several data sets, a mapping of these
    datasets : the names of all of them
    how : options of `as_ranking`
    """
    of_dataset = []
    for name, given in (rankings or {}).items():
        if isinstance(given, Mapping):
            for other in given:
                if other not in datasets:
                    raise RankingError(f"{name} is of {other!r}, which is not compared: {_near(other, datasets)}")
            if dataset not in given:
                continue
            given = given[dataset]
        elif len(datasets) > 1 and not isinstance(given, ExternalRanking):
            raise RankingError(f"Say which data set {name} ranks the features of: {', '.join(datasets)}.")
        elif len(datasets) > 1 and given.dataset not in (dataset, ds.name):
            continue
        of_dataset.append(as_ranking(name, given, ds, **how))
    return of_dataset


# From a file to cells


def _text_cells(file: str, content: bytes, ds: Dataset) -> list[list[Entry]]:
    """The lines of a text, each as its cells."""
    try:
        text = content.decode("utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    if "\0" in text:
        raise RankingError(f"{file} is not text: save the ranking as CSV, one feature per line.")
    known = set(ds.feature_names)
    lines = [line.strip("\r ") for line in text.split("\n")]
    lines = [line for line in lines if line.strip() and (line[0] not in "#%" or line in known)]
    if not lines:
        raise RankingError(f"{file} is empty: give feature indices, names or scores, one per line.")
    if all(line in known for line in lines):
        return [[line] for line in lines]
    separator = next((each for each in "\t;," if any(each in line for line in lines)), None)
    if separator is None:
        split = [line.split() for line in lines]
        numeric = all(_number(cell) is not None or cell in known for line in split[1:] or split for cell in line)
        cells: list[list[Entry]] = [list(line) for line in split] if numeric else [[line.strip('"')] for line in lines]
    else:
        if sum(line.count(separator) for line in lines) > MOST_ENTRIES:
            raise _too_many(file)
        try:
            cells = [list(row) for row in csv.reader(lines, delimiter=separator, skipinitialspace=True)]
        except csv.Error as problem:
            raise RankingError(f"{file} cannot be read as CSV: {problem}.") from None
        if separator != ",":
            cells = [[_point(cell) for cell in row] for row in cells]
    if sum(map(len, cells)) > MOST_ENTRIES:
        raise _too_many(file)
    return [[str(cell).strip() for cell in row] for row in cells]


def _point(cell: Entry) -> Entry:
    """A decimal comma as a point, where commas do not separate."""
    text = str(cell).strip()
    return text.replace(",", ".") if _DECIMAL_COMMA.fullmatch(text) else cell


def _mat_cells(file: str, content: bytes, variable: str | None) -> list[list[Entry]] | dict[str, list[Entry]]:
    """A variable as lines of cells; of several that are numbered, or of a cell array of vectors, each as a ranking."""
    variables = _mat_variables(file, content)
    if variable is not None:
        if variable not in variables:
            raise RankingError(f"{file} has no variable {variable!r}: {_near(variable, variables)}")
        variables = {variable: variables[variable]}
    if not variables:
        raise RankingError(f"{file} holds no variable with a ranking: save a vector of feature indices.")
    if len(variables) > 1:
        stems = {re.sub(r"\d+$", "", name) for name in variables}
        if len(stems) > 1 or stems & set(variables):
            raise RankingError(
                f"{file} holds the variables {listing(list(variables))}: name the one with the ranking, or number "
                "those of one split each as rank1, rank2, …"
            )
        numbered = sorted(variables, key=lambda name: int(re.sub(r"^.*?(\d+)$", r"\1", name)))
        return {name: [cell for row in _array_cells(file, variables[name]) for cell in row] for name in numbered}
    (name, values), *_ = variables.items()
    if values.dtype == object and all(_is_vector(cell) for cell in values.flat):
        return {
            f"{name}{{{place}}}": [cell for row in _array_cells(file, each) for cell in row]
            for place, each in enumerate(values.flat, start=1)
        }
    return _array_cells(file, values)


def _mat_variables(file: str, content: bytes) -> dict[str, np.ndarray]:
    if content.startswith((_HDF5, b"MATLAB 7.3")):
        raise RankingError(f"{file} is a MAT file of version 7.3: save it with save(…, '-v7').")
    _refuse_inflated(file, content)
    from scipy.io import loadmat

    try:
        loaded = loadmat(io.BytesIO(content), struct_as_record=True)
    except Exception:  # the reader is made for friends: on damaged files it raises whatever it meets
        raise RankingError(f"{file} is damaged, or not a MAT file: save it again in MATLAB.") from None
    arrays = {name: value for name, value in loaded.items() if not name.startswith("__")}
    return {
        name: value
        for name, value in arrays.items()
        if isinstance(value, np.ndarray)
        and value.dtype.names is None
        and value.size
        and (value.size > 1 or len(arrays) == 1)
    }


def _refuse_inflated(file: str, content: bytes) -> None:
    """A few compressed bytes may become gigabytes: they are counted, piece by piece, before they are read."""
    order = ">" if content[126:128] == b"MI" else "<"
    position, inflated = 128, 0
    while position + 8 <= len(content):
        kind, size = struct.unpack_from(f"{order}II", content, position)
        if kind == _COMPRESSED:
            stream, piece = zlib.decompressobj(), content[position + 8 : position + 8 + size]
            while piece and not stream.eof:
                try:
                    inflated += len(stream.decompress(piece, MOST_BYTES))
                except zlib.error:
                    raise RankingError(f"{file} is damaged, or not a MAT file: save it again in MATLAB.") from None
                if inflated > MOST_BYTES:
                    raise _too_large(file)
                piece = stream.unconsumed_tail
        position += 8 + size


def _is_vector(cell: Any) -> bool:
    return isinstance(cell, np.ndarray) and cell.dtype.kind in "iufb" and cell.size > 1


def _array_cells(file: str, values: np.ndarray) -> list[list[Entry]]:
    if values.dtype.kind in "iufb" and values.ndim <= 2:
        rows = np.atleast_2d(values).astype(float).tolist()
        return [[None if math.isnan(cell) else cell for cell in row] for row in rows]
    if values.dtype.kind == "U":  # lines of characters
        return [[str(line).strip()] for line in values.ravel()]
    if values.dtype == object and values.ndim == 2:
        return [[_only(file, cell) for cell in row] for row in values]
    raise RankingError(f"{file} holds neither numbers nor names: save a vector of feature indices.")


def _only(file: str, cell: Any) -> Entry:
    """What a cell of a cell array holds: one text, one number, or nothing."""
    if isinstance(cell, np.ndarray) and cell.size == 0:
        return None
    if isinstance(cell, np.ndarray) and cell.size == 1 and cell.dtype.kind in "iufbU":
        value = cell.ravel()[0].item()
        return value if isinstance(value, str) else float(value)
    raise RankingError(f"A cell of {file} holds more than one name or number: give one ranking a column.")


def _from_memory(name: str, cell: Any) -> Entry:
    if isinstance(cell, str):
        return cell
    try:
        number = float(cell)
    except (TypeError, ValueError):
        raise RankingError(f"The ranking {name!r} must hold indices, names or scores, not {described(cell)}.") from None
    return None if math.isnan(number) else number


# From cells to rankings


def _understood(
    name: str,
    file: str,
    cells: list[list[Entry]] | dict[str, list[Entry]],
    ds: Dataset,
    *,
    text: bool = False,
    base: int | None = None,
    kind: str | None = None,
    rows: str | None = None,
) -> ExternalRanking:
    notes: list[str] = []
    if isinstance(cells, dict):
        lists = list(cells.values())
        notes.append(f"One ranking each in {listing(list(cells))}.")
    else:
        lists, by_name = _lists(file, cells, ds, text, kind, notes)
        if by_name is not None:
            return _scored(name, file, by_name, lists, ds, rows, notes)
    return _of_lists(name, file, lists, ds, base=base, kind=kind, rows=rows, notes=notes)


def _lists(
    file: str, cells: list[list[Entry]], ds: Dataset, text: bool, kind: str | None, notes: list[str]
) -> tuple[list[list[Entry]], list[Entry] | None]:
    """The rankings of a table, and the names of its lines where each has one beside its scores."""
    known, d = set(ds.feature_names), ds.X.shape[1]
    header = text and len(cells) > 1 and _is_header(file, cells, known)
    if header:
        notes.append(f"The first line ({listing([str(cell) for cell in cells[0]], 3)}) is taken for a header.")
    corner, body = (cells[0][0] if header else ""), cells[1:] if header else cells
    width = max(map(len, body))
    if header and len(cells[0]) == width - 1:  # as R writes row names
        corner = ""
    body = [[*row, *[None] * (width - len(row))] for row in body]
    columns = [list(column) for column in zip(*body, strict=True)]
    if header and width > 1 and not corner and _counts(columns[0]):
        columns, body = columns[1:], [row[1:] for row in body]
    while len(columns) > 1 and all(_nothing(cell) for cell in columns[-1]):
        columns, body = columns[:-1], [row[:-1] for row in body]
    named = len(columns) > 1 and kind != "names" and all(isinstance(cell, str) and cell in known for cell in columns[0])
    if named and all(_nothing(cell) or _number(cell) is not None for column in columns[1:] for cell in column):
        return columns[1:], columns[0]
    if header or len(columns) == 1:
        return columns, None
    return _oriented(columns, body, d, notes), None


def _is_header(file: str, cells: list[list[Entry]], known: set[str]) -> bool:
    strange = [
        str(cell) for cell in cells[0] if not _nothing(cell) and _number(cell) is None and str(cell) not in known
    ]
    if not strange and not (_nothing(cells[0][0]) and len(cells[0]) > 1):
        return False
    body = [cell for row in cells[1:] for cell in row if not _nothing(cell)]
    if strange and body and all(str(cell) in known for cell in body):
        near = _near(strange[0], known)
        if near.startswith("did you mean") and strange[0].lower() not in ("feature", "features", "name", "names"):
            raise RankingError(f"{file}: there is no feature {strange[0]!r}: {near}")
    return True


def _oriented(columns: list[list[Entry]], body: list[list[Entry]], d: int, notes: list[str]) -> list[list[Entry]]:
    """Whether rankings go down or across: along the side with all features, else where none holds a feature twice."""
    if len(body) == 1:
        return body
    down, across = len(body) == d, len(columns) == d
    if down == across:
        down, across = _without_repeats(columns), _without_repeats(body)
    if down == across:
        down = len(body) >= len(columns)
        notes.append(f"Whether rankings go down or across is not clear: taken {'down' if down else 'across'}.")
    return columns if down else body


def _without_repeats(lists: list[list[Entry]]) -> bool:
    present = [[cell for cell in each if not _nothing(cell)] for each in lists]
    return all(len(set(each)) == len(each) for each in present)


def _counts(column: list[Entry]) -> bool:
    """Whether it numbers the lines, from 0 or from 1."""
    numbers = [_number(cell) for cell in column]
    return numbers in (list(range(len(numbers))), list(range(1, len(numbers) + 1)))


def _nothing(cell: Entry) -> bool:
    return cell is None or (isinstance(cell, str) and cell.strip().lower() in _MISSING)


def _number(cell: Entry) -> float | None:
    if not isinstance(cell, str):
        return cell
    try:
        value = float(cell) if "_" not in cell else math.nan
    except ValueError:
        return None
    return None if math.isnan(value) else value


# From rankings to feature indices from 0


def _of_lists(
    name: str,
    file: str,
    lists: list[list[Entry]],
    ds: Dataset,
    *,
    base: int | None,
    kind: str | None,
    rows: str | None,
    notes: list[str],
) -> ExternalRanking:
    if kind not in (None, *KINDS):
        raise RankingError(f"A ranking holds {', '.join(KINDS)}, not {kind!r}: {did_you_mean(str(kind), KINDS)}")
    if base not in (None, 0, 1):
        raise RankingError(f"The first feature of {name} has the number 0 or 1, not {base!r}.")
    if sum(map(len, lists)) > MOST_ENTRIES:
        raise _too_many(file)
    kind = kind or _kind(lists)
    if kind == "scores":
        orders = [_by_scores(file, each, range(ds.X.shape[1]), ds.X.shape[1]) for each in lists]
        notes.append("Read as scores, one for each feature; the highest is the best.")
    elif kind == "names":
        orders = [_by_names(file, each, ds) for each in lists]
        notes.append("Read as names of features, best first.")
    else:
        numbers = [_whole(file, each) for each in lists]
        base = _base(file, numbers, ds.X.shape[1]) if base is None else base
        orders = [_by_indices(file, each, ds.X.shape[1], base) for each in numbers]
        notes.append(f"Read as feature indices, counted from {base}, best first.")
    return _made(name, orders, ds, rows, notes)


def _scored(
    name: str, file: str, names: list[Entry], lists: list[list[Entry]], ds: Dataset, rows: str | None, notes: list[str]
) -> ExternalRanking:
    """Scores beside the names of their features."""
    places = _by_names(file, names, ds)
    notes.append("Read as names of features and their scores; the highest is the best.")
    return _made(name, [_by_scores(file, each, places, ds.X.shape[1]) for each in lists], ds, rows, notes)


def _made(
    name: str, orders: Sequence[Sequence[int]], ds: Dataset, rows: str | None, notes: list[str]
) -> ExternalRanking:
    rows = rows or ("train" if len(orders) > 1 else "all")
    if rows not in ROWS:
        raise RankingError(f"{name}: rows must be all or train, not {rows!r}.")
    shortest, d = min(map(len, orders)), ds.X.shape[1]
    if len(orders) > 1:
        notes.append(f"{len(orders)} rankings, one for each split.")
    if shortest < d:
        notes.append(f"It ranks the first {shortest} of {d} features: larger numbers of features are left out.")
    return ExternalRanking(name, ds.name, d, tuple(map(tuple, orders)), rows, tuple(notes))


def _kind(lists: list[list[Entry]]) -> str:
    cells = [cell for each in lists for cell in each if not _nothing(cell)]
    numbers = [_number(cell) for cell in cells]
    if any(number is None for number in numbers):
        return "names"
    return "indices" if all(number >= 0 and number == int(number) for number in map(_finite, numbers)) else "scores"


def _finite(number: float | None) -> float:
    return 0.5 if number is None or math.isinf(number) else number


def _present(file: str, cells: list[Entry]) -> list[Entry]:
    """Without the empty cells at the end, where a ranking is shorter than others."""
    cells = list(cells)
    while cells and _nothing(cells[-1]):
        cells.pop()
    for place, cell in enumerate(cells, start=1):
        if _nothing(cell):
            raise RankingError(
                f"{file} has a gap at place {place} of a ranking: a ranking may end early, but must have no gaps."
            )
    return cells


def _whole(file: str, cells: list[Entry]) -> list[int]:
    numbers = [_number(cell) for cell in _present(file, cells)]
    for place, number in enumerate(numbers, start=1):
        if number is None or not math.isfinite(number) or number != int(number) or abs(number) > 2**31:
            raise RankingError(f"{file}: place {place} of a ranking is not a feature index but {cells[place - 1]!r}.")
    return [int(number) for number in numbers if number is not None]


def _base(file: str, lists: list[list[int]], d: int) -> int:
    """From which number features are counted: 0 is only there where it is 0, their number only where it is 1."""
    first, last = any(0 in each for each in lists), any(d in each for each in lists)
    if first and last:
        raise RankingError(f"{file} holds both 0 and {d}, and there are {d} features: count them from 0 or from 1.")
    if not first and not last:
        raise RankingError(
            f"{file} holds neither 0 nor {d}, so that it does not show from where its {d} features are counted: say "
            "that the first has the number 0 (base 0, as in Python) or 1 (base 1, as in MATLAB and R)."
        )
    return 0 if first else 1


def _by_indices(file: str, indices: list[int], d: int, base: int) -> list[int]:
    for place, index in enumerate(indices, start=1):
        if not base <= index < d + base:
            raise RankingError(
                f"{file}: place {place} is feature {index}, and the {d} features go from {base} to {d - 1 + base}."
            )
    _refuse_twice(file, [str(index) for index in indices], "; if these are scores, say so" * (len(indices) == d))
    return [index - base for index in indices]


def _by_names(file: str, cells: list[Entry], ds: Dataset) -> list[int]:
    places = {feature: j for j, feature in enumerate(ds.feature_names)}
    names = [f"{cell:g}" if isinstance(cell, float) else str(cell) for cell in _present(file, cells)]
    for name in names:
        if name not in places:
            raise RankingError(f"{file}: {ds.name} has no feature {name[:60]!r}: {_near(name, places)}")
    _refuse_twice(file, names)
    return [places[name] for name in names]


def _by_scores(file: str, cells: list[Entry], places: Sequence[int], d: int) -> list[int]:
    """The features in the order of their scores; one without a score is not ranked."""
    if len(cells) != len(places):
        raise RankingError(
            f"{file} holds {count(len(cells), 'number')} with fractions or signs in a ranking: scores are one for each "
            f"of the {d} features, and indices are whole numbers."
        )
    scores = np.full(d, np.nan)
    for place, cell in zip(places, cells, strict=True):
        number = None if _nothing(cell) else _number(cell)
        if number is None and not _nothing(cell):
            raise RankingError(f"{file}: the score {cell!r} is not a number.")
        scores[place] = np.nan if number is None else number
    order: list[int] = rank(scores).tolist()
    if not order:
        raise RankingError(f"{file} holds no score.")
    return order


def _refuse_twice(file: str, words: list[str], hint: str = "") -> None:
    if len(set(words)) < len(words):
        twice = Counter(words).most_common(1)[0][0]
        raise RankingError(f"{file}: the feature {twice[:60]} appears twice in a ranking; keep its first place{hint}.")


def _near(word: Any, known: Any) -> str:
    """A guess, or some of the words: a data set may have thousands of features."""
    names = list(map(str, known))
    hint = did_you_mean(str(word)[:100], names) if len(names) <= GUESSED else ""
    return hint if hint.startswith("did you mean") else f"it has {listing(names, 4)}."


def _too_large(file: str) -> RankingError:
    return RankingError(f"{file} has more than {MOST_BYTES >> 20} MB: keep the first features of each ranking.")


def _too_many(file: str) -> RankingError:
    return RankingError(f"{file} has more than {MOST_ENTRIES:,} cells: keep the first features of each ranking.")
