"""How tests open a page of the app by its link."""

from __future__ import annotations

import html
import logging
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.scriptrunner_utils import script_run_context
from streamlit.testing.v1 import AppTest, app_test, local_script_runner

from mlfs import SELECTORS
from mlfs.memo import Memo
from mlfs.plots.figure import plain
from mlfs.spreadsheet import without_formula
from mlfs.studies import Estimate
from mlfs.tables.export import latex_escape
from pages.parts import owners
from pages.parts.methods import PLUMBING
from tests.app.hostile import FIGURES, FILES, WORDS
from tests.app.job_queue import Here
from tests.waiting import GUARD

MAIN = Path(__file__).resolve().parents[2] / "pages" / "main.py"
# What only a browser does: say that a figure is drawn, open a closed box.
SOLVERS = [f"{name}-solver" for name, method in SELECTORS.items() if set(PLUMBING) & set(method.parameters)]
BOXES = ["recipes-box", "about-box", "studies-box", *SOLVERS]
DONE_IN_A_BROWSER = {"drawn": True, **dict.fromkeys(BOXES, True)}
# Streamlit looks through all installed packages for components, for every app anew, which takes longer than most pages.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
# One for all apps: else each compiles the programs of its pages anew.
app_test.ScriptCache = local_script_runner.ScriptCache = cache(local_script_runner.ScriptCache)
# It warns of every value that a test puts into the state of a session, and asks a thousand times a second for its end.
logging.getLogger(script_run_context.__name__).disabled = True
wait_by_asking = local_script_runner.require_widgets_deltas


def wait_for_run(runner: local_script_runner.LocalScriptRunner, timeout: float = GUARD) -> None:
    runner._script_thread.join(timeout)
    wait_by_asking(runner, timeout)


local_script_runner.require_widgets_deltas = wait_for_run


@pytest.fixture
def open_page(monkeypatch, tmp_path) -> Callable[..., AppTest]:
    """``open_page("papers", table="5")``, with the bundled data sets and no others."""
    monkeypatch.delenv("MLFS_DATA", raising=False)
    monkeypatch.setenv("MLFS_CACHE", str(tmp_path))
    monkeypatch.setattr("pages.parts.view.PAINT_SECONDS", 0)

    def page(name: str, **query: str) -> AppTest:
        app = AppTest.from_file(str(MAIN), default_timeout=GUARD)
        for key, value in DONE_IN_A_BROWSER.items():
            app.session_state[key] = value
        # Going to a page empties the address.
        app.switch_page(f"{name}.py")
        app.query_params.update(query)
        return app.run()

    return page


@pytest.fixture
def browser(monkeypatch) -> Callable[..., None]:
    """``browser("ann")``: pages are opened in Ann's browser from now on; without it each session is a browser."""

    def opens(name: str, issued: float | None = None) -> None:
        token = f"{int(owners.STARTED if issued is None else issued):x}-{name:x<43}"
        monkeypatch.setattr(owners, "_token", lambda: token)

    return opens


@pytest.fixture
def take_away(monkeypatch) -> Callable[..., None]:
    """``take_away(WORDS)``: the app goes without this guard against names of strangers, as a fault of ours would do."""

    def replace(guard: Callable[..., str]) -> None:
        for name, module in list(sys.modules.items()):
            if name.startswith(("mlfs.", "pages.")) and getattr(module, guard.__name__, None) is guard:
                monkeypatch.setattr(module, guard.__name__, lambda text: text)

    def take(*guards: str) -> None:
        if WORDS in guards:
            monkeypatch.setattr("pages.parts.words._MARKUP", re.compile("((?!))"))
        if FIGURES in guards:
            replace(plain)
        if FILES in guards:
            for guard in (without_formula, latex_escape):
                replace(guard)
            monkeypatch.setattr(html, "escape", lambda text, quote=True: text)
        monkeypatch.setattr("pages.parts.chart._kept", Memo(8))  # figures that were drawn with another guard

    return take


@pytest.fixture
def engine(monkeypatch, tmp_path) -> Here:
    """A store of the test's own, and an engine that counts; estimates cost nothing and are always three seconds."""
    from pages.parts import studies

    here = Here()
    monkeypatch.setenv(studies.VARIABLE, str(tmp_path / "studies.sqlite"))
    monkeypatch.setattr(studies, "ENGINE", here)
    monkeypatch.setattr(studies, "estimate", lambda plan, store, **_: Estimate(len(plan), 0, 3.0, ""))
    yield here
    here.gate.set()
    studies.job_queue().close()
