"""Results kept for the next question, bounded, shared by threads."""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from typing import Any

import numpy as np


def array_bytes(*values: Any) -> int:
    """The memory of all arrays that these objects hold, in attributes, containers or below; each is counted once.

    >>> array_bytes({"a": np.zeros(10), "b": [np.zeros((2, 3))]})
    128
    """
    seen: set[int] = set()
    waiting, total = list(values), 0
    while waiting:
        value = waiting.pop()
        if isinstance(value, np.ndarray):
            while isinstance(value.base, np.ndarray):  # a view: what it looks at is what is kept
                value = value.base
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, np.ndarray):
            total += value.nbytes
        else:
            waiting += _parts(value)
    return total


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    if isinstance(value, list | tuple | set):
        return value
    if isinstance(value, type) or callable(value):
        return ()
    return getattr(value, "__dict__", {}).values()


class Budget:
    """Bytes that several memos may keep together; what has not been asked for longest goes first, whosever it is."""

    def __init__(self, limit: int) -> None:
        self.limit, self.total = limit, 0
        self._kept: OrderedDict[tuple[int, Hashable], tuple[weakref.ref[Memo], int]] = OrderedDict()
        self._guard = threading.Lock()

    def use(self, memo: Memo, key: Hashable, size: int) -> None:
        """Note that a memo keeps so many bytes, or was asked for them again; others give way where it is too much."""
        gone: list[tuple[weakref.ref[Memo], Hashable]] = []
        with self._guard:
            place = (id(memo), key)
            _, before = self._kept.pop(place, (None, 0))
            self._kept[place] = (weakref.ref(memo), size)
            self.total += size - before
            while self.total > self.limit and len(self._kept) > 1:
                (_, other), (owner, size) = self._kept.popitem(last=False)
                self.total -= size
                gone.append((owner, other))
        for owner, other in gone:
            if (alive := owner()) is not None:
                alive.forget(other)

    def use_again(self, memo: Memo, key: Hashable) -> None:
        """Note that a memo was asked again for what it keeps, of the size that it had."""
        with self._guard:
            if (id(memo), key) in self._kept:
                self._kept.move_to_end((id(memo), key))

    def release(self, memo: int, key: Hashable) -> None:
        """Note that the memo with this id no longer keeps this."""
        with self._guard:
            _, size = self._kept.pop((memo, key), (None, 0))
            self.total -= size

    def release_all(self, memo: int) -> None:
        """Note that the memo with this id is gone."""
        with self._guard:
            for place in [place for place in self._kept if place[0] == memo]:
                self.total -= self._kept.pop(place)[1]


class Memo:
    """The last `most` results by key; what has not been asked for longest goes first.

    Whoever asks for a thing that another thread is computing waits for it, and nobody else waits: each key has a lock
    of its own. A computation that fails leaves nothing behind.

    Parameters
    ----------
    size : bytes of a result, roughly
    budget : what all memos that share it may keep together
    grows : whether a result may take more later: its size is then asked each time that the result is, else once
    """

    def __init__(
        self,
        most: int,
        *,
        size: Callable[[Any], int] = lambda result: 0,
        budget: Budget | None = None,
        grows: bool = False,
    ) -> None:
        self.most, self.size, self.budget, self.grows = most, size, budget, grows
        self._known: OrderedDict[Hashable, Any] = OrderedDict()
        self._under_way: dict[Hashable, threading.Lock] = {}
        self._guard = threading.Lock()
        if budget is not None:
            weakref.finalize(self, budget.release_all, id(self))

    def once(self, key: Hashable, compute: Callable[[], Any], keep: Callable[[Any], bool] = lambda result: True) -> Any:
        """The result under this key, computed where it is not kept; `keep` says whether it is worth keeping."""
        with self._guard:
            known = key in self._known
            if known:
                self._known.move_to_end(key)
                result = self._known[key]
            else:
                turn = self._under_way.setdefault(key, threading.Lock())
        if known:
            self._use_again(key, result)
            return result
        with turn:
            with self._guard:
                if key in self._known:
                    return self._known[key]
            try:
                result = compute()
                if keep(result):
                    self._keep(key, result)
            finally:
                with self._guard:
                    self._under_way.pop(key, None)
        return result

    def get(self, key: Hashable) -> Any:
        """The result under this key where it is kept; None else."""
        with self._guard:
            if key not in self._known:
                return None
            self._known.move_to_end(key)
            result = self._known[key]
        self._use_again(key, result)
        return result

    def forget(self, key: Hashable) -> None:
        """Keep this no longer."""
        with self._guard:
            self._known.pop(key, None)

    @property
    def results(self) -> list[Any]:
        """All that is kept."""
        with self._guard:
            return list(self._known.values())

    def __len__(self) -> int:
        return len(self._known)

    def _keep(self, key: Hashable, result: Any) -> None:
        dropped = []
        with self._guard:
            self._known[key] = result
            while len(self._known) > self.most:
                dropped.append(self._known.popitem(last=False)[0])
        if self.budget is not None:
            for each in dropped:
                self.budget.release(id(self), each)
        self._use(key, result)

    def _use_again(self, key: Hashable, result: Any) -> None:
        if self.grows:
            self._use(key, result)
        elif self.budget is not None:
            self.budget.use_again(self, key)

    def _use(self, key: Hashable, result: Any) -> None:
        if self.budget is not None:
            self.budget.use(self, key, self.size(result))
