"""A line on the standard error that says how far the work is; only where a person watches.

That it waits for something is said to a file too, once: nobody would know why nothing comes.
"""

from __future__ import annotations

import shutil
import sys
from types import TracebackType
from typing import TextIO

from mlfs.background import Waiting
from mlfs.terminal import printable

WIDTH = 24


class ProgressLine:
    """``with ProgressLine() as progress: compare(…, progress=progress)``; the line is gone afterwards."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = sys.stderr if stream is None else stream
        self.shown = self.stream.isatty()
        self._told = ""

    def __enter__(self) -> ProgressLine:
        return self

    def __call__(self, done: int, total: int, text: str) -> None:
        """`done` of `total` parts, the last of which is told in `text`."""
        self._tell(text)
        if total:
            self._draw(done / total, f"{done} of {total}: {text}")

    def share(self, done: float, text: str) -> None:
        """A share of the work between 0 and 1."""
        self._tell(text)
        self._draw(done, text)

    def _draw(self, done: float, text: str) -> None:
        if not self.shown:
            return
        filled = round(WIDTH * min(max(done, 0.0), 1.0))
        line = f"[{'#' * filled}{'.' * (WIDTH - filled)}] {printable(text)}"
        self.stream.write("\r\x1b[K" + line[: shutil.get_terminal_size().columns - 1])
        self.stream.flush()

    def _tell(self, text: str) -> None:
        """What is waited for, once, where no line says it."""
        if isinstance(text, Waiting) and not self.shown and text != self._told:
            self.stream.write(f"mlfs: {printable(text)}.\n")
            self.stream.flush()
            self._told = text

    def say(self, text: str) -> None:
        """A sentence that stays, above the line."""
        if self.shown:
            self.stream.write(f"\r\x1b[K{printable(text)}\n")
            self.stream.flush()

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.shown:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
