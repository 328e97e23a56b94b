"""Wang et al. 2020: features from which the similarities of the labels can be rebuilt."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from mlfs.evaluation import Explorer, get_protocol, noise_at_tenths
from mlfs.evaluation.noise import MEASURES, lowest
from mlfs.metrics import metric_title
from mlfs.papers.tour import Knob, StepView, Tasks, Tour, TourStep, tuned
from mlfs.parameters import Parameter
from mlfs.plots import convergence, curves, tidy
from mlfs.plots.heatmaps import MatrixPanel, matrix_panels
from mlfs.results import setting_title
from mlfs.selectors.specification import parse_method
from mlfs.similarity import label_similarity, standardized_sums
from mlfs.wording import count

PROTOCOL = get_protocol("wang_2020_elc")
#: ELC as the paper's loop leaves it, the optimum of its convex problem, and the method it is compared with.
COMPARED = ("elc", "elc:variant=exact", "mifs")

VARIANT = tuned("elc", "variant", "Variant of ELC")
SIZE = Knob(
    "Features in the set", Parameter("integer", 10, "k: how many features are selected", 2, 50, name="set_size")
)


def similarity(explorer: Explorer) -> StepView:
    """S of Appendix B."""
    _, Y = _training(explorer)
    S, names = label_similarity(Y), explorer.ds.label_names
    pairs = list(combinations(range(len(names)), 2))
    first, second = max(pairs, key=lambda pair: S[pair])
    apart = sum(bool(S[pair] == 0) for pair in pairs)
    never = f"; {count(apart, 'pair')} never occur{'s' * (apart == 1)} together, which counts as 0" if apart else ""
    sentence = (
        f"Of {len(pairs)} pairs of labels, {names[first]} and {names[second]} are most alike "
        f"({S[first, second]:.3f}){never}. ELC looks for features that bring this matrix back."
    )
    return StepView(sentence, matrix_panels([MatrixPanel("S: how alike two labels are", S, names, names)]))


def rebuilt(explorer: Explorer, set_size: int, variant: str) -> StepView:
    """The first k features' YᵀX_F X_FᵀY/n² beside S: the two terms of objective (1)."""
    X, Y = _training(explorer)
    S, names = label_similarity(Y), explorer.ds.label_names
    ranking = explorer.fit(("elc", {"variant": variant}), get_protocol(PROTOCOL, sizes=(X.shape[1],)))[0].ranking_
    terms = standardized_sums(X[:, ranking], Y) / len(Y)
    rests = np.array([((terms[:k].T @ terms[:k] - S) ** 2).sum() for k in range(len(ranking) + 1)])
    made = terms[:set_size].T @ terms[:set_size]
    sentence = (
        f"Without features the squared distance from S is {rests[0]:.3f}; the first {count(set_size, 'feature')} of "
        f"ELC leave {rests[set_size]:.3f}, and all {len(ranking)} leave {rests[-1]:.3f}. It is smallest, "
        f"{rests.min():.3f}, with {rests.argmin()}. On the diagonal, where S has 1, one feature adds at most a quarter."
    )
    panels = [MatrixPanel("S: how alike two labels are", S, names, names)]
    panels.append(MatrixPanel(f"Rebuilt by {count(set_size, 'feature')}", made, names, names))
    return StepView(sentence, matrix_panels(panels))


def loop(explorer: Explorer, set_size: int, variant: str) -> StepView:
    """What Algorithm 1 does to the set it begins with."""
    fitted: Any = explorer.fit(("elc", {"variant": variant, "k": set_size}), PROTOCOL)[0]
    new = len(np.setdiff1d(fitted.final_set_, fitted.initial_set_))
    objective = fitted.history_["objective"]
    finite = objective[np.isfinite(objective)]
    after = f"{count(fitted.n_iter_, 'iteration')} ({variant} variant)"
    if variant == "exact":
        after = f"{count(fitted.n_iter_, 'iteration')} of a solver that does not begin there"
    sentence = (
        f"The loop begins with the {set_size} features that fit S best, each alone. After {after}, {new or 'none'} of "
        f"the {set_size} {'has' if new < 2 else 'have'} been replaced, and the objective has gone from "
        f"{_rounded(finite[0])} to {_rounded(finite[-1])}."
    )
    return StepView(sentence, convergence(fitted.history_, method="elc"), tuple(fitted.notes_))


def noise_work(explorer: Explorer) -> Tasks:
    return {method: partial(noise_at_tenths, explorer, parse_method(method), PROTOCOL) for method in COMPARED}


def noise(explorer: Explorer, measured: Mapping[str, pd.DataFrame]) -> StepView:
    """R(F) and C(F) at tenths of the features (eq. 16 and 17, Figures 1 and 2)."""
    sentence = (
        "Lower is less noise in both: R(F) grows where two features follow the same label, C(F) is what of S is left. "
    )
    if measured:
        table = pd.concat([part.assign(setting=method) for method, part in measured.items()])
        words = []
        for measure in MEASURES:
            best = lowest(table, measure)
            if best is not None:
                words.append(
                    f"{metric_title(measure)} is lowest for {setting_title(best[0])}, {best[1]:.2g} on average"
                )
        sentence += f"{'. '.join(words)}. " if words else ""
    sentence += "One of the five folds of the paper's protocol, a tenth to nine tenths of the features."
    return StepView(sentence, curves(tidy(measured), metrics=MEASURES, band="none"))


def _rounded(value: float) -> str:
    """Four digits, or whole where that is more: objectives of hundreds of thousands read better without powers."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def _training(explorer: Explorer) -> tuple[Any, np.ndarray]:
    rows = explorer.split(PROTOCOL).train
    return explorer.ds.X[rows], explorer.ds.Y[rows]


TOUR = Tour(
    "wang_2020_elc",
    "emotions",
    (
        TourStep("How alike the labels are", similarity),
        TourStep("What the features bring back", rebuilt, (SIZE, VARIANT)),
        TourStep("What the loop does to the set", loop, (SIZE, VARIANT)),
        TourStep("How noisy the selected features are", noise, work=noise_work),
    ),
)
