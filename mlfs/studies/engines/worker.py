"""The process that computes cells for `LocalEngine`."""

from __future__ import annotations

import os
import queue
import threading
from multiprocessing.connection import Connection
from typing import Any, cast

from mlfs.datasets import Dataset
from mlfs.studies.cell import Cell
from mlfs.studies.cell_runner import CellRunner

READY = "ready"


def work(connection: Connection) -> None:
    """Say that it is there; then receive a data set and cells of it, and send their results, until nobody listens.

    Another data set, or None, replaces the one before.
    """
    connection.send(READY)
    inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(connection, inbox), daemon=True).start()
    runner, ds = CellRunner(), cast(Dataset, None)  # a data set always comes before its cells
    while True:
        message = inbox.get()
        if isinstance(message, Cell):
            connection.send(runner.compute(message, ds))
        else:
            runner, ds = CellRunner(), message


def _listen(connection: Connection, inbox: queue.SimpleQueue[Any]) -> None:
    """Ends the process as soon as the parent is gone, however it went, even in the middle of a long cell."""
    try:
        while True:
            inbox.put(connection.recv())
    except (EOFError, OSError):
        os._exit(0)
    except BaseException:  # a message that cannot be read: the parent sees a dead worker
        os._exit(1)
