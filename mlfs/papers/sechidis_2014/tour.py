"""Sechidis, Nikolaou & Brown 2014: labels as one variable or one by one, and three ways to see redundancy."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
import pandas as pd

from mlfs.evaluation import Explorer, get_protocol
from mlfs.information import group
from mlfs.learn import second_pick
from mlfs.learn.redundancy import copying
from mlfs.papers.tour import Knob, StepView, Tasks, Tour, TourStep, first_curve, means_in_words, tuned
from mlfs.parameters import Parameter
from mlfs.plots import curves, tidy
from mlfs.plots.named_lines import named_lines
from mlfs.selectors.evidence import Information
from mlfs.wording import count

#: As in the paper, with fewer sizes: every one of them would keep the page waiting.
PROTOCOL = get_protocol("sechidis_2014", every_size=False, sizes=(1, 2, 3, 5, 10, 15, 20, 25, 30))
METRIC = "hamming_loss"
#: How the labels are taken → the end of the methods' ids.
LABELS = {"one by one": "br", "as one": "lp"}
PICKS = 20

BINS = tuned("mim_lp", "n_bins", "Bins of each feature")
COPIED = Knob(
    "How much of f₁ is copied by f₂ (%)",
    Parameter("integer", 50, "on how many of 100 instances f₂ repeats f₁", 0, 100, name="copied"),
    step=5,
)
LABELS_AS = Knob(
    "Labels", Parameter("choice", "one by one", "how labels are taken", choices=tuple(LABELS), name="labels_as")
)


def cells(explorer: Explorer, n_bins: int) -> StepView:
    """How many rows stand behind each count: a table of feature × labelset against feature × label."""
    Y = explorer.ds.Y[explorer.split(PROTOCOL).train]
    n, q = Y.shape
    sets = np.sort(np.unique(Y, axis=0, return_counts=True)[1])[::-1]
    labels = np.sort(Y.sum(axis=0))[::-1]
    sentence = (
        f"The {n:,} training rows show {len(sets):,} of {2**q:,} possible labelsets, {int((sets == 1).sum()):,} of "
        f"them only once. Taken as one variable (LP), a feature of {n_bins} bins and the labels share "
        f"{n_bins * len(sets):,} cells, {n / (n_bins * len(sets)):.1f} rows each on average; taken one by one (BR), "
        f"{2 * n_bins} cells for each label, {n / (2 * n_bins):.0f} rows each."
    )
    lines = {
        "labelsets (LP)": (np.arange(1, len(sets) + 1), sets),
        "labels (BR)": (np.arange(1, q + 1), labels),
    }
    return StepView(sentence, named_lines(lines, "Place, most frequent first", "Rows (log axis)", log_y=True))


def redundancy(copied: int) -> StepView:
    """A second feature that copies the first: eq. (7) cannot see it, eq. (8) can."""
    model = copying(copied / 100)
    names = ("f₁", "f₂", "f₃")
    mim, jmi = (names[model.second[criterion]] for criterion in ("mim_br", "jmi_br"))
    sentence = (
        f"f₁ is picked. On {copied}% of the instances f₂ repeats it, and f₃ tells of another label. MIM, which looks "
        f"at one feature at a time, picks {mim}; JMI, which looks at pairs with f₁, picks {jmi}. What f₂ adds beside "
        f"f₁ is {model.gain[1]:.4f} bits, what f₃ adds {model.gain[2]:.4f}. CMI picks as JMI does here, because there "
        "is only one feature to condition on."
    )
    return StepView(sentence, second_pick(model))


def states(explorer: Explorer, n_bins: int) -> StepView:
    """How many rows are left for each state of the picked features as one variable, which CMI conditions on."""
    protocol = get_protocol(PROTOCOL, sizes=(PICKS,))
    chosen = ("cmi_br", {"n_bins": n_bins})
    ranking = explorer.fit(chosen, protocol)[0].ranking_[:PICKS]
    evidence: Information = explorer.evidence(chosen, protocol)
    n, picks = len(evidence.Y), np.arange(1, len(ranking) + 1)
    joint, all_picked, pair = np.zeros(n, dtype=np.intp), [], []
    for place, feature in enumerate(ranking):
        codes = evidence.features.codes(int(feature))
        joint = group(joint, codes)
        all_picked.append(n / (joint.max() + 1))
        with_first = codes if place == 0 else group(evidence.features.codes(int(ranking[0])), codes)
        pair.append(n / (with_first.max() + 1))
    few = next((int(k) for k, rows in zip(picks, all_picked, strict=True) if rows < 2), None)
    fewer = (
        f"from {count(few, 'pick')} on there are fewer than 2 rows to a state"
        if few
        else f"there are 2 or more rows to a state up to {len(picks)} picks"
    )
    sentence = (
        f"CMI takes all picked features as one variable: after {len(picks)} picks the {n:,} rows fall into "
        f"{round(n / all_picked[-1]):,} states, {all_picked[-1]:.2f} rows each, and {fewer}. JMI never looks at "
        f"more than a pair: with the first pick, the last has {pair[-1]:.0f} rows to a state."
    )
    lines = {
        "all picks as one (CMI)": (picks, np.array(all_picked)),
        "first pick and this (JMI)": (picks, np.array(pair)),
    }
    return StepView(sentence, named_lines(lines, "Features picked", "Rows per state (log axis)", log_y=True))


def losses_work(explorer: Explorer, labels_as: str) -> Tasks:
    methods = [f"{criterion}_{LABELS[labels_as]}" for criterion in ("mim", "jmi", "cmi")]
    return {method: partial(first_curve, explorer, method, PROTOCOL) for method in methods}


def losses(explorer: Explorer, measured: Mapping[str, pd.DataFrame], labels_as: str) -> StepView:
    """Loss curves with ML-kNN, on one of the thirty splits (Figures 3 to 5)."""
    means = f"{means_in_words(measured, METRIC)}. " if measured else ""
    sentence = (
        f"{means}Labels are taken {labels_as}. This is the first of the thirty half-and-half splits of the paper, so "
        "small gaps between the lines may be chance."
    )
    return StepView(sentence, curves(tidy(measured), metrics=PROTOCOL.metrics, band="none"))


TOUR = Tour(
    "sechidis_2014",
    "yeast",
    (
        TourStep("Labels as one variable, or one by one", cells, (BINS,)),
        TourStep("A copied feature", redundancy, (COPIED,), toy=True),
        TourStep("Where CMI runs out of rows", states, (BINS,)),
        TourStep("What it costs in prediction", losses, (LABELS_AS,), work=losses_work),
    ),
)
