"""A sentence in place of any traceback: for pages, parts that are drawn again, and work in threads."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import streamlit as st

from mlfs.errors import MlfsError
from pages.parts.words import literal

Result = TypeVar("Result")


@contextmanager
def show_errors(what: str) -> Iterator[None]:
    """Mistakes get their sentence; faults of ours get one too, and the log gets the traceback."""
    try:
        yield
    except MlfsError as error:
        st.error(literal(str(error)))
    except Exception:
        st.error(internal_error("This page", f"The page {what}"))


def fragment(draw: Callable[[], None], what: str, run_every: float | None = None) -> None:
    """`st.fragment`, which main.py cannot watch over: it is run again without it."""

    def watched() -> None:
        with show_errors(what):
            draw()

    st.fragment(watched, run_every=run_every)()


def as_sentence(what: str, task: Callable[[], Result]) -> Result:
    """Do the task; whatever stops it becomes an error that a page can show. `what` begins the sentence.

    A page looks at the outcome at every run, so that the turning takes place once, where the work is done.
    """
    try:
        return task()
    except MlfsError:
        raise
    except MemoryError:
        raise MlfsError(f"{what} ran out of memory: try fewer rows, features or methods.") from None
    except Exception as problem:
        raise MlfsError(internal_error(what)) from problem


def internal_error(what: str, logged: str | None = None) -> str:
    """The sentence about a fault of ours; the log gets the traceback of the exception that is being handled."""
    logging.getLogger("mlfs").exception("%s failed", logged or what)
    return f"{what} failed because of a bug in mlfs: the terminal that runs the app shows the details."
