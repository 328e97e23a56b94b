"""The formats, written by other hands than mlfs': by the standard library, SciPy, h5py, pandas and openpyxl."""

from __future__ import annotations

import bz2
import csv as csv_module
import gzip
import io
import lzma
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pandas as pd
from scipy import sparse
from scipy.io import savemat

from fuzz.tables import Cell, Column, Table, random_table

#: What files are called in place of "toy": most by a name without harm.
STEMS = (*["toy"] * 20, "a\nb", "\x1b[2J", "\u202eyot", "n" * 300, "<b>x</b>", "=1+1", "größe 名", "a 'b' \"c\"")


def called(stem: str, files: dict[str, bytes]) -> dict[str, bytes]:
    """The files by another name than toy."""
    return {name.replace("toy", stem, 1): content for name, content in files.items()}


@dataclass
class Written:
    """Files by name, how to read them, and the table they hold (None where nobody says).

    Attributes
    ----------
    names : whether the format keeps the names of features and labels
    sealed : whether a checksum covers all that matters, so that damage must be noticed
    """

    files: dict[str, bytes]
    options: dict[str, Any] = field(default_factory=dict)
    table: Table | None = None
    names: bool = True
    sealed: bool = False

    @property
    def first(self) -> str:
        return next(iter(self.files))


def _text(cell: Cell, gap: str) -> str:
    return gap if cell is None else cell if isinstance(cell, str) else repr(cell)


@dataclass
class _Dialect:
    """How a CSV is written: one of the separators, ends of lines, gaps and encodings."""

    delimiter: str
    quoting: Any
    end: str
    gap: str
    encoding: str

    @classmethod
    def random(cls, rng: np.random.Generator) -> _Dialect:
        return cls(
            str(rng.choice(list(",;\t|"))),
            csv_module.QUOTE_ALL if rng.random() < 0.3 else csv_module.QUOTE_MINIMAL,
            str(rng.choice(["\n", "\r\n"])),
            str(rng.choice(["", "?", "NA"])),
            str(rng.choice(["utf-8", "utf-8", "utf-8-sig", "utf-16"])),
        )

    def write(self, columns: list[Column], rows: slice = slice(None)) -> bytes:
        text = io.StringIO()
        writer = csv_module.writer(text, delimiter=self.delimiter, quoting=self.quoting, lineterminator=self.end)
        writer.writerow([column.name for column in columns])
        cells = ([_text(cell, self.gap) for cell in column.cells[rows]] for column in columns)
        writer.writerows(zip(*cells, strict=True))
        return text.getvalue().encode(self.encoding)


def csv(rng: np.random.Generator) -> Written:
    table = random_table(rng)
    content = _Dialect.random(rng).write(table.columns)
    return Written({"toy.csv": content}, {"labels": -len(table.labels)}, table)


def several_csv(rng: np.random.Generator) -> Written:
    """A training and a test part, the labels in tables of their own, or both."""
    table = random_table(rng)
    while table.rows < 2:
        table = random_table(rng)
    cut, apart = int(rng.integers(1, table.rows)), bool(rng.integers(2))
    parts = {"toy-train": slice(cut), "toy-test": slice(cut, None)}
    if apart and rng.random() < 0.5:
        parts = {"toy": slice(None)}
    files, dialect = {}, _Dialect.random(rng)
    if apart and min(len(table.features), len(table.labels)) == 1:
        dialect.quoting = csv_module.QUOTE_ALL  # else a comma in the only name, or in a word, would part columns
    for name, rows in parts.items():
        files[f"{name}.csv"] = dialect.write(table.features if apart else table.columns, rows)
        if apart:
            files[f"{name}_labels.csv"] = dialect.write(table.labels, rows)
    return Written(files, {} if apart else {"labels": -len(table.labels)}, table)


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _arff(rng: np.random.Generator, is_sparse: bool) -> Written:
    table = random_table(rng)
    names = [column.name for column in table.columns]
    with_xml = len(set(names)) == len(names) and rng.random() < 0.3
    first = not with_xml and rng.random() < 0.3  # as MEKA itself has the labels
    columns = [*table.labels, *table.features] if first else table.columns
    lines = ["@relation toy" if with_xml else _meka(len(table.labels) if first else -len(table.labels), rng)]
    for column in columns:
        kind = "numeric" if column.declared is None else "{" + ",".join(map(_quoted, column.declared)) + "}"
        kind = "{0,1}" if column in table.labels else kind
        lines.append(f"@attribute {_quoted(column.name)} {kind}")
    lines.append("@data")
    for row in range(table.rows):
        cells = []
        for column in columns:
            cell = column.cells[row]
            if isinstance(cell, str):
                place = column.declared.index(cell) if column.declared else 0
                cells.append((place, _quoted(cell)))
            elif column in table.labels:
                cells.append((int(cell or 0), str(int(cell or 0))))
            else:
                cells.append((1 if cell is None or cell else 0, _text(cell, "?")))
        if is_sparse:
            lines.append("{" + ", ".join(f"{j} {text}" for j, (code, text) in enumerate(cells) if code) + "}")
        else:
            lines.append(",".join(text for _, text in cells))
    files = {"toy.arff": "\n".join(lines).encode()}
    if with_xml:
        from xml.sax.saxutils import quoteattr

        labels = "".join(f"<label name={quoteattr(column.name)}/>" for column in table.labels)
        files["toy.xml"] = f"<labels>{labels}</labels>".encode()
    return Written(files, {}, table)


def _meka(labels: int, rng: np.random.Generator) -> str:
    """What MEKA, and the filters of Weka that a set has gone through, make of a name."""
    before, after = rng.choice(["", "-V "]), rng.choice(["", " -split-number 5", "-weka.filters.Remove-R1"])
    quote = rng.choice(["'", '"'])
    return f"{rng.choice(['@relation', '@RELATION'])} {quote}toy: {before}-C {labels}{after}{quote}"


def arff(rng: np.random.Generator) -> Written:
    return _arff(rng, is_sparse=False)


def sparse_arff(rng: np.random.Generator) -> Written:
    return _arff(rng, is_sparse=True)


def keel(rng: np.random.Generator) -> Written:
    table = random_table(rng, words=False)
    for j, column in enumerate(table.columns):  # KEEL quotes nothing
        column.name = f"c{j}"
    names = [column.name for column in table.columns]
    lines = ["@relation toy"]
    lines += [f"@attribute {column.name} real [0, 1]" for column in table.features]
    lines += [f"@attribute {column.name} {{0, 1}}" for column in table.labels]
    d = len(table.features)
    lines += [f"@inputs {', '.join(names[:d])}", f"@outputs {', '.join(names[d:])}", "@data"]
    for row in range(table.rows):
        cells = [_text(column.cells[row], "<null>") for column in table.features]
        cells += [str(int(column.cells[row] or 0)) for column in table.labels]
        lines.append(", ".join(cells))
    return Written({"toy.dat": "\n".join(lines).encode()}, {}, table)


def libsvm(rng: np.random.Generator) -> Written:
    table = random_table(rng, words=False, gaps=False)
    X, Y = table.matrix()
    Y[0] = 1  # a label that never occurs is not in the file
    lines = []
    for place, (x, y) in enumerate(zip(X, Y, strict=True)):
        labels = ",".join(str(k + 1) for k in np.flatnonzero(y))
        pairs = [f"{j + 1}:{float(v)!r}" for j, v in enumerate(x) if v != 0 or place == 0]
        lines.append(" ".join(filter(None, [labels, *(pairs or ["1:0"])])))
    for column, values in zip(table.labels, Y.T, strict=True):
        column.cells = values.tolist()
    return Written({"toy.libsvm": "\n".join(lines).encode()}, {}, table, names=False)


def _arrays(rng: np.random.Generator) -> tuple[Table, dict[str, Any]]:
    """Three instances at least, and more than labels and features: else the sides of an array do not tell."""
    table = random_table(rng, words=False, gaps=False)
    n = 9
    for column in table.columns:
        column.cells = (column.cells * n)[:n]
    X, Y = table.matrix()
    if rng.random() < 0.3:
        return table, {"data": sparse.csc_matrix(X) if rng.random() < 0.5 else X, "target": Y.T}
    return table, {"X": X, "Y": Y.astype(np.uint8)}


def mat(rng: np.random.Generator) -> Written:
    table, arrays = _arrays(rng)
    packed = bool(rng.integers(2))
    savemat(buffer := io.BytesIO(), arrays, do_compression=packed)
    return Written({"toy.mat": buffer.getvalue()}, {}, table, names=False)


def mat73(rng: np.random.Generator) -> Written:
    table, arrays = _arrays(rng)
    with h5py.File(buffer := io.BytesIO(), "w") as opened:
        for name, values in arrays.items():
            values = values.toarray() if sparse.issparse(values) else values
            opened.create_dataset(name, data=values.T, compression="gzip" if rng.random() < 0.5 else None)
    return Written({"toy.mat": buffer.getvalue()}, {}, table, names=False)


def npz(rng: np.random.Generator) -> Written:
    table, arrays = _arrays(rng)
    arrays = {name: values.toarray() if sparse.issparse(values) else values for name, values in arrays.items()}
    save = np.savez_compressed if rng.random() < 0.5 else np.savez
    save(buffer := io.BytesIO(), **arrays)
    return Written({"toy.npz": buffer.getvalue()}, {}, table, names=False, sealed=True)


def _frame(table: Table) -> pd.DataFrame:
    for j, column in enumerate(table.columns):  # pandas writes no name twice
        column.name = column.name if sum(c.name == column.name for c in table.columns) == 1 else f"{column.name} {j}"
    return pd.DataFrame({column.name: pd.Series(column.cells) for column in table.columns})


def parquet(rng: np.random.Generator) -> Written:
    table = random_table(rng)
    _frame(table).to_parquet(buffer := io.BytesIO())
    return Written({"toy.parquet": buffer.getvalue()}, {"labels": -len(table.labels)}, table)


def feather(rng: np.random.Generator) -> Written:
    table = random_table(rng)
    _frame(table).to_feather(buffer := io.BytesIO())
    return Written({"toy.feather": buffer.getvalue()}, {"labels": -len(table.labels)}, table)


def xlsx(rng: np.random.Generator) -> Written:
    table = random_table(rng)
    for column in table.columns:
        column.name = column.name.lstrip("=+") or "c"  # openpyxl would write a formula
        # Excel keeps 15 digits and no denormals: numbers that it keeps.
        column.cells = [
            cell if cell is None or isinstance(cell, str) else float(f"{cell:.6g}") for cell in column.cells
        ]
        column.cells = [0.0 if isinstance(cell, float) and abs(cell) < 1e-200 else cell for cell in column.cells]
    _frame(table).to_excel(buffer := io.BytesIO(), index=False)
    return Written({"toy.xlsx": buffer.getvalue()}, {"labels": -len(table.labels)}, table, sealed=True)


def rda(rng: np.random.Generator) -> Written:
    """An object of R's package mldr: a data frame with factors, and where its labels are."""
    import rdata

    table = random_table(rng)
    frame = _frame(table)
    for column in table.features:
        if column.declared is not None:
            frame[column.name] = pd.Categorical(column.cells, column.declared)
    frame.columns = frame.columns.astype(object)  # rdata knows no strings of Arrow
    places = np.arange(len(table.features), len(table.columns), dtype="int32") + 1
    found = {"name": "toy", "dataset": frame, "labels": pd.DataFrame({"index": places})}
    found["labels"].columns = found["labels"].columns.astype(object)
    compression = [None, "gzip", "bzip2", "xz"][rng.integers(4)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "toy.rda")
        rdata.write_rda(path, {"toy": found}, compression=compression)
        return Written({"toy.rda": path.read_bytes()}, {}, table, sealed=compression is not None)


WRITERS: dict[str, Callable[[np.random.Generator], Written]] = {
    writer.__name__: writer
    for writer in (csv, several_csv, arff, sparse_arff, keel, libsvm, mat, mat73, npz, parquet, feather, xlsx, rda)
}


def _streams(compress: Callable[[bytes], bytes], content: bytes, rng: np.random.Generator) -> bytes:
    """One stream or several in a row, as parallel packers write them."""
    cuts = sorted(rng.integers(0, len(content) + 1, size=rng.integers(0, 3)).tolist())
    pieces = zip([0, *cuts], [*cuts, len(content)], strict=True)
    return b"".join(compress(content[low:high]) for low, high in pieces)


def packed(written: Written, rng: np.random.Generator) -> Written:
    """The same in a zip, or its first file compressed."""
    how = str(rng.choice(["gz", "bz2", "xz", "zip"]))
    files = dict(written.files)
    if how == "zip":
        with zipfile.ZipFile(buffer := io.BytesIO(), "w") as archive:
            for name, content in called(STEMS[rng.integers(len(STEMS))], files).items():
                archive.writestr(
                    zipfile.ZipInfo(name), content, [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED][rng.integers(2)]
                )
        files = {"toy.zip": buffer.getvalue()}
    else:
        content = files.pop(written.first)
        compress = {"gz": lambda part: gzip.compress(part, 1, mtime=0), "bz2": bz2.compress, "xz": lzma.compress}[how]
        files = {f"{written.first}.{how}": _streams(compress, content, rng), **files}
    return Written(files, written.options, written.table, written.names, sealed=True)
