"""Where cells are computed: in a worker process, which keeps what the next cell of the same split can use."""

from __future__ import annotations

import time

from mlfs.datasets import Dataset
from mlfs.evaluation.protocols import Protocol
from mlfs.evaluation.split_bench import SplitBench
from mlfs.evaluation.splits import Split
from mlfs.memo import Memo
from mlfs.studies.cell import Cell, Outcome, failure
from mlfs.studies.settings import protocol_of

# A worker goes through its cells group by group; the one before is all it may be asked for again.
BENCHES, SPLITS = 2, 4


class Workshop:
    """Computes cells one after another, each on one core: the workers are what uses many."""

    def __init__(self, n_jobs: int | None = 1) -> None:
        self._n_jobs = n_jobs
        self._benches, self._splits = Memo(BENCHES), Memo(SPLITS)

    def compute(self, cell: Cell, ds: Dataset) -> Outcome:
        """The outcome of a cell; a problem becomes its reason, so that the others go on."""
        start = time.perf_counter()
        try:
            protocol = protocol_of(cell.protocol, cell.settings)
            found = self._bench(cell, ds, protocol).measure(cell.selector(), protocol)
        except Exception as problem:
            return failure(cell, problem)
        sizes = tuple(int(size) for size in found.curve["size"])
        selector = found.selector
        return Outcome(
            key=cell.key,
            fingerprint=cell.fingerprint,
            method=cell.method,
            sizes=sizes,
            metrics=tuple(protocol.metrics),
            values=found.curve[list(protocol.metrics)].to_numpy(dtype=float),
            ranking=selector.ranking_[: max(*sizes, selector.n_selected_)].astype("int32"),
            n_selected=int(selector.n_selected_),
            seconds=found.seconds,
            prepare_seconds=found.prepare_seconds,
            wall_seconds=max(time.perf_counter() - start - found.waited, 0.0),
        )

    def _bench(self, cell: Cell, ds: Dataset, protocol: Protocol) -> SplitBench:
        rows = (cell.fingerprint, protocol.split, protocol.test_share, protocol.folds, protocol.stratified, cell.seed)

        def splits() -> list[Split]:
            return list(protocol.splits(ds, cell.seed))

        def bench() -> SplitBench:
            return SplitBench(ds, self._splits.once((*rows, protocol.repeats), splits)[cell.repeat], self._n_jobs)

        made: SplitBench = self._benches.once((*rows, cell.repeat), bench)
        return made
