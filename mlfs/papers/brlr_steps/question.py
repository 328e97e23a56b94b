"""Which logistic regression, on which columns, gives the losses that Lee & Kim print?

Their programs were written in MATLAB. Its `glmfit` stops after a hundred steps where features separate a label, and its
`glmval` gives all log-odds beyond ±36 the same probability: labels tie, and a tie is a wrong pair of the ranking loss.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from mlfs.datasets import Dataset
from mlfs.encoding import dense
from mlfs.evaluation import get_protocol
from mlfs.evaluation.protocols import Protocol, configured_selector
from mlfs.evaluation.splits import Split
from mlfs.information import discretize
from mlfs.metrics import hamming_loss, ranking_loss
from mlfs.papers.brlr_steps.fisher_scoring import BOUND, STEPS, log_odds
from mlfs.papers.closeness import difference_of_means
from mlfs.papers.findings import Finding
from mlfs.papers.lee_kim_2016.experiments import OTHERS, PAPER, published_y
from mlfs.papers.paper import get_table
from mlfs.papers.published_vs_measured_tables import rounding
from mlfs.papers.question import Question, RunContext, Tables
from mlfs.wording import count

ALL = "all_features"
SETTINGS = (ALL, "els", *OTHERS)
#: Where more columns than these vary, all features are left out: a hundred steps would take hours.
MANY_COLUMNS = 200
#: Metric → the table that prints it.
TABLES = {"hamming_loss": "table5", "ranking_loss": "table6"}
FOUND, NOT_CUT, LEFT_OUT, RAW = "as found", "log-odds not cut", "rows without a label left out", "raw features"
COLUMNS = ("dataset", "reading", "setting", "repeat", *TABLES)


def measure(ds: Dataset, context: RunContext) -> Tables:
    """Losses of each setting by each reading, on so many random splits of the paper's protocol."""
    protocol = get_protocol(PAPER, repeats=context.repeats)
    binned = discretize(ds.X, 2, "equal_width")
    columns = dense(binned)
    varying = int((columns.min(axis=0) < columns.max(axis=0)).sum())
    settings = SETTINGS if varying <= MANY_COLUMNS else SETTINGS[1:]
    is_numeric = len(np.unique(dense(ds.X))) > 2
    splits, rows = list(protocol.splits(ds)), list[dict[str, object]]()
    for repeat, split in enumerate(splits):
        for place, setting in enumerate(settings):
            context.step(repeat * len(settings) + place, len(splits) * len(settings), f"{ds.name}: {setting}")
            features = first_features(ds, setting, protocol, split, repeat)
            about = {"dataset": ds.name, "setting": setting, "repeat": repeat}
            train, test = split
            odds = log_odds(binned[train][:, features], ds.Y[train], binned[test][:, features])
            rows += [{**about, **row} for row in losses_by_reading(ds.Y[test], odds)]
            if is_numeric:
                odds = log_odds(ds.X[train][:, features], ds.Y[train], ds.X[test][:, features])
                [raw] = [row for row in losses_by_reading(ds.Y[test], odds) if row["reading"] == FOUND]
                rows.append({**about, **raw, "reading": RAW})
    return {"losses": pd.DataFrame(rows, columns=list(COLUMNS))}


def first_features(ds: Dataset, setting: str, protocol: Protocol, split: Split, repeat: int) -> np.ndarray:
    """All features, or the first fifty by a method, on the training rows."""
    if setting == ALL:
        return np.arange(ds.X.shape[1])
    choice = ("els", {"n_labels": published_y(ds.name)}) if setting == "els" else setting
    selector = configured_selector(choice, protocol, ds, repeat=repeat)
    train, _ = split
    return selector.fit(ds.X[train], ds.Y[train]).ranking_[: max(protocol.sizes_for(ds.X.shape[1]))]


def losses_by_reading(Y: np.ndarray, odds: np.ndarray) -> Iterator[dict[str, object]]:
    """What the same log-odds give by each reading of the losses."""
    cut, wrong = np.clip(odds, -BOUND, BOUND), hamming_loss(Y, odds > 0)
    for reading, scores, empty in ((FOUND, cut, "keep"), (NOT_CUT, odds, "keep"), (LEFT_OUT, cut, "drop")):
        yield {"reading": reading, "hamming_loss": wrong, "ranking_loss": ranking_loss(Y, scores, empty=empty)}


# reading


def given(tables: Tables, reading: str = FOUND) -> pd.DataFrame:
    """The numbers of Tables 5 and 6 as a reading gives them, beside what is printed.

    Columns: result, metric, dataset, setting, published, text (as printed), measured (the mean over the splits), low
    and high (as far as the mean of the paper's own splits may be from it by chance).
    """
    rows, parts = tables["losses"], []
    rows = rows[rows["reading"] == reading]
    for metric, result in TABLES.items():
        ours = rows.groupby(["dataset", "setting"], sort=False)[metric].agg(["mean", "std", "size"]).reset_index()
        printed = get_table(PAPER, result).rows[["dataset", "setting", "value", "text"]]
        both = printed.rename(columns={"value": "published"}).merge(ours, on=["dataset", "setting"])
        apart = difference_of_means(PAPER, both["std"], both["size"]).fillna(0.0)
        means = {"measured": both["mean"], "low": both["mean"] - apart, "high": both["mean"] + apart}
        parts.append(both[["dataset", "setting", "published", "text"]].assign(result=result, metric=metric, **means))
    return pd.concat(parts, ignore_index=True)


def explains(tables: Tables, paper: str) -> pd.DataFrame:
    """What the reading that was found gives."""
    return given(tables)[["result", "metric", "dataset", "setting", "low", "high"]]


def reached(numbers: pd.DataFrame) -> pd.Series:
    """Which printed numbers are, but for their rounding, no farther away than chance allows."""
    digits = numbers["text"].map(rounding)
    return numbers["published"].between(numbers["low"] - digits, numbers["high"] + digits)


def word(tables: Tables, paper: str) -> list[Finding]:
    """How many numbers each reading gives, and what the ranking losses are with and without ties."""
    numbers = given(tables)
    if numbers.empty:
        return []
    by_dataset = reached(numbers).groupby(numbers["dataset"], sort=False).agg(["sum", "size"])
    shares = ", ".join(f"{row.Index} {row.sum} of {row.size}" for row in by_dataset.itertuples(name="Row"))
    claims = [
        Finding(
            f"MATLAB's logistic regression gives {reached(numbers).sum()} of {count(len(numbers), 'number')} of "
            "Tables 5 and 6",
            f"So many are no farther away than chance allows: {shares}.",
        )
    ]
    others = [name for name in (NOT_CUT, LEFT_OUT, RAW) if name in set(tables["losses"]["reading"])]
    changes = []
    for reading in others:
        changed = given(tables, reading)
        same = numbers.merge(changed[["result", "dataset", "setting"]], on=["result", "dataset", "setting"])
        changes.append((reading, reached(changed).sum(), reached(same).sum(), len(changed)))
    if changes:
        fewer = sum(with_it < without for _, with_it, without, _ in changes)
        pairs = "; ".join(
            f"with {name}, {ours} of {size} instead of {unchanged}" for name, ours, unchanged, size in changes
        )
        claims.append(
            Finding(f"{fewer} of {count(len(changes), 'change')} to it give fewer", f"{pairs[0].upper()}{pairs[1:]}.")
        )
    ranking = numbers[numbers["metric"] == "ranking_loss"]
    untied = given(tables, NOT_CUT).query("metric == 'ranking_loss'").set_index(["dataset", "setting"])["measured"]
    middle = ranking.groupby("dataset", sort=False)[["published", "measured"]].median()
    middle["untied"] = untied.groupby("dataset").median()
    apart = middle.sub(middle["published"], axis=0).abs()
    parts = [f"{row.Index} {row.published:.3f} | {row.measured:.3f} | {row.untied:.3f}" for row in middle.itertuples()]
    claims.append(
        Finding(
            "With log-odds cut, so that labels tie, the ranking loss comes nearer to the printed one on "
            f"{(apart['measured'] < apart['untied']).sum()} of {count(len(middle), 'data set')}",
            f"Median of the methods, printed | as found | not cut: {', '.join(parts)}.",
        )
    )
    return claims


QUESTION = Question.of(
    __name__,
    id="brlr_steps",
    papers=(PAPER,),
    title="Which logistic regression gives the printed losses?",
    asks="The ranking losses that the paper prints for corel5k are far above ours, and so are its Hamming losses on "
    "yeast. Its programs were written in MATLAB: does the logistic regression that comes with it give its numbers?",
    how=f"As found: Fisher scoring without penalty, at most {STEPS} steps, dependent columns dropped; log-odds beyond "
    f"±{BOUND:.0f} become one probability, so that labels tie, and a tie is wrong; numeric features are cut into two "
    "bins for the classifier too; rows without a label count 0 in the ranking loss. Each other reading differs from it "
    f"in one thing. All features are left out where more than {MANY_COLUMNS} of them vary.",
    datasets=("yeast", "genbase", "enron", "llog", "corel5k"),
    tables={"losses": COLUMNS},
    repeats=10,
    order=1.7,
)
