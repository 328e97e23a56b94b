"""The writers' front door: from a Dataset to files that read back the same."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from mlfs.datasets.dataset import Dataset
from mlfs.datasets.readers import Limits, read_dataset
from mlfs.datasets.writers import arff, csv, libsvm
from mlfs.errors import DatasetError, did_you_mean

FORMATS: dict[str, str] = {
    "csv": "a header, features, then labels as 0 and 1",
    "arff": "ARFF and an XML that names the labels, as Mulan and MEKA read them",
    "libsvm": "labels and index:value pairs; names are lost",
}

_WRITERS: dict[str, Callable[[Dataset, np.ndarray, Path], None]] = {
    "csv": csv.write,
    "arff": arff.write,
    "libsvm": libsvm.write,
}

# What was in memory may be read again, however large.
_NO_LIMITS = Limits(**dict.fromkeys(Limits.__dataclass_fields__, 2**62))


def write_dataset(ds: Dataset, path: str | os.PathLike[str], *, parts: bool = False) -> list[Path]:
    """Write a data set, exactly: the files are read back, and only kept where they hold the same.

    Parameters
    ----------
    path : where to; its suffix is one of `FORMATS`. ARFF gets an XML of the same name beside it.
    parts : write the usual split as two files, ``emotions-train.csv`` and ``emotions-test.csv``, which `load_dataset`
        reads together as ``emotions``. Without it all rows go into one file, in their order, and the split is lost.

    Returns
    -------
    The files that were written.
    """
    path = Path(path)
    format = path.suffix.removeprefix(".").lower()
    if format not in FORMATS:
        known = [f"{path.stem}.{known}" for known in FORMATS]
        raise DatasetError(f"The suffix of {path.name!r} is no format that mlfs writes: {did_you_mean('', known)}")
    rows = {"": np.arange(len(ds.Y))}
    if parts and ds.split is None:
        raise DatasetError(f"{ds.name} has no train/test split of its own: write it as one file.")
    if parts and ds.split is not None:
        rows = {"-train": ds.split[0], "-test": ds.split[1]}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # In the same folder, hence on the same file system: a file appears whole or not at all.
        with tempfile.TemporaryDirectory(prefix=".writing-", dir=path.parent) as workshop:
            written = _write(ds, rows, Path(workshop) / path.name, format)
            _check_same(ds, np.concatenate(list(rows.values())), written, format)
            for file in written:
                os.replace(file, path.parent / file.name)
    except OSError as error:
        reason = error.strerror or error
        raise DatasetError(f"{path} cannot be written ({reason}): check the folder and your rights.") from error
    return [path.parent / file.name for file in written]


def _write(ds: Dataset, parts: dict[str, np.ndarray], path: Path, format: str) -> list[Path]:
    written = []
    for part, rows in parts.items():
        written.append(path.with_name(f"{path.stem}{part}{path.suffix}"))
        _WRITERS[format](ds, rows, written[-1])
    if format == "arff":
        written.append(path.with_suffix(".xml"))
        arff.write_labels(ds, written[-1])
    return written


def _check_same(ds: Dataset, rows: np.ndarray, written: list[Path], format: str) -> None:
    """Raise where the files do not hold these rows of the data set."""
    advice = "write it as ARFF" if format != "arff" else "rename what is unusual in it"
    labels = -ds.Y.shape[1] if format == "csv" else None
    try:
        found = read_dataset(written, labels=labels, name=ds.name, limits=_NO_LIMITS)
    except DatasetError as error:
        raise DatasetError(f"{ds.name} cannot be written as {format}, for in {error}") from error
    for what, same in {
        "its features": _equal(found.X, ds.X[rows]),
        "its labels": np.array_equal(found.Y, ds.Y[rows]),
        "the names of its features": format == "libsvm" or found.feature_names == ds.feature_names,
        "the names of its labels": format == "libsvm" or found.label_names == ds.label_names,
        "its categories": found.categories == ds.categories,
    }.items():
        if not same:
            raise DatasetError(f"{format} cannot hold {what} as {ds.name} has them: {advice}.")


def _equal(one: Any, other: Any) -> bool:
    return one.shape == other.shape and (sparse.csr_matrix(one) != sparse.csr_matrix(other)).nnz == 0
