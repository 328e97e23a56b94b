"""What the server does when it starts: everything is imported and compiled, before the first visitor needs it.

It happens in a thread, so that the server answers at once; whoever comes meanwhile waits no longer than without it.
"""

from __future__ import annotations

import ast
import logging
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from streamlit import config

from pages.parts import browser_scripts, memory

PAGES = Path(__file__).resolve().parents[1]
# How long a thread keeps the interpreter while others want it, where Python's own default is 5 ms. A run of a page lets
# go of it some two hundred times, with each message it sends, and each time has to wait for it again.
SWITCH_SECONDS = 0.0003


def base_path() -> str:
    """The path below which the app is served, where it does not have a server's root to itself."""
    base = str(config.get_option("server.baseUrlPath")).strip("/")
    return f"/{base}" if base else ""


_closing: list[Callable[[], None]] = []


def at_end(close: Callable[[], None]) -> None:
    """Have this done when the server ends."""
    _closing.append(close)


@asynccontextmanager
async def lifespan(_app: Any) -> AsyncIterator[None]:
    """From the server's start to its end."""
    sys.setswitchinterval(SWITCH_SECONDS)
    ended = threading.Event()
    threading.Thread(target=_begin, args=(ended,), name="mlfs-start", daemon=True).start()
    yield
    ended.set()
    for close in _closing:
        close()


def _begin(ended: threading.Event) -> None:
    try:
        browser_scripts.link_header()
        browser_scripts.packed_plotly()
        warm_up()
    except Exception:
        # A visitor who needs what failed is told on the page.
        logging.getLogger("mlfs").exception("The warm-up failed")
    memory.keep_tidy(ended)


def warm_up() -> None:
    """Import what the pages import, and do once what the first visitor of Explore would wait for."""
    for name in page_imports():
        import_module(name)
    from mlfs.evaluation import get_protocol
    from mlfs.plots import curves, tidy
    from pages.parts.chart import serialised
    from pages.parts.data import shared_explorer

    found = shared_explorer("emotions").explore("els", get_protocol("quick"))
    serialised(curves(tidy({"els": [found.curve]}), metrics=("hamming_loss",)))


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
