"""Benchmark sets from OpenML: fetched once, checked against the catalogue, then read from the cache without a network.

Downloading, checksums and retries are scikit-learn's; reading the file is our own ARFF reader's, so that a set is the
same whether it came from OpenML or from a folder.
"""

from __future__ import annotations

import gzip
import http.client
import os
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from urllib.error import HTTPError, URLError

from mlfs.checks import checked
from mlfs.datasets.cache import cache_folder as usual_cache_folder
from mlfs.datasets.cache import cached_names, load_cached, store
from mlfs.datasets.catalogue import CATALOGUE, CatalogueEntry, catalogued_name, openml_id
from mlfs.datasets.dataset import Dataset
from mlfs.errors import DatasetError, did_you_mean
from mlfs.files import unfinished

# How to do without a download: every sentence about a failed one ends with it.
BY_HAND = "put its files into a folder and name that folder in the environment variable MLFS_DATA"

_NETWORK_FAILURES = (URLError, TimeoutError, ConnectionError, ssl.SSLError, http.client.HTTPException)

# One download at a time in this process: whoever asks for the same set meanwhile then finds it in the cache.
_lock = threading.Lock()


class Fetched(NamedTuple):
    """What OpenML says of a data set, and its ARFF file."""

    name: str
    labels: list[str]
    file: Path


def fetch_from_openml(data_id: int, folder: Path) -> Fetched:
    """Download a data set of OpenML into a folder, with scikit-learn's client."""
    from sklearn.datasets import fetch_openml  # imported here: most sessions never download

    # Its other parser, pandas, takes the labels' TRUE and FALSE for Booleans and then fails on them.
    # And sparse targets would be put into an array whose zeros are whatever memory held: it may fail at random.
    answer = fetch_openml(data_id=data_id, data_home=folder, as_frame="auto", parser="liac-arff", target_column=None)
    # The client keeps each answer as a file under the path of its address; those of the API are descriptions.
    (file,) = (path for path in folder.rglob("*.gz") if "api" not in path.relative_to(folder).parts)
    labels = answer.details.get("default_target_attribute") or ""
    return Fetched(answer.details["name"], [label for label in labels.split(",") if label], file)


@checked
def download_dataset(
    name: str,
    *,
    cache_folder: str | os.PathLike[str] | None = None,
    progress: Callable[[float, str], None] | None = None,
    timeout: float = 30.0,
    fetch: Callable[[int, Path], Fetched] = fetch_from_openml,
) -> Dataset:
    """Get a set from OpenML, or from the cache if it was downloaded before.

    A set of the catalogue whose name or sizes are not those of the catalogue is refused and not kept.

    Parameters
    ----------
    name : str
        A name of `CATALOGUE` that has an ``openml_id``, or the number of any set on OpenML: ``"openml:41468"``.
    cache_folder : path, optional
        Where downloaded sets are kept: by default the folder the environment variable MLFS_CACHE names, else the
        user's cache folder. `load_dataset` looks only there.
    progress : callable, optional
        Called as ``progress(share_done, sentence)``; whatever it raises ends the download.
    timeout : float
        Seconds without an answer from OpenML after which the download is given up.
    fetch : callable, optional
        Called as ``fetch(data_id, folder)`` in place of `fetch_from_openml`.

    Returns
    -------
    Dataset

    Examples
    --------
    >>> download_dataset("bird")
    Traceback (most recent call last):
    ...
    mlfs.errors.DatasetError: No data set called 'bird' can be downloaded: did you mean 'birds'?
    """
    name = catalogued_name(name)
    entry = CATALOGUE.get(name)
    data_id = entry.openml_id if entry else openml_id(name)
    if entry is None and data_id is None:
        downloadable = [entry.name for entry in CATALOGUE.values() if entry.openml_id is not None]
        raise DatasetError(f"No data set called {name!r} can be downloaded: {did_you_mean(name, downloadable)}")
    if data_id is None:
        raise DatasetError(f"mlfs has no address to download {name} from: {BY_HAND}.")
    folder = usual_cache_folder() if cache_folder is None else Path(cache_folder)
    report = progress or (lambda share, sentence: None)

    with _lock:
        if name in cached_names(folder):
            with suppress(DatasetError):  # damaged: it is downloaded again and replaced
                return load_cached(name, folder)
        with _temporary_folder(folder) as temporary:
            report(0.0, f"Downloading {name} from OpenML.")
            with _default_timeout(timeout):
                fetched = _fetched(name, data_id, temporary, fetch)
            report(0.7, f"Reading and checking {name}.")
            ds = _read(name, data_id, fetched) if entry is None else _checked(entry, data_id, fetched)
            report(0.9, f"Keeping {name} in {folder}.")
            with _writing(folder):
                store(ds, folder)
    report(1.0, f"{name} is here.")
    return ds


def _fetched(name: str, data_id: int, temporary: Path, fetch: Callable[[int, Path], Fetched]) -> Fetched:
    """Call ``fetch``; whatever goes wrong becomes one sentence."""
    try:
        return fetch(data_id, temporary)
    except HTTPError as error:
        error.close()
        sentence = f"OpenML answered with HTTP {error.code} when asked for {name}: try again later"
        raise DatasetError(f"{sentence}, or {BY_HAND}.") from error
    except _NETWORK_FAILURES as error:
        sentence = f"OpenML cannot be reached to download {name}: check the network and try again"
        raise DatasetError(f"{sentence}, or {BY_HAND}.") from error
    except OSError as error:
        if not isinstance(error, gzip.BadGzipFile):
            raise _cannot_write(temporary.parent, error) from error
        raise _damaged(name) from error
    except Exception as error:  # the client and its parsers raise many kinds, all with the same remedy
        if type(error).__name__ == "OpenMLError":
            raise DatasetError(f"OpenML has no data set {data_id}, which should be {name}: {BY_HAND}.") from error
        raise _damaged(name) from error


def _checked(entry: CatalogueEntry, data_id: int, fetched: Fetched) -> Dataset:
    """Read what was fetched; it must be the set of the catalogue."""
    wanted = entry.openml_name
    if fetched.name.lower() != wanted:
        raise DatasetError(f"OpenML's data set {data_id} is {fetched.name!r} and not {wanted!r}: {BY_HAND}.")
    ds = _read(entry.name, data_id, fetched)
    if differences := entry.check(ds):
        listed = "; ".join(difference.rstrip(".") for difference in differences)
        raise DatasetError(f"OpenML's {wanted} is another set and was not kept ({listed}): {BY_HAND}.")
    return ds


def _read(name: str, data_id: int, fetched: Fetched) -> Dataset:
    """Read what was fetched, with the labels that OpenML names."""
    from mlfs.datasets.formats import read_dataset

    if not fetched.labels:
        sentence = f"OpenML does not say which columns of {fetched.name!r} are labels"
        raise DatasetError(f"{sentence}: download its file by hand, and read it with labels=.")
    try:
        ds = read_dataset(fetched.file, labels=fetched.labels, name=name, format="arff")
    except DatasetError as error:
        raise DatasetError(f"OpenML's file of {name} cannot be read: {error}") from error
    called = [] if name in CATALOGUE else [f"OpenML calls this data set {fetched.name!r}."]
    notes = (*called, *ds.notes, "OpenML distributes no train/test split.")
    return replace(ds, notes=notes, source=f"OpenML data set {data_id}")


@contextmanager
def _temporary_folder(folder: Path) -> Iterator[Path]:
    """A folder for half-done work, gone afterwards whatever happens."""
    with ExitStack() as stack:
        with _writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            place = stack.enter_context(unfinished(folder))
        yield place


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise _cannot_write(folder, error) from error


@contextmanager
def _default_timeout(seconds: float) -> Iterator[None]:
    """scikit-learn's client takes no timeout: without a default one a silent server would hold us for ever."""
    before = socket.getdefaulttimeout()
    socket.setdefaulttimeout(seconds)
    try:
        yield
    finally:
        socket.setdefaulttimeout(before)


def _cannot_write(folder: Path, error: OSError) -> DatasetError:
    reason = error.strerror or error
    return DatasetError(f"Cannot write to {folder} ({reason}): name another folder in the variable MLFS_CACHE.")


def _damaged(name: str) -> DatasetError:
    return DatasetError(f"What OpenML sent for {name} is damaged or incomplete: try again, or {BY_HAND}.")
