"""Random tables with what real ones have: gaps, words, IDs, names of all kinds, numbers of all sizes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Cell = float | str | None  # a number, a word, a gap

NAMES = (
    "x",
    "height (m)",
    "<img src=x onerror=alert(1)>",
    "=1+1",
    "**b**",
    "$x$",
    "\\input{x}",
    "it's",
    'a "b"',
    "a,b;c",
    "größe",
    "名",
    "🙂",
    "{0,1}",
    "% no comment",
    "@data",
    "#",
    "-1",
    "+",
    "n" * 300,
    "a  b",
    "user_id",
    "\u202eabc",
)
WORDS = ("red", "dark blue", "it's", "yes", "no", "a,b", "{x}", "größe", "名", "-", "0 1", 'a "b"', "x" * 60)
NUMBERS = (0.0, -0.0, 1.0, -1.0, 0.5, 1 / 3, 1e300, -1e-300, 5e-324, 2.0**53, 123456789.0, 1e22)


@dataclass
class Column:
    """A name and its cells; `declared` lists the words it may hold, where it holds words."""

    name: str
    cells: list[Cell]
    declared: tuple[str, ...] | None = None


@dataclass
class Table:
    """Features, then labels, whose cells are 0 and 1."""

    features: list[Column]
    labels: list[Column]

    @property
    def columns(self) -> list[Column]:
        return [*self.features, *self.labels]

    @property
    def rows(self) -> int:
        return len(self.labels[0].cells)

    def matrix(self) -> tuple[np.ndarray, np.ndarray]:
        """X, with NaN for gaps, and Y: for formats of numbers."""
        X, Y = ([[np.nan if v is None else v for v in c.cells] for c in part] for part in (self.features, self.labels))
        return np.array(X, dtype=np.float64).T, np.array(Y, dtype=np.float64).T


def plain_table(rng: np.random.Generator) -> Table:
    """Names of one letter and numbers with a point: so plain that a damaged one often still reads."""
    n, d, q = int(rng.integers(2, 12)), int(rng.integers(1, 6)), int(rng.integers(1, 4))
    features = [Column("abcdef"[j], np.round(rng.normal(size=n) * 10, 2).tolist()) for j in range(d)]
    return Table(features, [Column("uvw"[k], rng.integers(0, 2, size=n).astype(float).tolist()) for k in range(q)])


def random_table(rng: np.random.Generator, *, words: bool = True, gaps: bool = True) -> Table:
    """A small table; only of numbers where the format knows no words."""
    if rng.random() < 0.4:
        return plain_table(rng)
    n, d, q = int(rng.integers(1, 12)), int(rng.integers(1, 6)), int(rng.integers(1, 4))
    names = [
        f"{NAMES[k]}" if rng.random() < 0.5 else f"c{j}" for j, k in enumerate(rng.integers(len(NAMES), size=d + q))
    ]
    if rng.random() < 0.9:  # else names may occur twice
        names = [name if names.index(name) == j else f"{name} {j}" for j, name in enumerate(names)]
    features = []
    for name in names[:d]:
        if words and rng.random() < 0.3:
            chosen = tuple(np.array(WORDS, dtype=object)[rng.permutation(len(WORDS))[: rng.integers(1, 6)]].tolist())
            cells: list[Cell] = [chosen[k] for k in rng.integers(len(chosen), size=n)]
            column = Column(name, cells, chosen)
        else:
            pool = [*NUMBERS, *rng.normal(size=4).tolist(), *map(float, rng.integers(-9, 9, size=4))]
            column = Column(name, [pool[k] for k in rng.integers(len(pool), size=n)])
        if gaps and rng.random() < 0.2:
            column.cells[int(rng.integers(n))] = None
        features.append(column)
    labels = [Column(name, [float(v) for v in rng.integers(0, 2, size=n)]) for name in names[d:]]
    return Table(features, labels)
