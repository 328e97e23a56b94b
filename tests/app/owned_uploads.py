"""Uploads of a session under test, without the form."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from mlfs.evaluation import Explorer
from pages.parts import owners


def give_upload(app: AppTest, name: str, explorer: Explorer, labels: owners.Labels = None) -> None:
    """Make this an upload of the browser that has opened the page."""
    owners.UPLOADS.keep(app.session_state["viewer"], name, owners.Upload(explorer, labels, 0))
