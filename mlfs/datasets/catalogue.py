"""The benchmark sets of the papers and their true sizes: what a name stands for, and whether data fit it."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from mlfs.datasets.bundled import data_folder
from mlfs.datasets.dataset import Dataset
from mlfs.errors import DatasetError

# Cardinalities and densities are printed with three decimals, the last of which may be rounded either way.
_ROUNDING = 0.0015


# Any other set of OpenML is called by its number there.
_OPENML = re.compile(r"openml:([1-9][0-9]{0,8})")


@dataclass(frozen=True)
class CatalogueEntry:
    """What is known of one benchmark set; ``None`` where nothing is.

    ``instances``, ``features`` and ``labels`` are those of the data as distributed, also where a paper prints others
    (``note`` says so). ``train`` and ``test`` are the sizes of the usual split. ``papers`` are the ids of the papers
    that use the set. ``openml_id`` and ``openml_name`` are where `download_dataset` gets it from.
    """

    name: str
    instances: int
    features: int
    labels: int
    cardinality: float | None
    density: float | None
    train: int | None
    test: int | None
    domain: str
    papers: tuple[str, ...]
    openml_id: int | None
    openml_name: str | None
    note: str

    def check(self, ds: Dataset, *, split: bool = True) -> list[str]:
        """One sentence for each thing in which ``ds`` is not the catalogued set; none where all fits.

        Parameters
        ----------
        split : whether the sizes of its split are among these things

        Examples
        --------
        >>> from mlfs.datasets import load_dataset
        >>> CATALOGUE["emotions"].check(load_dataset("emotions"))
        []
        >>> CATALOGUE["yeast"].check(load_dataset("emotions"))[0]
        'emotions has 593 instances, but the catalogue lists 2417 for yeast.'
        """
        n, q = ds.Y.shape
        positives = int(ds.Y.sum(dtype=int))
        train, test = map(len, ds.split) if split and ds.split is not None else (None, None)
        measured: list[tuple[str, float | None, float | None, float]] = [
            ("{} instances", n, self.instances, 0),
            ("{} features", ds.X.shape[1], self.features, 0),
            ("{} labels", q, self.labels, 0),
            ("{} training rows", train, self.train, 0),
            ("{} test rows", test, self.test, 0),
            ("{:.3f} labels per instance", positives / max(n, 1), self.cardinality, _ROUNDING),
            ("a label density of {:.3f}", positives / max(n * q, 1), self.density, _ROUNDING),
        ]
        return [
            f"{ds.name} has {phrase.format(value)}, but the catalogue lists {expected} for {self.name}."
            for phrase, value, expected, tolerance in measured
            if value is not None and expected is not None and abs(value - expected) > tolerance
        ]


def read_catalogue(path: Path) -> Mapping[str, CatalogueEntry]:
    """Read a catalogue file: a CSV with one row per set and an empty cell where nothing is known."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            entries = [_entry(row) for row in csv.DictReader(file)]
    except (OSError, KeyError, ValueError) as error:
        raise DatasetError(f"The catalogue {path} is missing or damaged: install mlfs again.") from error
    return MappingProxyType({entry.name: entry for entry in entries})


def _entry(row: Mapping[str, str]) -> CatalogueEntry:
    def integer(column: str) -> int | None:
        return int(row[column]) if row[column] else None

    def real(column: str) -> float | None:
        return float(row[column]) if row[column] else None

    return CatalogueEntry(
        name=row["name"],
        instances=int(row["instances"]),
        features=int(row["features"]),
        labels=int(row["labels"]),
        cardinality=real("cardinality"),
        density=real("density"),
        train=integer("train"),
        test=integer("test"),
        domain=row["domain"],
        papers=tuple(row["papers"].split()),
        openml_id=integer("openml_id"),
        openml_name=row["openml_name"] or None,
        note=row["note"],
    )


CATALOGUE = read_catalogue(data_folder() / "catalogue.csv")


def openml_id(name: str) -> int | None:
    """The number that a name such as ``openml:41468`` gives; None for other names.

    >>> openml_id("openml:41468"), openml_id("birds")
    (41468, None)
    """
    match = _OPENML.fullmatch(name)
    return int(match[1]) if match else None


def catalogued_name(name: str) -> str:
    """The name in the catalogue of a set that is called by its number on OpenML; other names stay.

    >>> catalogued_name("openml:40589"), catalogued_name("openml:41468")
    ('emotions', 'openml:41468')
    """
    data_id = openml_id(name)
    known = (entry.name for entry in CATALOGUE.values() if data_id is not None and entry.openml_id == data_id)
    return next(known, name)
