"""Which classifier, on which columns, gives the losses that Zhou & Guo print for MAPD, ParFS, SCLS and AMI?

The paper names no classifier, no number of bins, no scaling, and not how many features SCLS and AMI select. One reading
of all of them gives most of its numbers: the ten nearest rows by cosine vote, and the label columns are among the
columns that tell which rows are near. Beside it stand readings that differ from it in one thing each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from math import ceil
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from mlfs.classifiers import MLkNN
from mlfs.datasets import Dataset
from mlfs.encoding import dense
from mlfs.evaluation import get_protocol, scale
from mlfs.metrics import hamming_loss, subset_accuracy
from mlfs.papers.closeness import deviations
from mlfs.papers.findings import Finding
from mlfs.papers.paper import get_table
from mlfs.papers.question import Question, RunContext, Tables
from mlfs.selectors import make_selector
from mlfs.selectors.specification import parse_method
from mlfs.wording import count

PAPER = "zhou_2023_mapd"
OWN = "mapd:alpha=0.6"
SETTINGS = (OWN, "mapd:alpha=0.7", "mapd:alpha=0.8", "mapd:alpha=0.9", "parfs", "scls", "ami")
METRICS = {"hamming_loss": hamming_loss, "subset_accuracy": subset_accuracy}
#: Metric → the tables that print it: of MAPD for each α, and of all methods.
PRINTED = {"hamming_loss": ("tableII", "tableIV"), "subset_accuracy": ("tableIII", "tableV")}
NEIGHBOURS = 10
#: Of methods that have no natural size: this share of the features, rounded up.
SHARE = 0.1
#: On data sets of more rows only the reading that was found is run.
MANY_ROWS = 3000
COLUMNS = ("dataset", "reading", "setting", "repeat", *METRICS, "n_selected")


@dataclass(frozen=True)
class Reading:
    """One answer to what the paper leaves open.

    Attributes
    ----------
    distance : "cosine" or "euclidean"
    vote : "majority" (more than half of the neighbours), "half" (half are enough) or "mlknn" (Bayes' rule)
    n_bins : of equal width, for the selection
    every_row : whether features are selected once on all rows, those that test included
    beside : whether the label columns stand beside the selected features
    scaling : of the features, as `mlfs.evaluation.scale` takes it
    """

    distance: str = "cosine"
    vote: str = "majority"
    n_bins: int = 10
    every_row: bool = True
    beside: bool = True
    scaling: str = "none"


FOUND = "as found"
READINGS = {
    FOUND: Reading(),
    "Euclidean distances": Reading(distance="euclidean"),
    "half of the neighbours are enough": Reading(vote="half"),
    "ML-kNN": Reading(distance="euclidean", vote="mlknn"),
    "five bins": Reading(n_bins=5),
    "features scaled to [0, 1]": Reading(scaling="unit"),
    "selected on the training rows": Reading(every_row=False),
    "without the label columns": Reading(beside=False),
}


def measure(ds: Dataset, context: RunContext) -> Tables:
    """Losses of each setting by each reading: as found for all repeats of the folds, by the others for the first."""
    readings = READINGS if len(ds.Y) <= MANY_ROWS else {FOUND: READINGS[FOUND]}
    repeats = {name: context.repeats if name == FOUND else 1 for name in readings}
    total, done, rows = sum(repeats.values()) * len(SETTINGS), 0, []

    @cache
    def chosen(setting: str, n_bins: int) -> np.ndarray:
        return _selected(setting, n_bins, ds.X, ds.Y)

    for name, reading in readings.items():
        for repeat in range(repeats[name]):
            for setting in SETTINGS:
                context.step(done, total, f"{ds.name}: {setting}, {name}")
                done += 1
                about = {"dataset": ds.name, "reading": name, "setting": setting, "repeat": repeat}
                rows.append({**about, **_losses(ds, setting, reading, repeat, chosen)})
    return {"losses": pd.DataFrame(rows, columns=list(COLUMNS))}


def _selected(setting: str, n_bins: int, X: Any, Y: np.ndarray) -> np.ndarray:
    """The columns that a method selects: its natural size, or a tenth of the features."""
    method, parameters = parse_method(setting)
    selector = make_selector(method, **parameters, n_bins=n_bins, discretization="equal_width")
    if method in ("scls", "ami"):
        selector.set_params(n_features_to_select=ceil(SHARE * X.shape[1]))
    selector.fit(X, Y)
    return selector.ranking_[: selector.n_selected_]


def _losses(
    ds: Dataset, setting: str, reading: Reading, repeat: int, chosen: Callable[[str, int], np.ndarray]
) -> dict[str, float]:
    """The means over five folds."""
    folds = []
    for train, test in _folds(ds, repeat):
        if reading.every_row:
            features = chosen(setting, reading.n_bins)
        else:
            features = _selected(setting, reading.n_bins, ds.X[train], ds.Y[train])
        # As numbers, categories too: so a file of numbers has them.
        X_train, X_test = scale(ds.X[train][:, features], ds.X[test][:, features], reading.scaling)
        if reading.beside:
            X_train, X_test = with_labels(X_train, ds.Y[train]), with_labels(X_test, ds.Y[test])
        predicted = predict(reading, X_train, ds.Y[train], X_test)
        values = {name: metric(ds.Y[test], predicted) for name, metric in METRICS.items()}
        folds.append({**values, "n_selected": len(features)})
    return pd.DataFrame(folds).mean().to_dict()


def _folds(ds: Dataset, repeat: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The five folds of one repeat."""
    protocol = get_protocol(PAPER, repeats=repeat + 1)
    return iter(list(protocol.splits(ds))[-protocol.folds :])


def with_labels(X: Any, Y: np.ndarray) -> Any:
    """The columns of X with those of Y beside them: the mistake that is looked for."""
    return sparse.hstack([X, Y], format="csr") if sparse.issparse(X) else np.hstack([X, Y])


def predict(reading: Reading, X_train: Any, Y_train: np.ndarray, X_test: Any) -> np.ndarray:
    """(n, q) 0/1 labels of the test rows."""
    if reading.vote == "mlknn":
        return MLkNN(k=NEIGHBOURS).fit(dense(X_train), Y_train).predict(dense(X_test))
    votes = Y_train[nearest_rows(X_train, X_test, reading.distance)].sum(axis=1)
    return (2 * votes > NEIGHBOURS if reading.vote == "majority" else 2 * votes >= NEIGHBOURS).astype(Y_train.dtype)


def nearest_rows(X_train: Any, X_test: Any, distance: str) -> np.ndarray:
    """(n, 10) the nearest training rows of each test row, the lowest first where they are equally near.

    By cosine a row of zeros is as far from each row as one without anything in common.
    """
    products = _product(X_test, X_train)
    of_test, of_train = (np.asarray(_squares(X)) for X in (X_test, X_train))
    if distance == "cosine":
        lengths = np.sqrt(np.outer(of_test, of_train))
        apart = -np.divide(products, lengths, out=np.zeros_like(products), where=lengths > 0)
    else:
        apart = of_test[:, None] + of_train - 2 * products
    # What differs by rounding alone is equally near.
    return np.argsort(apart.round(10), axis=1, kind="stable")[:, :NEIGHBOURS]


def _product(first: Any, second: Any) -> np.ndarray:
    return dense(first @ second.T).astype(float)


def _squares(X: Any) -> np.ndarray:
    return np.asarray(X.multiply(X).sum(axis=1)).ravel() if sparse.issparse(X) else np.einsum("ij,ij->i", X, X)


# reading


def given(tables: Tables, reading: str = FOUND, repeats: int | None = None) -> pd.DataFrame:
    """The numbers of the paper's four tables as a reading gives them, beside what is printed.

    Columns: result, metric, dataset, setting, published, text (as printed), measured (the mean over the repeats),
    low and high (the least and the largest of them), n_selected.
    """
    rows = tables["losses"]
    rows = rows[rows["reading"] == reading]
    rows = rows if repeats is None else rows[rows["repeat"] < repeats]
    parts = []
    for metric, (of_alpha, of_methods) in PRINTED.items():
        groups = rows.groupby(["dataset", "setting"], sort=False)
        ours = groups[metric].agg(measured="mean", low="min", high="max").assign(n_selected=groups["n_selected"].mean())
        ours = ours.reset_index()
        named = ours.assign(setting=ours["setting"].replace({OWN: "mapd"}))
        for result, numbers in ((of_alpha, ours), (of_methods, named)):
            printed = get_table(PAPER, result).rows[["dataset", "setting", "value", "text"]]
            printed = printed.rename(columns={"value": "published"})
            parts.append(printed.merge(numbers, on=["dataset", "setting"]).assign(result=result, metric=metric))
    return pd.concat(parts, ignore_index=True)


def explains(tables: Tables, paper: str) -> pd.DataFrame:
    """What the reading that was found gives, from the least to the largest of its repeats."""
    return given(tables)[["result", "metric", "dataset", "setting", "low", "high"]]


def apart(numbers: pd.DataFrame) -> pd.Series:
    """How far the numbers lie from the printed ones, as multiples of the printed deviation or of their rounding."""
    return deviations(numbers["measured"] - numbers["published"], numbers["text"])


def reached(numbers: pd.DataFrame) -> pd.Series:
    """Which numbers lie no farther from the printed ones than the printed deviation, or their rounding."""
    return apart(numbers) <= 1


def distances(tables: Tables) -> pd.DataFrame:
    """How near each reading comes, on the first repeat of the data sets that all of them have.

    Columns: reading, within (how many numbers lie within the printed deviation), numbers, factor (the median of how
    many times the Hamming loss is larger or smaller than the printed one).
    """
    rows, readings = tables["losses"], []
    every = [set(part["dataset"]) for _, part in rows.groupby("reading", sort=False)]
    shared = set.intersection(*every) if every else set()
    for reading in rows["reading"].unique():
        numbers = given({"losses": rows[rows["dataset"].isin(shared)]}, reading, 1)
        losses = numbers[numbers["metric"] == "hamming_loss"]
        with np.errstate(divide="ignore"):
            factor = float(np.exp(np.abs(np.log(losses["measured"] / losses["published"]))).median())
        within = int(reached(numbers).sum())
        readings.append({"reading": reading, "within": within, "numbers": len(numbers), "factor": factor})
    return pd.DataFrame(readings, columns=["reading", "within", "numbers", "factor"])


def word(tables: Tables, paper: str) -> list[Finding]:
    """How many numbers the reading gives, where it does not, and how near the others come."""
    numbers = given(tables)
    if numbers.empty:
        return []
    near, twice = reached(numbers), apart(numbers) <= 2
    between = (numbers["low"] <= numbers["published"]) & (numbers["published"] <= numbers["high"])
    by_dataset = near.groupby(numbers["dataset"], sort=False).agg(["sum", "size"])
    shares = ", ".join(f"{row.Index} {row.sum} of {row.size}" for row in by_dataset.itertuples(name="Row"))
    claims = [
        Finding(
            f"Ten neighbours by cosine that see the labels give {near.sum()} of {count(len(numbers), 'number')}",
            f"So many lie within the printed deviation, {int((near | between).sum())} with those that lie between two "
            f"of our repeats, and {twice.sum()} within twice the deviation. Within it, by data set: {shares}.",
        )
    ]
    of_mapd = numbers[(numbers["result"] == "tableIV") & (numbers["setting"] == "mapd")]
    pairs = ", ".join(f"{row.dataset} {row.published:.4f} | {row.measured:.4f}" for row in of_mapd.itertuples())
    farthest = (of_mapd["measured"] - of_mapd["published"]).abs().max()
    claims.append(
        Finding(
            f"MAPD's Hamming loss with α = 0.6 is at most {farthest:.4f} from the printed one",
            f"Printed | measured: {pairs}.",
        )
    )
    table = distances(tables)
    others = ", ".join(f"{row.reading} {row.within} ({row.factor:.3g})" for row in table.itertuples())
    most = table.loc[table["within"].idxmax(), "reading"]
    claims.append(
        Finding(
            f"Changing one thing gives {table['within'].min()} to {table['within'].max()} of "
            f"{count(int(table['numbers'].max()), 'number')}; the most: {most}",
            "On the data sets that all readings have, so many lie within the printed deviation (and the Hamming loss "
            f"is off by this factor, as a median): {others}.",
        )
    )
    far = numbers[~near & ~between & ~twice].groupby("dataset", sort=False).size()
    if len(far):
        claims.append(
            Finding(
                f"{count(far.sum(), 'number')} lie{'s' * (int(far.sum()) == 1)} farther away than twice the deviation",
                f"By data set: {', '.join(f'{name} {size}' for name, size in far.items())}.",
            )
        )
    return claims


QUESTION = Question.of(
    __name__,
    id="mapd_classifier",
    papers=(PAPER,),
    title="Which classifier gives the printed losses?",
    asks="The paper names no classifier, and its losses look as if labels had been left among the features. Which "
    "classifier, which distances and which selection give its very numbers, for all four methods?",
    how="As found: features are cut into ten bins of equal width and selected once, on all rows; SCLS and AMI select a "
    "tenth of the features; the label columns are left beside what was selected; nothing is scaled; the ten nearest "
    "rows by cosine vote, and a label is predicted where more than half of them have it; five times five folds. Each "
    "other reading differs from it in one thing (ML-kNN in distance and vote), on the first five folds.",
    datasets=get_table(PAPER, "tableII").datasets,
    tables={"losses": COLUMNS},
    repeats=5,
    order=1.5,
)
