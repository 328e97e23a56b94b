"""How tests wait: for what happens, not for a time; the guard only ends a test that would hang, on any machine."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

GUARD = 300.0  # seconds, many times what a loaded machine needs


def until(condition: Callable[[], Any]) -> None:
    """Return once it holds."""
    deadline = time.monotonic() + GUARD
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


def without_waiting(work: Callable[[], Any]) -> Any:
    """What the work returns; it fails where the work waits for something that lasts longer than the guard."""
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(work()), daemon=True)
    thread.start()
    thread.join(GUARD)
    assert not thread.is_alive(), "waited in vain"
    [result] = found
    return result
