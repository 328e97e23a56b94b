"""Does MATLAB's logistic regression give the losses that Lee & Kim print for all features?

With about as many features as rows every label is separated: `glmfit` goes on for a hundred steps, and on test rows its
log-odds are large and often wrong. A fit that converges under a small penalty, as ours does, is far better.
"""

from __future__ import annotations

import pandas as pd

from mlfs.datasets import Dataset
from mlfs.evaluation import get_protocol
from mlfs.information import discretize
from mlfs.metrics import quantity
from mlfs.papers.brlr_steps.fisher_scoring import BOUND, STEPS, log_odds
from mlfs.papers.brlr_steps.question import ALL, COLUMNS, FOUND, NOT_CUT, TABLES, explains, given, losses_by_reading
from mlfs.papers.findings import Finding
from mlfs.papers.lee_kim_2016.experiments import PAPER
from mlfs.papers.question import Question, RunContext, Tables
from mlfs.papers.stored_runs import stored_rows
from mlfs.wording import count, in_sentence


def measure(ds: Dataset, context: RunContext) -> Tables:
    """Losses with all features by each reading, on so many random splits of the paper's protocol."""
    protocol = get_protocol(PAPER, repeats=context.repeats)
    binned = discretize(ds.X, 2, "equal_width")
    splits, rows = list(protocol.splits(ds)), list[dict[str, object]]()
    for repeat, (train, test) in enumerate(splits):
        context.step(repeat, len(splits), f"{ds.name}: split {repeat + 1}")
        odds = log_odds(binned[train], ds.Y[train], binned[test])
        about = {"dataset": ds.name, "setting": ALL, "repeat": repeat}
        rows += [{**about, **row} for row in losses_by_reading(ds.Y[test], odds)]
    return {"losses": pd.DataFrame(rows, columns=list(COLUMNS))}


def word(tables: Tables, paper: str) -> list[Finding]:
    """Each loss as it is printed, by this fit, and by one that converges."""
    cut, not_cut = (given(tables, reading) for reading in (FOUND, NOT_CUT))
    claims = []
    for metric, result in TABLES.items():
        ours = stored_rows(PAPER, result)
        ours = ours[ours["setting"] == ALL].set_index("dataset")["value"]
        uncut = not_cut[not_cut["metric"] == metric].set_index("dataset")["measured"]
        rows = cut[cut["metric"] == metric].set_index("dataset")[["published", "measured"]]
        table = rows.assign(uncut=uncut, ours=ours)
        parts = [f"{dataset} {' | '.join(f'{value:.3f}' for value in row)}" for dataset, row in table.iterrows()]
        if parts:
            apart = table.sub(table["published"], axis=0).abs()
            claims.append(
                Finding(
                    f"MATLAB's steps come nearer to the printed {in_sentence(quantity(metric).title)} than a fit that "
                    "converges on "
                    f"{(apart['measured'] < apart['ours']).sum()} of {count(len(table), 'data set')}",
                    "With all features, printed | by MATLAB's steps | log-odds not cut | by a fit that converges: "
                    f"{', '.join(parts)}.",
                )
            )
    return claims


QUESTION = Question.of(
    __name__,
    id="brlr_all_features",
    papers=(PAPER,),
    title="Which logistic regression gives the printed losses with all features?",
    asks="With all features the paper prints losses far larger than ours. Does the logistic regression of MATLAB, "
    "which gives many of its losses with fifty features, give these too?",
    how=f"As found for fifty features: Fisher scoring without penalty, at most {STEPS} steps, dependent columns "
    f"dropped, log-odds beyond ±{BOUND:.0f} tied; now with all features. Each step is a QR decomposition for each "
    "label, which is slow: bibtex, with as many features and five times the rows, was not run.",
    datasets=("enron", "llog"),
    tables={"losses": COLUMNS},
    repeats=1,
    order=1.8,
    explains=explains,
)
