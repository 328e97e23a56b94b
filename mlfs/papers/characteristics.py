"""The data sets as the papers describe them, beside the same sets as they are here."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pandas as pd

from mlfs.checks import checked
from mlfs.datasets import CATALOGUE, Dataset, profile
from mlfs.errors import DatasetError
from mlfs.papers.paper import get_paper
from mlfs.wording import sentence_case

COUNTS = ("instances", "features", "labels", "distinct_labelsets", "train", "test")
SHARES = ("cardinality", "density")
# Printed with three decimals, the last of which may be rounded either way.
_ROUNDING = 0.0015


@checked
def characteristics(paper: str) -> pd.DataFrame:
    """What the paper prints of its data sets, by the names of the catalogue.

    A column that the paper does not print is left out; the table is empty where there is no file of them.

    >>> characteristics("wang_2020_elc").loc["emotions"].to_dict()
    {'instances': 539.0, 'features': 72.0, 'labels': 6.0}
    """
    return read_characteristics(get_paper(paper).folder / "datasets.csv").dropna(axis=1, how="all")


def measured_characteristics(ds: Dataset) -> dict[str, float]:
    """The same of a data set at hand.

    >>> from mlfs.datasets import load_dataset
    >>> here = measured_characteristics(load_dataset("emotions"))
    >>> here["instances"], here["train"], here["test"]
    (593, 391, 202)
    """
    sizes = profile(ds)
    here = {name: getattr(sizes, name) for name in (*COUNTS, *SHARES) if hasattr(sizes, name)}
    if ds.split is not None:
        here |= {"train": len(ds.split[0]), "test": len(ds.split[1])}
    return here


def compare_characteristics(paper: str, ours: Mapping[str, Mapping[str, float]]) -> pd.DataFrame:
    """What the paper prints and what `measured_characteristics` finds, one row for each data set and characteristic.

    Columns: dataset, what, printed, here (missing where the set is not in ``ours``), differs, note (the catalogue's).

    >>> table = compare_characteristics("wang_2020_elc", {"emotions": {"instances": 593, "features": 72, "labels": 6}})
    >>> table.loc[table["differs"], ["dataset", "what", "printed", "here"]].to_dict("records")
    [{'dataset': 'emotions', 'what': 'instances', 'printed': 539.0, 'here': 593.0}]
    """
    rows = []
    for name, line in characteristics(paper).iterrows():
        for what, value in line.dropna().items():
            here = float(ours.get(str(name), {}).get(str(what), float("nan")))
            differs = abs(value - here) > (_ROUNDING if what in SHARES else 0)
            rows.append((name, what, value, here, differs, CATALOGUE[str(name)].note if name in CATALOGUE else ""))
    return pd.DataFrame(rows, columns=["dataset", "what", "printed", "here", "differs", "note"])


def characteristics_in_words(paper: str, ours: Mapping[str, Mapping[str, float]]) -> pd.DataFrame:
    """The same as people read it: a row for each data set, as printed, and in the last column what differs here.

    >>> words = characteristics_in_words("wang_2020_elc", {"emotions": {"instances": 593, "features": 72, "labels": 6}})
    >>> words.loc["emotions"].tolist()
    ['539', '72', '6', '593 rows']
    """
    table = compare_characteristics(paper, ours)
    table["cell"] = [_number(what, value) for what, value in zip(table["what"], table["printed"], strict=True)]
    grid = table.pivot_table("cell", "dataset", "what", aggfunc="first", sort=False)
    grid["Here"] = [
        _here(rows) if name in ours else "not measured" for name, rows in table.groupby("dataset", sort=False)
    ]
    return grid.rename(columns=lambda what: sentence_case(_name(str(what)))).rename_axis(index="Data set", columns=None)


def _name(what: str) -> str:
    return "rows" if what == "instances" else what.replace("_", " ")


def _here(rows: pd.DataFrame) -> str:
    """What is otherwise than printed, of one data set."""
    other = rows[rows["differs"]]
    names = [
        _name(what).removesuffix("s" if here == 1 else "")
        for what, here in zip(other["what"], other["here"], strict=True)
    ]
    numbers = [_number(what, here) for what, here in zip(other["what"], other["here"], strict=True)]
    return ", ".join(f"{number} {name}" for number, name in zip(numbers, names, strict=True)) or "as printed"


def _number(what: str, value: float) -> str:
    return f"{value:.3f}" if what in SHARES else f"{value:.0f}"


@cache
def read_characteristics(path: Path) -> pd.DataFrame:
    """Read a file of data-set characteristics; all callers share the table."""
    columns = [*COUNTS, *SHARES]
    if not path.exists():
        return pd.DataFrame(columns=columns)
    try:
        return pd.read_csv(path, encoding="utf-8").set_index("dataset")[columns].astype(float)
    except (OSError, KeyError, ValueError) as error:
        raise DatasetError(f"The data-set tables in {path} are missing or damaged: install mlfs again.") from error
