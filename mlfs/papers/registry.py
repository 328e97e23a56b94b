"""The five papers by id, and their tables by number."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

import pandas as pd

from mlfs.errors import ParameterError, did_you_mean
from mlfs.papers import lee_kim_2016, sechidis_2014, wang_2020_elc, zhang_2020_grro, zhou_2023_mapd
from mlfs.papers.paper import Paper, PublishedTable
from mlfs.papers.reading import table_rows

PAPERS: Mapping[str, Paper] = MappingProxyType(
    {
        module.PAPER.id: module.PAPER
        for module in (lee_kim_2016, wang_2020_elc, sechidis_2014, zhou_2023_mapd, zhang_2020_grro)
    }
)


def get_paper(paper: str) -> Paper:
    """
    >>> get_paper("zhang_2020_groo")
    Traceback (most recent call last):
    mlfs.errors.ParameterError: There is no paper 'zhang_2020_groo': did you mean 'zhang_2020_grro'?
    """
    if paper not in PAPERS:
        raise ParameterError(f"There is no paper {paper!r}: {did_you_mean(str(paper), PAPERS)}")
    return PAPERS[paper]


def tables(paper: str) -> list[PublishedTable]:
    """The tables of results of a paper, in its order; none where it prints figures only.

    >>> [table.table for table in tables("zhou_2023_mapd")]
    ['II', 'III', 'IV', 'V']
    """
    return list(get_paper(paper).tables)


def get_table(paper: str, table: str | int) -> PublishedTable:
    """One table, however its number is written: "5", 5, "table5", "Table IV", "2A".

    >>> get_table("zhou_2023_mapd", "table iv").caption
    'Hamming loss of MAPD and three other methods.'
    """
    known = {found.table: found for found in tables(paper)}
    if not known:
        raise ParameterError(f"{paper} prints its results as figures only: see PAPERS[{paper!r}].figures.")
    number = re.sub(r"^\s*tab(le|\.)?", "", str(table), flags=re.IGNORECASE).strip().casefold()
    for name, found in known.items():
        if name.casefold() == number:
            return found
    raise ParameterError(f"{paper} has no table {str(table)!r}: choose from {', '.join(known)}.")


def published(paper: str, table: str | int) -> pd.DataFrame:
    """The numbers of one table, one row each.

    Columns
    -------
    paper, table
    dataset : by the name of the catalogue; empty for a statistic over all of them
    method, parameters : as `mlfs.evaluation.compare` gives them; empty for a statistic
    setting : both in one word, as `mlfs.selectors.specification` writes them
    metric : see `quantity`
    tested : for a statistic, the metric it is about
    value : the number
    std : its standard deviation, missing where none is printed
    bound : ">" or "≥" where the paper only says that the number is beyond ``value``
    text : the digits as the paper prints them

    >>> published("zhou_2023_mapd", "II").loc[0, ["dataset", "method", "parameters", "setting", "text"]].tolist()
    ['scene', 'mapd', '{"alpha": 0.6}', 'mapd:alpha=0.6', '0.0004 ± 0.00004']
    """
    found = get_table(paper, table)
    return table_rows(found.paper, found.table)


def critical_difference_of(paper: str) -> float | None:
    """The critical difference that the text of the paper states, if any.

    >>> critical_difference_of("lee_kim_2016")
    2.849
    """
    stated = table_rows(get_paper(paper).id, "text")
    stated = stated[stated["metric"] == "critical_difference"]
    return None if stated.empty else float(stated["value"].iloc[0])
