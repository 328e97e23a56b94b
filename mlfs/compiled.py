"""Loops compiled by Numba when first called, kept on disk between runs where there is a place to keep them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import update_wrapper
from types import FunctionType
from typing import Any

_turn = threading.RLock()


class compiled:
    """Compile a loop over arrays; it runs without the interpreter's lock, and without bounds checks.

    Importing Numba takes longer than most of mlfs, so it waits for the first call.
    """

    def __init__(self, function: Any) -> None:
        self._function: FunctionType = function
        self._machine: Callable[..., Any] | None = None
        update_wrapper(self, function)

    def __call__(self, *arguments: Any) -> Any:
        try:
            return (self._machine or self._compile())(*arguments)
        except OSError:  # the disk is full
            return self._compile(on_disk=False)(*arguments)

    def _compile(self, on_disk: bool = True) -> Callable[..., Any]:
        # One thread compiles, the others wait for it.
        with _turn:
            if self._machine is None or not on_disk:
                from numba import njit

                function = self._with_compiled_callees(on_disk)
                try:
                    self._machine = njit(nogil=True, cache=on_disk)(function)
                except RuntimeError:
                    # A read-only installation and no home: compile in every process instead.
                    self._machine = njit(nogil=True)(function)
            assert self._machine is not None
            return self._machine

    def _with_compiled_callees(self, on_disk: bool) -> FunctionType:
        """The function as it would be had the loops it calls been compiled before it."""
        function = self._function
        known = function.__globals__
        called = {name: known[name] for name in function.__code__.co_names if isinstance(known.get(name), compiled)}
        seen = {**known, **{name: loop._compile(on_disk) for name, loop in called.items()}}
        return FunctionType(function.__code__, seen, function.__name__, function.__defaults__, function.__closure__)
