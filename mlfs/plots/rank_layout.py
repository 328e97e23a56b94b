"""Where the parts of a critical-difference diagram stand, in pixels downwards and ranks across.

Half of the methods have their label on the side of the best rank, half on the other, each label in a row of its own,
so that no two can overlap however close, or equal, their ranks are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mlfs.plots.figure import short, text_width

NARROW = 400  # pixels: the narrowest figure that must be legible
LABEL = 18  # pixels between the middles of two labels one below the other
NAME = 125  # pixels of a name at most: two of them leave room for the axis in a narrow figure


@dataclass(frozen=True)
class Slot:
    """Where a label stands: on the side of the best ranks or on the other, in the row-th line from the top."""

    best_side: bool
    row: int


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def label_slots(ranks: Sequence[float] | np.ndarray) -> list[Slot]:
    """A slot for the label of each method, in the order given.

    The better half goes to the side of the best rank, best on top; the other half to the other side, worst on top. So
    the line from a rank down and out to its label crosses no other: whoever is further out turns off higher up.

    >>> label_slots([2.0, 1.0, 3.0])
    [Slot(best_side=True, row=1), Slot(best_side=True, row=0), Slot(best_side=False, row=0)]
    """
    order = np.argsort(np.asarray(ranks, dtype=float), kind="stable")
    better = -(-len(order) // 2)
    slots = [Slot(True, 0)] * len(order)
    for row, i in enumerate(order[:better]):
        slots[i] = Slot(True, row)
    for row, i in enumerate(order[better:][::-1]):
        slots[i] = Slot(False, row)
    return slots


def bar_levels(bars: Sequence[tuple[float, float]], apart: float = 0.0) -> list[int]:
    """The line, from the top, of each bar: the first in which it stays `apart` from those before it.

    >>> bar_levels([(1, 2), (1.5, 3), (2.5, 4)])
    [0, 1, 0]
    """
    ends: list[float] = []
    levels = []
    for low, high in bars:
        level = next((i for i, end in enumerate(ends) if low - end > apart), len(ends))
        ends[level : level + 1] = [high]
        levels.append(level)
    return levels


def axis_ticks(k: int, room: float) -> list[int]:
    """The ranks that have a number on an axis of `room` pixels: 1, k, and round ones between them.

    >>> axis_ticks(7, 200), axis_ticks(30, 200), axis_ticks(30, 60)
    ([1, 2, 3, 4, 5, 6, 7], [1, 5, 10, 15, 20, 25, 30], [1, 30])
    """
    apart = 22 * (k - 1) / max(room, 1)  # ranks that a number takes
    step = next((step for step in (1, 2, 5, 10, 20, 50) if step >= apart), k)
    inner = range(3 if step == 2 else max(step, 2), k, step)
    return [1, *(tick for tick in inner if tick - 1 >= apart and k - tick >= apart), k]


def fitting(name: str) -> str:
    """The name, or as much of it as has room.

    >>> fitting("ReliefF-ML"), fitting("an exceptionally long name")
    ('ReliefF-ML', 'an exce…ng name')
    """
    cuts = (short(name, length) for length in range(len(name), 3, -1))
    return next((cut for cut in cuts if text_width(cut) <= NAME), short(name, 3))


def label_boxes(ranks: Sequence[float] | np.ndarray, labels: Sequence[str], width: float) -> list[Box]:
    """The room each label takes in a figure of the given width, with the best rank on the right."""
    left, right = margins(label_slots(ranks), labels)
    boxes = []
    for slot, label in zip(label_slots(ranks), labels, strict=True):
        wide, middle = text_width(label), LABEL * slot.row
        start = width - right if slot.best_side else left - wide
        boxes.append(Box(start, middle - LABEL / 2, start + wide, middle + LABEL / 2))
    return boxes


def margins(slots: Sequence[Slot], labels: Sequence[str]) -> tuple[float, float]:
    """Pixels left and right that the labels need, with the best rank on the right."""
    wide = [
        max((text_width(label) for slot, label in zip(slots, labels, strict=True) if slot.best_side == side), default=0)
        for side in (False, True)
    ]
    return wide[0] + 8, wide[1] + 8
