"""Collecting garbage when nobody waits.

A full collection looks at every object of scikit-learn, Numba, pandas and Plotly, and nobody is served meanwhile.
Streamlit would do one after each run of a page; `runner.postScriptGC` in .streamlit/config.toml turns that off. Here
all that is alive when the server is warm is set aside (`gc.freeze`), so that Python's own collections look only at
what came since. In a quiet moment, and every few minutes even without one, all is looked through and set aside again:
what sessions left behind goes, and memory stays bounded.
"""

from __future__ import annotations

import ctypes
import gc
import threading
import time
from contextlib import suppress

#: Seconds between two looks at how busy the process is.
LOOK = 5.0
#: A quiet moment: less than this share of one core was used since the last look.
QUIET = 0.1
#: Seconds between two full collections, at least and at most.
SOONEST, LATEST = 30.0, 300.0


def keep_tidy(ended: threading.Event) -> None:
    """Collect now, and then in quiet moments, until the event is set."""
    collect()
    last, before, used = time.monotonic(), time.monotonic(), time.process_time()
    while not ended.wait(LOOK):
        now, busy = time.monotonic(), time.process_time()
        quiet = busy - used < QUIET * (now - before)
        before, used = now, busy
        if now - last > (SOONEST if quiet else LATEST):
            collect()
            last, used = time.monotonic(), time.process_time()


def collect() -> None:
    """A full collection; what is left is not looked at again before the next one. Freed pages go to the system."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    with suppress(OSError, AttributeError):  # only glibc has it
        ctypes.CDLL("libc.so.6").malloc_trim(0)
