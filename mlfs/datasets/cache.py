"""Downloaded sets on disk: one file per set, written whole or not at all, and checked when it is read."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from mlfs.checks import checked
from mlfs.datasets.catalogue import CATALOGUE, openml_id
from mlfs.datasets.dataset import Dataset
from mlfs.errors import DatasetError
from mlfs.files import replacing


def cache_folder() -> Path:
    """Where downloaded sets are kept: the folder the environment variable MLFS_CACHE names, else the user's cache.

    Returns
    -------
    pathlib.Path

    Examples
    --------
    >>> from unittest.mock import patch
    >>> with patch.dict(os.environ, {"MLFS_CACHE": "downloads"}):
    ...     cache_folder().name
    'downloads'
    """
    if chosen := os.environ.get("MLFS_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "mlfs"


@checked
def cached_names(folder: Path | None = None) -> tuple[str, ...]:
    """The sets that have been downloaded: those of the catalogue, then those called by their number on OpenML.

    Parameters
    ----------
    folder : path, optional
        By default `cache_folder`.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> cached_names(Path("an empty folder"))
    ()
    """
    folder = folder or cache_folder()
    catalogued = [name for name in CATALOGUE if _file(folder, name).is_file()]
    numbered = [path.stem.replace("-", ":", 1) for path in folder.glob("openml-*.npz")]
    return (*catalogued, *sorted(filter(openml_id, numbered)))


def load_cached(name: str, folder: Path | None = None) -> Dataset:
    """Read a downloaded set; its content must be what was written."""
    path = _file(folder or cache_folder(), name)
    try:
        # Without pickles, reading a file runs no code from it.
        with np.load(path, allow_pickle=False) as stored:
            about = json.loads(str(stored["about"]))
            fingerprint = about.pop("fingerprint")
            categories = {int(j): names for j, names in about.pop("categories").items()}
            ds = Dataset(X=_stored_X(stored), Y=stored["Y"], categories=categories, **about)
    except FileNotFoundError:
        raise DatasetError(f"{name} has not been downloaded: call download_dataset({name!r}).") from None
    except Exception as error:  # a damaged archive fails in many ways, all with the same remedy
        raise _damaged(path, name) from error
    if ds.fingerprint != fingerprint:
        raise _damaged(path, name)
    return ds


def store(ds: Dataset, folder: Path | None = None) -> Path:
    """Keep a set under its name. Another process sees the whole file or none."""
    folder = folder or cache_folder()
    about = {
        "name": ds.name,
        "feature_names": ds.feature_names,
        "label_names": ds.label_names,
        "categories": dict(ds.categories),
        "notes": ds.notes,
        "source": ds.source,
        "fingerprint": ds.fingerprint,
    }
    if sparse.issparse(ds.X):
        X = {"data": ds.X.data, "indices": ds.X.indices, "indptr": ds.X.indptr, "shape": np.array(ds.X.shape)}
    else:
        X = {"X": ds.X}
    path = _file(folder, ds.name)
    folder.mkdir(parents=True, exist_ok=True)
    with replacing(folder) as place:
        np.savez_compressed(place / path.name, Y=ds.Y, about=np.array(json.dumps(about)), **X)
    return path


def _file(folder: Path, name: str) -> Path:
    if name not in CATALOGUE and openml_id(name) is None:  # so that no name can lead out of the folder
        raise DatasetError(f"{name!r} is not a name of the catalogue.")
    return folder / f"{name.replace(':', '-')}.npz"


def _stored_X(stored: Any) -> Any:
    if "X" in stored:
        return stored["X"]
    return sparse.csr_matrix((stored["data"], stored["indices"], stored["indptr"]), shape=tuple(stored["shape"]))


def _damaged(path: Path, name: str) -> DatasetError:
    return DatasetError(f"The downloaded file {path} is damaged: call download_dataset({name!r}) to replace it.")
