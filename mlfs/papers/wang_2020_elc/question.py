"""Does ELC's loop change the selected set, and which of its readings has the low R(F) and C(F) of the paper?

Algorithm 1 of Wang et al. starts from the k features that fit the label similarities best, each alone, and then
iterates. Its printed formulas, the same with the sign that the Lagrangian (5) demands, the released program and the
optimum of the convex problem behind it are four answers; here they stand beside the start and beside other methods.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from mlfs.datasets import Dataset
from mlfs.evaluation import Explorer, get_protocol, loss_curve, scale
from mlfs.evaluation.noise import MEASURES, TENTHS
from mlfs.evaluation.protocols import Protocol, configured_selector
from mlfs.evaluation.split_evaluator import SplitEvaluator
from mlfs.metrics import jaccard
from mlfs.papers.findings import Finding
from mlfs.papers.question import Question, RunContext, Tables
from mlfs.plots import curves, styles_of
from mlfs.results import setting_title
from mlfs.selectors.specification import parse_method
from mlfs.wording import count as count_of
from mlfs.wording import joined, listing

PAPER = "wang_2020_elc"
#: The set that the loop starts from: no method of the registry.
START = "start of the loop"
EXACT = "elc:variant=exact"
#: The readings at the paper's β, and two of them at a β where the loop moves more.
LOOPS = (
    "elc",
    "elc:variant=printed",
    "elc:variant=authors",
    "elc:beta=10000",
    "elc:beta=10000,variant=printed",
)
OTHERS = ("mifs", "cmfs", "llsf", "random")
#: Those that the figures show beside each other, at the paper's β.
SHOWN = (EXACT, START, *LOOPS[:3], *OTHERS)
LOSS = "ranking_loss"
#: C(F) falls with the number of features because it is divided by k'(k' − 1): beside a random choice it can be read.
RELATIVE = "C(F), as a multiple of a random choice's"
OVERLAPS = {
    "overlap_exact": "Overlap with the exact solution (Jaccard)",
    "overlap_start": "Overlap with the start of the loop (Jaccard)",
}
COLUMNS = (
    "dataset",
    "repeat",
    "share",
    "size",
    "setting",
    *MEASURES,
    LOSS,
    "overlap_exact",
    "overlap_start",
    "replaced",
    "iterations",
    "ended",
)

Set = tuple[str, np.ndarray, dict[str, Any]]


def measure(ds: Dataset, context: RunContext) -> Tables:
    """The sets that each reading selects for k = d/10 … 9d/10, on the training rows of random splits."""
    protocol = get_protocol("quick", repeats=context.repeats, sizes=TENTHS, scaling="z_score")
    explorer, rows = Explorer(ds), []
    sizes = protocol.sizes_for(ds.X.shape[1])
    for repeat in range(context.repeats):
        split = _Split(ds, explorer.split(protocol, repeat=repeat), protocol, repeat)
        for place, size in enumerate(sizes):
            context.step(repeat * len(sizes) + place, context.repeats * len(sizes), f"{ds.name}, {size} features")
            about = {"dataset": ds.name, "repeat": repeat, "share": round(size / ds.X.shape[1], 3), "size": size}
            rows += [{**about, **row} for row in split.rows(size)]
    return {"sets": pd.DataFrame(rows, columns=list(COLUMNS))}


class _Split:
    """One split, on which sets are selected and judged: R(F) and C(F) by its training rows, the loss by the others."""

    def __init__(self, ds: Dataset, evaluator: SplitEvaluator, protocol: Protocol, repeat: int) -> None:
        self._ds, self._evaluator, self._protocol, self._repeat = ds, evaluator, protocol, repeat
        columns, self._owner = ds.one_hot()
        self._X = scale(columns[evaluator.train], columns[evaluator.test], protocol.scaling)
        self._Y = ds.Y[evaluator.train], ds.Y[evaluator.test]
        # Their rankings do not depend on how many features are asked for.
        self._whole = {setting: self._fitted(setting, ds.X.shape[1]) for setting in (EXACT, *OTHERS)}

    def rows(self, size: int) -> Iterator[dict[str, Any]]:
        """One row for each setting."""
        sets = list(self._sets(size))
        chosen = {setting: features for setting, features, _ in sets}
        for setting, features, about in sets:
            both = jaccard([each.tolist() for each in (features, chosen[EXACT], chosen[START])], self._ds.X.shape[1])[0]
            overlap = {"overlap_exact": float(both[1]), "overlap_start": float(both[2])}
            yield {"setting": setting, **self._measures(features), **overlap, **about}

    def _sets(self, size: int) -> Iterator[Set]:
        """The sets of one size: of the exact solution, of the start, of the loops and of other methods."""
        nothing = {"replaced": np.nan, "iterations": np.nan, "ended": ""}
        exact = self._whole[EXACT]
        yield EXACT, exact.ranking_[:size], {**nothing, "iterations": exact.n_iter_, "ended": _ended(exact)}
        for setting in LOOPS:
            elc = self._fitted(setting, size)
            if setting == LOOPS[0]:
                yield START, elc.initial_set_, nothing
            replaced = len(np.setdiff1d(elc.final_set_, elc.initial_set_))
            yield setting, elc.final_set_, {"replaced": replaced, "iterations": elc.n_iter_, "ended": _ended(elc)}
        for setting in OTHERS:
            yield setting, self._whole[setting].ranking_[:size], nothing

    def _fitted(self, setting: str, size: int) -> Any:
        selector = configured_selector(parse_method(setting), self._protocol, self._ds, 0, self._repeat)
        self._evaluator.fit(selector.set_params(n_features_to_select=size))
        return selector

    def _measures(self, chosen: np.ndarray) -> dict[str, float]:
        size = len(chosen)
        noise = self._evaluator.noise(chosen, [size])
        curve = loss_curve(
            self._X[0], self._Y[0], self._X[1], self._Y[1], chosen, [size], metrics=(LOSS,), owner=self._owner
        )
        return {**{name: float(noise[name].iloc[0]) for name in MEASURES}, LOSS: float(curve[LOSS].iloc[0])}


def _ended(selector: Any) -> str:
    """How the iterations ended: an overflow leaves its step out of the history."""
    if len(selector.history_["objective"]) <= selector.n_iter_:
        return "overflow"
    return "limit" if selector.n_iter_ == selector.max_iter else "converged"


def curves_of(tables: Tables, dataset: str, metrics: tuple[str, ...]) -> pd.DataFrame:
    """The rows of one data set as `mlfs.plots.curves` draws them, with those settings that are shown.

    Metrics are columns of the table, or `RELATIVE`.
    """
    rows = tables["sets"]
    rows = rows[(rows["dataset"] == dataset) & rows["setting"].isin(SHOWN)]
    rows = rows.assign(overlap_start=_with_own_start(rows))
    if RELATIVE in metrics:
        rows = rows.assign(**{RELATIVE: beside_random(rows, "residual_label_correlation")})
    tidy = rows.melt(["setting", "size"], list(metrics), "metric").rename(columns={"setting": "method"})
    # The measure that a setting makes trivial, its overlap with itself, is no curve.
    itself = ((tidy["method"] == EXACT) & (tidy["metric"] == "overlap_exact")) | (
        (tidy["method"] == START) & (tidy["metric"] == "overlap_start")
    )
    place = {setting: number for number, setting in enumerate(SHOWN)}
    return tidy[~itself].sort_values("method", key=lambda names: names.map(place), kind="stable", ignore_index=True)


def set_overlaps(table: pd.DataFrame) -> go.Figure:
    """How much the selected sets have in common with the exact solution and with the start, by their size.

    Parameters
    ----------
    table : columns method, size, metric ("overlap_exact" or "overlap_start") and value
    """
    named = table.assign(metric=table["metric"].map(OVERLAPS))
    figure = curves(named, metrics=list(OVERLAPS.values()), band="none")
    if not figure.data:
        return figure
    # Curves tell the lowest value of each method; of an overlap the mean says more.
    styles = styles_of(dict.fromkeys(named["method"]))
    parts = []
    for metric, rows in named.groupby("metric", sort=False):
        means = rows.groupby("method", sort=False)["value"].mean().sort_values(ascending=False, kind="stable")
        words = [f"{styles[name].name} {value:.2f}" for name, value in means.items()]
        parts.append(f"{metric}, mean over the sizes: {listing(words, 12)}")
    alt = f"Curves of overlap against the number of features. {'. '.join(parts)}."
    figure.layout.meta = {**figure.layout.meta, "alt": alt}
    return figure


def _with_own_start(rows: pd.DataFrame) -> pd.Series:
    """The overlap of each loop's set with the one this loop began with, which in the authors' program is another.

    Of size features some were replaced: size − replaced are in both sets, size + replaced in either. What is no loop
    has its overlap with the start of the corrected one.
    """
    overlap = (rows["size"] - rows["replaced"]) / (rows["size"] + rows["replaced"])
    return overlap.fillna(rows["overlap_start"])


def beside_random(rows: pd.DataFrame, measure: str) -> pd.Series:
    """A measure as a multiple of what a random choice of as many features has on the same split."""
    where = ["dataset", "repeat", "size"]
    random = rows[rows["setting"] == "random"].set_index(where)[measure]
    multiple = rows[measure] / random.reindex(pd.MultiIndex.from_frame(rows[where])).to_numpy()
    return multiple.replace([np.inf, -np.inf], np.nan)


def loops(tables: Tables) -> pd.DataFrame:
    """What the loops did, one row per data set and setting, over all sizes and splits.

    Columns: dataset, setting, runs, changed (runs whose set is not the start's), replaced (mean share of the set),
    overlap_exact (mean), iterations (mean), converged, limit, overflow (runs that ended so).
    """
    rows = tables["sets"]
    rows = rows[rows["setting"].isin(LOOPS)]
    summaries = []
    for (dataset, setting), runs in rows.groupby(["dataset", "setting"], sort=False):
        summaries.append(
            {
                "dataset": dataset,
                "setting": setting,
                "runs": len(runs),
                "changed": int((runs["replaced"] > 0).sum()),
                "replaced": float((runs["replaced"] / runs["size"]).mean()),
                "overlap_exact": float(runs["overlap_exact"].mean()),
                "iterations": float(runs["iterations"].mean()),
                **{how: int((runs["ended"] == how).sum()) for how in ("converged", "limit", "overflow")},
            }
        )
    return pd.DataFrame(summaries)


def means(tables: Tables, measure: str) -> pd.DataFrame:
    """Data sets × settings that are shown: the mean of a measure over sizes and splits.

    R(F), C(F) and the loss are taken as multiples of a random choice's, so that every size counts alike.
    """
    rows = tables["sets"]
    if measure in _MEASURES:
        rows = rows.assign(**{measure: beside_random(rows, measure)})
    grid = rows[rows["setting"].isin(SHOWN)].pivot_table(measure, "dataset", "setting", sort=False)
    return grid[[setting for setting in SHOWN if setting in grid]].rename_axis(columns=None)


def word(tables: Tables, paper: str) -> list[Finding]:
    """Whether the loop changes the set, how near it comes to the optimum, and whose R(F) and C(F) are low."""
    done = loops(tables)
    claims = [_changes(done[done["setting"] == setting], name) for setting, name in _NAMES.items()]
    overlap = means(tables, "overlap_exact").mean()
    shared = ", ".join(f"{setting_title(name)} {overlap[name]:.2f}" for name in (START, *LOOPS[:3], "random"))
    claims.append(
        Finding(
            f"ELC's set overlaps by {overlap['elc']:.2f} with the exact solution's, a random one by "
            f"{overlap['random']:.2f}",
            f"Mean Jaccard index over data sets and numbers of features: {shared}.",
        )
    )
    claims += [_lowest(means(tables, measure), title) for measure, title in _MEASURES.items()]
    return [*claims, _price(tables), _spread(tables)]


_NAMES = {
    "elc": "With the sign that (5) demands and β = 10⁸",
    "elc:variant=printed": "As printed, with β = 10⁸",
    "elc:variant=authors": "In the authors' program",
    "elc:beta=10000": "With the sign that (5) demands and β = 10⁴",
    "elc:beta=10000,variant=printed": "As printed, with β = 10⁴",
}
_MEASURES = {
    "redundancy": "The redundancy R(F)",
    "residual_label_correlation": "The residual label correlation C(F)",
    LOSS: "The ranking loss of ML-kNN",
}


def _changes(runs: pd.DataFrame, name: str) -> Finding:
    changed = runs[runs["changed"] > 0]
    where = "On no data set" if changed.empty else f"On {', '.join(changed['dataset'])}"
    share = runs["replaced"].mean()
    replaced = "under 0.1%" if 0 < share < 0.001 else f"{share:.1%}"
    overflow = f"; {runs['overflow'].sum()} runs overflow" if runs["overflow"].any() else ""
    return Finding(
        f"{name}, the loop changes the initial set in {runs['changed'].sum()} of {runs['runs'].sum()} runs",
        f"{where}; {replaced} of the features on average{overflow}.",
    )


def _lowest(grid: pd.DataFrame, title: str) -> Finding:
    """Which setting has the lowest mean multiple on how many data sets, and where the readings of ELC stand."""
    wins = grid.idxmin(axis=1).value_counts()
    first = ", ".join(f"{setting_title(name)} on {count}" for name, count in wins.items())
    places = ", ".join(f"{setting_title(name)} {grid[name].median():.2f}" for name in (*LOOPS[:3], EXACT))
    most = wins.max()
    leaders = joined([setting_title(name) for name in wins.index[wins == most]])
    return Finding(
        f"{title} is lowest for {leaders} on {most} of {count_of(len(grid), 'data set')}"
        f"{' each' if (wins == most).sum() > 1 else ''}",
        f"It is lowest for {first}. As a multiple of a random choice's (median over data sets): {places}.",
    )


def _price(tables: Tables) -> Finding:
    """What the setting with the lowest R(F) costs in prediction."""
    rows, lowest = tables["sets"], means(tables, "redundancy").mean().idxmin()
    of_lowest = rows["setting"] == lowest
    correlation = means(tables, "redundancy").rank(axis=1).corrwith(means(tables, LOSS).rank(axis=1), axis=1).mean()
    return Finding(
        f"{setting_title(lowest)}, with the lowest mean R(F), has "
        f"{beside_random(rows, LOSS)[of_lowest].median():.2f} times the ranking loss of a random choice",
        "As a median. Between R(F) and ranking loss the rank correlation of the settings is "
        f"{correlation:.2f}{': low redundancy comes with poor prediction' if correlation < -0.3 else ''}.",
    )


def _spread(tables: Tables) -> Finding:
    """How much C(F) tells apart."""
    rows = tables["sets"]
    multiple = beside_random(rows, "residual_label_correlation")[rows["setting"].isin(SHOWN)]
    low, high = multiple.quantile([0.05, 0.95])
    return Finding(
        f"Nine tenths of all sets have between {low:.2f} and {high:.2f} times the C(F) of a random choice",
        "Each is compared with a random choice of as many features.",
    )


QUESTION = Question.of(
    __name__,
    id="elc_loop",
    papers=(PAPER,),
    title="Does ELC's loop change the selected set?",
    asks="ELC starts from the features that fit best, each alone, and then iterates. Does the iteration change that "
    "set, does it lead to the solution of the problem it is meant to solve, and which reading of the paper has the low "
    "R(F) and C(F) that it reports?",
    how="ELC as printed, with the sign that the Lagrangian demands, in the authors' program and solved exactly, for a "
    "tenth to nine tenths of the features, on the training rows of random splits (80%); beside them the start of the "
    "loop, MIFS, CMFS, LLSF and a random choice. R(F) and C(F) on the training rows, the ranking loss of ML-kNN "
    "(z-scores) on the test rows.",
    datasets=("emotions", "yeast", "scene", "birds", "genbase", "enron"),
    tables={"sets": COLUMNS},
    order=2,
)
