"""Loops compiled by Numba, kept on disk between runs where there is a place to keep them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a loop over arrays; it runs without the interpreter's lock, and without bounds checks."""
    try:
        return njit(nogil=True, cache=True)(function)
    except RuntimeError:
        # A read-only installation and no home: compile in every process instead.
        return njit(nogil=True)(function)
