"""Advice for other data: the benchmark sets most like them, what won there, and whether such advice has helped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from mlfs.benchmark.kept import Benchmark
from mlfs.benchmark.leaderboard import Leaderboard
from mlfs.checks import checked
from mlfs.errors import ParameterError
from mlfs.results import setting_title
from mlfs.wording import joined

#: How many sets are asked, and how many methods are named.
NEAREST, SHORTLIST = 3, 5
#: By what sets are alike; sizes by their order of magnitude.
LOGARITHMIC = ("instances", "features", "labels", "cardinality", "density", "imbalance", "filled")
PLAIN = ("numeric",)


@dataclass(frozen=True, eq=False)
class Advice:
    """What the benchmark says of a data set.

    Attributes
    ----------
    nearest : data set → distance, the nearest first; distances between benchmark sets are the measure
    usual : the largest distance of a benchmark set to its nearest other
    table : one row per method, best first: near (mean rank on the nearest sets), best and worst (rank there) and
        overall (average rank on all)
    near, overall, chance : mean rank, on a set that was left out, of the methods that its nearest sets name, of those
        that lead on all other sets, and of any methods: whether advice of this kind has helped
    itself : the name, where the data set is one of the benchmark
    """

    nearest: pd.Series
    usual: float
    table: pd.DataFrame
    near: float
    overall: float
    chance: float
    itself: str | None

    @property
    def comparable(self) -> bool:
        """Whether the nearest set is as near as benchmark sets are to each other."""
        return bool(self.nearest.iloc[0] <= self.usual)

    @property
    def helps(self) -> bool:
        """Whether nearness has been a better guide than the leaderboard of all sets."""
        return self.near < self.overall

    @property
    def shortlist(self) -> list[str]:
        """The methods to try first: by the nearest sets where that has helped and they are near, else by all."""
        order = "near" if self.comparable and self.helps else "overall"
        return list(self.table.sort_values(order, kind="stable").index[:SHORTLIST])

    def sentence(self) -> str:
        names = joined(setting_title(method) for method in self.shortlist)
        sets = joined(map(str, self.nearest.index))
        if self.itself:
            said = f"{self.itself} is one of the sets of the benchmark; of the others, {sets} are most like it. "
        elif self.comparable:
            said = f"The benchmark sets most like yours are {sets}. "
        else:
            return (
                f"No benchmark set is much like yours (the nearest, {self.nearest.index[0]}, is further away than "
                "any of them from its nearest other), so all there is to go by is the leaderboard of all sets: try "
                f"{names}."
            )
        if not self.helps:
            return (
                f"{said}But in the benchmark, the nearest sets were no better a guide than all of them together, so "
                f"the shortlist is that of all sets: {names}."
            )
        return f"{said}Try {names} first: they did best there."

    def shown(self) -> pd.DataFrame:
        """The methods of the shortlist as people read them."""
        table = self.table.loc[self.shortlist]
        return pd.DataFrame(
            {
                "Method": [setting_title(method) for method in table.index],
                "Rank on the nearest": table["near"].to_numpy(),
                "Best": table["best"].to_numpy(),
                "Worst": table["worst"].to_numpy(),
                "Rank on all": table["overall"].to_numpy(),
            }
        )

    def evidence(self) -> str:
        """How far such advice can be trusted, in words."""
        return (
            f"Tested by leaving out each benchmark set in turn: the {SHORTLIST} methods that its nearest sets suggest "
            f"have a mean rank of {self.near:.1f} on it, the {SHORTLIST} leaders of all other sets {self.overall:.1f}, "
            f"and methods taken at random {self.chance:.1f}."
        )


@checked
def advise(benchmark: Benchmark, described: Mapping[str, Any], board: Leaderboard) -> Advice | None:
    """What the benchmark says of a data set, by the ranks of a leaderboard; None where it has too few sets.

    Parameters
    ----------
    described : as `mlfs.benchmark.gathering.describe` gives it
    """
    if lacking := [name for name in benchmark.datasets.columns if name not in described]:
        raise ParameterError(f"The description of the data set lacks {lacking[0]!r}: `describe` makes a whole one.")
    sets = benchmark.datasets.set_index("dataset")
    sets = sets.loc[[name for name in sets.index if name in board.ranks.index]]
    itself = _same(sets, described)
    others = sets.drop(index=[itself] if itself else [])
    if len(others) <= NEAREST:
        return None
    distance = _distances(others, pd.DataFrame([described]))[0]
    nearest = pd.Series(distance, index=others.index).sort_values(kind="stable").head(NEAREST)
    ranks = board.ranks
    table = pd.DataFrame(
        {
            "near": ranks.loc[nearest.index].mean(),
            "best": ranks.loc[nearest.index].min(),
            "worst": ranks.loc[nearest.index].max(),
            "overall": ranks.loc[others.index].mean(),
        }
    ).sort_values(["near", "overall"], kind="stable")
    between = _distances(others, others)
    np.fill_diagonal(between, np.inf)
    near, overall = _left_out(ranks.loc[others.index], between)
    return Advice(nearest, float(between.min(axis=1).max()), table, near, overall, (ranks.shape[1] + 1) / 2, itself)


def _left_out(ranks: pd.DataFrame, between: np.ndarray) -> tuple[float, float]:
    """Mean rank, on each set in turn, of the shortlists that its nearest sets and that all other sets give."""
    near, overall = list[float](), list[float]()
    for i in range(len(ranks)):
        rest = np.flatnonzero(np.arange(len(ranks)) != i)
        closest = np.argsort(between[i], kind="stable")[:NEAREST]
        for rows, results in ((closest, near), (rest, overall)):
            best = ranks.iloc[rows].mean().sort_values(kind="stable").index[:SHORTLIST]
            results.append(float(ranks.iloc[i][best].mean()))
    return float(np.mean(near)), float(np.mean(overall))


def _same(sets: pd.DataFrame, described: Mapping[str, Any]) -> str | None:
    """The benchmark set of the same name and size."""
    name = str(described["dataset"])
    sizes = ("instances", "features", "labels")
    return name if name in sets.index and all(sets.loc[name, size] == described[size] for size in sizes) else None


def _distances(of: pd.DataFrame, to: pd.DataFrame) -> np.ndarray:
    """(to, of) Euclidean distance of descriptions, each number divided by its spread over the benchmark sets."""
    known, asked = _numbers(of), _numbers(to)
    spread = known.std(axis=0)
    scale = np.divide(1.0, spread, out=np.zeros_like(spread), where=spread > 0)
    return np.sqrt((((asked[:, None] - known[None]) * scale) ** 2).sum(axis=2))


def _numbers(sets: pd.DataFrame) -> np.ndarray:
    logs = np.log10(np.maximum(sets[list(LOGARITHMIC)].to_numpy(dtype=float), 1e-6))
    return np.hstack([logs, sets[list(PLAIN)].to_numpy(dtype=float)])
