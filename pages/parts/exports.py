"""Every picture and table can be taken away, and every page can be run again elsewhere."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Hashable
from functools import partial
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from mlfs.plots import can_draw_images, enlarged, nothing_yet, to_html, to_image
from mlfs.recipes import Recipe
from mlfs.tables import to_csv, to_latex
from mlfs.tables.sheet import NOTHING
from mlfs.wording import file_name as short_name
from pages.parts import chart, errors, view

IMAGES = {"svg": "image/svg+xml", "png": "image/png"}


def figure(
    fig: go.Figure | Callable[[], go.Figure],
    name: str,
    key: str | None = None,
    *,
    of: Hashable = None,
    on_click: Callable[[chart.Click], None] | None = None,
    marks: bool = False,
    moves: chart.Moves | None = None,
) -> None:
    """A figure with its description for screen readers, and below it the ways to take it away, but on a wall.

    Parameters
    ----------
    fig : the figure, or what makes it
    of : all that it depends on, where many sessions may ask for the same
    on_click, marks, moves : as `chart.draw` takes them
    """
    key, name, presenting = key or name, short_name(name), view.presenting()

    def make() -> go.Figure:
        made = fig() if callable(fig) else fig
        return enlarged(made) if presenting else made

    known = None if of is None else (key, of, presenting)
    chart.draw(make, name, f"{key}-figure", of=known, on_click=on_click, marks=marks, moves=moves)
    if not presenting:
        errors.fragment(partial(_save_figure, make, name, key), "Save figure")


def placeholder(reason: str, height: float, key: str) -> None:
    """The place of a figure that is still to come: nothing to take away yet."""
    chart.draw(partial(nothing_yet, reason, height=height), key, f"{key}-figure", of=(reason, height))


def outline(make: Callable[[], go.Figure], key: str) -> None:
    """What a figure will look like, in its place: nothing to take away yet."""
    chart.draw(lambda: enlarged(make()) if view.presenting() else make(), key, f"{key}-figure")


def _save_figure(make: Callable[[], go.Figure], name: str, key: str) -> None:
    """What stands in the menu is made when it is opened."""
    menu = st.popover("Save figure", type="tertiary", key=f"{key}-save", on_change="rerun")
    if not menu.open:
        return
    with menu:
        fig = make()
        for form, mime in IMAGES.items() if _images() else ():
            # A function: the picture is made when somebody asks for it.
            download(form.upper(), partial(to_image, fig, form), f"{name}.{form}", mime, key)
        download("HTML", partial(to_html, fig), f"{name}.html", "text/html", key)
        if not _images():
            st.caption("PNG needs Chrome or Chromium on the server; the camera above the figure saves SVG without.")


def table(shown: Any, data: pd.DataFrame, name: str, key: str | None = None, *, latex: Any = None, **how: Any) -> None:
    """A table as it is shown (a DataFrame or a Styler), its numbers as CSV and LaTeX (`latex`, where it differs).

    What its rows are about stays where it is wider than the screen. The browser keeps the widths of columns as long as
    it has a table, and would cut longer names: with those it gets another one.
    """
    written = getattr(shown, "data", shown)
    if how.get("hide_index"):
        how["column_config"] = {written.columns[0]: st.column_config.Column(pinned=True)} | how.get("column_config", {})
    with st.container(key="-".join([key or name, "as-wide-as", *map(str, _longest(written))])):
        st.dataframe(shown, key=f"{key or name}-table", placeholder=NOTHING, **how)
    downloads(data, name, key, latex=latex)


def _longest(table: pd.DataFrame) -> list[int]:
    """Letters of the longest word of the index and of each column of words."""
    columns = [table.index.to_series(), *(table.iloc[:, place] for place in range(table.shape[1]))]
    words = [column.map(str).map(len) for column in columns if not pd.api.types.is_numeric_dtype(column)]
    return [int(lengths.max()) if len(lengths) else 0 for lengths in words]


def downloads(data: Any, name: str, key: str | None = None, *, latex: Any = None) -> None:
    """A table's numbers to take away, but on a wall: all digits as CSV, a table of a paper as LaTeX."""
    if view.presenting():
        return
    key, name = key or name, short_name(name)
    with st.container(horizontal=True, gap="small"):
        download("CSV", partial(to_csv, data), f"{name}.csv", "text/csv", key)
        download(
            "LaTeX",
            partial(to_latex, data if latex is None else latex),
            f"{name}.tex",
            "application/x-tex",
            key,
        )


def recipes(make: Callable[[], Recipe]) -> None:
    """The page as a program and as a command, written when somebody wants to see them."""
    folded("Copy as Python, copy as command", "recipes", partial(_show_recipe, make))


def _show_recipe(make: Callable[[], Recipe]) -> None:
    recipe = make()
    st.code(recipe.python, language="python")
    st.code(recipe.command, language="bash", wrap_lines=True)


def folded(title: str, key: str, draw: Callable[[], None]) -> None:
    """A closed box, whose content costs nothing until somebody opens it."""

    def box() -> None:
        with st.expander(title, key=f"{key}-box", on_change="rerun") as opened:
            if opened.open:
                draw()

    errors.fragment(box, title)


def download(label: str, make: Any, file_name: str, mime: str, key: str) -> None:
    """A button for a file: its content, or the function that makes it when somebody asks for it.

    A file may be named for a data set, and so by a stranger.
    """
    stem, _, ending = file_name.rpartition(".")
    st.download_button(
        label,
        make if callable(make) else lambda: make,
        f"{short_name(stem)}.{ending}",
        _with_token(mime),
        key=f"{key}-{label}",
        on_click="ignore",
        type="tertiary",
        icon=":material/download:",
    )


def _with_token(mime: str) -> str:
    """The type of a file with a parameter that nobody can guess, which browsers pass over.

    Streamlit makes the address of a download from its type, its name and its content, of large files from the ends and
    the middle alone: with the type as it is, a file that differs elsewhere would get the content of the one before,
    which may be another person's, and whoever guesses the content could make the address.
    """
    return f"{mime}; token={secrets.token_hex(16)}"


@st.cache_resource(show_spinner=False)
def _images() -> bool:
    return can_draw_images()
