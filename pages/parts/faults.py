"""Work in the background that fails otherwise than foreseen: its traceback goes to the log, and a sentence to the page.

A page looks at the outcome at every run, so that the turning takes place once, where the work is done.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from mlfs.errors import MlfsError
from mlfs.stopping import GivenUp

Result = TypeVar("Result")


def in_a_sentence(what: str, task: Callable[[], Result]) -> Result:
    """Do the task; whatever stops it becomes an error that a page can show. `what` begins the sentence."""
    try:
        return task()
    except (MlfsError, GivenUp):
        raise
    except MemoryError:
        raise MlfsError(f"{what} failed for lack of memory: try it with less.") from None
    except Exception as problem:
        logging.getLogger("mlfs").exception("%s failed", what)
        raise MlfsError(
            f"{what} failed through a fault in mlfs: the terminal that runs the app shows which."
        ) from problem
