"""A Streamlit server of one's own, for tests and benchmarks that need a real browser."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.ports import reserved_port
from tests.waiting import GUARD

REPOSITORY = Path(__file__).resolve().parents[2]


@contextmanager
def serving(script: Path = REPOSITORY / "app.py", log: Path | None = None, **environment: str) -> Iterator[str]:
    """Run a Streamlit script on a free port of this machine; gives its address."""
    with started(script, log, **environment) as (address, _):
        yield address


@contextmanager
def started(
    script: Path = REPOSITORY / "app.py", log: Path | None = None, **environment: str
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """As `serving`, with the process, for tests that end it themselves."""
    command = [sys.executable, "-m", "streamlit", "run", str(script)]
    command += ["--server.address", "127.0.0.1", "--server.headless", "true", "--server.fileWatcherType", "none"]
    with reserved_port() as port, open(log or os.devnull, "wb") as out:
        process = subprocess.Popen(
            [*command, "--server.port", str(port)],
            cwd=script.parent,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY), **environment},
            stdout=out,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait_until_up(f"http://127.0.0.1:{port}/_stcore/health", process)
            yield f"http://127.0.0.1:{port}", process
        finally:
            process.terminate()
            process.wait(timeout=GUARD)


def _wait_until_up(address: str, process: subprocess.Popen[bytes], seconds: float = GUARD) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(f"Streamlit ended with {process.returncode} before it served.")
        try:
            with urllib.request.urlopen(address, timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"Streamlit did not answer within {seconds:.0f} s.")


class NoBrowser(Exception):
    """There is no Chromium on this machine."""


@contextmanager
def chromium(*more: str) -> Iterator[Any]:
    """A headless Chromium: the system's where there is one, else the one playwright has installed."""
    from playwright.sync_api import sync_playwright

    own = next(filter(None, (shutil.which(name) for name in ("chromium", "chromium-browser", "google-chrome"))), None)
    # Root may not use the sandbox; the only pages visited are our own.
    quiet = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
    with sync_playwright() as playwright:
        if own is None and not Path(playwright.chromium.executable_path).exists():
            raise NoBrowser("There is no Chromium: make test installs one.")
        browser = playwright.chromium.launch(executable_path=own, args=[*quiet, *more])
        try:
            yield browser
        finally:
            browser.close()
