"""Did the labels of bibtex stand among its features?

Lee & Kim print Hamming losses of 0.009 to 0.012 for bibtex with fifty of its features; those of 0 everywhere are 0.015,
and ours 0.013. A file of bibtex holds words and labels side by side: whoever takes them all for features lets every
method select frequent labels, which the classifier need only repeat.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from mlfs.datasets import Dataset
from mlfs.evaluation import get_protocol
from mlfs.evaluation.protocols import Protocol
from mlfs.evaluation.splits import Split
from mlfs.information import discretize
from mlfs.metrics import quantity
from mlfs.papers.brlr_steps.fisher_scoring import log_odds
from mlfs.papers.brlr_steps.question import FOUND, TABLES, first_features, given, losses_by_reading, reached
from mlfs.papers.brlr_steps.question import explains as explained
from mlfs.papers.findings import Finding
from mlfs.papers.lee_kim_2016.experiments import OTHERS, PAPER
from mlfs.papers.odds_ratio_forms.question import METHOD, PLAIN, SIZE, scores
from mlfs.papers.question import Question, RunContext, Tables
from mlfs.papers.zhou_2023_mapd.question import with_label_columns
from mlfs.results import setting_title
from mlfs.wording import in_sentence, joined

SETTINGS = ("els", *OTHERS)
ALONE, AMONG = "features alone", "labels among the features"
WAYS = (AMONG, ALONE)
COLUMNS = ("dataset", "way", "setting", "repeat", "labels_selected", *TABLES)


def measure(ds: Dataset, context: RunContext) -> Tables:
    """Losses of each method with fifty features and with fifty columns, on so many random splits of the protocol."""
    protocol = get_protocol(PAPER, repeats=context.repeats)
    # By its own name, for the |Y| of ELS is that of the data set.
    candidates = {AMONG: replace(with_label_columns(ds), name=ds.name), ALONE: ds}
    binned = {way: discretize(each.X, 2, "equal_width") for way, each in candidates.items()}
    splits, rows = list(protocol.splits(ds)), list[dict[str, object]]()
    steps = [(way, setting) for way in WAYS for setting in SETTINGS]
    for repeat, split in enumerate(splits):
        train, test = split
        for place, (way, setting) in enumerate(steps):
            context.step(repeat * len(steps) + place, len(splits) * len(steps), f"{ds.name}: {setting}, {way}")
            X = binned[way]
            columns = _first_columns(candidates[way], X, setting, protocol, split, repeat)
            odds = log_odds(X[train][:, columns], ds.Y[train], X[test][:, columns])
            [losses] = [row for row in losses_by_reading(ds.Y[test], odds) if row["reading"] == FOUND]
            about = {"dataset": ds.name, "way": way, "setting": setting, "repeat": repeat}
            rows.append({**losses, **about, "labels_selected": int((columns >= ds.X.shape[1]).sum())})
    return {"losses": pd.DataFrame(rows, columns=list(COLUMNS))}


def _first_columns(ds: Dataset, binned: Any, setting: str, protocol: Protocol, split: Split, repeat: int) -> np.ndarray:
    """The first fifty by a method, on the training rows; BR-OR adds up plain ratios."""
    train, _ = split
    if setting == METHOD:
        return np.argsort(-scores(binned[train], ds.Y[train], PLAIN), kind="stable")[:SIZE]
    return first_features(ds, setting, protocol, split, repeat)


# reading


def _as_readings(tables: Tables, way: str) -> Tables:
    """The losses of one way as the question about the logistic regression reads them."""
    losses = tables["losses"]
    return {"losses": losses[losses["way"] == way].assign(reading=FOUND)}


def reached_by(tables: Tables) -> pd.DataFrame:
    """Data sets × ways: how many of the printed losses are no farther away than chance allows; and `of` how many."""
    numbers = {way: given(_as_readings(tables, way)) for way in WAYS}
    counts: Mapping[str, pd.Series] = {
        way: reached(rows).groupby(rows["dataset"], sort=False).sum() for way, rows in numbers.items()
    }
    return pd.DataFrame(counts).assign(of=numbers[AMONG].groupby("dataset", sort=False).size())


def explains(tables: Tables, paper: str) -> pd.DataFrame:
    """What labels among the features give, on the data sets where they give more of the printed losses than without."""
    counts = reached_by(tables)
    better = counts.index[counts[AMONG] > counts[ALONE]]
    rows = explained(_as_readings(tables, AMONG), paper)
    return rows[rows["dataset"].isin(better)]


def word(tables: Tables, paper: str) -> list[Finding]:
    """How many of the printed losses each way gives, and how many labels were selected."""
    counts, losses = reached_by(tables), tables["losses"]
    among, alone = (given(_as_readings(tables, way)) for way in WAYS)
    both = among.assign(alone=alone["measured"])
    claims = []
    for row in counts.itertuples():
        here = losses[(losses["dataset"] == row.Index) & (losses["way"] == AMONG)]
        selected = here.groupby("setting", sort=False)["labels_selected"].mean()
        labels = joined([f"{setting_title(str(setting))} {number:.0f}" for setting, number in selected.items()])
        parts = []
        for metric, rows in both[both["dataset"] == row.Index].groupby("metric", sort=False):
            values = ", ".join(
                f"{setting_title(each.setting)} {each.published:.3f} | {each.measured:.4f} | {each.alone:.4f}"
                for each in rows.itertuples()
            )
            parts.append(f"{in_sentence(quantity(str(metric)).title)} {values}")
        claims.append(
            Finding(
                f"With labels among the features, {counts.loc[row.Index, AMONG]} of {row.of} losses printed for "
                f"{row.Index} are reproduced; without, {counts.loc[row.Index, ALONE]}",
                f"So many are no farther away than chance allows. Of {SIZE} columns, so many are labels: {labels}. "
                f"Printed | with labels | without: {'; '.join(parts)}.",
            )
        )
    return claims


QUESTION = Question.of(
    __name__,
    id="labels_among_features",
    papers=(PAPER,),
    title="Did the labels of bibtex stand among its features?",
    asks="The Hamming losses that the paper prints for bibtex with fifty features are up to a third lower than ours, "
    "whichever logistic regression fits them. Are they reproduced where label columns can be selected like features?",
    how=f"Each method selects {SIZE} columns among features and labels, or among the features alone, and MATLAB's "
    "logistic regression is trained on them, as another experiment found it; BR-OR adds up plain ratios. Enron is "
    "there for comparison.",
    datasets=("bibtex", "enron"),
    tables={"losses": COLUMNS},
    repeats=10,
    order=1.85,
)
