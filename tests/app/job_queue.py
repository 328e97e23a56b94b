"""An engine for tests: in the same process, it counts what it computes and waits where told."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from mlfs.studies import Cell
from mlfs.studies.cell_runner import CellRunner
from tests.waiting import GUARD


class Here:
    """Computes cells in the thread of the job; after `limit` cells it waits until `gate` is set."""

    def __init__(self) -> None:
        self.computed: list[Cell] = []
        self.limit: int | None = None
        self.gate = threading.Event()

    def compute(self, cells, datasets, cancel):
        runner = CellRunner()
        for done, cell in enumerate(cells):
            while self.limit is not None and done >= self.limit and not self.gate.is_set():
                if cancel.is_set():
                    return
                time.sleep(0.02)
                yield None
            self.computed.append(cell)
            yield runner.compute(cell, datasets[cell.dataset])


def until(app: AppTest, reached: Callable[[AppTest], bool]) -> AppTest:
    """Run the page again, as the polling browser would, until it is so far; seldom where that lasts.

    Each run takes the time of what it waits for.
    """
    end, pause = time.monotonic() + GUARD, 0.05
    while not reached(app):
        assert not app.exception, app.exception[0].value
        assert time.monotonic() < end, said(app)
        time.sleep(pause)
        pause = min(2 * pause, 0.4)
        app.run()
    return app


def press(app: AppTest, label: str) -> AppTest:
    [button] = [button for button in app.button if button.label == label]
    return button.click().run()


def labels(app: AppTest) -> list[str]:
    return [button.label for button in app.button]


def finished(app: AppTest) -> bool:
    return any(caption.value.endswith("all done.") for caption in app.caption)


def said(app: AppTest) -> str:
    parts = [*app.header, *app.markdown, *app.caption, *app.info, *app.warning, *app.error]
    return "\n".join(part.value for part in parts)
