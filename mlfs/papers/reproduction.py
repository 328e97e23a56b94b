"""The verdict on each table and figure of a paper, and on the paper, with the reason in one line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from mlfs.papers.agreement import FACTOR, TOLERANCE, Agreement, by_order, by_share, combined, overall, reproduced
from mlfs.papers.experiment import Experiment
from mlfs.papers.figures import is_of_ranks
from mlfs.papers.findings import Finding, MeasuredNumbers, findings_of
from mlfs.papers.paper import Paper, PublishedTable, ResultName, get_paper
from mlfs.papers.published_vs_measured import is_of_times, reference
from mlfs.papers.ranks import rank_agreement
from mlfs.wording import count, joined

NO_RUN = "No run is kept."
NO_NUMBERS = "There are no printed numbers to compare, and no claim was checked."
HOLDS = {
    Agreement.AGREES: "holds here",
    Agreement.IN_PART: "holds in part",
    Agreement.DIFFERS: "does not hold here",
    Agreement.OPEN: "could not be checked",
}


@dataclass(frozen=True)
class Reproduction(ResultName):
    """Whether one table or figure is reproduced, and why this is said, in a line."""

    paper: str
    result: str
    verdict: Agreement
    why: str


def reproductions(paper: str, folder: Path | None = None) -> list[Reproduction]:
    """One of each table and figure of a paper, in its order, from the stored runs."""
    return reproductions_of(MeasuredNumbers(paper, folder))


def reproductions_of(numbers: MeasuredNumbers) -> list[Reproduction]:
    """The same, by numbers that others use too."""
    declared, claims = get_paper(numbers.paper), findings_of(numbers)
    return [
        Reproduction(declared.id, experiment.result, *_judged(declared, experiment, numbers, claims))
        for experiment in declared.experiments.values()
    ]


def paper_verdict(results: Sequence[Reproduction]) -> tuple[Agreement, str]:
    """The verdict on all results of a paper together, and how many there are of each."""
    verdicts = [result.verdict for result in results]
    return overall(verdicts), _counted(verdicts) or "nothing was compared"


def _counted(verdicts: Sequence[Agreement]) -> str:
    """
    >>> _counted([Agreement.AGREES, Agreement.AGREES, Agreement.IN_PART, Agreement.OPEN])
    '2 agree and 1 agrees in part; 1 was not compared'
    """
    counts = Counter(verdicts)
    words = {Agreement.AGREES: ("agrees", "agree"), Agreement.IN_PART: ("agrees in part", "agree in part")}
    words[Agreement.DIFFERS] = ("does not agree", "do not agree")
    parts = [
        f"{counts[verdict]} {singular if counts[verdict] == 1 else plural}"
        for verdict, (singular, plural) in words.items()
        if counts[verdict]
    ]
    open_ = counts[Agreement.OPEN]
    left = f"; {open_} {'was' if open_ == 1 else 'were'} not compared" if open_ else ""
    return f"{joined(parts)}{left}" if parts else ""


def _judged(
    paper: Paper, experiment: Experiment, numbers: MeasuredNumbers, claims: Sequence[Finding]
) -> tuple[Agreement, str]:
    rows = numbers.stored(experiment.result)
    if rows.empty:
        return Agreement.OPEN, NO_RUN
    published = paper.results[experiment.result]
    if isinstance(published, PublishedTable):
        return _of_decisions(published, numbers) if published.is_of_statistics else _of_numbers(published, numbers)
    if is_of_ranks(experiment):
        return _of_ranks(paper, rows)
    return _of_claims([finding for finding in claims if experiment.result in finding.results])


def _of_numbers(table: PublishedTable, numbers: MeasuredNumbers) -> tuple[Agreement, str]:
    """By how many numbers are reproduced, and by the order of the methods."""
    both = [numbers.pairs(table.result, metric) for metric in table.metrics]
    # Of times, those by which all others are divided say nothing.
    printed = [part[part["published"].notna() & (part["setting"] != reference(table))] for part in both]
    near = pd.concat([reproduced(part, table) for part in printed])
    if near.empty:
        return Agreement.OPEN, "None of the printed numbers was measured."
    how = f"within a factor of {FACTOR:g}" if is_of_times(table) else f"within {TOLERANCE:.0%}"
    verdicts = [by_share(float(near.mean()))]
    why = f"{near.sum()} of {count(len(near), 'number')} {how}"
    orders = [numbers.rank_agreement(table.result, metric) for metric in table.metrics]
    if known := [order.spearman for order in orders if order is not None and np.isfinite(order.spearman)]:
        verdicts.append(by_order(float(np.mean(known))))
        why += f"; ranks correlate {_signed(float(np.mean(known)))}"
    return combined(verdicts), f"{why}."


def _of_decisions(table: PublishedTable, numbers: MeasuredNumbers) -> tuple[Agreement, str]:
    """By how many tests come to the same decision."""
    statistic, critical = (
        numbers.side_by_side(table.result, metric).set_index("setting") for metric in ("friedman_F", "critical_value")
    )
    known = statistic.dropna(subset=["published", "measured"]).index
    decided = {way: statistic.loc[known, way] > critical.loc[known, way] for way in ("published", "measured")}
    same = decided["published"] == decided["measured"]
    if same.empty:
        return Agreement.OPEN, "None of the tests was made."
    datasets = int(statistic.loc[known, "n"].max())
    return by_share(
        same
    ), f"{same.sum()} of {count(len(same), 'test')} reach the same decision, here on {datasets} data sets."


def _of_ranks(paper: Paper, rows: pd.DataFrame) -> tuple[Agreement, str]:
    """Critical-difference diagrams: by the order of the methods in the tables that print their metrics."""
    orders = [
        rank_agreement(paper.id, table.result, rows, metric)
        for table in paper.tables
        if table.rank_test
        for metric in table.metrics
    ]
    known = [order.spearman for order in orders if order is not None and np.isfinite(order.spearman)]
    if not known:
        return Agreement.OPEN, NO_NUMBERS
    correlation = float(np.mean(known))
    return by_order(correlation), f"Average ranks correlate {_signed(correlation)} with those printed."


def _of_claims(claims: Sequence[Finding]) -> tuple[Agreement, str]:
    """Figures: by what the paper says of them."""
    checked = {finding.claim: finding.verdict for finding in claims if finding.verdict is not None}
    if not checked:
        return Agreement.OPEN, NO_NUMBERS
    verdicts = list(checked.values())
    if len(checked) == 1:
        return verdicts[0], f"“{next(iter(checked))}” {HOLDS[verdicts[0]]}."
    return combined(
        verdicts
    ), f"Of {len(checked)} things the paper says about it, {_counted(verdicts) or 'none was compared'}."


def _signed(correlation: float) -> str:
    return f"{correlation:.2f}".replace("-", "−")
