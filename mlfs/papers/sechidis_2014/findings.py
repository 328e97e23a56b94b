"""Sechidis et al. 2014: what its figures say in words, beside our curves."""

from __future__ import annotations

import pandas as pd

from mlfs.papers.agreement import by_order, by_share
from mlfs.papers.closeness import difference_of_means
from mlfs.papers.findings import Finding, MeasuredNumbers, percent_of_sizes
from mlfs.wording import count

LOSSES = {"hamming_loss": "Hamming loss", "ranking_loss": "ranking loss"}
PRUNED = "ppt_mi:estimator=knn"
#: Where the paper sees others ahead of JMI-BR, in Hamming loss on scene.
BEHIND = 10, 130


def labels(numbers: MeasuredNumbers) -> Finding:
    """Figure 3."""
    leads, ahead = [], []
    for metric, lead in _leads(numbers).items():
        ahead += list(lead > 0)
        leads.append(f"{lead.mean():.4f} in {LOSSES[metric]}, lower at {percent_of_sizes(lead > 0)} of the sizes")
    return Finding(
        "Labels one by one (CMI-BR) do slightly better than as one labelset (CMI-LP)",
        f"On yeast CMI-BR is ahead of CMI-LP by {leads[0]}, and by {leads[1]}; the paper calls its lead very marginal.",
        by_share(ahead),
        ("figure3",),
    )


def larger_in_ranking(numbers: MeasuredNumbers) -> Finding:
    """Figure 3, one loss beside the other."""
    hamming, ranking = _leads(numbers).values()
    larger = ranking > hamming
    return Finding(
        "The lead of CMI-BR over CMI-LP is a little larger in ranking loss",
        f"On yeast it is {ranking.mean():.4f} in ranking loss and {hamming.mean():.4f} in Hamming loss, on average, "
        f"and larger in ranking loss at {percent_of_sizes(larger)} of the sizes.",
        by_share(larger),
        ("figure3",),
    )


def shrinking(numbers: MeasuredNumbers) -> Finding:
    """Figure 3, from few features to many."""
    parts, orders = [], []
    for metric, lead in _leads(numbers).items():
        orders.append(lead.index.to_series().corr(-lead, method="spearman"))
        halves = lead[lead.index <= lead.index.max() / 2].mean(), lead[lead.index > lead.index.max() / 2].mean()
        parts.append(f"in {LOSSES[metric]} from {halves[0]:.4f} to {halves[1]:.4f}")
    return Finding(
        "The lead of CMI-BR over CMI-LP shrinks as features are added",
        f"On yeast it falls {' and '.join(parts)}, on average over the smaller and the larger half of the sizes; lead "
        f"and size correlate (Spearman) {-orders[0]:.2f} and {-orders[1]:.2f}.",
        by_order(sum(orders) / len(orders)),
        ("figure3",),
    )


def features(numbers: MeasuredNumbers) -> Finding:
    """Figure 4, scene."""
    first, lowest = {}, []
    for metric in LOSSES:
        scene = numbers.curves("figure4", "scene", metric)
        is_lowest = scene["jmi_br"] <= scene.min(axis=1)
        first[metric] = percent_of_sizes(is_lowest)
        lowest += list(is_lowest)
    means = numbers.curves("figure4", "scene", "ranking_loss").mean()
    return Finding(
        "On scene, JMI-BR has the lowest loss at almost any size",
        f"JMI-BR has the lowest mean ranking loss ({means['jmi_br']:.3f}; CMI-BR {means['cmi_br']:.3f}, MIM-BR "
        f"{means['mim_br']:.3f}). It is the lowest at {first['hamming_loss']} of the sizes in Hamming loss and at "
        f"{first['ranking_loss']} in ranking loss, where the paper says “almost any” and “any”: CMI-BR wins with few "
        "features, MIM-BR with nearly all.",
        by_share(lowest),
        ("figure4",),
    )


def alike(numbers: MeasuredNumbers) -> Finding:
    """Figure 4, yeast."""
    parts, near = [], []
    for metric, name in LOSSES.items():
        yeast = numbers.curves("figure4", "yeast", metric)
        gap = (yeast["jmi_br"] - yeast["mim_br"]).abs()
        within = gap <= _by_chance(numbers, "figure4", "yeast", metric, "mim_br")
        near += list(within)
        parts.append(f"{gap.mean():.4f} apart in {name} ({percent_of_sizes(within)})")
    return Finding(
        "On yeast, JMI-BR and MIM-BR do about as well",
        f"They lie {' and '.join(parts)}: in brackets, the sizes at which two means over as many splits may be as far "
        "apart by chance.",
        by_share(near),
        ("figure4",),
    )


def over_both(numbers: MeasuredNumbers) -> Finding:
    """Figure 4, as the paper sums it up."""
    parts, larger = [], []
    for dataset in ("yeast", "scene"):
        for metric, name in LOSSES.items():
            curves = numbers.curves("figure4", dataset, metric)
            leads = curves.sub(curves["jmi_br"], axis=0)
            larger += list((leads["cmi_br"] > 0) & (leads["cmi_br"] > leads["mim_br"]))
            parts.append(f"{leads['cmi_br'].mean():.4f} and {leads['mim_br'].mean():.4f} on {dataset} ({name})")
    return Finding(
        "JMI-BR leads over CMI-BR, and by less over MIM-BR",
        f"On average its lead over CMI-BR and over MIM-BR is {', '.join(parts)}. It is ahead of CMI-BR, and by more "
        f"than of MIM-BR, at {percent_of_sizes(pd.Series(larger))} of the sizes.",
        by_share(larger),
        ("figure4",),
    )


def others(numbers: MeasuredNumbers) -> Finding:
    """Figure 5, PMU."""
    ahead = {
        (dataset, metric): curves["jmi_br"] < curves["pmu"]
        for dataset in ("yeast", "scene")
        for metric in LOSSES
        for curves in [numbers.curves("figure5", dataset, metric)]
    }
    shares = {key: percent_of_sizes(each) for key, each in ahead.items()}
    scene = ahead["scene", "hamming_loss"]
    behind = scene.index[~scene]
    said = pd.Series(~((scene.index >= BEHIND[0]) & (scene.index <= BEHIND[1])), scene.index)
    as_said = ahead | {("scene", "hamming_loss"): scene == said}
    return Finding(
        "JMI-BR beats PMU, except for a range of sizes on scene",
        f"On yeast JMI-BR is lower at {shares['yeast', 'hamming_loss']} of the sizes in Hamming loss and at "
        f"{shares['yeast', 'ranking_loss']} in ranking loss, on scene at {shares['scene', 'ranking_loss']} in ranking "
        f"loss. In Hamming loss on scene PMU is lower between {behind.min():.0f} and {behind.max():.0f} features "
        f"({BEHIND[0]} and {BEHIND[1]} in the paper); {percent_of_sizes(scene == said)} of the sizes are as it says.",
        by_share([each for part in as_said.values() for each in part]),
        ("figure5",),
    )


def nearest_neighbours(numbers: MeasuredNumbers) -> Finding:
    """Figure 5, the pruned transformation: few splits, so only what is beyond chance counts."""
    parts, ahead = [], []
    for dataset in ("yeast", "scene"):
        rows = numbers.rows("figure5", dataset)
        splits = rows.loc[rows["setting"] == PRUNED, "n"].max()
        for metric, name in LOSSES.items():
            curves = numbers.curves("figure5", dataset, metric)
            lead = curves[PRUNED] - curves["jmi_br"]
            decided = lead[lead.abs() > _by_chance(numbers, "figure5", dataset, metric, PRUNED)]
            ahead += list(decided > 0)
            parts.append(
                f"on {dataset} ({name}, {count(int(splits), 'split')}) JMI-BR at {(decided > 0).sum()} and the other "
                f"at {(decided < 0).sum()} of {len(lead)}"
            )
    return Finding(
        "JMI-BR beats the pruned transformation of Doquire & Verleysen",
        "Its nearest-neighbour search is slow, so it has few splits, and only sizes at which the two are farther apart "
        f"than chance allows are counted. Lower by so much are {'; '.join(parts)}.",
        by_share(ahead),
        ("figure5",),
    )


def _leads(numbers: MeasuredNumbers) -> dict[str, pd.Series]:
    """Loss → by how much CMI-BR is lower than CMI-LP on yeast, at each size."""
    curves = {metric: numbers.curves("figure3", "yeast", metric) for metric in LOSSES}
    return {metric: each["cmi_lp"] - each["cmi_br"] for metric, each in curves.items()}


def _by_chance(numbers: MeasuredNumbers, result: str, dataset: str, metric: str, setting: str) -> pd.Series:
    """Size → how far the mean of a setting may be from that of JMI-BR by chance.

    The deviation is that of JMI-BR, which has all splits.
    """
    rows = numbers.rows(result, dataset)
    rows = rows[rows["metric"] == metric].set_index("size")
    std, n = rows.loc[rows["setting"] == "jmi_br", "std"], rows.loc[rows["setting"] == setting, "n"]
    return difference_of_means(numbers.paper, std, n)


FINDINGS = (
    labels,
    larger_in_ranking,
    shrinking,
    features,
    alike,
    over_both,
    others,
    nearest_neighbours,
)
