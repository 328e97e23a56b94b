"""An engine for tests: cells one after another in this process, so that no workers need to start."""

from __future__ import annotations

from mlfs.studies.cell_runner import CellRunner


class InProcess:
    """See `mlfs.studies.engines.Engine`; `after` cells it sets the given event, as a person who cancels does."""

    def __init__(self, stop=None, after=0):
        self.stop, self.after = stop, after

    def compute(self, cells, datasets, cancel):
        runner = CellRunner()
        for done, cell in enumerate(cells):
            if self.stop is not None and done == self.after:
                self.stop.set()
            if cancel.is_set():
                return
            yield runner.compute(cell, datasets[cell.dataset])
