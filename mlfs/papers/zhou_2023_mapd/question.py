"""Can MAPD's published losses be reached, and what happens when the label columns are left among the features?

Zhou & Guo print Hamming losses that are smaller by a factor of ten and more than anything these data sets are known
for. A table of a data set often holds features and labels side by side; whoever forgets to take the labels out gives
the classifier the answers. That can happen in two places: before the selection, so that MAPD chooses among labels
too, or after it, so that the classifier sees all labels beside the features that MAPD chose.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
from scipy import sparse

from mlfs.datasets import Dataset
from mlfs.evaluation import get_protocol, loss_curve, scale
from mlfs.papers.findings import Finding
from mlfs.papers.published import published
from mlfs.papers.question import Question, RunContext, Tables, renamed
from mlfs.results import parameter_values
from mlfs.studies import MethodGrid, Plan
from mlfs.wording import count, sentence_case

PAPER = "zhou_2023_mapd"
ALPHAS = (0.6, 0.7, 0.8, 0.9)
#: The paper does not say how its features were scaled.
SCALINGS = ("none", "unit")
#: Metric → the table of the paper that prints it for each α.
PRINTED = {"hamming_loss": "tableII", "subset_accuracy": "tableIII"}
HONEST, CANDIDATES, BESIDE = "honest", "candidates", "beside"
#: Where the label columns are.
WAYS = {
    HONEST: "the features alone",
    CANDIDATES: "labels among the candidates",
    BESIDE: "labels beside the selected features",
}
#: The same as the columns of a table are headed, so that all of them fit a screen.
SHORT_WAYS = {HONEST: "features alone", CANDIDATES: "labels as candidates", BESIDE: "labels beside"}
COLUMNS = (
    "dataset",
    "way",
    "scaling",
    "alpha",
    "repeat",
    "hamming_loss",
    "subset_accuracy",
    "n_selected",
    "n_labels_selected",
)


def with_label_columns(ds: Dataset) -> Dataset:
    """The data set with its labels as further features, in training and test rows alike: a mistake, made on purpose."""
    beside = sparse.hstack([ds.X, ds.Y], format="csr") if sparse.issparse(ds.X) else np.hstack([ds.X, ds.Y])
    names = [*ds.feature_names, *(f"label {name}" for name in ds.label_names)]
    note = "The label columns are among the features on purpose: see the question on MAPD's published losses."
    return replace(
        ds, X=beside, feature_names=names, name=f"{ds.name} with its labels as features", notes=[*ds.notes, note]
    )


def measure(ds: Dataset, context: RunContext) -> Tables:
    """MAPD by the paper's protocol: on the features, and with the label columns in either wrong place."""
    leaky, parts = with_label_columns(ds), []
    for scaling in SCALINGS:
        for way, given in ((HONEST, ds), (CANDIDATES, leaky)):
            results, rankings = _study(given, scaling, context)
            parts.append(_rows(results, rankings, ds.X.shape[1]).assign(way=way, scaling=scaling))
            if way == HONEST:
                parts.append(_beside(leaky, rankings, scaling, context).assign(way=BESIDE, scaling=scaling))
    return {"losses": pd.concat(parts, ignore_index=True).assign(dataset=ds.name)[list(COLUMNS)]}


def _study(ds: Dataset, scaling: str, context: RunContext) -> tuple[pd.DataFrame, pd.DataFrame]:
    methods = (MethodGrid("mapd", grid={"alpha": ALPHAS}),)
    settings = {"repeats": context.repeats, "scaling": scaling}
    plan = Plan(f"MAPD on {ds.name}, scaling {scaling}", (ds.name,), methods, PAPER, settings)
    return renamed(context, ds.name).study(plan, {ds.name: ds})


def _rows(results: pd.DataFrame, rankings: pd.DataFrame, n_features: int) -> pd.DataFrame:
    """One row for each α and split; which of the selected columns are labels is known by their place."""
    results, rankings = (table.assign(alpha=parameter_values(table, "alpha")) for table in (results, rankings))
    chosen = [
        int(np.count_nonzero(ranking[:size] >= n_features))
        for ranking, size in zip(rankings["ranking"], rankings["n_selected"], strict=True)
    ]
    counts = rankings.assign(n_labels_selected=chosen)[["alpha", "repeat", "n_selected", "n_labels_selected"]]
    losses = results.pivot_table("value", ["alpha", "repeat"], "metric")[list(PRINTED)].reset_index()
    return losses.rename_axis(columns=None).merge(counts, on=["alpha", "repeat"]).astype({"alpha": float})


def _beside(leaky: Dataset, rankings: pd.DataFrame, scaling: str, context: RunContext) -> pd.DataFrame:
    """The classifier's losses with the honestly selected features and all label columns beside them."""
    columns, owner = leaky.one_hot()
    q, d = leaky.Y.shape[1], leaky.X.shape[1]
    splits = list(get_protocol(PAPER, repeats=context.repeats).splits(leaky))
    alphas, rows = parameter_values(rankings, "alpha"), []
    for done, (row, alpha) in enumerate(zip(rankings.to_dict("records"), alphas, strict=True)):
        context.step(done, len(rankings), f"{leaky.name}: labels beside the selected, split {row['repeat'] + 1}")
        train, test = splits[row["repeat"]]
        size = int(row["n_selected"])
        given = np.concatenate([row["ranking"][:size], np.arange(d - q, d)])
        X_train, X_test = scale(columns[train], columns[test], scaling)
        losses = loss_curve(
            X_train, leaky.Y[train], X_test, leaky.Y[test], given, [len(given)], metrics=tuple(PRINTED), owner=owner
        )
        about = {"alpha": float(alpha), "repeat": row["repeat"], "n_selected": size, "n_labels_selected": 0}
        rows.append({**about, **{metric: float(losses[metric].iloc[0]) for metric in PRINTED}})
    return pd.DataFrame(rows)


# reading


def summary(tables: Tables) -> pd.DataFrame:
    """One row per data set, α, scaling and metric: what is printed, and what comes out each way.

    Columns: dataset, alpha, scaling, metric, published, published_std, then of each of `WAYS` the mean and, ending in
    ``_std``, the standard deviation over splits; n_selected, and for "candidates" n_selected_candidates and
    n_labels_selected, means too.
    """
    where = ["dataset", "alpha", "scaling"]
    numbers, parts = [*PRINTED, "n_selected", "n_labels_selected"], []
    mean = tables["losses"].pivot_table(numbers, where, "way", "mean", sort=False)
    # A single split has no deviation, and pandas would leave its columns out.
    std = tables["losses"].pivot_table(numbers, where, "way", "std", sort=False).reindex_like(mean)
    for metric in PRINTED:
        ways = {way: mean[metric][way] for way in WAYS} | {f"{way}_std": std[metric][way] for way in WAYS}
        parts.append(pd.DataFrame(ways).assign(metric=metric))
        parts[-1]["n_selected"] = mean["n_selected"][HONEST]
        parts[-1]["n_selected_candidates"] = mean["n_selected"][CANDIDATES]
        parts[-1]["n_labels_selected"] = mean["n_labels_selected"][CANDIDATES]
    table = pd.concat(parts).reset_index().merge(_printed(), how="left", on=["dataset", "alpha", "metric"])
    between = [name for way in WAYS for name in (way, f"{way}_std")]
    counts = ["n_selected", "n_selected_candidates", "n_labels_selected"]
    return table[[*where, "metric", "published", "published_std", *between, *counts]]


def _printed() -> pd.DataFrame:
    """What the paper prints, with its standard deviation: columns dataset, alpha, metric, published, published_std."""
    rows = pd.concat([published(PAPER, table) for table in PRINTED.values()], ignore_index=True)
    rows["alpha"] = parameter_values(rows, "alpha").astype(float)
    rows = rows.rename(columns={"value": "published", "std": "published_std"})
    return rows[["dataset", "alpha", "metric", "published", "published_std"]]


def distances(tables: Tables, by: tuple[str, ...] = ("way", "scaling"), metric: str = "hamming_loss") -> pd.DataFrame:
    """How far the measured values are from the printed ones, one row for each combination of the columns `by`.

    Columns: those of `by` (of way, scaling, dataset, alpha), factor (the median of how many times the measured value
    is larger or smaller than the printed one) and cells (how many values that is the median of).
    """
    rows = summary(tables)
    rows = rows[(rows["metric"] == metric) & rows["published"].notna()]
    ours = rows.melt(["dataset", "alpha", "scaling", "published"], list(WAYS), "way", "value")
    with np.errstate(divide="ignore"):
        ours["factor"] = np.exp(np.abs(np.log(ours["value"] / ours["published"])))
    groups = ours.groupby(list(by), sort=False)["factor"]
    return groups.agg(["median", "size"]).rename(columns={"median": "factor", "size": "cells"}).reset_index()


def word(tables: Tables, paper: str) -> list[Finding]:
    """How far the honest losses are from the printed ones, and which mistake comes nearest to them."""
    rows = summary(tables).dropna(subset=["published"])
    losses = rows[rows["metric"] == "hamming_loss"]
    if losses.empty:
        return []
    ratio = (losses["honest"] / losses["published"]).groupby(losses["dataset"], sort=False).median()
    claims = [
        Finding(
            "From the features alone, MAPD's Hamming loss is within 10% of the printed one on "
            f"{ratio.between(0.9, 1.1).sum()} of {count(len(ratio), 'data set')}",
            "As the median over α and scalings, it is this many times the printed one: "
            f"{', '.join(f'{name} {value:.3g}' for name, value in ratio.items())}.",
        )
    ]
    table = distances(tables).sort_values("factor", kind="stable")
    factors = [f"{WAYS[row.way]} ({_SCALED[row.scaling]}) {row.factor:.3g}" for row in table.itertuples()]
    best = table.iloc[0]
    claims.append(
        Finding(
            f"Of the three ways, {WAYS[best['way']]} come nearest to the printed losses",
            "Factor between the measured and the printed Hamming loss, up or down, as the median over data sets and α, "
            f"the nearest first: {', '.join(factors)}.",
        )
    )
    nearest = distances(tables, ("dataset", "way")).sort_values("factor", kind="stable").drop_duplicates("dataset")
    nearest = nearest.set_index("dataset").loc[ratio.index]
    pairs = [f"{name} {WAYS[row.way]} ({row.factor:.3g})" for name, row in nearest.iterrows()]
    claims.append(
        Finding(
            f"{sentence_case(WAYS[best['way']])} are nearest on {(nearest['way'] == best['way']).sum()} of "
            f"{count(len(nearest), 'data set')}",
            f"By data set, the nearest way and its factor: {'; '.join(pairs)}.",
        )
    )
    near = losses[(losses["scaling"] == best["scaling"]) & (losses["alpha"] == losses["alpha"].min())]
    alpha = near["alpha"].iloc[0]
    pairs = [f"{row.dataset} {row.published:.4f} | {getattr(row, best['way']):.4f}" for row in near.itertuples()]
    factor = near[best["way"]] / near["published"]
    claims.append(
        Finding(
            f"With {WAYS[best['way']]} and α = {alpha:g}, the losses are within a factor of 2 of the printed ones on "
            f"{factor.between(0.5, 2).sum()} of {count(len(near), 'data set')}",
            f"Printed | measured: {'; '.join(pairs)}.",
        )
    )
    labels = near["n_labels_selected"].sum() / near["n_selected_candidates"].sum()
    claims.append(
        Finding(
            f"With α = {alpha:g} MAPD selects {near['n_selected'].min():.1f} to {near['n_selected'].max():.1f} "
            "features on average",
            f"Where labels are among the candidates, {labels:.0%} of the columns it selects are labels.",
        )
    )
    return claims


_SCALED = {"none": "raw features", "unit": "features scaled to [0, 1]"}


QUESTION = Question.of(
    __name__,
    id="label_columns",
    papers=(PAPER,),
    title="Were the labels left among the features?",
    asks="The printed losses of MAPD are lower by a factor of ten and more than what others report for some of these "
    "data sets. Can they be reached from the features?",
    how="MAPD with the paper's four values of α, five folds, ML-kNN and five equal-width bins, on raw features and on "
    "features scaled to [0, 1], three ways: from the features alone; with the label columns among the candidates that "
    "MAPD selects from; and with all label columns left beside the features that MAPD selected without them. The label "
    "columns of test rows are there too, which is the mistake.",
    datasets=("emotions", "yeast", "scene", "birds", "genbase", "medical", "enron"),
    tables={"losses": COLUMNS},
    order=1,
)
