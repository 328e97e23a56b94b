"""What Sechidis et al. say of criteria on labelsets without drawing it: do our curves say the same?

Two sentences of the paper have no figure: on scene CMI-BR and CMI-LP do not differ significantly, and with labels taken
as one labelset CMI, JMI and MIM compare as they do with labels one by one.
"""

from __future__ import annotations

import pandas as pd
from scipy.stats import ttest_1samp

from mlfs.datasets import Dataset
from mlfs.papers.findings import Finding, percent_of_sizes
from mlfs.papers.question import Question, RunContext, Tables
from mlfs.papers.sechidis_2014.experiments import PAPER
from mlfs.results import setting_title
from mlfs.studies import MethodGrid, Plan
from mlfs.wording import count

CRITERIA = ("cmi", "jmi", "mim")
TRANSFORMATIONS = ("br", "lp")
SETTINGS = tuple(f"{criterion}_{labels}" for labels in TRANSFORMATIONS for criterion in CRITERIA)
METRICS = {"hamming_loss": "Hamming loss", "ranking_loss": "ranking loss"}
#: Close where the curves bend; data sets with fewer features end with all of them.
SIZES = (1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 50, 70, 100, 130, 160, 200, 250, 290)
#: Means differ significantly below this p-value, as the paper's intervals of 95% say.
LEVEL = 0.05
COLUMNS = ("dataset", "setting", "repeat", "size", *METRICS)


def measure(ds: Dataset, context: RunContext) -> Tables:
    """Both losses of the six criteria on so many random splits of the paper's protocol."""
    changes = {"repeats": context.repeats, "every_size": False, "sizes": SIZES}
    plan = Plan(f"criteria on labelsets of {ds.name}", (ds.name,), tuple(map(MethodGrid, SETTINGS)), PAPER, changes)
    results, _ = context.study(plan, {ds.name: ds})
    rows = results.rename(columns={"method": "setting"})
    rows = rows.pivot_table("value", ["setting", "repeat", "size"], "metric", sort=False).reset_index()
    return {"losses": rows.assign(dataset=ds.name)[list(COLUMNS)]}


# reading


def leads(tables: Tables, dataset: str, metric: str, ahead: str, behind: str) -> pd.DataFrame:
    """Repeats × sizes: by how much the loss of one criterion is below that of another, on the same split."""
    losses = tables["losses"]
    losses = losses[losses["dataset"] == dataset].pivot_table(metric, ["setting", "repeat"], "size")
    return losses.loc[behind] - losses.loc[ahead]


def significant(lead: pd.DataFrame) -> pd.Series:
    """Size → whether the mean lead over the splits differs from 0, by a paired t-test."""
    p_values = [ttest_1samp(lead[size], 0.0).pvalue if lead[size].any() else 1.0 for size in lead]
    return pd.Series(p_values, lead.columns) < LEVEL


def word(tables: Tables, paper: str) -> list[Finding]:
    """Both sentences of the paper, each beside what was measured."""
    losses = tables["losses"]
    claims = []
    for dataset in losses["dataset"].unique():
        splits = len(set(losses.loc[losses["dataset"] == dataset, "repeat"]))
        if splits > 1:
            claims += [_labels(tables, dataset, splits), *_features(tables, dataset)]
    return claims


def _labels(tables: Tables, dataset: str, splits: int) -> Finding:
    """CMI with labels one by one and as one labelset."""
    counts, parts = [], []
    for metric, name in METRICS.items():
        lead = leads(tables, dataset, metric, "cmi_br", "cmi_lp")
        differs = significant(lead)
        better = int((differs & (lead.mean() > 0)).sum())
        counts.append(f"at {differs.sum()} of {len(differs)} in {name}")
        parts.append(f"in {name} CMI-BR is lower at {better} of them, and by {lead.mean().mean():.4f} on average")
    said = {"scene": "not significantly, the paper says", "yeast": "very marginally, the paper says"}
    return Finding(
        f"On {dataset}, CMI-BR and CMI-LP differ significantly {' and '.join(counts)}",
        f"Of the numbers of features, over {count(splits, 'split')}: {'; '.join(parts)} "
        f"({said.get(dataset, 'the paper has no such data set')}).",
    )


def _features(tables: Tables, dataset: str) -> list[Finding]:
    """JMI beside CMI and MIM, by each transformation of the labels."""
    claims = []
    for metric, name in METRICS.items():
        means = {
            (labels, other): leads(tables, dataset, metric, f"jmi_{labels}", f"{other}_{labels}").mean()
            for labels in TRANSFORMATIONS
            for other in ("cmi", "mim")
        }
        alike = pd.concat([(means["br", other] > 0) == (means["lp", other] > 0) for other in ("cmi", "mim")])
        pairs = [
            f"{setting_title(f'{other}_{labels}')} {means[labels, other].mean():.4f}"
            for labels in TRANSFORMATIONS
            for other in ("cmi", "mim")
        ]
        claims.append(
            Finding(
                f"On {dataset}, labelsets and single labels agree on who is ahead in {name} at "
                f"{percent_of_sizes(alike)} of the numbers of features",
                f"The paper says that results on labelsets are similar. JMI is ahead, on average over the numbers of "
                f"features, of {', '.join(pairs)}.",
            )
        )
    return claims


QUESTION = Question.of(
    __name__,
    id="labelset_criteria",
    papers=(PAPER,),
    title="Do the criteria on labelsets behave as the paper says?",
    asks="The paper draws CMI-LP on yeast only, and JMI-LP and MIM-LP nowhere. It says that CMI-BR and CMI-LP do not "
    "differ significantly on scene, and that CMI, JMI and MIM compare on labelsets as on single labels.",
    how="The six criteria by the protocol of the figures (half of the rows train, ML-kNN with k = 7, five equal-width "
    f"bins) at {len(SIZES)} numbers of features from {SIZES[0]} to {SIZES[-1]}, each on the same random splits; means "
    "are compared by paired t-tests at 5%.",
    datasets=("yeast", "scene"),
    tables={"losses": COLUMNS},
    repeats=10,
    order=3.5,
)
