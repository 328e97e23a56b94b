"""Entropy and information the slow way, from counts of tuples; and the explorer and rows that tours look at."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from math import log2

import numpy as np

from mlfs import load_dataset
from mlfs.evaluation import Explorer


@cache
def bench_of(name: str) -> Explorer:
    return Explorer(load_dataset(name))


def training(name: str, protocol) -> tuple[np.ndarray, np.ndarray]:
    explorer = bench_of(name)
    rows = explorer.split(protocol).train
    return explorer.ds.X[rows], explorer.ds.Y[rows].astype(int)


def entropy(*columns) -> float:
    counts = Counter(zip(*(np.asarray(column).tolist() for column in columns), strict=True))
    n = sum(counts.values())
    return -sum(c / n * log2(c / n) for c in counts.values())


def information(a, b) -> float:
    return entropy(a) + entropy(b) - entropy(a, b)


def symmetrical_uncertainty(a, b) -> float:
    both = entropy(a) + entropy(b)
    return 2 * information(a, b) / both if both else 0.0


def numbers(sentence: str) -> list[float]:
    """The numbers of a sentence in their order; "|Y| = 3" gives 3, "29%" gives 29."""
    return [float(word.replace(",", "")) for word in re.findall(r"(?<![\w.])\d[\d,]*(?:\.\d+)?", sentence)]
