"""Every result that can be run again, by paper and by the name the paper gives it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from mlfs.errors import ParameterError, did_you_mean
from mlfs.papers.experiments import lee_kim_2016, sechidis_2014, wang_2020_elc, zhang_2020_grro, zhou_2023_mapd
from mlfs.papers.experiments.experiment import Experiment
from mlfs.papers.registry import get_paper

_EXPERIMENTS: Mapping[str, Mapping[str, Experiment]] = {
    module.PAPER: MappingProxyType({experiment.result: experiment for experiment in module.EXPERIMENTS})
    for module in (lee_kim_2016, wang_2020_elc, sechidis_2014, zhou_2023_mapd, zhang_2020_grro)
}
_WORDS = {"table": "table", "tab": "table", "figure": "figure", "fig": "figure", "": "table"}


def experiments(paper: str) -> Mapping[str, Experiment]:
    """The tables and figures of a paper, in its order.

    >>> list(experiments("zhou_2023_mapd"))
    ['tableII', 'tableIII', 'tableIV', 'tableV', 'figure1', 'figure2']
    """
    return _EXPERIMENTS[get_paper(paper).id]


def get_experiment(paper: str, result: str | int) -> Experiment:
    """One of them, however it is written: "table5", "Table 5", "5", "fig. 2".

    >>> get_experiment("zhou_2023_mapd", "table iv").title
    'Hamming loss of MAPD and three other methods.'
    """
    known = experiments(paper)
    match = re.fullmatch(r"\s*(table|tab|figure|fig|)\.?\s*(\w+)\s*", str(result), flags=re.IGNORECASE)
    written = f"{_WORDS[match[1].casefold()]}{match[2]}".casefold() if match else str(result)
    for name, found in known.items():
        if name.casefold() == written:
            return found
    raise ParameterError(f"{paper} has no result {str(result)!r}: {did_you_mean(written, known)}")
