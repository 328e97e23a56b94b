"""How much do discretisation and feature scaling move the ranking of methods?

The papers discretise in two, or in five bins, of equal width or of equal frequency, and one of them scales its
features without saying so. If another choice turns the order of the methods round, a table says as much about the
choice as about the methods. How much the order moves between random splits is the scale to hold against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import kendalltau

from mlfs.datasets import Dataset
from mlfs.evaluation import get_protocol
from mlfs.metrics import jaccard, quantity
from mlfs.papers.findings import Finding
from mlfs.papers.question import Question, RunContext, Tables, renamed, shown_datasets
from mlfs.results import parameter_values, setting_title
from mlfs.studies import MethodGrid, Plan
from mlfs.wording import in_sentence

PAPERS = ("lee_kim_2016", "sechidis_2014", "zhang_2020_grro")
KINDS = ("equal_width", "equal_frequency")
SCALED = ("none", "z_score", "unit")
#: What a paper did → what is nearest to it of what varies here.
NEAREST = {"equal_frequency_strict": "equal_frequency", "unit_parts": "unit"}
BINS = tuple(range(2, 11))
#: Methods that look at discretised features only.
METHODS = ("els", "fimf", "mim_br", "jmi_br", "mdmr", "pmu", "scls", "ami")
#: Beside them, for the scaling, methods that look at the numbers themselves.
RAW_METHODS = ("br_cc", "mfs", "llsf")
METRICS = ("hamming_loss", "ranking_loss")
#: Overlap is that of the first so many features.
OVERLAP_SIZE = 20
#: The classifier's scaling while the discretisation varies: no feature counts more for its unit.
FIXED_SCALING = "unit"
DISCRETISATION, SCALING = "discretisation", "scaling"
LOSSES = ("dataset", "part", "choice", "method", "repeat", *METRICS)
OVERLAP = ("dataset", "choice", "method", "reference", "overlap")


def choice_of(discretization: str, n_bins: int) -> str:
    """
    >>> choice_of("equal_width", 5)
    'equal_width 5'
    """
    return f"{discretization} {n_bins}"


CHOICES = {
    DISCRETISATION: tuple(choice_of(kind, bins) for kind in KINDS for bins in BINS),
    SCALING: SCALED,
}


def reference_of(paper: str, part: str) -> str:
    """What the paper itself chose, or what is nearest to it.

    >>> reference_of("lee_kim_2016", "discretisation"), reference_of("zhang_2020_grro", "scaling")
    ('equal_width 2', 'unit')
    """
    protocol = get_protocol(paper)
    if part == SCALING:
        return NEAREST.get(protocol.scaling, protocol.scaling)
    kind, bins = (protocol.selector_parameters[name] for name in ("discretization", "n_bins"))
    return choice_of(NEAREST.get(kind, kind), bins)


def measure(ds: Dataset, context: RunContext) -> Tables:
    """Losses of every method with every discretisation and, with the default one, every scaling."""
    grids = tuple(MethodGrid(method, grid={"discretization": KINDS, "n_bins": BINS}) for method in METHODS)
    results, rankings = _study(ds, context, "discretisations", grids, FIXED_SCALING)
    parts = [_means(_with_choice(results), DISCRETISATION)]
    for scaling in SCALED:
        every = tuple(MethodGrid(method) for method in (*METHODS, *RAW_METHODS))
        scaled, _ = _study(ds, context, f"scaling {scaling}", every, scaling)
        parts.append(_means(scaled.assign(choice=scaling), SCALING))
    losses = pd.concat(parts, ignore_index=True).assign(dataset=ds.name)
    return {"losses": losses[list(LOSSES)], "overlap": _overlaps(ds, rankings)}


def _study(
    ds: Dataset, context: RunContext, what: str, methods: Any, scaling: str
) -> tuple[pd.DataFrame, pd.DataFrame]:
    plan = Plan(f"{what} on {ds.name}", (ds.name,), methods, "quick", {"repeats": context.repeats, "scaling": scaling})
    return renamed(context, what).study(plan, {ds.name: ds})


def _with_choice(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows with the discretisation of each in a column."""
    kinds, bins = (parameter_values(rows, name) for name in ("discretization", "n_bins"))
    return rows.assign(choice=[choice_of(*pair) for pair in zip(kinds, bins, strict=True)])


def _means(results: pd.DataFrame, part: str) -> pd.DataFrame:
    """The mean of each curve over its sizes."""
    table = results.pivot_table("value", ["choice", "method", "repeat"], "metric", sort=False)
    return table.rename_axis(columns=None).reset_index().assign(part=part)


def _overlaps(ds: Dataset, rankings: pd.DataFrame) -> pd.DataFrame:
    """How much the first features have in common with those of each paper's discretisation; the mean over splits."""
    sets = {
        (row.choice, row.method, row.repeat): row.ranking[:OVERLAP_SIZE] for row in _with_choice(rankings).itertuples()
    }
    rows = [
        (ds.name, choice, method, reference, jaccard([first, sets[reference, method, repeat]], ds.X.shape[1])[0, 1])
        for (choice, method, repeat), first in sets.items()
        for reference in dict.fromkeys(reference_of(paper, DISCRETISATION) for paper in PAPERS)
    ]
    table = pd.DataFrame(rows, columns=list(OVERLAP))
    return table.groupby(list(OVERLAP[:-1]), sort=False)["overlap"].mean().reset_index()


# reading


def ranks(tables: Tables, part: str, metric: str, dataset: str | None = None) -> pd.DataFrame:
    """Methods × choices: the average rank over data sets, 1 for the lowest mean loss; or the rank on one data set."""
    losses = _part(tables, part)
    if dataset is not None:
        losses = losses[losses["dataset"] == dataset]
    grid = losses.pivot_table(metric, ["dataset", "choice"], "method", sort=False)
    ranked = grid.rank(axis=1).groupby("choice", sort=False).mean().T
    return ranked[[choice for choice in CHOICES[part] if choice in ranked]].rename_axis(index=None, columns=None)


def agreement(tables: Tables, part: str, metric: str, reference: str) -> pd.DataFrame:
    """Data sets × choices: Kendall's τ between the order of the methods there and that of the reference."""
    losses = _part(tables, part)
    rows = {}
    for dataset in shown_datasets(losses):
        order = _orders(losses[losses["dataset"] == dataset], "choice", metric)
        if reference in order.index:
            rows[dataset] = {choice: _tau(order.loc[choice], order.loc[reference]) for choice in order.index}
    table = pd.DataFrame(rows).T
    return table[[choice for choice in CHOICES[part] if choice in table]]


def between_splits(tables: Tables, part: str, metric: str, reference: str) -> dict[str, float]:
    """Data set → mean Kendall's τ between the orders of any two splits, all with the reference's choice."""
    losses = _part(tables, part)
    losses = losses[losses["choice"] == reference]
    means = {}
    for dataset in shown_datasets(losses):
        order = _orders(losses[losses["dataset"] == dataset], "repeat", metric)
        pairs = [_tau(order.loc[first], order.loc[second]) for first, second in combinations(order.index, 2)]
        means[dataset] = float(np.mean(pairs)) if pairs else float("nan")
    return means


def overlaps(tables: Tables, reference: str) -> pd.DataFrame:
    """Methods × choices: mean Jaccard index of the first features with those of the reference, over data sets."""
    table = tables["overlap"]
    grid = table[table["reference"] == reference].pivot_table("overlap", "method", "choice", sort=False)
    return grid[[choice for choice in CHOICES[DISCRETISATION] if choice in grid]].rename_axis(index=None, columns=None)


def _part(tables: Tables, part: str) -> pd.DataFrame:
    losses = tables["losses"]
    return losses[losses["part"] == part]


def _orders(losses: pd.DataFrame, by: str, metric: str) -> pd.DataFrame:
    return losses.pivot_table(metric, by, "method", sort=False)


def _tau(first: Sequence[float], second: Sequence[float]) -> float:
    return float(kendalltau(first, second).statistic)


def word(tables: Tables, paper: str) -> list[Finding]:
    """How much the order moves, beside how much it moves from split to split."""
    claims = []
    for part in (DISCRETISATION, SCALING):
        reference = reference_of(paper, part)
        claims += [claim for metric in METRICS if (claim := _moved(tables, part, metric, reference))]
    reference = reference_of(paper, DISCRETISATION)
    grid = overlaps(tables, reference)
    if not grid.empty:
        others = grid.drop(columns=reference, errors="ignore")
        least, most = others.mean(axis=1).idxmin(), others.mean(axis=1).idxmax()
        claims.append(
            Finding(
                f"With another discretisation the first {OVERLAP_SIZE} features overlap by {np.nanmean(others):.2f} "
                "on average",
                f"Mean Jaccard index with the features that a method selects with {choice_title(reference)}, as the "
                f"paper does: least for {setting_title(least)} ({others.loc[least].mean():.2f}), most for "
                f"{setting_title(most)} ({others.loc[most].mean():.2f}).",
            )
        )
    return claims


def _moved(tables: Tables, part: str, metric: str, reference: str) -> Finding | None:
    table = agreement(tables, part, metric, reference)
    others = table.drop(columns=reference, errors="ignore")
    if others.empty:
        return None
    splits = pd.Series(between_splits(tables, part, metric, reference)).mean()
    place = ranks(tables, part, metric)
    best = place[reference].idxmin()
    same = int(sum(place[choice].idxmin() == best for choice in others))
    row, column = np.unravel_index(np.nanargmin(others.to_numpy()), others.shape)
    lowest = f"{others.iloc[row, column]:.2f}, {choice_title(others.columns[column])} on {others.index[row]}"
    besides = "" if np.isnan(splits) else f"; between two single splits with the same choice it is {splits:.2f}"
    than = "more than" if np.nanmean(others) < splits else "no more than"
    return Finding(
        f"By {in_sentence(quantity(metric).title)}, another {part} reorders the methods"
        f"{'' if np.isnan(splits) else f' {than} another split does'}",
        f"The order of the {len(place)} methods agrees with that of {choice_title(reference)} by a mean Kendall's τ of "
        f"{np.nanmean(others):.2f} (lowest {lowest}){besides}. {setting_title(best)} has the best average rank there, "
        f"and with {same} of the {others.shape[1]} other choices.",
    )


_KIND_WORDS = {"equal_width": "equal-width", "equal_frequency": "equal-frequency"}
_SCALING_WORDS = {"none": "no scaling", "unit": "scaling to [0, 1]", "z_score": "z-scores"}


def choice_title(choice: str) -> str:
    """
    >>> choice_title("equal_width 5"), choice_title("unit")
    ('5 equal-width bins', 'scaling to [0, 1]')
    """
    kind, _, bins = choice.partition(" ")
    return f"{bins} {_KIND_WORDS[kind]} bins" if bins else _SCALING_WORDS[choice]


def choice_parts(choice: str) -> tuple[str, str]:
    """A choice on an axis: its group and its name within it.

    >>> choice_parts("equal_frequency 2"), choice_parts("z_score")
    (('Bins of equal frequency', '2'), ('', 'z-scores'))
    """
    kind, _, bins = choice.partition(" ")
    return (f"Bins of {kind.replace('_', ' ')}", bins) if bins else ("", _SCALING_WORDS[choice])


QUESTION = Question.of(
    __name__,
    id="discretisation_and_scaling",
    papers=PAPERS,
    title="How much do discretisation and scaling move the ranking of methods?",
    asks="The papers discretise in two or five bins of equal width or equal frequency, and scale the features or not. "
    "Would the order of the methods be another with another choice?",
    how=f"{len(METHODS)} methods with equal-width and equal-frequency bins, 2 to 10 of them, judged by ML-kNN on "
    f"features scaled to [0, 1]; and {len(METHODS) + len(RAW_METHODS)} methods with the default bins, judged by ML-kNN "
    "with three scalings. Random splits (80%), the loss averaged over 1, 5, 10, …, 50 features.",
    datasets=("emotions", "yeast", "scene", "birds"),
    tables={"losses": LOSSES, "overlap": OVERLAP},
    repeats=3,
    order=3,
)
