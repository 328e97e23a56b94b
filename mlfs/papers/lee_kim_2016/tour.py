"""Lee & Kim 2016: counting the information of a few labels of high entropy is enough."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from mlfs.evaluation import Explorer, get_protocol
from mlfs.papers.tour import (
    Knob,
    StepView,
    Tasks,
    Tour,
    TourStep,
    first_curve,
    information_of,
    means_in_words,
    overlap,
    tuned,
)
from mlfs.parameters import Parameter
from mlfs.plots import curves, label_entropies, tidy
from mlfs.plots.entropies import bound_pairs
from mlfs.plots.named_lines import named_lines
from mlfs.selectors import ELS
from mlfs.selectors.ranking import rank
from mlfs.wording import count

PROTOCOL = get_protocol("lee_kim_2016")
evidence_of = partial(information_of, method="els", protocol=PROTOCOL)
#: Two of the methods the paper compares: one more by information, one by variance.
OTHERS = ("fimf", "mfs")
METRIC = "hamming_loss"
ORDERS = {"max_entropy": "highest entropy first", "min_entropy": "lowest entropy first"}

N_LABELS = tuned("els", "n_labels", "|Y|: labels counted exactly")
SIZE = Knob(
    "Features compared", Parameter("integer", 10, "how many of the first features are looked at", 2, 50, name="top")
)


def entropies(explorer: Explorer, n_labels: int | None) -> StepView:
    """The labels by entropy, those of Y marked (Algorithm 1, line 4)."""
    evidence, inside = evidence_of(explorer), _inside(explorer, n_labels)
    held, names = evidence.label_entropy, explorer.ds.label_names
    lowest = int(held.argmin())
    sentence = (
        f"The {count(int(inside.sum()), 'label of Y holds', 'labels of Y hold')} "
        f"{held[inside].sum() / (held.sum() or 1.0):.0%} of the {held.sum():.2f} bits that all "
        f"{len(held)} labels hold together; {names[lowest]} has the least, "
        f"{held[lowest]:.3f} bits. A feature cannot tell more about a label than its entropy: the shorter its bar, the "
        "less a label can add to a score."
    )
    return StepView(sentence, label_entropies(held, names, np.flatnonzero(inside)))


def pairs(explorer: Explorer, n_labels: int | None) -> StepView:
    """The bound min(H(f), H(l)) of eq. (10) against M(f;l), for every pair."""
    evidence, inside = evidence_of(explorer), _inside(explorer, n_labels)
    bound = np.minimum.outer(evidence.feature_entropy, evidence.label_entropy)
    excess = bound - evidence.information
    sentence = (
        f"All {bound.size} pairs lie on or below the line. On average a feature could tell {bound.mean():.3f} bits and "
        f"tells {evidence.information.mean():.3f}, so the bound by itself is loose."
    )
    if inside.any() and not inside.all():
        inner, outer = excess[:, inside].mean(), excess[:, ~inside].mean()
        most = ": ELS counts where the bound would err most" if inner > outer else ""
        sentence += (
            f" It exceeds the truth by {inner:.3f} bits for the labels of Y and by {outer:.3f} for the others{most}."
        )
    return StepView(sentence, bound_pairs(bound, evidence.information, inside))


def agreement(explorer: Explorer, n_labels: int | None, top: int) -> StepView:
    """How many of the first features are those of the exact ranking, for every |Y| (Lemma 1)."""
    shared = _shared_with_exact(explorer, top)
    exact = int(_inside(explorer, n_labels).sum())
    # From where on the line never leaves the top again.
    whole = int(np.flatnonzero(np.append(True, shared < top))[-1])
    sentence = (
        f"The exact ranking counts all {len(shared) - 1} labels. Of its first {top} features, ELS finds "
        f"{shared[exact]} with |Y| = {exact}, and {shared[0]} with |Y| = 0, where the entropy of the features decides "
        f"alone. From |Y| = {whole} on it finds all."
    )
    figure = named_lines(
        {"ELS": (np.arange(len(shared)), shared)},
        "|Y|: labels counted exactly",
        f"Shared with the exact first {top}",
        marked=exact,
    )
    return StepView(sentence, figure)


def losses_work(explorer: Explorer, n_labels: int | None) -> Tasks:
    parameters = {} if n_labels is None else {"n_labels": n_labels}
    return {"els": partial(first_curve, explorer, ("els", parameters), PROTOCOL)} | {
        method: partial(first_curve, explorer, method, PROTOCOL) for method in OTHERS
    }


def losses(explorer: Explorer, measured: Mapping[str, pd.DataFrame], n_labels: int | None) -> StepView:
    """Loss curves with BRLR, on one of the ten splits of §4.1."""
    exact = int(_inside(explorer, n_labels).sum())
    means = f"{means_in_words(measured, METRIC)}. " if measured else ""
    sentence = (
        f"{means}ELS counts {exact} of {len(explorer.ds.label_names)} labels; the others look at all of them. This is "
        "the first of the ten random splits of the paper's protocol, with a logistic regression for each label; on the "
        "next, the order of the methods may differ."
    )
    return StepView(sentence, curves(tidy(measured), metrics=PROTOCOL.metrics, band="none"))


def orders(explorer: Explorer, n_labels: int | None, top: int) -> StepView:
    """The highest against the lowest entropies first (§4.4): the loss of the first features for every |Y|."""
    exact = int(_inside(explorer, n_labels).sum())
    by_order = {order: _losses_by_labels(explorer, order, top) for order in ORDERS}
    q = len(by_order["max_entropy"]) - 1
    high, low = (by_order[order][exact] for order in ORDERS)
    between = [np.mean(by_order[order][1:q]) for order in ORDERS]
    sentence = (
        f"With |Y| = {exact} the first {top} features give a Hamming loss of {high:.4f} where the highest entropies "
        f"come first and {low:.4f} where the lowest do; on average over |Y| = 1 to {q - 1}, {between[0]:.4f} and "
        f"{between[1]:.4f}. Both lines begin and end alike, for at |Y| = 0 and |Y| = {q} there is nothing to choose."
    )
    lines = {ORDERS[order]: (np.arange(q + 1), values) for order, values in by_order.items()}
    return StepView(sentence, named_lines(lines, "|Y|: labels counted exactly", "Hamming loss", marked=exact))


def _inside(explorer: Explorer, n_labels: int | None) -> np.ndarray:
    """(q,) whether each label is in Y."""
    fitted: Any = explorer.fit(("els", {} if n_labels is None else {"n_labels": n_labels}), PROTOCOL)[0]
    return np.isin(np.arange(len(explorer.ds.label_names)), fitted.labels_)


def _shared_with_exact(explorer: Explorer, top: int) -> np.ndarray:
    """(q + 1,) how many of the first features the ranking of each |Y| shares with that of |Y| = q."""
    first = [rank(scores)[:top] for scores in ELS().bounds(evidence_of(explorer))]
    return np.array([overlap(features, first[-1]) for features in first])


def _losses_by_labels(explorer: Explorer, order: str, top: int) -> np.ndarray:
    """(q + 1,) the loss of the first features for each |Y|; settings that choose the same features are learnt once."""
    protocol = get_protocol(PROTOCOL, sizes=(top,))
    chosen = ELS(label_order=order).bounds(evidence_of(explorer))
    learnt: dict[bytes, float] = {}
    losses = []
    for n_labels, scores in enumerate(chosen):
        key = np.sort(rank(scores)[:top]).tobytes()
        if key not in learnt:
            curve = first_curve(explorer, ("els", {"n_labels": n_labels, "label_order": order}), protocol)
            learnt[key] = float(curve[METRIC].iloc[0])
        losses.append(learnt[key])
    return np.array(losses)


TOUR = Tour(
    "lee_kim_2016",
    "yeast",
    (
        TourStep("How much each label holds", entropies, (N_LABELS,)),
        TourStep("What is known of a pair without counting it", pairs, (N_LABELS,)),
        TourStep("The ranking as |Y| grows", agreement, (N_LABELS, SIZE)),
        TourStep("What it costs in prediction", losses, (N_LABELS,), work=losses_work),
        TourStep("Highest or lowest entropy first", orders, (N_LABELS, SIZE)),
    ),
)
