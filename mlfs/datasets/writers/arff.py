"""ARFF for Mulan and MEKA: the labels come last, counted by ``-C`` in @relation for MEKA, named in an XML for Mulan."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np
from scipy import sparse

from mlfs.datasets.dataset import Dataset
from mlfs.datasets.writers.numbers import number_text

_ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def write(ds: Dataset, rows: np.ndarray, path: Path) -> None:
    """Write the rows, sparse ones where X is sparse."""
    q = ds.Y.shape[1]
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(f"@relation {quoted(f'{ds.name}: -C -{q}')}\n\n")
        for j, name in enumerate(ds.feature_names):
            file.write(f"@attribute {quoted(name)} {_kind(ds, j)}\n")
        for name in ds.label_names:
            file.write(f"@attribute {quoted(name)} {{0,1}}\n")
        file.write("\n@data\n")
        file.writelines(_sparse_rows(ds, rows) if sparse.issparse(ds.X) else _dense_rows(ds, rows))


def write_labels(ds: Dataset, path: Path) -> None:
    """Write Mulan's XML."""
    labels = "".join(f"<label name={quoteattr(name)}></label>\n" for name in ds.label_names)
    head = '<?xml version="1.0" encoding="utf-8"?>\n<labels xmlns="http://mulan.sourceforge.net/labels">\n'
    path.write_text(f"{head}{labels}</labels>\n", encoding="utf-8", newline="\n")


def quoted(text: str) -> str:
    r"""
    >>> print(quoted("it's 5%"))
    'it\'s 5%'
    """
    return f"'{text.translate(_ESCAPES)}'"


def _kind(ds: Dataset, j: int) -> str:
    return f"{{{','.join(map(quoted, ds.categories[j]))}}}" if j in ds.categories else "numeric"


def _cell(ds: Dataset, j: int, value: float) -> str:
    return quoted(ds.categories[j][int(value)]) if j in ds.categories else number_text(value)


def _dense_rows(ds: Dataset, rows: np.ndarray) -> Iterator[str]:
    for row in rows:
        cells = [_cell(ds, j, value) for j, value in enumerate(ds.X[row].tolist())]
        yield ",".join([*cells, *map(str, ds.Y[row].tolist())]) + "\n"


def _sparse_rows(ds: Dataset, rows: np.ndarray) -> Iterator[str]:
    """What a sparse row leaves out is 0: the number, the first category, the label that does not apply."""
    d = ds.X.shape[1]
    for row in rows:
        start, end = ds.X.indptr[row : row + 2]
        stored = sorted(zip(ds.X.indices[start:end].tolist(), ds.X.data[start:end].tolist(), strict=True))
        pairs = [f"{j} {_cell(ds, j, value)}" for j, value in stored]
        pairs += [f"{d + label} 1" for label in np.flatnonzero(ds.Y[row]).tolist()]
        yield f"{{{', '.join(pairs)}}}\n"
