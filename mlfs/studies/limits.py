"""Cells measured alone: each method prepares for itself, and may use so much time and memory, and no more.

In other studies methods share what they prepare, and tables that one has filled in serve the next: good for whoever
waits, but then no method's time and memory are its own.
"""

from __future__ import annotations

import ctypes
import gc
import re
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event
from typing import Any, cast

from mlfs.blocks import at_most_threads
from mlfs.datasets import Dataset
from mlfs.errors import TooLargeError
from mlfs.evaluation.cell_result import CellResult
from mlfs.evaluation.protocols import Protocol
from mlfs.evaluation.split_evaluator import SplitEvaluator
from mlfs.evaluation.splits import Split
from mlfs.selectors import Selector
from mlfs.stopping import GivenUp, stoppable
from mlfs.studies.cell import Cell
from mlfs.studies.cell_runner import CellRunner

SELECTING, JUDGING = "The selection", "The classifier"
_TOO_LONG = re.compile(rf"^({SELECTING}|{JUDGING}) took more than ([\d.e+-]+) s, the limit\.$")
_TOO_MUCH = re.compile(rf"^({SELECTING}|{JUDGING}) needs more than ([\d.e+-]+) GiB, the limit\.$")


@dataclass(frozen=True)
class CellLimits:
    """What a cell may use: the selection, and then again the classifier that judges it.

    Attributes
    ----------
    selection_seconds : of processor time
    bytes : of memory beyond what the process held before
    classifier_seconds : of processor time, where that is not as long as the selection may take
    """

    selection_seconds: float
    bytes: int
    classifier_seconds: float | None = None

    @property
    def gib(self) -> float:
        return self.bytes / 2**30

    @property
    def text(self) -> str:
        """All of them in words."""
        return (
            f"{self.selection_seconds:g} s of processor time for the selection, {self.seconds_of(JUDGING):g} s for the "
            f"classifier and {self.gib:g} GiB of memory for either"
        )

    def seconds_of(self, part: str) -> float:
        longest = self.classifier_seconds
        return self.selection_seconds if part == SELECTING or longest is None else longest

    def too_long(self, part: str) -> str:
        return f"{part} took more than {self.seconds_of(part):g} s, the limit."

    def too_much(self, part: str) -> str:
        return f"{part} needs more than {self.gib:g} GiB, the limit."


def exceeded_part(error: str) -> str | None:
    """Which part of a cell exceeded a limit, by the reason that it gave; None where it was something else.

    >>> exceeded_part(CellLimits(30, 2 << 30).too_long(SELECTING))
    'The selection'
    """
    match = _TOO_LONG.match(error) or _TOO_MUCH.match(error)
    return match[1] if match else None


def is_within(error: str, limits: CellLimits) -> bool:
    """Whether a cell that exceeded a limit could do better under these: they allow more of what it lacked."""
    if match := _TOO_LONG.match(error):
        return limits.seconds_of(match[1]) > float(match[2])
    if match := _TOO_MUCH.match(error):
        return limits.gib > float(match[2])
    return False


class LimitedCellRunner(CellRunner):
    """Computes cells one after another; seconds are of processor time, which other work on the machine adds nothing to.

    Cells of one method on one split that differ in how they are judged share the selection. Time is looked at where
    methods pass a checkpoint, so that a long step of linear algebra is waited for; memory is refused where the system
    can do that (Linux), and where the method knows its need beforehand.
    """

    def __init__(self, limits: CellLimits) -> None:
        super().__init__(n_jobs=1)
        self._limits = limits

    def compute(self, cell: Cell, ds: Dataset) -> CellResult:
        start = time.thread_time()
        result = super().compute(cell, ds)
        again = result.again or exceeded_part(result.error) is not None
        return replace(result, wall_seconds=time.thread_time() - start, again=again)

    def _make_evaluator(self, ds: Dataset, split: Split) -> SplitEvaluator:
        return _AloneEvaluator(ds, split, self._limits)


@dataclass(frozen=True)
class _Selection:
    """What was selected last, and what it took."""

    key: Any
    selector: Selector
    seconds: float
    prepare_seconds: float
    peak_bytes: int


class _AloneEvaluator(SplitEvaluator):
    """A split on which every method prepares for itself."""

    def __init__(self, ds: Dataset, split: Split, limits: CellLimits) -> None:
        super().__init__(ds, split, n_jobs=1)
        self._limits = limits
        self._last: _Selection | None = None

    def measure(self, selector: Selector, protocol: Protocol) -> CellResult:
        result = super().measure(selector, protocol)
        return replace(result, peak_bytes=self._last.peak_bytes if self._last else 0)

    def fit(self, selector: Selector) -> tuple[float, float]:
        key = _effective(selector)
        last, asked = self._last, selector.n_features_to_select or 0
        if last is None or last.key != key or (last.selector.n_features_to_select or 0) < asked:
            self._last = None
            with _limited(self._limits, SELECTING), _PeakMemory() as peak:
                sizes = {"instances": len(self.train), "features": self.ds.X.shape[1], "labels": self.ds.Y.shape[1]}
                if selector.required_bytes(sizes) > self._limits.bytes:
                    raise TooLargeError(self._limits.too_much(SELECTING))
                start = time.thread_time()
                evidence = selector.prepare(self.ds.X[self.train], self.ds.Y[self.train])
                prepared = time.thread_time()
                selector.fit_prepared(evidence)
                end = time.thread_time()
            self._last = last = _Selection(key, selector, end - start, prepared - start, peak.bytes)
        selector.__dict__.update(last.selector.__dict__)
        return last.seconds, last.prepare_seconds

    def _curve(self, *arguments: Any) -> Any:
        with _limited(self._limits, JUDGING):
            return super()._curve(*arguments)


def _effective(selector: Selector) -> tuple[str, str]:
    """Equal for selectors of which the one that selects more features has the ranking of both."""
    parameters = selector.get_params()
    asked = parameters.pop("n_features_to_select")
    follows = any(p.none == "the number of features to select" for p in selector.parameters.values())
    return selector.id, repr((sorted(parameters.items()), asked if follows else None))


class _ProcessorTime:
    """Set once this thread has used so many seconds; `Event`-like, as `stoppable` asks for."""

    def __init__(self, seconds: float) -> None:
        self._end = time.thread_time() + seconds

    def is_set(self) -> bool:
        return time.thread_time() > self._end


@contextmanager
def _limited(limits: CellLimits, part: str) -> Iterator[None]:
    """What runs inside ends with a sentence where it exceeds a limit; on one thread, for it is its time that counts."""
    over = _ProcessorTime(limits.seconds_of(part))
    try:
        with stoppable(cast(Event, over)), at_most_threads(1), _less_memory(limits.bytes):
            yield
    except GivenUp:
        raise TooLargeError(limits.too_long(part)) from None
    except MemoryError:
        raise TooLargeError(limits.too_much(part)) from None
    if over.is_set():
        raise TooLargeError(limits.too_long(part))


@contextmanager
def _less_memory(more: int) -> Iterator[None]:
    """Allow the process so much more memory than it has, where it is ours alone and the system can do that."""
    held = _status("VmData")
    if held is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    import resource

    before, most = resource.getrlimit(resource.RLIMIT_DATA)
    allowed = held + more
    resource.setrlimit(resource.RLIMIT_DATA, (allowed if before < 0 else min(allowed, before), most))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (before, most))


class _PeakMemory:
    """The most memory the process held inside, beyond what it held before, as the kernel counted it; 0 elsewhere."""

    bytes = 0

    def __enter__(self) -> _PeakMemory:
        self._before = None
        gc.collect()
        if sys.platform == "linux":
            # Freed memory that the allocator keeps would hide what the next selection needs.
            trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
            if trim is not None:
                trim(0)
            try:
                Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
                self._before = _status("VmRSS")
            except OSError:
                pass
        return self

    def __exit__(self, *_: Any) -> None:
        most = _status("VmHWM")
        if self._before is not None and most is not None:
            self.bytes = max(most - self._before, 0)


def _status(name: str) -> int | None:
    """A count of bytes that Linux keeps of this process."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    matches = [line for line in lines if line.startswith(f"{name}:")]
    return int(matches[0].split()[1]) << 10 if matches else None
