"""What is known of one method: what it says of itself, and what the benchmark measured of it."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from mlfs.benchmark.kept import EXCEEDED, Benchmark
from mlfs.benchmark.leaderboard import Leaderboard
from mlfs.benchmark.likeness import COMPARED, relatives
from mlfs.benchmark.scaling import BASE, exponents
from mlfs.benchmark.study import DEFAULT
from mlfs.benchmark.tuning import CRITERION
from mlfs.checks import checked
from mlfs.errors import ParameterError, did_you_mean
from mlfs.metrics import metric_title
from mlfs.parameters import value_text
from mlfs.results import setting_title
from mlfs.selectors import SELECTORS
from mlfs.wording import count, duration, in_sentence, joined, parameter_title, settings_text

SYMBOLS = dict(zip(BASE, "ndq", strict=True))
_YEAR = re.compile(r"\b(1[89]\d\d|20\d\d)\b")
_AUTHORS = re.compile(r"^((?:[^,&]+, )*[^,&]+ & [^,]+|[^,]+? et al\.|[^,]+),? ")
#: Where a method stands out on a data set: among the first or the last so many of all, by share.
EDGE = 0.25


@dataclass(frozen=True, eq=False)
class Card:
    """One method.

    Attributes
    ----------
    method : its id
    place : of the leaderboard, 1 is best; None where it is not ranked
    ranks : data set → rank, best first
    relatives : method → overlap, the nearest first
    stability : mean over data sets, NaN where it was not measured
    exponents : of n, d and q, as `mlfs.benchmark.scaling.exponents` gives them
    sensitivity : one row per parameter and value that was tried
    exceeded : data sets on which the selection exceeded a limit
    """

    method: str
    place: int | None
    ranks: pd.Series
    relatives: pd.Series
    stability: float
    exponents: dict[str, float]
    sensitivity: pd.DataFrame
    exceeded: list[str]
    seconds: float
    peak_mib: float

    @property
    def name(self) -> str:
        return setting_title(self.method)

    def standing(self, board: Leaderboard) -> str:
        """Where it stands, in a sentence."""
        if self.place is None:
            sets = board.not_ranked.get(self.method)
            return f"{self.name} is not ranked: " + (
                f"it has been run on {sets} of {count(len(board.datasets), 'data set')}." if sets else "not run."
            )
        return f"{self.name} is number {self.place} of {len(board.table)}: {board.standing(self.method)}."

    def wins_and_losses(self) -> str:
        """On which data sets it is among the first or the last quarter."""
        if not len(self.ranks):
            return "Not ranked here, so it is not known where it does well."
        methods = self.ranks.attrs["methods"]
        good = [f"{name} ({rank:g})" for name, rank in self.ranks.items() if rank <= EDGE * methods]
        bad = [f"{name} ({rank:g})" for name, rank in self.ranks[::-1].items() if rank > (1 - EDGE) * methods]
        first = f"Among the best quarter of {methods} on {joined(good)}" if good else "Nowhere among the best quarter"
        last = f"among the last quarter on {joined(bad)}" if bad else "nowhere among the last quarter"
        return f"{first}; {last}."

    def stability_sentence(self) -> str:
        """How much the selection changes with the rows."""
        if not np.isfinite(self.stability):
            return "was not measured: it needs two splits of a data set with enough features."
        return (
            f"{self.stability:.2f} for the first {COMPARED} features over the splits, mean over data sets (1: always "
            "the same, about 0: chance; Nogueira et al. 2018)."
        )

    def relatives_sentence(self) -> str:
        """Who selects the same."""
        if not len(self.relatives):
            return "are not known: no data set has enough features."
        return joined(f"{setting_title(name)} ({value:.0%} overlap)" for name, value in self.relatives.items()) + "."

    @property
    def growth_known(self) -> bool:
        """Whether its time was long enough to tell how it grows."""
        return bool(np.isfinite(list(self.exponents.values())).any())

    def cost(self, power: str = "{symbol}^{exponent:.1f}", between: str = "·") -> str:
        """How its time grew on made data, in words.

        Parameters
        ----------
        power, between : how powers are written, and what stands between them
        """
        known = {SYMBOLS[name]: slope for name, slope in self.exponents.items() if np.isfinite(slope)}
        if not known:
            return "How its time grows was not measured, or it takes too little time to tell."
        words = between.join(power.format(symbol=symbol, exponent=slope) for symbol, slope in known.items())
        return f"Measured: time grows about as {words}, from {_base()}."


@checked
def card(benchmark: Benchmark, method: str, board: Leaderboard, overlap: pd.DataFrame, stable: pd.DataFrame) -> Card:
    """What is known of a method, by the ranks of a leaderboard.

    Parameters
    ----------
    overlap, stable : as `overlaps` and `stabilities` of `mlfs.benchmark.likeness` give them
    """
    if method not in SELECTORS and method not in benchmark.methods:
        raise ParameterError(f"There is no method {method!r}: {did_you_mean(method, SELECTORS)}")
    ranked = method in board.table.index
    ranks = board.ranks[method].sort_values(kind="stable") if ranked else pd.Series(dtype=float)
    ranks.attrs["methods"] = len(board.table)
    runs = benchmark.runs
    runs = runs[(runs["method"] == method) & (runs["setting"] == DEFAULT)]
    return Card(
        method=method,
        place=list(board.table.index).index(method) + 1 if ranked else None,
        ranks=ranks,
        relatives=relatives(overlap, method) if method in overlap else pd.Series(dtype=float),
        stability=float(stable[method].mean()) if method in stable else float("nan"),
        exponents=exponents(benchmark.scaling, method),
        sensitivity=sensitivity(benchmark, method),
        exceeded=sorted(set(runs.loc[runs["state"] == EXCEEDED, "dataset"].astype(str))),
        seconds=float(board.table["seconds"].get(method, np.nan)),
        peak_mib=float(board.table["peak_mib"].get(method, np.nan)),
    )


def sensitivity(benchmark: Benchmark, method: str, metric: str = CRITERION) -> pd.DataFrame:
    """What changing one parameter alone does inside the training rows: one row per parameter and value.

    Columns parameter, value, change (of the metric, relative to the defaults, mean over data sets and splits), low and
    high (its extremes) and trials.
    """
    columns = ["parameter", "value", "change", "low", "high", "trials"]
    trials = benchmark.trials
    if metric not in trials:
        return pd.DataFrame(columns=columns)
    trials = trials[trials["method"] == method].astype({"dataset": str, "parameters": str})
    default = trials[trials["parameters"] == "{}"].set_index(["dataset", "repeat"])[metric]
    changed = trials[trials["parameters"] != "{}"].set_index(["dataset", "repeat"])
    relative = (changed[metric] - default.reindex(changed.index)) / default.reindex(changed.index)
    rows: list[dict[str, Any]] = []
    for parameters, changes in relative.groupby(changed["parameters"], sort=False):
        known = changes.replace([np.inf, -np.inf], np.nan).dropna()
        if not len(known):
            continue
        ((name, value),) = json.loads(str(parameters)).items()
        rows.append(
            {
                "parameter": name,
                "value": value_text(value),
                "change": float(known.mean()),
                "low": float(known.min()),
                "high": float(known.max()),
                "trials": len(known),
            }
        )
    return pd.DataFrame(rows, columns=columns)


def sensitivity_sentence(table: pd.DataFrame, method: str, metric: str = CRITERION) -> str:
    """Which parameter matters most, in words."""
    if table.empty:
        return "The sensitivity of its parameters was not measured."
    spans = table.groupby("parameter", sort=False)["change"].agg(lambda change: np.abs(change).max())
    most = spans.idxmax()
    best = table.loc[table["change"].idxmin()]
    changed = settings_text(f"{best['parameter']}={best['value']}", method)
    gain = (
        f"The best change tried, {changed}, lowers it by {-best['change']:.0%}."
        if best["change"] < -0.005
        else "No change that was tried does better than the defaults on average."
    )
    moved = in_sentence(metric_title(metric))
    if spans[most] < 0.005:
        return f"Its parameters hardly matter: changed alone, none moves {moved} by 1% on average. {gain}"
    return (
        f"The parameter that matters most is {parameter_title(most, method)}: changed alone, it moves {moved} by up to "
        f"{spans[most]:.0%} on average. {gain}"
    )


@checked
def bibtex(method: str) -> str:
    """The paper of a method as an entry of a bibliography, with what mlfs knows of it.

    >>> print(bibtex("scls"))
    @misc{lee2017scls,
      author = {Lee and Kim},
      title = {{SCLS: Multi-label feature selection based on scalable criterion for large label set}},
      year = {2017}
    }
    """
    if method not in SELECTORS:
        raise ParameterError(f"There is no method {method!r}: {did_you_mean(method, SELECTORS)}")
    paper = SELECTORS[method].paper
    year = _YEAR.search(paper)
    authors = _AUTHORS.match(paper)
    if year is None or authors is None:
        return ""
    names = authors[1]
    others = names.endswith(" et al.")
    listed = re.split(r", | & ", names.removesuffix(" et al."))
    listed = [name.removesuffix(f" {year[0]}") for name in listed]
    title, _, venue = paper[authors.end() : year.start()].strip().rpartition(", ")
    if not title:
        title, venue = (venue.rstrip(", "), "") if venue.endswith(",") else ("", venue)
    fields = {
        "author": " and ".join([*listed, *(["others"] if others else [])]),
        "title": f"{{{title}}}" if title else "",
        "howpublished": venue.rstrip(", "),
        "year": year[0],
        "note": "" if title else paper.replace("&", r"\&"),
    }
    key = re.sub(r"[^a-z0-9_]", "", f"{listed[0].lower()}{year[0]}{method}")
    lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items() if value)
    return f"@misc{{{key},\n{lines}\n}}"


def growth_lines(benchmark: Benchmark, method: str) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """What grows → how many times larger it is, and the seconds of a selection."""
    timed = benchmark.scaling[benchmark.scaling["method"] == method]
    lines = {}
    for name in BASE:
        alone = timed[np.logical_and.reduce([timed[other] == BASE[other] for other in BASE if other != name])]
        alone = alone.sort_values(name)
        lines["rows" if name == "instances" else name] = (
            alone[name].to_numpy(float) / BASE[name],
            alone["seconds"].to_numpy(float),
        )
    return lines


def time_and_memory(known: Card) -> str:
    """What a selection took, in words."""
    if not np.isfinite(known.seconds):
        return "Its time is not known here."
    said = f"A selection took {duration(known.seconds)} of processor time (geometric mean over the data sets)"
    if np.isfinite(known.peak_mib):
        said += f" and at most {known.peak_mib:.3g} MiB beyond the data"
    if known.exceeded:
        said += f"; it exceeded the limit on {joined(known.exceeded)}"
    return f"{said}."


def _base() -> str:
    return ", ".join(f"{SYMBOLS[name]} = {size}" for name, size in BASE.items())
