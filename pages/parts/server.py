"""What the server does beside running pages: it warms up as it starts, collects garbage, and tidies up at its end.

Everything is imported and compiled before the first visitor needs it, in a thread, so that the server answers at once;
whoever comes meanwhile waits no longer than without it.

A full collection of garbage looks at every object of scikit-learn, Numba, pandas and Plotly, and nobody is served
meanwhile. Streamlit would do one after each run of a page; `runner.postScriptGC` in .streamlit/config.toml turns that
off. Here all that is alive as the server starts, and again when it is warm, is set aside (`gc.freeze`), so that
Python's own collections look only at what came since. In a quiet moment, and every minute even without one, all is
looked through and set aside again: what sessions left behind goes, and memory stays bounded.

So does what the C library keeps: left to itself it gives each of many threads a heap of its own, puts arrays of up to
32 MB there once one of that size was freed, and cannot give back a heap in which anything is left.
"""

from __future__ import annotations

import ast
import ctypes
import gc
import logging
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from streamlit import config
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.parts import browser_scripts

PAGES = Path(__file__).resolve().parents[1]
START = "mlfs-start"
# How long a thread keeps the interpreter while others want it, where Python's own default is 5 ms. A run of a page lets
# go of it some two hundred times, with each message it sends, and each time has to wait for it again.
SWITCH_SECONDS = 0.0003
#: Seconds between two looks at how busy the process is.
LOOK = 5.0
#: A quiet moment: less than this share of one core was used since the last look.
QUIET = 0.1
#: Seconds between two full collections, at least and at most: a third of a second each, and what the sessions that
#: end meanwhile had is kept until then.
SOONEST, LATEST = 30.0, 60.0
#: Of glibc: the number of heaps, and the bytes from which on a block has pages of its own, which its end gives back:
#: what glibc begins with, and raises where it is not held.
HEAPS, OWN_PAGES = 2, 128 << 10
_M_ARENA_MAX, _M_MMAP_THRESHOLD = -8, -3
_closing: list[Callable[[], None]] = []
_tidying: list[Callable[[], None]] = []
_looking: list[Callable[[], None]] = []


def base_path() -> str:
    """The path below which the app is served, where it does not have a server's root to itself."""
    base = str(config.get_option("server.baseUrlPath")).strip("/")
    return f"/{base}" if base else ""


def at_end(close: Callable[[], None]) -> None:
    """Have this done when the server ends."""
    _closing.append(close)


def at_every_cleanup(tidy: Callable[[], None]) -> None:
    """Have this done before every collection of garbage, which comes every minute or so."""
    _tidying.append(tidy)


def at_every_check(check: Callable[[], None]) -> None:
    """Have this done every few seconds."""
    _looking.append(check)


@asynccontextmanager
async def lifespan(_app: Any) -> AsyncIterator[None]:
    """From the server's start to its end."""
    gc.freeze()
    sys.setswitchinterval(SWITCH_SECONDS)
    _ask_glibc("mallopt", _M_ARENA_MAX, HEAPS)
    _ask_glibc("mallopt", _M_MMAP_THRESHOLD, OWN_PAGES)
    ended = threading.Event()
    threading.Thread(target=_begin, args=(ended,), name=START, daemon=True).start()
    yield
    ended.set()
    for close in _closing:
        close()


def _begin(ended: threading.Event) -> None:
    # What takes long says so on the page that asked for it. Nobody has asked yet, and Streamlit would warn of that.
    logging.getLogger(get_script_run_ctx.__module__).addFilter(lambda warning: warning.threadName != START)
    _in_advance(warm_up)
    clean_up_regularly(ended)


def _in_advance(prepare: Callable[[], None]) -> None:
    """Do what visitors would wait for; who needs what failed is told on the page."""
    try:
        prepare()
    except Exception:
        logging.getLogger("mlfs").exception("The warm-up failed")


def warm_up() -> None:
    """Import what the pages import, and do once what the first visitor of Explore would wait for."""
    browser_scripts.link_header()
    browser_scripts.pack()
    for name in page_imports():
        import_module(name)
    from mlfs.evaluation import get_protocol
    from mlfs.plots import curves, tidy
    from pages.parts.chart import serialised
    from pages.parts.data import shared_explorer

    exploration = shared_explorer("emotions").explore("els", get_protocol("quick"))
    serialised(curves(tidy({"els": [exploration.curve]}), metrics=("hamming_loss",)))


def prepare_papers() -> None:
    """The verdicts on the papers, which take longest and which one page shows: when nobody else is served."""
    from mlfs.papers import PAPERS
    from pages.parts.papers_verdicts import counts_of, reproductions_of

    for paper in PAPERS:
        reproductions_of(paper)
        counts_of(paper)


def page_imports() -> list[str]:
    """The modules that the pages import as they are run, in the order of the pages' names."""
    names: dict[str, None] = {}
    for page in sorted(PAGES.glob("*.py")):
        for node in ast.walk(ast.parse(page.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names.update(dict.fromkeys(alias.name for alias in node.names))
            elif isinstance(node, ast.ImportFrom) and node.module:
                names[node.module] = None
                if node.module == "pages.parts":
                    names.update(dict.fromkeys(f"pages.parts.{alias.name}" for alias in node.names))
    return list(names)


def clean_up_regularly(ended: threading.Event) -> None:
    """Collect in quiet moments until the event is set, and prepare the papers in the first of them.

    Neither is done now: a server's first visitor would wait for it.
    """
    gc.freeze()
    prepared = False
    last, before, used = time.monotonic(), time.monotonic(), time.process_time()
    while not ended.wait(LOOK):
        for check in _looking:
            check()
        now, busy = time.monotonic(), time.process_time()
        quiet = busy - used < QUIET * (now - before)
        before, used = now, busy
        if quiet and not prepared:
            _in_advance(prepare_papers)
            prepared = True
        if now - last > (SOONEST if quiet else LATEST):
            for tidy in _tidying:
                tidy()
            collect()
            last, used = time.monotonic(), time.process_time()


def collect() -> None:
    """A full collection; what is left is not looked at again before the next one. Freed pages go to the system."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    _ask_glibc("malloc_trim", 0)


def _ask_glibc(function: str, *numbers: int) -> None:
    """Call a function that other C libraries have not; without it there is nothing to ask."""
    with suppress(OSError, AttributeError):
        getattr(ctypes.CDLL("libc.so.6"), function)(*numbers)
