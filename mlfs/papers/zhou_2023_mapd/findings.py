"""Zhou & Guo 2023: which of its losses can be reached."""

from __future__ import annotations

import pandas as pd

from mlfs.papers.agreement import by_order, by_share
from mlfs.papers.findings import Finding, MeasuredNumbers, listed
from mlfs.papers.mapd_classifier.question import QUESTION, given, reached


def losses(numbers: MeasuredNumbers) -> Finding:
    """Tables II and IV."""
    both = numbers.both("tableIV")
    mapd = both[both["setting"] == "mapd"].set_index("dataset")
    ratio = (mapd["measured"] / mapd["published"]).sort_values()
    birds = numbers.both("tableII")
    apart = birds[birds["dataset"] == "birds"]["difference"].abs().max()
    near = pd.concat([numbers.reproduced(table)["reproduced"] for table in ("tableII", "tableIV")])
    return Finding(
        "The Hamming losses are those printed",
        f"{near.sum()} of {len(near)} are; on birds every α of Table II is within {apart:.4f}. Measured as multiples "
        f"of printed, for MAPD in Table IV: {listed(ratio, '{:.3g}'.format)}.",
        by_share(near),
        ("tableII", "tableIV"),
    )


def order(numbers: MeasuredNumbers) -> Finding:
    """The order of the methods in Table IV, and the sizes behind it."""
    agreement = numbers.agreement("tableIV")
    sizes = numbers.rows("figure2").pivot_table("value", "dataset", "setting")
    return Finding(
        "The methods rank as printed, MAPD first",
        f"Over {len(agreement.datasets)} data sets the ranks correlate by "
        f"{agreement.spearman:.2f} (Spearman) with those of Table IV. At α = 0.6 MAPD keeps {sizes['mapd'].min():.1f} "
        f"to {sizes['mapd'].max():.1f} features on average and the others get as many, except ParFS, which chooses "
        f"{sizes['parfs'].min():.0f} to {sizes['parfs'].max():.0f} and has the lowest loss for it.",
        by_order(agreement.spearman),
        ("tableIV",),
    )


def reason(numbers: MeasuredNumbers) -> Finding:
    """What the questions below find."""
    numbers.rows("tableIV")
    compared = given(QUESTION.stored().tables)
    near = reached(compared)
    by_dataset = near.groupby(compared["dataset"], sort=False).agg(["sum", "size"])
    parts = ", ".join(f"{row.Index} {row.sum} of {row.size}" for row in by_dataset.itertuples(name="Row"))
    return Finding(
        "The losses are those of ten neighbours by cosine that see the labels",
        f"So computed (`mlfs paper question {QUESTION.id}`), {near.sum()} of {len(near)} numbers of the four tables "
        f"lie within the printed deviation: {parts}. Features are selected once on all rows, in ten bins of equal "
        "width; SCLS and AMI select a tenth of them. On birds it is not all: the printed loss with α = 0.6 is that of "
        "predicting nothing.",
        by_share(near),
        ("tableII", "tableIII", "tableIV", "tableV"),
    )


FINDINGS = (losses, order, reason)
