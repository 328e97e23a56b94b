"""Wang et al. 2020: ELC comes out, its lead does not."""

from __future__ import annotations

from mlfs.papers.findings import MeasuredNumbers, listed

TABLES = ("table2a", "table2b", "table2c", "table2d", "table2e")


def elc_itself(numbers: MeasuredNumbers) -> str:
    """ELC itself, in all five tables."""
    apart = {}
    for table in TABLES:
        both = numbers.both(table)
        elc = both[both["setting"] == "elc"].set_index("dataset")
        apart[table] = (elc["difference"] / elc["published"]).abs()
    worst = sum(apart.values()) / len(apart)
    return (
        "ELC comes out near the printed values where ML-kNN gets the raw features. Mean distance from the printed "
        f"value over the five tables: {listed(100 * worst.sort_values(), '{:.1f} %'.format)}."
    )


def scaling(numbers: MeasuredNumbers) -> str:
    """What the protocol as printed would give."""
    both = numbers.both("table2a").set_index(["dataset", "setting"])
    elc = both.loc[("emotions", "elc")]
    return (
        "The paper says that features are brought to zero mean and unit variance, but its numbers look raw: on "
        f"emotions the average precision of ELC is printed as {elc['published']:.4f} and is {elc['measured']:.4f} on "
        "raw features; with z-scores it is 0.7920, more than any method is printed with (`mlfs compare emotions "
        "--methods elc --protocol wang_2020_elc --metrics average_precision`, mean over the sizes)."
    )


def others(numbers: MeasuredNumbers) -> str:
    """The methods ELC is compared with."""
    both = numbers.both("table2d")
    mean = both.assign(share=both["difference"] / both["published"]).groupby("setting")["share"].mean()
    return (
        "The methods it is compared with do better here than printed. Ranking loss against the printed, mean over the "
        f"data sets: {listed(100 * mean.sort_values(), '{:+.0f} %'.format)}. A reason may be the parameters: one of "
        "each is searched here, and what the paper set the others to is not said."
    )


def order(numbers: MeasuredNumbers) -> str:
    """Who is first."""
    agreements = {table.removeprefix("table"): numbers.agreement(table) for table in TABLES}
    first = {
        way: sum(agreement.ranks[way].idxmin() == "elc" for agreement in agreements.values())
        for way in ("published", "measured")
    }
    correlations = ", ".join(f"{letter} {agreement.spearman:.2f}" for letter, agreement in agreements.items())
    return (
        f"So its lead is not confirmed: on the {len(agreements['2a'].datasets)} data sets at hand ELC has the best "
        f"average rank in {first['published']} of the five printed tables, and in {first['measured']} of "
        f"ours. Spearman correlation of the average ranks: {correlations}."
    )


def noise(numbers: MeasuredNumbers) -> str:
    """Figures 1 and 2."""
    least = []
    for figure, word in (("figure1", "R(F)"), ("figure2", "C(F)")):
        rows = numbers.rows(figure)
        means = rows.pivot_table("value", "dataset", "setting")
        wins = means.idxmin(axis=1).value_counts()
        least.append(f"{word} is lowest for {listed(wins, 'on {}'.format)}")
    sets = len(numbers.rows("figure1")["dataset"].unique())
    return (
        f"Nor are Figures 1 and 2, which show ELC with the least redundancy and residual correlation: of {sets} data "
        f"sets {least[0]}; {least[1]}. The experiment below finds the low R(F) in the equations as printed, with their "
        "wrong sign, and not in ELC."
    )


def times(numbers: MeasuredNumbers) -> str:
    """Figure 3."""
    rows = numbers.rows("figure3", "enron")
    largest = rows[rows["size"] == rows["size"].max()].set_index("setting")["value"].sort_values()
    return (
        "Figure 3 agrees: the paper says that ELC and CMFS are about as fast and MIFS is the slowest. Seconds to "
        f"select {rows['size'].max():.0f} features of enron here: {listed(largest, '{:.2g}'.format)}."
    )


FINDINGS = (elc_itself, scaling, others, order, noise, times)
