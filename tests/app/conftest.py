"""How tests open a page of the app by its link."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from streamlit.components.v2.component_manager import BidiComponentManager
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from mlfs.studies import Estimate
from tests.app.desk import Here
from tests.waiting import GUARD

APP = Path(__file__).resolve().parents[2] / "app.py"


@cache
def components() -> BidiComponentManager:
    """The custom components that are installed; to find them takes longer than most pages."""
    found = BidiComponentManager()
    found.discover_and_register_components(start_file_watching=False)
    return found


@pytest.fixture
def open_page(monkeypatch, tmp_path) -> Callable[..., AppTest]:
    """``open_page("papers", table="5")``, with the bundled data sets and no others."""
    monkeypatch.delenv("MLFS_DATA", raising=False)
    monkeypatch.setenv("MLFS_CACHE", str(tmp_path))
    start = PagesManager.__init__

    def as_in_a_server(self, *args, **kwargs):
        # A server learns from st.navigation that pages/ is no app of the older kind; AppTest forgets it at every run.
        PagesManager.uses_pages_directory = False
        start(self, *args, **kwargs)

    monkeypatch.setattr(PagesManager, "__init__", as_in_a_server)

    def page(name: str, **query: str) -> AppTest:
        app = AppTest.from_file(str(APP), default_timeout=GUARD).switch_page(f"pages/{name}.py")
        app._bidi_component_manager = components()
        app.query_params.update(query)
        return app.run()

    return page


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
    studies.desk().close()
