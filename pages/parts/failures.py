"""A sentence in place of any traceback, for whole pages and for the parts that are drawn again by themselves."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import streamlit as st

from mlfs.errors import MlfsError
from pages.parts.words import literal

OURS = "This page failed through a fault in mlfs: the terminal that runs the app shows which."


@contextmanager
def told(what: str) -> Iterator[None]:
    """Mistakes get their sentence; faults of ours get one too, and the log gets the traceback."""
    try:
        yield
    except MlfsError as error:
        st.error(literal(str(error)))
    except Exception:
        logging.getLogger("mlfs").exception("The page %s failed", what)
        st.error(OURS)


def fragment(draw: Callable[[], None], what: str, run_every: float) -> None:
    """`st.fragment`, which app.py cannot watch over: it is run again without it."""

    def watched() -> None:
        with told(what):
            draw()

    st.fragment(watched, run_every=run_every)()
