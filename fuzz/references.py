"""What a file says, read the slow and obvious way; and whether a data set says the same, or tells what it changed.

A reference speaks only where a file is so plain that nobody can read it otherwise; None where it is not.
"""

from __future__ import annotations

import io
import json
import math
import os
import re
import warnings
import zipfile
from collections.abc import Callable, Mapping

import numpy as np
import pandas as pd
import pyarrow.feather
import pyarrow.parquet
from scipy import sparse
from scipy.io import loadmat

from fuzz.tables import Cell, Column, Table
from mlfs.datasets import Dataset

_PLAIN_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?")
_PLAIN_NAME = re.compile(r"[a-z][a-z0-9]*")


def unexplained(table: Table, ds: Dataset, *, names: bool = True) -> str | None:
    """What the data set has otherwise than the table, without a word in its notes; None where there is nothing."""
    notes = " ".join(ds.notes)
    if len(ds.Y) != table.rows:
        return f"{len(ds.Y)} rows of {table.rows}"
    if ds.Y.shape[1] != len(table.labels):
        return f"{ds.Y.shape[1]} labels of {len(table.labels)}"
    X = ds.X.toarray() if sparse.issparse(ds.X) else ds.X
    kept = _kept(table, ds, names)
    if len(kept) != X.shape[1]:
        return f"{X.shape[1]} features of {len(table.features)}"
    if len(kept) < len(table.features) and not re.search("no feature|not used as a feature|dropped", notes):
        return "a feature is gone"
    gaps = sum(cell is None for column in kept for cell in column.cells)
    filled = re.search(r"([\d,]+) missing values? in", notes)
    if gaps != (int(filled[1].replace(",", "")) if filled else 0):
        return f"{gaps} gaps, and the notes say {filled[1] if filled else 'none'}"
    for j, column in enumerate(kept):
        for row, cell in enumerate(column.cells):
            if cell is not None and not _same(cell, column, j, X[row, j], ds, notes):
                return f"{X[row, j]!r} for {cell!r} in row {row} of {column.name!r}"
    for k, column in enumerate(table.labels):
        said = [1 if cell == 1 else 0 for cell in column.cells]
        if -1 in column.cells and "-1" not in notes:
            return f"-1 in the label {column.name!r}"
        if ds.Y[:, k].tolist() != said:
            return f"the label {column.name!r}"
    if names and [name.strip() for name in map(_name, table.labels)] != list(ds.label_names) and "number" not in notes:
        return f"labels {ds.label_names}"
    return None


def _name(column: Column) -> str:
    return column.name


def _kept(table: Table, ds: Dataset, names: bool) -> list[Column]:
    """The columns that became features: by name and in order, where there are names."""
    if not names:
        return table.features[: ds.X.shape[1]]
    waiting, kept = list(table.features), []
    for name in ds.feature_names:
        while waiting:
            column = waiting.pop(0)
            stripped = column.name.strip()
            if name == stripped or re.fullmatch(re.escape(stripped) + r" \(\d+\)", name):
                kept.append(column)
                break
    return kept


def _same(cell: Cell, column: Column, j: int, value: float, ds: Dataset, notes: str) -> bool:
    if isinstance(cell, str):
        if j in ds.categories:
            return ds.categories[j][int(value)] == cell.strip()
        return "was read as 0 and" in notes or "were read as 0 and 1" in notes or set(column.cells) <= {"0", "1", None}
    return value == cell


def plain_csv(content: bytes) -> list[list[str]] | None:
    """Names of letters, numbers, commas and line ends; no quotes, no words, no gaps."""
    try:
        lines = content.decode("ascii").split("\n")
    except UnicodeDecodeError:
        return None
    lines = lines[:-1] if lines[-1] == "" else lines
    rows = [line.split(",") for line in lines]
    if len(rows) < 2 or len({len(row) for row in rows}) != 1 or len(rows[0]) < 2 or len(set(rows[0])) < len(rows[0]):
        return None
    if not all(map(_PLAIN_NAME.fullmatch, rows[0])) or "id" in "".join(rows[0]):
        return None
    if not all(_PLAIN_NUMBER.fullmatch(cell) and math.isfinite(float(cell)) for row in rows[1:] for cell in row):
        return None
    return rows


def csv(content: bytes, labels: int) -> Table | None:
    rows = plain_csv(content)
    if rows is None or not labels < len(rows[0]):
        return None
    columns = [Column(name, [float(row[j]) for row in rows[1:]]) for j, name in enumerate(rows[0])]
    return Table(columns[:-labels], columns[-labels:])


def libsvm(content: bytes, labels: int) -> Table | None:
    """Labels, then index:value with ascending indices from 1, in every line."""
    try:
        lines = content.decode("ascii").split("\n")
    except UnicodeDecodeError:
        return None
    rows = []
    for line in lines:
        match = re.fullmatch(r"([1-9](?:,[1-9])*)((?: [1-9]:-?[0-9]+(?:\.[0-9]+)?)+)", line)
        if match is None:
            return None
        said = sorted({int(label) for label in match[1].split(",")})
        pairs = [pair.split(":") for pair in match[2].split()]
        if len({index for index, _ in pairs}) < len(pairs):
            return None
        rows.append((said, {int(index): float(value) for index, value in pairs}))
    known = sorted({label for said, _ in rows for label in said})
    last = max(index for _, pairs in rows for index in pairs)
    features = [Column(f"f{j}", [pairs.get(j, 0.0) for _, pairs in rows]) for j in range(1, last + 1)]
    return Table(features, [Column(str(k), [float(k in said) for said, _ in rows]) for k in known])


def npz(content: bytes, labels: int) -> Table | None:
    """By NumPy itself, each member whole."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            if archive.testzip() is not None:
                return None
        with np.load(io.BytesIO(content), allow_pickle=False) as loaded:
            X, Y = loaded["X"], loaded["Y"]
    except Exception:
        return None
    if X.ndim != 2 or Y.ndim != 2 or len(X) != len(Y):
        return None
    return Table([Column("", column.tolist()) for column in X.T], [Column("", column.tolist()) for column in Y.T])


def _cells(values: pd.Series) -> list[Cell] | None:
    """Numbers and gaps of a column; None where it holds anything else."""
    cells: list[Cell] = []
    for value in values.tolist():
        if value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value)):
            cells.append(None)
        elif isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            cells.append(float(value))
        else:
            return None
    return cells


def _of_frame(read: Callable[[io.BytesIO], pd.DataFrame]) -> Callable[[bytes, int], Table | None]:
    """By Arrow or pandas; only of numbers under plain names."""

    def reference(content: bytes, labels: int) -> Table | None:
        try:
            frame = read(io.BytesIO(content))
        except Exception:
            return None
        if not 0 < labels < frame.shape[1] or not isinstance(frame.index, pd.RangeIndex):
            return None
        if not all(isinstance(name, str) and _PLAIN_NAME.fullmatch(name) for name in frame.columns):
            return None
        columns = []
        for j, name in enumerate(frame.columns):
            cells = _cells(frame.iloc[:, j])
            if cells is None or "id" in name:
                return None
            columns.append(Column(name, cells))
        return Table(columns[:-labels], columns[-labels:])

    return reference


def mat(content: bytes, labels: int) -> Table | None:
    """By SciPy, in a process of its own, because damaged files can end it."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            with os.fdopen(writing, "w") as answer:
                json.dump(_by_scipy(content), answer)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        said = answer.read()
    os.waitpid(child, 0)
    found = json.loads(said) if said else None
    return None if found is None else Table(*([Column("", column) for column in part] for part in found))


def _by_scipy(content: bytes) -> list[list[list[float]]] | None:
    warnings.simplefilter("ignore")
    try:
        loaded = loadmat(io.BytesIO(content))
        X, Y = (loaded[name].astype(np.float64) for name in "XY")
    except Exception:
        return None
    plain = X.ndim == 2 == Y.ndim and len(X) == len(Y) != X.shape[1] and np.isfinite(X).all()
    return [X.T.tolist(), Y.T.tolist()] if plain and len(X) > Y.shape[1] else None


def arff(content: bytes, labels: int) -> Table | None:
    """Letters for names, quoted or not, numeric features, labels {0,1}, and rows of numbers."""
    try:
        lines = content.decode("ascii").split("\n")
    except UnicodeDecodeError:
        return None
    head = re.fullmatch(r"@(?:relation|RELATION) (['\"])toy: (?:-V )?-C (-?)([1-9])(?:[ -][^'\":]*)?\1", lines[0])
    if head is None or "@data" not in lines:
        return None
    start = lines.index("@data")
    declared = [re.fullmatch(r"@attribute '([a-z])' (numeric|\{0,1\})", line) for line in lines[1:start]]
    rows = [line.split(",") for line in lines[start + 1 :]]
    q = int(head[3])
    names, kinds = [match[1] for match in declared if match], [match[2] for match in declared if match]
    if len(set(names)) < len(declared) or q >= len(declared):
        return None
    if not rows or any(len(row) != len(names) or not all(map(_PLAIN_NUMBER.fullmatch, row)) for row in rows):
        return None
    if any(row[j] not in ("0", "1") for row in rows for j, kind in enumerate(kinds) if kind == "{0,1}"):
        return None
    columns = [Column(name, [float(row[j]) for row in rows]) for j, name in enumerate(names)]
    front, back = (columns[:-q], columns[-q:]) if head[2] else (columns[q:], columns[:q])
    return Table(front, back)


def keel(content: bytes, labels: int) -> Table | None:
    """Plain names, numbers and gaps; @inputs and @outputs that name every attribute once."""
    try:
        lines = content.decode("ascii").split("\n")
    except UnicodeDecodeError:
        return None
    if lines[0] != "@relation toy" or "@data" not in lines:
        return None
    start = lines.index("@data")
    declared = [
        re.fullmatch(r"@attribute ([a-z][0-9]*) (real \[0, 1\]|\{0, 1\})", line) for line in lines[1 : start - 2]
    ]
    named = [lines[start - 2].removeprefix("@inputs "), lines[start - 1].removeprefix("@outputs ")]
    inputs, outputs = (words.split(", ") for words in named)
    names, kinds = [match[1] for match in declared if match], [match[2] for match in declared if match]
    if len(set(names)) < len(declared) or sorted([*inputs, *outputs]) != sorted(names) or start < 4:
        return None
    rows = [line.split(", ") for line in lines[start + 1 :]]
    columns = []
    for j, (name, kind) in enumerate(zip(names, kinds, strict=True)):
        if not rows or any(len(row) != len(names) for row in rows):
            return None
        said = [row[j] for row in rows]
        fine = {"0", "1"} if kind == "{0, 1}" else {cell for cell in said if _PLAIN_NUMBER.fullmatch(cell)} | {"<null>"}
        if not set(said) <= fine or (name in outputs and not set(said) <= {"0", "1"}):
            return None
        columns.append(Column(name, [None if cell == "<null>" else float(cell) for cell in said]))
    return Table([c for c in columns if c.name in inputs], [c for c in columns if c.name in outputs])


def rda(content: bytes, labels: int) -> Table | None:
    """By rdata itself; only of numbers under plain names."""
    import rdata

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = rdata.conversion.convert(rdata.parser.parse_data(content, extension=".rda"))
        [stored] = found.values()
        frame, places = stored["dataset"], [int(place) - 1 for place in stored["labels"]["index"]]
    except Exception:
        return None
    columns = []
    for j, name in enumerate(frame.columns):
        cells = _cells(frame.iloc[:, j])
        if cells is None or not isinstance(name, str) or not _PLAIN_NAME.fullmatch(name) or "id" in name:
            return None
        columns.append(Column(name, cells))
    if len(set(places)) < len(places) or not set(places) < set(range(len(columns))):
        return None
    return Table(
        [column for j, column in enumerate(columns) if j not in places], [columns[place] for place in sorted(places)]
    )


def several_csv(files: Mapping[str, bytes], labels: int) -> Table | None:
    """Plain tables of one separator: parts one below the other, labels beside."""
    tables = {name: plain_csv(content) for name, content in files.items()}
    rows: list[list[str]] = []
    widths = set()
    for name in [name for name in files if "_labels" not in name]:
        features, beside = tables[name], tables.get(name.replace(".csv", "_labels.csv"), [])
        if features is None or beside is None or (beside and len(beside) != len(features)):
            return None
        widths.add(len(beside[0]) if beside else labels)
        joined = [[*left, *right] for left, right in zip(features, beside or [[]] * len(features), strict=True)]
        if rows and joined[0] != rows[0]:
            return None
        rows += joined[1:] if rows else joined
    [q] = widths if len(widths) == 1 else [0]
    if not 0 < q < len(rows[0]) or len(set(rows[0])) < len(rows[0]):
        return None
    columns = [Column(name, [float(row[j]) for row in rows[1:]]) for j, name in enumerate(rows[0])]
    return Table(columns[:-q], columns[-q:])


REFERENCES: dict[str, Callable[[bytes, int], Table | None]] = {
    "toy.csv": csv,
    "toy.libsvm": libsvm,
    "toy.npz": npz,
    "toy.arff": arff,
    "toy.dat": keel,
    "toy.rda": rda,
    "toy.mat": mat,
    "toy.parquet": _of_frame(lambda file: pyarrow.parquet.read_table(file).to_pandas(ignore_metadata=True)),
    "toy.feather": _of_frame(lambda file: pyarrow.feather.read_table(file).to_pandas(ignore_metadata=True)),
    "toy.xlsx": _of_frame(pd.read_excel),
}
