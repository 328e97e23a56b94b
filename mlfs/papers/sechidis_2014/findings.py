"""Sechidis et al. 2014: what its figures say in words, beside our curves."""

from __future__ import annotations

from mlfs.papers.agreement import by_share
from mlfs.papers.findings import Finding, MeasuredNumbers, percent_of_sizes

LOSSES = {"hamming_loss": "Hamming loss", "ranking_loss": "ranking loss"}


def labels(numbers: MeasuredNumbers) -> Finding:
    """Figure 3."""
    leads, ahead = [], []
    for metric, name in LOSSES.items():
        curves = numbers.curves("figure3", "yeast", metric)
        lead = curves["cmi_lp"] - curves["cmi_br"]
        ahead += list(lead > 0)
        leads.append(f"{lead.mean():.4f} in {name}, lower at {percent_of_sizes(lead > 0)} of the sizes")
    return Finding(
        "Labels one by one (CMI-BR) do slightly better than as one labelset (CMI-LP)",
        f"On yeast CMI-BR is ahead of CMI-LP by {leads[0]}, and by {leads[1]}; the paper calls its lead very marginal, "
        "and a little larger for ranking loss.",
        by_share(ahead),
        ("figure3",),
    )


def features(numbers: MeasuredNumbers) -> Finding:
    """Figure 4."""
    yeast = numbers.curves("figure4", "yeast", "hamming_loss")
    gap = (yeast["jmi_br"] - yeast["mim_br"]).abs().mean()
    first, lowest = {}, []
    for metric in LOSSES:
        scene = numbers.curves("figure4", "scene", metric)
        is_lowest = scene["jmi_br"] <= scene.min(axis=1)
        first[metric] = percent_of_sizes(is_lowest)
        lowest += list(is_lowest)
    means = numbers.curves("figure4", "scene", "ranking_loss").mean()
    return Finding(
        "On scene, JMI-BR has the lowest loss at almost any size",
        f"On yeast JMI-BR and MIM-BR lie {gap:.4f} apart in Hamming loss, and on scene "
        f"JMI-BR has the lowest mean ranking loss ({means['jmi_br']:.3f}; CMI-BR {means['cmi_br']:.3f}, MIM-BR "
        f"{means['mim_br']:.3f}). It is the lowest at {first['hamming_loss']} of the sizes in Hamming loss and at "
        f"{first['ranking_loss']} in ranking loss, where the paper says almost any and any: CMI-BR wins with few "
        "features, MIM-BR with nearly all.",
        by_share(lowest),
        ("figure4",),
    )


def others(numbers: MeasuredNumbers) -> Finding:
    """Figure 5, PMU."""
    scene = numbers.curves("figure5", "scene", "hamming_loss")
    behind = scene.index[scene["pmu"] < scene["jmi_br"]]
    ranking = numbers.curves("figure5", "scene", "ranking_loss")
    yeast = numbers.curves("figure5", "yeast", "hamming_loss")
    ahead = [*(yeast["jmi_br"] < yeast["pmu"]), *(ranking["jmi_br"] < ranking["pmu"])]
    return Finding(
        "JMI-BR beats PMU, but for a range of sizes on scene",
        f"On yeast JMI-BR is lower in Hamming loss at "
        f"{percent_of_sizes(yeast['jmi_br'] < yeast['pmu'])} of the sizes; on scene PMU is lower between "
        f"{behind.min():.0f} and {behind.max():.0f} features (10 and 130 in the paper), and in ranking loss JMI-BR is "
        f"lower at {percent_of_sizes(ranking['jmi_br'] < ranking['pmu'])} of them.",
        by_share(ahead),
        ("figure5",),
    )


def nearest_neighbours(numbers: MeasuredNumbers) -> Finding:
    """Figure 5, the pruned transformation."""
    rows = numbers.rows("figure5", "yeast")
    slow = rows.loc[rows["setting"].str.startswith("ppt_mi"), "n"].max()
    yeast = numbers.curves("figure5", "yeast", "hamming_loss").mean()
    return Finding(
        "The pruned transformation of Doquire & Verleysen cannot be judged yet",
        f"Its mean Hamming loss on yeast is "
        f"{yeast['ppt_mi:estimator=knn']:.4f} against {yeast['jmi_br']:.4f} of JMI-BR, but over {slow:.0f} splits "
        "only, for its nearest-neighbour search is slow.",
        results=("figure5",),
    )


FINDINGS = (labels, features, others, nearest_neighbours)
