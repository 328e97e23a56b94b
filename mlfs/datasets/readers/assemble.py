"""Table → Dataset: labels from features, and notes on what is odd but left as it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from mlfs.datasets.dataset import Dataset
from mlfs.datasets.readers.cells import Cells, DenseCells, SparseCells
from mlfs.datasets.readers.features import FeatureColumns
from mlfs.datasets.readers.labels import choose_labels, label_matrix
from mlfs.datasets.readers.limits import Limits
from mlfs.datasets.readers.problems import count, listing, problem
from mlfs.datasets.readers.table import Table


def assemble(
    table: Table,
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
    cells: Cells
    if sparse.issparse(table.cells):
        cells = SparseCells(table.cells, limits.max_cells, file)
    else:
        cells = DenseCells(table.cells)
    Y = label_matrix(table, cells, chosen, limits)
    is_label = set(chosen)
    features = FeatureColumns(table, cells)
    for j in range(len(table.columns)):
        if j not in is_label:
            features.add(j)
    if not features.kept:
        raise problem(file, None, "no column is left as a feature; check which columns are labels.")
    X = cells.take(features.kept)
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
        notes=notes + _oddities(X, Y, label_names),
        source=source,
    )


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
    never = [name for name, positives in zip(label_names, Y.sum(axis=0, dtype=np.int64), strict=True) if not positives]
    if never:
        notes.append(f"{count(len(never), 'label')} {_is_are(len(never))} never positive ({listing(never)}); kept.")
    n_unlabelled = int((~Y.any(axis=1)).sum())
    if n_unlabelled:
        notes.append(f"{count(n_unlabelled, 'row')} {'has' if n_unlabelled == 1 else 'have'} no label; kept.")
    return notes


def _is_are(number: int) -> str:
    return "is" if number == 1 else "are"
