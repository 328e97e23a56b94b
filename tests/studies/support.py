"""Small data, small plans, and an engine without processes."""

from typing import ClassVar

from mlfs.datasets import make_synthetic
from mlfs.studies import MethodGrid, Plan
from mlfs.studies.cell_runner import CellRunner

SMALL = make_synthetic(n_instances=80, n_relevant=4, n_redundant=2, n_irrelevant=6, n_labels=4)
DATASETS = {"small": SMALL}
QUICK = {"repeats": 2, "sizes": [1, 3, 0.5]}
PLAN = Plan(
    "small study",
    ["small"],
    ["els", "random", MethodGrid("grro", grid={"alpha": [0.1, 1], "beta": [0.1, 10]})],
    settings=QUICK,
    seeds=[3],
)


class Here:
    """Computes cells in this process, and counts them."""

    def __init__(self):
        self.computed = []

    def compute(self, cells, datasets, cancel):
        runner = CellRunner()
        for cell in cells:
            if cancel.is_set():
                return
            self.computed.append(cell.key)
            yield runner.compute(cell, datasets[cell.dataset])

    def close(self):
        """There are no workers to send home."""


class Remembering(Here):
    """Computes no cell twice in all tests of a process: its key tells everything that its result depends on."""

    known: ClassVar = {}

    def compute(self, cells, datasets, cancel):
        yield from (self.known[cell.key] for cell in cells if cell.key in self.known)
        for found in super().compute([cell for cell in cells if cell.key not in self.known], datasets, cancel):
            self.known[found.key] = found
            yield found


def numbers(table):
    """What must be the same whoever computed it."""
    return table.drop(columns="seconds")
