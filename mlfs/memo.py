"""Results kept for the next question, bounded, shared by threads."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any


class Memo:
    """The last `most` results by key; what has not been asked for longest goes first.

    Whoever asks for a thing that another thread is computing waits for it, and nobody else waits: each key has a lock
    of its own. A computation that fails leaves nothing behind.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._known: OrderedDict[Hashable, Any] = OrderedDict()
        self._under_way: dict[Hashable, threading.Lock] = {}
        self._guard = threading.Lock()

    def once(self, key: Hashable, compute: Callable[[], Any], keep: Callable[[Any], bool] = lambda result: True) -> Any:
        """The result under this key, computed where it is not kept; `keep` says whether it is worth keeping."""
        with self._guard:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
            turn = self._under_way.setdefault(key, threading.Lock())
        with turn:
            with self._guard:
                if key in self._known:
                    return self._known[key]
            try:
                result = compute()
                with self._guard:
                    if keep(result):
                        self._known[key] = result
                    while len(self._known) > self.most:
                        self._known.popitem(last=False)
            finally:
                with self._guard:
                    self._under_way.pop(key, None)
        return result

    def __len__(self) -> int:
        return len(self._known)
