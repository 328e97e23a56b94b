"""The address a page has written, as a plain mapping."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def address(app: AppTest) -> dict[str, str]:
    """AppTest holds what the test set as text, and what the page wrote as lists."""
    return {key: value if isinstance(value, str) else value[0] for key, value in app.query_params.items()}
