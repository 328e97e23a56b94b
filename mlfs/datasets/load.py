"""One function that turns a name or a path into a data set, wherever it is kept."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from mlfs.checks import checked
from mlfs.datasets.bundled import bundled_names, load_bundled
from mlfs.datasets.cache import cached_names, load_cached
from mlfs.datasets.catalogue import CATALOGUE, catalogued_name, openml_id
from mlfs.datasets.dataset import Dataset
from mlfs.datasets.download import BY_HAND
from mlfs.datasets.synthetic import PLAIN, is_synthetic, load_synthetic
from mlfs.errors import DatasetError, did_you_mean

# A string without separator or suffix is a name, even where a file of that name lies in the working folder.
_NAME = re.compile(r"[\w-]+")


@checked
def load_dataset(
    name_or_path: str | os.PathLike[str],
    *,
    folder: str | os.PathLike[str] | None = None,
    labels: Any = None,
    variables: Any = None,
    transposed: str | None = None,
    sheet: str | int | None = None,
) -> Dataset:
    """Load a data set by its name, or from a file or folder.

    A name is looked for in ``folder``, among the bundled sets and ``"synthetic"`` (`make_synthetic` with its
    defaults; ``"synthetic:n_labels=4,seed=1"`` sets some), in the folder that the environment variable MLFS_DATA
    names, and among the downloaded sets, in this order; ``"openml:41468"`` is a downloaded set by its number on OpenML.
    Nothing is downloaded here: call `download_dataset` for that.

    Parameters
    ----------
    name_or_path : str or path
        A string with a separator or a suffix, and anything that is not a string, is a path.
    folder : path, optional
        A folder of data sets to look into first. A name cannot lead out of it.
    labels : optional
        For files that do not say which columns are labels; see `read_dataset`.
    variables, transposed : optional
        For MATLAB and NumPy files, which arrays are features and labels and which way round; see `read_dataset`.
    sheet : optional
        For Excel files with several sheets: the name of one, or its number from 1.

    Returns
    -------
    Dataset

    Examples
    --------
    >>> load_dataset("yeast")
    <Dataset yeast: 2417 instances, 103 features (dense), 14 labels>
    """
    options = {"labels": labels, "variables": variables, "transposed": transposed, "sheet": sheet}
    if not isinstance(name_or_path, str):
        return _read(name_or_path, options)
    name = name_or_path
    if is_synthetic(name) and name != PLAIN:
        _refuse(PLAIN, options)
        return load_synthetic(name)
    name = catalogued_name(name)
    if openml_id(name):
        if name not in cached_names():
            raise DatasetError(f"{name} is not on this machine: get it with download_dataset({name!r}).")
        _refuse(name, options)
        return load_cached(name)
    if not _NAME.fullmatch(name):
        if folder is not None:
            raise DatasetError(f"{name!r} is not the name of a data set in {Path(folder)}: give a name without a path.")
        return _read(name, options)

    if folder is not None and name in (there := _find(folder)):
        return _noted(_read(there[name], options, name))
    if name in bundled_names() or name == PLAIN:
        _refuse(name, options)
        return load_synthetic(name) if name == PLAIN else load_bundled(name)
    if name in (there := _in_data_folder()):
        return _noted(_read(there[name], options, name))
    if name in cached_names():
        _refuse(name, options)
        return load_cached(name)
    if folder is None and Path(name).exists():
        return _read(name, options)
    raise _not_found(name, folder)


@checked
def list_datasets(folder: str | os.PathLike[str] | None = None) -> dict[str, str]:
    """The names `load_dataset` knows now, each with where it is found.

    Parameters
    ----------
    folder : path, optional
        As `load_dataset` takes it.

    Returns
    -------
    dict of str to str
        "folder", "bundled", "made", "MLFS_DATA" or "downloaded" by name.

    Examples
    --------
    >>> where = list_datasets()
    >>> where["emotions"], where["synthetic"]
    ('bundled', 'made')
    """
    listed = {} if folder is None else dict.fromkeys(_find(folder), "folder")
    for names, where in (
        (bundled_names(), "bundled"),
        ((PLAIN,), "made"),
        (_in_data_folder(), "MLFS_DATA"),
        (cached_names(), "downloaded"),
    ):
        for name in names:
            listed.setdefault(name, where)
    return listed


def _read(path: Any, options: Mapping[str, Any], name: str | None = None) -> Dataset:
    # The formats are imported where a file is read: most sessions start with a bundled set.
    from mlfs.datasets.formats import read_dataset

    return read_dataset(path, name=name, **options)


def _noted(ds: Dataset) -> Dataset:
    """The set with a note on each thing in which it is not the one of its name in the catalogue.

    Some copies rightly differ, so nothing is refused.
    """
    entry = CATALOGUE.get(ds.name)
    differences = entry.check(ds, split=False) if entry is not None else []
    return replace(ds, notes=(*ds.notes, *differences)) if differences else ds


def _find(folder: str | os.PathLike[str]) -> Mapping[str, Any]:
    from mlfs.datasets.formats import find_datasets

    if not Path(folder).is_dir():
        raise DatasetError(f"There is no folder {Path(folder)}: check its name.")
    return find_datasets(Path(folder))


def _in_data_folder() -> Mapping[str, Any]:
    """What is in the folder MLFS_DATA names; nothing where it names none, for the other sets must still load."""
    folder = os.environ.get("MLFS_DATA", "")
    return _find(folder) if folder and Path(folder).is_dir() else {}


def _refuse(name: str, options: Mapping[str, Any]) -> None:
    """A set that is known by its name needs no word on its labels."""
    for option, value in options.items():
        if value is not None:
            raise DatasetError(f"{option}= is for files that do not name their labels, and {name} does: leave it out.")


def _not_found(name: str, folder: str | os.PathLike[str] | None) -> DatasetError:
    data = os.environ.get("MLFS_DATA", "")
    lost = f" (MLFS_DATA names {data}, which is not a folder)" if data and not Path(data).is_dir() else ""
    if name not in CATALOGUE:
        known = dict.fromkeys([*list_datasets(folder), *CATALOGUE])
        return DatasetError(f"There is no data set {name!r}{lost}: {did_you_mean(name, known)}")
    download = f"get it with download_dataset({name!r}), or " if CATALOGUE[name].openml_id is not None else ""
    return DatasetError(f"{name} is in the catalogue but not on this machine{lost}: {download}{BY_HAND}.")
