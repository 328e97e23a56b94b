"""Every picture and table can be taken away, and every page can be run again elsewhere."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from mlfs.plots import alt_text, can_draw_images, enlarged, to_html, to_image
from mlfs.plots.template import config
from mlfs.recipes import Recipe
from mlfs.tables import to_csv, to_latex
from pages.parts import view

IMAGES = {"svg": "image/svg+xml", "png": "image/png"}


def figure(fig: go.Figure, name: str, key: str | None = None) -> None:
    """A figure with its description for screen readers, and below it the ways to take it away."""
    key = key or name
    if view.presenting():
        fig = enlarged(fig)
    st.plotly_chart(fig, key=f"{key}-figure", alt=alt_text(fig), config=config(name))
    with st.popover("Save figure", type="tertiary", key=f"{key}-save"):
        for form, mime in IMAGES.items() if _images() else ():
            # A function: the picture is made when somebody asks for it.
            _download(form.upper(), partial(to_image, fig, form), f"{name}.{form}", mime, key)
        _download("HTML", partial(to_html, fig), f"{name}.html", "text/html", key)
        if not _images():
            st.caption("PNG needs Chrome or Chromium on the server; the camera above the figure saves SVG without.")


def table(shown: Any, data: pd.DataFrame, name: str, key: str | None = None, *, latex: Any = None, **how: Any) -> None:
    """A table as it is shown (a DataFrame or a Styler), its numbers as CSV and LaTeX (`latex`, where it differs)."""
    st.dataframe(shown, key=f"{key or name}-table", **how)
    downloads(data, name, key, latex=latex)


def downloads(data: Any, name: str, key: str | None = None, *, latex: Any = None) -> None:
    """A table's numbers to take away: all digits as CSV, a table of a paper as LaTeX."""
    with st.container(horizontal=True, gap="small"):
        _download("CSV", partial(to_csv, data), f"{name}.csv", "text/csv", key or name)
        _download(
            "LaTeX",
            partial(to_latex, data if latex is None else latex),
            f"{name}.tex",
            "application/x-tex",
            key or name,
        )


def recipes(recipe: Recipe) -> None:
    """The page as a program and as a command."""
    with st.expander("Copy as Python, copy as command"):
        st.code(recipe.python, language="python")
        st.code(recipe.command, language="bash", wrap_lines=True)


def _download(label: str, make: Any, file_name: str, mime: str, key: str) -> None:
    st.download_button(
        label,
        make,
        file_name,
        mime,
        key=f"{key}-{label}",
        on_click="ignore",
        type="tertiary",
        icon=":material/download:",
    )


@st.cache_resource(show_spinner=False)
def _images() -> bool:
    return can_draw_images()
