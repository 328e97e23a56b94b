"""Which sum of odds ratios is the BR-OR of Lee & Kim?

The paper sums the odds ratios of a feature with the labels and says no more. Ours sums absolute logarithms, with half a
count added to each cell; the plain ratios have no such guard: a label that always goes with a feature makes its sum
infinite, and of infinite sums the order of the file decides.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from mlfs.datasets import Dataset
from mlfs.encoding import dense
from mlfs.evaluation import get_protocol
from mlfs.information import discretize
from mlfs.metrics import quantity
from mlfs.papers.brlr_steps.fisher_scoring import log_odds
from mlfs.papers.brlr_steps.question import FOUND, TABLES, given, losses_by_reading
from mlfs.papers.brlr_steps.question import explains as explained
from mlfs.papers.findings import Finding
from mlfs.papers.lee_kim_2016.experiments import PAPER
from mlfs.papers.question import Question, RunContext, Tables
from mlfs.wording import in_sentence, joined

METHOD, SIZE = "br_or", 50
GUARDED, PLAIN, FINITE = "logarithms, half a count added", "plain ratios", "finite ratios"
LOGARITHMS, FILE = "finite logarithms", "order of the file"
FORMS = (PLAIN, GUARDED, FINITE, LOGARITHMS, FILE)
COLUMNS = ("dataset", "form", "repeat", *TABLES)


def scores(X: Any, Y: np.ndarray, form: str) -> np.ndarray:
    """The score of each feature of 0 and 1; of equal ones the first of the file counts as better.

    >>> X = np.array([[1, 0], [1, 1], [0, 1], [0, 0]])
    >>> scores(X, np.array([[1], [1], [0], [0]]), PLAIN).tolist()
    [inf, 1.0]
    """
    X, Y = dense(X).astype(float), Y.astype(float)
    both = X.T @ Y
    feature, label = X.sum(axis=0)[:, None] - both, Y.sum(axis=0) - both
    neither = len(X) - both - feature - label
    if form == FILE:
        return np.zeros(X.shape[1])
    if form == GUARDED:
        halves = (both + 0.5) * (neither + 0.5) / ((feature + 0.5) * (label + 0.5))
        varies = (X.min(axis=0) < X.max(axis=0))[:, None] & (Y.min(axis=0) < Y.max(axis=0))
        return np.where(varies, np.abs(np.log(halves)), 0.0).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = both * neither / (feature * label)
        if form == LOGARITHMS:
            ratio = np.abs(np.log(ratio))
    return np.nansum(ratio if form == PLAIN else np.where(np.isfinite(ratio), ratio, 0.0), axis=1)


def measure(ds: Dataset, context: RunContext) -> Tables:
    """Losses with the first fifty features by each form, on so many random splits of the paper's protocol."""
    protocol = get_protocol(PAPER, repeats=context.repeats)
    binned = discretize(ds.X, 2, "equal_width")
    splits, rows = list(protocol.splits(ds)), list[dict[str, object]]()
    for repeat, (train, test) in enumerate(splits):
        for place, form in enumerate(FORMS):
            context.step(repeat * len(FORMS) + place, len(splits) * len(FORMS), f"{ds.name}: {form}")
            features = np.argsort(-scores(binned[train], ds.Y[train], form), kind="stable")[:SIZE]
            odds = log_odds(binned[train][:, features], ds.Y[train], binned[test][:, features])
            [losses] = [row for row in losses_by_reading(ds.Y[test], odds) if row["reading"] == FOUND]
            rows.append({**losses, "dataset": ds.name, "form": form, "repeat": repeat})
    return {"losses": pd.DataFrame(rows, columns=list(COLUMNS))}


# reading


def _as_readings(tables: Tables, form: str) -> Tables:
    """The losses of one form as the question about the logistic regression reads them."""
    losses = tables["losses"]
    return {"losses": losses[losses["form"] == form].assign(setting=METHOD, reading=FOUND)}


def explains(tables: Tables, paper: str) -> pd.DataFrame:
    """What plain ratios give."""
    return explained(_as_readings(tables, PLAIN), paper)


def word(tables: Tables, paper: str) -> list[Finding]:
    """Each form beside the printed losses."""
    claims = []
    for metric in TABLES:
        losses, factors = {}, {}
        for form in FORMS:
            numbers = given(_as_readings(tables, form))
            numbers = numbers[numbers["metric"] == metric]
            if numbers.empty:
                continue
            losses[form] = [f"{row.dataset} {row.published:.3f} | {row.measured:.4f}" for row in numbers.itertuples()]
            factor = np.log(numbers["measured"] / numbers["published"]).abs()
            factors[form] = float(np.exp(factor.mean()))
        if factors:
            nearest, *others = sorted(factors, key=lambda form: factors[form])
            besides = f"; {joined([f'{form} by {factors[form]:.2f}' for form in others])}" if others else ""
            claims.append(
                Finding(
                    f"In {in_sentence(quantity(metric).title)}, {nearest} come nearest to what is printed",
                    f"They differ from it by a factor of {factors[nearest]:.2f}{besides} (geometric means over the "
                    f"data sets). Printed | {nearest}: {', '.join(losses[nearest])}.",
                )
            )
    return claims


QUESTION = Question.of(
    __name__,
    id="odds_ratio_forms",
    papers=(PAPER,),
    title="Which sum of odds ratios is BR-OR?",
    asks="BR-OR has losses here that are far from the printed ones on genbase, llog and corel5k. The paper sums odds "
    "ratios without saying how it guards against divisions by 0: does it guard at all?",
    how=f"The first {SIZE} features by each form, and MATLAB's logistic regression as another experiment found it. "
    "Plain ratios: undefined ones (0/0) are left out, infinite ones stay, so that features with one come first, in the "
    "order of the file. The others: logarithms with half a count added to each cell, as our BR-OR has them; ratios, "
    "and absolute logarithms of them, where they are finite; and the order of the file alone.",
    datasets=("yeast", "genbase", "enron", "llog", "corel5k", "bibtex"),
    tables={"losses": COLUMNS},
    repeats=10,
    order=1.75,
)
