"""What of each paper agrees with our own runs, what does not, and the likely reason: sentences made of kept numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from mlfs.papers.findings import lee_kim_2016, sechidis_2014, wang_2020_elc, zhang_2020_grro, zhou_2023_mapd
from mlfs.papers.findings.kept_numbers import KeptNumbers, NothingKept
from mlfs.papers.registry import get_paper

_SENTENCES: Mapping[str, tuple[Callable[[KeptNumbers], str], ...]] = {
    module.PAPER: module.SENTENCES
    for module in (lee_kim_2016, wang_2020_elc, sechidis_2014, zhou_2023_mapd, zhang_2020_grro)
}


def findings(paper: str, folder: Path | None = None) -> list[str]:
    """Sentences on a paper; one whose numbers were not kept is left out."""
    numbers, found = KeptNumbers(get_paper(paper).id, folder), []
    for sentence in _SENTENCES[numbers.paper]:
        try:
            found.append(sentence(numbers))
        except NothingKept:
            continue
    return found


__all__ = ["findings"]
