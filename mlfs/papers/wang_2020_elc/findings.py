"""Wang et al. 2020: the numbers of ELC are reproduced, its lead is not."""

from __future__ import annotations

import pandas as pd

from mlfs.papers.agreement import FACTOR, by_share
from mlfs.papers.closeness import deviations
from mlfs.papers.elc_rivals.question import QUESTION, given
from mlfs.papers.findings import Finding, MeasuredNumbers, NotMeasured, listed

TABLES = ("table2a", "table2b", "table2c", "table2d", "table2e")


def elc_itself(numbers: MeasuredNumbers) -> Finding:
    """ELC itself, in all five tables."""
    apart = {}
    for table in TABLES:
        both = numbers.both(table)
        elc = both[both["setting"] == "elc"].set_index("dataset")
        apart[table] = (elc["difference"] / elc["published"]).abs()
    worst = sum(apart.values()) / len(apart)
    return Finding(
        "The numbers of ELC are those printed",
        "With raw features for ML-kNN, the mean distance from the printed value over the five tables is "
        f"{listed(100 * worst.sort_values(), '{:.1f}%'.format)}.",
        by_share(_reproduced(numbers, of_elc=True)),
        TABLES,
    )


def scaling(numbers: MeasuredNumbers) -> Finding:
    """What the protocol as printed would give."""
    both = numbers.both("table2a").set_index(["dataset", "setting"])
    elc = both.loc[("emotions", "elc")]
    return Finding(
        "Features seem not to have been scaled, though the paper says so",
        "The paper says that features are brought to zero mean and unit variance, but its numbers look raw: on "
        f"emotions the average precision of ELC is printed as {elc['published']:.4f} and is {elc['measured']:.4f} on "
        "raw features; with z-scores it is 0.7920, more than any method is printed with (`mlfs compare emotions "
        "--methods elc --protocol wang_2020_elc --metrics average_precision`, mean over the sizes).",
        results=("table2a",),
    )


def others(numbers: MeasuredNumbers) -> Finding:
    """The methods ELC is compared with."""
    both = numbers.both("table2d")
    mean = both.assign(share=both["difference"] / both["published"]).groupby("setting")["share"].mean()
    return Finding(
        "The numbers of the other methods are those printed",
        "Ranking loss against the printed, mean over the data sets: "
        f"{listed(100 * mean.sort_values(), '{:+.0f}%'.format)}. Here they rank the features; the "
        "experiment below finds orders that have little to do with them behind most of the printed numbers.",
        by_share(_reproduced(numbers, of_elc=False)),
        TABLES,
    )


def rivals(numbers: MeasuredNumbers) -> Finding:
    """What the question below finds of the methods ELC is compared with."""
    numbers.rows("table2a")
    compared = given(QUESTION.stored().tables)
    if compared.empty:
        raise NotMeasured("table2a")
    near = deviations(compared["measured"] - compared["published"], compared["text"]) <= 1
    parts = ", ".join(
        f"{order} {part.sum()} of {len(part)}" for order, part in near.groupby(compared["order"], sort=False)
    )
    return Finding(
        "Most numbers of the other methods come from orders that are not theirs",
        "On genbase and enron, MIFS, CMFS and LLSF have the numbers of the file's own order; elsewhere MIFS has those "
        f"of a random order and LLSF those of LLSF on z-scores (`mlfs paper question {QUESTION.id}`). Within the "
        f"printed deviation lie: {parts}.",
        by_share(near),
        TABLES,
    )


def order(numbers: MeasuredNumbers) -> Finding:
    """Who is first."""
    agreements = {table.removeprefix("table"): numbers.agreement(table) for table in TABLES}
    first = {
        way: sum(agreement.ranks[way].idxmin() == "elc" for agreement in agreements.values())
        for way in ("published", "measured")
    }
    correlations = ", ".join(f"{letter} {agreement.spearman:.2f}" for letter, agreement in agreements.items())
    return Finding(
        "ELC has the best average rank",
        f"On the {len(agreements['2a'].datasets)} data sets at hand it is first in {first['published']} of the five "
        f"printed tables, and in {first['measured']} of ours. Spearman correlation of the average ranks: "
        f"{correlations}.",
        by_share(first["measured"] / len(TABLES)),
        TABLES,
    )


def noise(numbers: MeasuredNumbers) -> Finding:
    """Figures 1 and 2."""
    least, is_elc = [], []
    for figure, word in (("figure1", "R(F)"), ("figure2", "C(F)")):
        rows = numbers.rows(figure)
        means = rows.pivot_table("value", "dataset", "setting")
        lowest = means.idxmin(axis=1)
        is_elc += list(lowest == "elc")
        wins = lowest.value_counts()
        least.append(f"{word} is lowest for {listed(wins, 'on {}'.format)}")
    sets = len(numbers.rows("figure1")["dataset"].unique())
    return Finding(
        "ELC leaves the least redundancy and residual label correlation",
        f"Of {sets} data sets {least[0]}; {least[1]}. The experiment below finds the low R(F) in the equations as "
        "printed, with their wrong sign, and not in ELC.",
        by_share(is_elc),
        ("figure1", "figure2"),
    )


def times(numbers: MeasuredNumbers) -> Finding:
    """Figure 3."""
    rows = numbers.rows("figure3", "enron")
    largest = rows[rows["size"] == rows["size"].max()].set_index("setting")["value"].sort_values()
    alike = 1 / FACTOR <= largest["elc"] / largest["cmfs"] <= FACTOR
    return Finding(
        "ELC and CMFS are about as fast, and MIFS is the slowest",
        f"Seconds to select {rows['size'].max():.0f} features of enron here: {listed(largest, '{:.2g}'.format)}.",
        by_share([bool(alike), largest.idxmax() == "mifs"]),
        ("figure3",),
    )


def _reproduced(numbers: MeasuredNumbers, of_elc: bool) -> list[bool]:
    """Which numbers of the five tables are reproduced, those of ELC or those of the others."""
    both = pd.concat([numbers.reproduced(table) for table in TABLES])
    return list(both.loc[(both["setting"] == "elc") == of_elc, "reproduced"])


FINDINGS = (elc_itself, scaling, others, rivals, order, noise, times)
