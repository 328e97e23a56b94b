"""Where cells are computed: in a worker process, which keeps what the next cell of the same split can use."""

from __future__ import annotations

import time
from dataclasses import replace

from mlfs.datasets import Dataset
from mlfs.evaluation.cell_result import CellResult
from mlfs.evaluation.protocols import Protocol
from mlfs.evaluation.split_evaluator import SplitEvaluator
from mlfs.evaluation.splits import Split
from mlfs.memo import Memo
from mlfs.studies.cell import Cell

# A worker goes through its cells group by group; the one before is all it may be asked for again.
EVALUATORS, SPLITS = 2, 4


class CellRunner:
    """Computes cells one after another, each on one core: the workers are what uses many."""

    def __init__(self, n_jobs: int | None = 1) -> None:
        self._n_jobs = n_jobs
        self._evaluators, self._splits = Memo(EVALUATORS), Memo(SPLITS)

    def compute(self, cell: Cell, ds: Dataset) -> CellResult:
        """The result of a cell; a problem becomes its reason, so that the others go on."""
        start = time.perf_counter()
        try:
            protocol = cell.resolved_protocol
            evaluator = self._evaluator(cell, ds, protocol)
        except Exception as problem:
            return cell.failed(problem)
        splitting = time.perf_counter() - start
        result = evaluator.compute(cell.choice, protocol, cell.seed, cell.repeat)
        return cell.tag(replace(result, wall_seconds=result.wall_seconds + splitting))

    def _evaluator(self, cell: Cell, ds: Dataset, protocol: Protocol) -> SplitEvaluator:
        rows = (cell.fingerprint, protocol.split, protocol.test_share, protocol.folds, protocol.stratified, cell.seed)

        def splits() -> list[Split]:
            return list(protocol.splits(ds, cell.seed))

        def evaluator() -> SplitEvaluator:
            return self._make_evaluator(ds, self._splits.once((*rows, protocol.repeats), splits)[cell.repeat])

        kept: SplitEvaluator = self._evaluators.once((*rows, cell.repeat), evaluator)
        return kept

    def _make_evaluator(self, ds: Dataset, split: Split) -> SplitEvaluator:
        return SplitEvaluator(ds, split, self._n_jobs)
