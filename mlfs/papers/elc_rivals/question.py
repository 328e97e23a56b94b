"""Do the methods that Wang et al. compare ELC with rank the features at all?

On genbase the paper prints almost the same five numbers for MIFS, CMFS and LLSF, far below ELC's, with deviations of
0.15 and more. Features in the order of the file give them, and on enron too. On data sets of fewer features MIFS is no
better than chance, and LLSF is as if it had seen features of mean 0 and standard deviation 1, though the classifier did
not.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from mlfs.datasets import Dataset
from mlfs.evaluation import get_protocol, loss_curve
from mlfs.papers.closeness import deviations
from mlfs.papers.findings import Finding
from mlfs.papers.paper import get_table
from mlfs.papers.question import Question, RunContext, Tables
from mlfs.papers.wang_2020_elc.experiments import MANY_FEATURES, METRICS, PAPER
from mlfs.results import setting_title
from mlfs.selectors import make_selector

FILE, RANDOM, STANDARD = "order of the file", "random order", "LLSF on z-scores"
#: The least but one of the weights that the paper searches; the least gives the same.
BETA = 0.01
RIVALS = ("mifs", "cmfs", "llsf")
#: The data sets at hand with a thousand features and more, on which the claim is the order of the file.
MANY = ("enron", "genbase")
#: Metric → the table that prints it.
TABLES = dict(zip(METRICS, ("table2a", "table2b", "table2c", "table2d", "table2e"), strict=True))
COLUMNS = ("dataset", "order", "repeat", *METRICS, *(f"{metric}_std" for metric in METRICS))


def claimed(dataset: str, method: str) -> str | None:
    """The order that a printed row is held to be; None where none is known.

    >>> claimed("genbase", "cmfs"), claimed("birds", "mifs"), claimed("birds", "cmfs")
    ('order of the file', 'random order', None)
    """
    if dataset in MANY:
        return FILE if method in RIVALS else None
    return {"mifs": RANDOM, "llsf": STANDARD}.get(method)


def measure(ds: Dataset, context: RunContext) -> Tables:
    """ML-kNN on the raw features in each order, for a tenth to nine tenths of them, on five folds."""
    asked = [(FILE, 0), *((RANDOM, repeat) for repeat in range(context.repeats))]
    if ds.X.shape[1] < MANY_FEATURES:  # on more of them LLSF takes minutes
        asked.append((STANDARD, 0))
    rows = []
    for done, (order, repeat) in enumerate(asked):
        context.step(done, len(asked), f"{ds.name}: {order}")
        curves = pd.concat(_curves(ds, order, repeat))
        means, deviations = curves[list(METRICS)].mean(), curves[list(METRICS)].std().add_suffix("_std")
        rows.append({"dataset": ds.name, "order": order, "repeat": repeat, **means, **deviations})
    return {"means": pd.DataFrame(rows, columns=list(COLUMNS))}


def _curves(ds: Dataset, order: str, repeat: int) -> Iterator[pd.DataFrame]:
    protocol = get_protocol(PAPER)
    columns, owner = ds.one_hot()
    for fold, (train, test) in enumerate(protocol.splits(ds)):
        ranking = _ranking(ds, order, train, [repeat, fold])
        yield loss_curve(
            columns[train],
            ds.Y[train],
            columns[test],
            ds.Y[test],
            ranking,
            protocol.sizes_for(ds.X.shape[1]),
            protocol.classifier,
            METRICS,
            owner=owner,
        )


def _ranking(ds: Dataset, order: str, train: np.ndarray, seed: list[int]) -> np.ndarray:
    d = ds.X.shape[1]
    if order == FILE:
        return np.arange(d)
    if order == RANDOM:
        return np.random.default_rng(seed).permutation(d)
    llsf = make_selector("llsf", beta=BETA, scaling="standard", n_features_to_select=d)
    return llsf.fit(ds.X[train], ds.Y[train]).ranking_


# reading


def given(tables: Tables) -> pd.DataFrame:
    """The printed numbers for which an order is claimed, with what that order gives.

    Columns: result, metric, dataset, setting, order, published, text (as printed), measured (the mean over the
    repeats), low and high (the least and the largest of them).
    """
    parts = []
    for metric, result in TABLES.items():
        rows = get_table(PAPER, result).rows[["dataset", "setting", "value", "text"]]
        rows = rows.assign(order=[claimed(*pair) for pair in zip(rows["dataset"], rows["setting"], strict=True)])
        groups = tables["means"].groupby(["dataset", "order"], sort=False)[metric]
        ours = groups.agg(measured="mean", low="min", high="max").reset_index()
        both = rows.dropna(subset=["order"]).merge(ours, on=["dataset", "order"])
        parts.append(both.assign(result=result, metric=metric))
    return pd.concat(parts, ignore_index=True).rename(columns={"value": "published"})


def explains(tables: Tables, paper: str) -> pd.DataFrame:
    """What the claimed orders give."""
    return given(tables)[["result", "metric", "dataset", "setting", "low", "high"]]


def word(tables: Tables, paper: str) -> list[Finding]:
    """What each order gives beside the rows it is claimed for, and where it is not what is printed."""
    numbers = given(tables)
    if numbers.empty:
        return []
    numbers = numbers.assign(share=deviations(numbers["measured"] - numbers["published"], numbers["text"]))
    claims = []
    for order, part in numbers.groupby("order", sort=False):
        for setting, rows in part.groupby("setting", sort=False):
            near = int((rows["share"] <= 1).sum())
            precision = rows[rows["metric"] == METRICS[0]]
            pairs = ", ".join(
                f"{row.dataset} {row.published:.4f} | {row.measured:.4f}" for row in precision.itertuples()
            )
            claims.append(
                Finding(
                    f"{_NAMES[str(order)]} gives {near} of {len(rows)} numbers of {setting_title(str(setting))}",
                    f"So many lie within the printed deviation, {int((rows['share'] <= 0.1).sum())} within a tenth of "
                    f"it. Average precision, printed | measured: {pairs}.",
                )
            )
    return [*claims, *_elsewhere(tables)]


_NAMES = {FILE: "The order of the file", RANDOM: "A random order", STANDARD: STANDARD}


def _elsewhere(tables: Tables) -> Iterator[Finding]:
    """The order of the file on data sets where it is not claimed, beside the printed rows."""
    rows = tables["means"]
    rows = rows[(rows["order"] == FILE) & ~rows["dataset"].isin(MANY)]
    printed = get_table(PAPER, "table2a").rows.pivot_table("value", "dataset", "setting", sort=False)
    known = rows[rows["dataset"].isin(printed.index)].set_index("dataset")["average_precision"]
    if len(known):
        spans = printed.loc[known.index, list(RIVALS)].agg(["min", "max"], axis=1)
        beyond = ~known.between(spans["min"], spans["max"])
        pairs = ", ".join(
            f"{name} {value:.4f} (printed {spans['min'][name]:.4f} to {spans['max'][name]:.4f})"
            for name, value in known.items()
        )
        yield Finding(
            f"On the other data sets the order of the file is none of the three: it lies beyond them on "
            f"{beyond.sum()} of {len(known)}",
            f"Average precision in the order of the file: {pairs}.",
        )


QUESTION = Question.of(
    __name__,
    id="elc_rivals",
    papers=(PAPER,),
    title="Did MIFS, CMFS and LLSF rank the features?",
    asks="On genbase three methods have nearly the same five numbers, far below ELC's, and on emotions MIFS and LLSF "
    "are far below what they reach here. Are their numbers those of an order that has nothing to do with them?",
    how="ML-kNN on the raw features, five folds, a tenth to nine tenths of the features, all as for Table 2, in three "
    "orders: that of the file; a random one, drawn anew for each fold; and that of LLSF on features of mean 0 and "
    f"standard deviation 1 with beta = {BETA:g} (on data sets of less than {MANY_FEATURES} features).",
    datasets=("emotions", "yeast", "birds", "enron", "genbase"),
    tables={"means": COLUMNS},
    repeats=5,
    order=2.5,
)
