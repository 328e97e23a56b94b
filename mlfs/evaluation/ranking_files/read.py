"""Rankings from files and from memory: a file becomes a table of cells, the table rankings, each ranking features."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any

from mlfs.checks import checked, described
from mlfs.datasets import Dataset
from mlfs.errors import RankingError
from mlfs.evaluation.external_ranking import ExternalRanking
from mlfs.evaluation.ranking_files.entries import Entry, near, refuse_large
from mlfs.evaluation.ranking_files.features import of_lists, scored
from mlfs.evaluation.ranking_files.layout import rankings_in
from mlfs.evaluation.ranking_files.mat import mat_cells
from mlfs.evaluation.ranking_files.text import text_cells
from mlfs.wording import listing

SUFFIXES = (".csv", ".tsv", ".txt", ".dat", ".mat")


@checked
def read_ranking(
    path: str | Path,
    ds: Dataset,
    name: str | None = None,
    *,
    base: int | None = None,
    kind: str | None = None,
    rows: str | None = None,
    variable: str | None = None,
) -> ExternalRanking:
    """Read a ranking of the features of a data set from a file.

    Parameters
    ----------
    path : str or Path
        CSV or text (.csv, .tsv, .txt, .dat), or MAT of MATLAB 5 to 7. Rankings per split stand in columns, in rows or
        in variables rank1, rank2, …
    ds : Dataset
    name : str or None
        What tables and figures call it; the file's name where None.
    base : {0, 1} or None
        The number of the first feature; None where the file shows it: it does unless neither 0 nor the number of
        features occurs.
    kind : {"indices", "names", "scores"} or None
        What the file holds; None to see it from the cells. Whole numbers are taken for indices.
    rows : {"all", "train"} or None
        Which rows its author's program saw; None: all where there is one ranking, and the training rows of one split
        each where there are several.
    variable : str or None
        Of a MAT file, where it holds several.

    Returns
    -------
    ExternalRanking
    """
    path = Path(path)
    try:
        refuse_large(path.name, path.stat().st_size)
        content = path.read_bytes()
    except OSError as problem:
        why = (problem.strerror or type(problem).__name__).lower()
        raise RankingError(f"The ranking {path} cannot be read: {why}.") from None
    return parse_ranking(path.name, content, ds, name, base=base, kind=kind, rows=rows, variable=variable)


def parse_ranking(
    file: str, content: bytes, ds: Dataset, name: str | None = None, *, variable: str | None = None, **how: Any
) -> ExternalRanking:
    """As `read_ranking`, of a file's content."""
    refuse_large(file, len(content))
    suffix = PurePath(file).suffix.lower()
    if suffix not in SUFFIXES:
        raise RankingError(
            f"{file} is not a ranking that mlfs can read: give a file that ends in {', '.join(SUFFIXES)}."
        )
    name = name_of(file) if name is None else name
    if suffix == ".mat":
        return _understood(name, file, mat_cells(file, content, variable), ds, **how)
    return _understood(name, file, text_cells(file, content, ds), ds, text=True, **how)


def name_of(file: str) -> str:
    """A ranking's name by that of its file.

    >>> name_of("folder/my_rank:2.csv")
    'my_rank 2'
    """
    return re.sub(r"[:;,=@/\n]", " ", PurePath(file).stem).strip(" _-.")[:40].strip() or "ranking"


@checked
def as_ranking(
    name: str, given: Any, ds: Dataset, *, base: int | None = None, kind: str | None = None, rows: str | None = None
) -> ExternalRanking:
    """A ranking of a data set's features from whatever describes it.

    Parameters
    ----------
    given : ExternalRanking, path, array or list
        A file; feature indices, names or scores; or a list of such, one for each split. An index in memory is counted
        from 0 unless `base` says otherwise.
    base, kind, rows : as `read_ranking` takes them

    Examples
    --------
    >>> from mlfs import load_dataset
    >>> as_ranking("mine", ["Mean_Acc1298_Mean_Mem40_Centroid"], load_dataset("emotions")).orders
    ((0,),)
    """
    if isinstance(given, ExternalRanking):
        ranking = replace(given, name=name)
        if ranking.features != ds.X.shape[1]:
            raise RankingError(f"{name} ranks {ranking.features} features, and {ds.name} has {ds.X.shape[1]}.")
        return ranking
    if isinstance(given, str | Path):
        return read_ranking(given, ds, name, base=base, kind=kind, rows=rows)
    try:
        items = list(given)
    except TypeError:
        raise RankingError(
            f"The ranking {name!r} must be a path, an array or a list, not {described(given)}."
        ) from None
    several = bool(items) and not isinstance(items[0], str) and hasattr(items[0], "__len__")
    lists = [[_from_memory(name, cell) for cell in each] for each in (items if several else [items])]
    base = 0 if base is None else base
    rows = rows or ("train" if several else "all")
    return of_lists(name, name, lists, ds, base=base, kind=kind, rows=rows, notes=[])


def rankings_of(
    ds: Dataset, dataset: str, rankings: Mapping[str, Any] | None, datasets: Sequence[str], **how: Any
) -> list[ExternalRanking]:
    """Those of some rankings that are of one of several data sets.

    Parameters
    ----------
    dataset : the name of the data set, as the caller wrote it
    rankings : by name what `as_ranking` takes, or, where there are several data sets, a mapping of these
    datasets : the names of all of them
    how : options of `as_ranking`
    """
    of_dataset = []
    for name, given in (rankings or {}).items():
        if isinstance(given, Mapping):
            for other in given:
                if other not in datasets:
                    raise RankingError(f"{name} is of {other!r}, which is not compared: {near(other, datasets)}")
            if dataset not in given:
                continue
            given = given[dataset]
        elif len(datasets) > 1 and not isinstance(given, ExternalRanking):
            raise RankingError(f"Say which data set {name} ranks the features of: {', '.join(datasets)}.")
        elif len(datasets) > 1 and given.dataset not in (dataset, ds.name):
            continue
        of_dataset.append(as_ranking(name, given, ds, **how))
    return of_dataset


def _from_memory(name: str, cell: Any) -> Entry:
    if isinstance(cell, str):
        return cell
    try:
        number = float(cell)
    except (TypeError, ValueError):
        raise RankingError(f"The ranking {name!r} must hold indices, names or scores, not {described(cell)}.") from None
    return None if math.isnan(number) else number


def _understood(
    name: str,
    file: str,
    cells: list[list[Entry]] | dict[str, list[Entry]],
    ds: Dataset,
    *,
    text: bool = False,
    base: int | None = None,
    kind: str | None = None,
    rows: str | None = None,
) -> ExternalRanking:
    notes: list[str] = []
    if isinstance(cells, dict):
        lists = list(cells.values())
        notes.append(f"One ranking each in {listing(list(cells))}.")
    else:
        lists, by_name = rankings_in(file, cells, ds, text, kind, notes)
        if by_name is not None:
            return scored(name, file, by_name, lists, ds, rows, notes)
    return of_lists(name, file, lists, ds, base=base, kind=kind, rows=rows, notes=notes)
