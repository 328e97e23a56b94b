"""Every method on every data set by one protocol: run, kept in ``data/benchmark``, ranked, and turned into advice.

study → store → kept tables → leaderboard, card, advice. How quick mlfs itself is beside other programs is another
matter: that is timed by the folder ``benchmarks`` of the project.
"""

from mlfs.benchmark.advice import Advice, advise
from mlfs.benchmark.card import Card, bibtex, card
from mlfs.benchmark.gathering import describe, make_benchmark
from mlfs.benchmark.kept import Benchmark, read_benchmark
from mlfs.benchmark.leaderboard import Leaderboard, LeaderboardSettings, leaderboard
from mlfs.benchmark.likeness import overlaps, placed_on_map, stabilities
from mlfs.benchmark.study import BenchmarkRun, run_benchmark

__all__ = [
    "Advice",
    "Benchmark",
    "BenchmarkRun",
    "Card",
    "Leaderboard",
    "LeaderboardSettings",
    "advise",
    "bibtex",
    "card",
    "describe",
    "leaderboard",
    "make_benchmark",
    "overlaps",
    "placed_on_map",
    "read_benchmark",
    "run_benchmark",
    "stabilities",
]
