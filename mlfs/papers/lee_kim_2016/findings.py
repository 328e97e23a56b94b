"""Lee & Kim 2016: most losses with 50 features come out, those with all features and the lead of ELS do not."""

from __future__ import annotations

import pandas as pd

from mlfs.papers.findings import MeasuredNumbers, listed
from mlfs.results import setting_title

TABLES = {"table5": "Hamming loss", "table6": "ranking loss"}
ALL = "all_features"


def values(numbers: MeasuredNumbers) -> str:
    """Tables 5 and 6, 50 features."""
    parts = []
    for table, name in TABLES.items():
        both = numbers.both(table)
        apart = both[both["setting"] != ALL].assign(apart=lambda rows: rows["difference"].abs())
        middle = apart.groupby("dataset", sort=False)["apart"].median().sort_values()
        parts.append(f"in {name} {listed(middle, '{:.4f}'.format)}")
    els = numbers.both("table5").query("setting == 'els'").set_index("dataset")
    pairs = ", ".join(f"{name} {row.measured:.4f} ({row.published:.3f})" for name, row in els.iterrows())
    return (
        "With 50 features most losses come out. Distance from the printed value, median of the six methods: "
        f"{'; '.join(parts)}. Hamming loss of ELS, measured (printed): {pairs}."
    )


def exceptions(numbers: MeasuredNumbers) -> str:
    """What stands out among them."""
    both = numbers.both("table5")
    rows = both[both["setting"] != ALL]
    factor = (rows["measured"] / rows["published"]).sort_values(ascending=False)
    far = rows.loc[factor.index[factor > 3]]
    parts = ", ".join(
        f"{setting_title(row.setting)} on {row.dataset} ({row.measured:.3f}, printed {row.published:.3f})"
        for row in far.itertuples()
    )
    return (
        f"More than three times the printed Hamming loss: {parts or 'none'}. BR-OR sums absolute log odds ratios, "
        "which are largest for features that hardly ever occur; how the paper guards against it is not said."
    )


def all_features(numbers: MeasuredNumbers) -> str:
    """The column of all features."""
    parts = []
    for table, name in TABLES.items():
        both = numbers.both(table)
        rows = both[both["setting"] == ALL].set_index("dataset")
        share = (rows["published"] / rows["measured"]).sort_values(ascending=False)
        parts.append(f"in {name} {listed(share.head(3), '{:.1f}'.format)}")
    return (
        "With all features the paper prints far larger losses than come out here, as multiples of ours: "
        f"{'; '.join(parts)}. Its logistic regression probably did not converge on so many features; ours is run until "
        "it does."
    )


def order(numbers: MeasuredNumbers) -> str:
    """Ranks of Tables 5 and 6, and the test."""
    hamming, ranking = (numbers.agreement(table) for table in TABLES)
    tested = numbers.both("table7", "friedman_F").set_index("setting")["measured"]
    critical = numbers.both("table7", "critical_value")["measured"].max()
    return (
        f"The lead of ELS is thin: its average rank over {len(hamming.datasets)} data sets is "
        f"{_place(hamming.ranks['measured'])} by Hamming loss and {_place(ranking.ranks['measured'])} by ranking loss. "
        f"The ranks of the seven columns correlate with the printed ones by {hamming.spearman:.2f} and "
        f"{ranking.spearman:.2f} (Spearman), and F_F is {tested['hamming_loss']:.2f} and {tested['ranking_loss']:.2f}, "
        f"where {critical:.2f} would be significant; with fewer data sets than the paper's eight it has less power."
    )


def labels(numbers: MeasuredNumbers) -> str:
    """Table 2 and Figure 2."""
    both = numbers.both("table2").set_index("dataset")
    pairs = ", ".join(f"{name} {row.measured:.0f} ({row.published:.0f})" for name, row in both.iterrows())
    agrees = int((both["measured"] == both["published"]).sum())
    sweep = numbers.rows("figure2")
    at_50 = sweep[sweep["size"] == 50].groupby("dataset", sort=False)["value"]
    range_ = 100 * (at_50.max() / at_50.min() - 1)
    return (
        f"The best |Y| is that of Table 2 on {agrees} of {len(both)} data sets, measured (printed): {pairs}. Between "
        "the best and the worst of about ten values the Hamming loss at 50 features differs by "
        f"{listed(range_.round(1), '{:g} %'.format)}, so few labels do serve about as well as all, which is what the "
        "paper is about."
    )


def orders(numbers: MeasuredNumbers) -> str:
    """Figure 7."""
    rows = numbers.rows("figure7")
    rows = rows[rows["size"] == 50].assign(order=rows["setting"].str.extract(r"label_order=(\w+)", expand=False))
    means = rows.pivot_table("value", "dataset", "order", sort=False)
    better = means.index[means["max_entropy"] < means["min_entropy"]]
    gain = 100 * (1 - means["max_entropy"] / means["min_entropy"])
    return (
        f"Labels of highest entropy first are better than lowest first on {len(better)} of {len(means)} data sets "
        f"(Figure 7; mean over |Y|, at 50 features, Hamming loss lower by {listed(gain, '{:.1f} %'.format)})."
    )


def times(numbers: MeasuredNumbers) -> str:
    """Table 3."""
    ratios = numbers.times("table3", "els")
    return (
        "Times do not compare. As multiples of the time of ELS, median over the data sets, the paper has "
        f"{listed(ratios['published'], '{:.3g}'.format)}; here it is {listed(ratios['measured'], '{:.2g}'.format)}. "
        "ELS saves counting, and here all counts come from one matrix product, which costs every method about the same."
    )


def _place(ranks: pd.Series) -> str:
    return f"{ranks['els']:.2f}, place {int(ranks.rank(method='min')['els'])} of {len(ranks)},"


FINDINGS = (values, exceptions, all_features, order, labels, orders, times)
