"""Writing: from a Dataset to files that read back the same.

What is written is read back before it is kept: a file that says something else than the data set is never left behind.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from mlfs.checks import checked
from mlfs.datasets.dataset import Dataset
from mlfs.datasets.formats.errors import NO_LIMITS
from mlfs.datasets.formats.mulan_xml import write_label_names
from mlfs.datasets.formats.read import read_dataset
from mlfs.datasets.formats.registry import FORMATS, Format, suffixes_written
from mlfs.errors import DatasetError, did_you_mean
from mlfs.files import replacing


@checked
def write_dataset(ds: Dataset, path: str | os.PathLike[str], *, parts: bool = False) -> list[Path]:
    """Write a data set, exactly: the files are read back, and only kept where they hold the same.

    Parameters
    ----------
    ds : Dataset
    path : path
        Where to; its suffix is .csv, .arff, .libsvm, .mat, .parquet or .feather. ARFF gets an XML of the same name
        beside it, which names the labels for Mulan; LibSVM keeps no names; a CSV does not tell which columns, the last
        ones, are labels.
    parts : bool
        Write the usual split as two files, ``emotions-train.csv`` and ``emotions-test.csv``, which `load_dataset`
        reads together as ``emotions``. Without it all rows go into one file: in their order and without the split, but
        a .mat file has the training rows first, then the test rows, and keeps the split.

    Returns
    -------
    list of paths
        The files that were written.

    Raises
    ------
    DatasetError
        Where the format cannot hold the data set as it is, or the folder cannot be written to.

    Examples
    --------
    >>> import tempfile
    >>> from mlfs.datasets import load_dataset
    >>> folder = tempfile.TemporaryDirectory()
    >>> files = write_dataset(load_dataset("emotions"), Path(folder.name, "emotions.arff"), parts=True)
    >>> [file.name for file in files]
    ['emotions-train.arff', 'emotions-test.arff', 'emotions.xml']
    >>> read_dataset(files).fingerprint == load_dataset("emotions").fingerprint
    True
    >>> folder.cleanup()
    """
    path = Path(path)
    format = FORMATS.get(path.suffix.removeprefix(".").lower())
    if format is None or format.write is None:
        known = [f"{path.stem}{suffix}" for suffix in suffixes_written()]
        raise DatasetError(f"The suffix of {path.name!r} is no format that mlfs writes: {did_you_mean('', known)}")
    rows = {"": np.arange(len(ds.Y))}
    if parts and ds.split is None:
        raise DatasetError(f"{ds.name} has no train/test split of its own: write it as one file.")
    if parts and ds.split is not None:
        rows = {"-train": ds.split[0], "-test": ds.split[1]}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path.parent) as unfinished:
            written = []
            if format.write_split and not parts and ds.split is not None and _holds_all_rows(ds):
                rows = {"": np.concatenate(ds.split)}
                written.append(Path(unfinished, path.name))
                format.write_split(ds, written[-1])
            else:
                for part, rows_of_part in rows.items():
                    written.append(Path(unfinished, f"{path.stem}{part}{path.suffix}"))
                    format.write(ds, rows_of_part, written[-1])
            if format.with_xml:
                written.append(Path(unfinished, f"{path.stem}.xml"))
                write_label_names(ds, written[-1])
            _check_same(ds, np.concatenate(list(rows.values())), written, format)
    except OSError as error:
        reason = error.strerror or error
        raise DatasetError(f"{path} cannot be written ({reason}): check the folder and your permissions.") from error
    return [path.parent / file.name for file in written]


def _holds_all_rows(ds: Dataset) -> bool:
    return ds.split is not None and np.array_equal(np.sort(np.concatenate(ds.split)), np.arange(len(ds.Y)))


def _check_same(ds: Dataset, rows: np.ndarray, written: list[Path], format: Format) -> None:
    """Raise where the files do not hold these rows of the data set."""
    advice = "write it as ARFF" if format.name != "arff" else "rename what is unusual in it"
    labels = -ds.Y.shape[1] if format.is_table else None
    try:
        copy = read_dataset(written, labels=labels, name=ds.name, limits=NO_LIMITS)
    except DatasetError as error:
        raise DatasetError(f"{ds.name} cannot be written as {format.name}: {error}") from error
    for what, same in {
        "its features": _equal(copy.X, ds.X[rows]),
        "its labels": np.array_equal(copy.Y, ds.Y[rows]),
        "the names of its features": format.names_lost or copy.feature_names == ds.feature_names,
        "the names of its labels": format.names_lost or copy.label_names == ds.label_names,
        "its categories": copy.categories == ds.categories,
    }.items():
        if not same:
            raise DatasetError(f"{format.name} cannot hold {what} as {ds.name} has them: {advice}.")


def _equal(left: Any, right: Any) -> bool:
    return left.shape == right.shape and (sparse.csr_matrix(left) != sparse.csr_matrix(right)).nnz == 0
