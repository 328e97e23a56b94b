"""Where the Significance page takes its table from: one function per source, each shows its own controls."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import pandas as pd
import streamlit as st

from mlfs.errors import MlfsError, ParameterError
from mlfs.memo import Memo
from mlfs.metrics import METRICS, quantity
from mlfs.papers import PAPERS, as_grid
from mlfs.results import metrics_in, sizes_in
from mlfs.tables.joining import join_tables
from mlfs.tables.result_table import ResultTable, read_result_rows, read_result_table, result_table
from mlfs.tables.table_text import decoded, packed, unpacked
from pages.parts import controls, link, view
from pages.parts.studies import choose_finished

TEXT, FILE = "csv", "table-file"
JOINED, JOINED_FILE = "join", "join-file"
JOINING = (
    "One row for each data set, named as on this page, and one column for each method; or the columns *dataset*, "
    "*method*, *metric* and *value*."
)
SIZES = {"last": "The most of each run", "mean": "Mean over all numbers", "best": "The best number of each repeat"}
SIZES_HELP = (
    "The number of features at which the table compares. The best number of each repeat is chosen on the test rows, so "
    "it flatters every method."
)
# Above it nobody edits a table by hand, and a text area is slow.
EDITABLE = 30_000
HEIGHT = 260
MEGABYTES = 20
LONG = "table-"
FORMS = """
One row for each data set, one column for each method, with their names in the first column and the first row. Or one
result per line, in the columns *dataset*, *method*, *value* (and *metric*). Columns may be separated by tabs,
semicolons, commas or spaces; decimal commas are fine, and from *0.12 ± 0.01* the mean is taken. Files written by
`mlfs compare --csv` can be used too.
"""


@dataclass(frozen=True)
class Results:
    """A table to be tested: its name for files, what is said about it, and which way is better, where that is known."""

    name: str
    about: str
    grid: ResultTable
    lower_is_better: bool | None


def choose_results(place: Any) -> tuple[Results | None, str]:
    """The results of the chosen source, or the sentence that says why there are none.

    A source shows its controls in the sidebar, and what belongs to the main area in the given place.
    """
    # By their name in the link.
    sources = {
        "pasted": ("Your table", _pasted),
        "published": ("A published table", _published),
        "study": ("A finished study", _study),
    }
    with st.sidebar:
        name = controls.choose("Table from", list(sources), "source", name=lambda source: sources[source][0])
    try:
        return sources[name][1](place), ""
    except MlfsError as problem:
        return None, str(problem)


@cache
def example() -> str:
    """The table that the page opens with: the Hamming losses of Lee & Kim 2016, Table 5."""
    return str(as_grid("lee_kim_2016", "5").to_csv(lineterminator="\n"))


def choose_size(label: str, sizes: Sequence[int]) -> int | str | None:
    """The number of features that a table is about, as `mlfs.tables.summary` takes it."""
    options = [*SIZES, *map(str, sizes)]
    at = controls.choose_name(
        label, options, "at", name=lambda word: SIZES.get(word, f"{word} features"), help=SIZES_HELP
    )
    return {"last": None}.get(at, int(at) if at.isdigit() else at)


def choose_joined() -> str:
    """A closed box for the results of another program, which join those of the page; their text, or nothing.

    Like a pasted table they stand in the link where they fit.
    """
    text: str = link.current().control(JOINED, "", _text_of, _word_of)
    with controls.closed_box("Results of another program", "join-box") as box:
        if box.open:
            st.file_uploader(
                "A table of results",
                type=["csv", "tsv", "txt"],
                key=JOINED_FILE,
                help=FORMS,
                on_change=_take_joined,
                max_upload_size=MEGABYTES,
            )
            st.caption(JOINING)
            if text:
                st.button("Remove these results", on_click=_put, args=("", JOINED))
    return text


def joined_results(results: Results | None, text: str) -> tuple[Results | None, str]:
    """The results with those of another program beside them, or the sentence that says why not."""
    if results is None or not text:
        return results, ""
    try:
        return replace(results, grid=join_tables(results.grid, text)), ""
    except MlfsError as problem:
        return None, str(problem)


def _pasted(place: Any) -> Results:
    text: str = link.current().control(TEXT, example(), _text_of, _word_of, widget=True)
    if not view.presenting():
        with place:
            _show_text(text)
    is_example = text == example()
    about = "Your table" if not is_example else "An example until you paste or upload your own: Lee & Kim 2016, Table 5"
    grid = _kept((text,), lambda: _read(text))
    if isinstance(grid, pd.DataFrame):
        grid = _choose_of_rows(grid, (text,))
    return Results("example" if is_example else "table", about, grid, _known_way(grid))


def _published(place: Any) -> Results:
    testable = {
        f"{table.paper}.{table.number}": table
        for paper in PAPERS.values()
        for table in paper.tables
        if not table.is_of_statistics and len(table.methods) > 1
    }
    with st.sidebar:
        key = controls.choose("Table", list(testable), "published", name=lambda key: _table_name(testable[key]))
        table = testable[key]
        metric = table.metric
        if len(table.metrics) > 1:
            metric = controls.choose_name("Metric", table.metrics, "metric", name=lambda name: quantity(name).title)
    grid = ResultTable(as_grid(table.paper, table.result, metric), metric)
    about = f"{_table_name(table)}. {table.caption} {quantity(metric).title}, as printed."
    return Results(f"{table.paper}-{table.number}-{metric}", about, grid, quantity(metric).lower_is_better)


def _study(place: Any) -> Results:
    name, rows = choose_finished()
    grid = _choose_of_rows(rows, None)
    return Results(f"study-{st.session_state['study']}", f"{name}, means over repeats", grid, _known_way(grid))


def _known_way(grid: ResultTable) -> bool | None:
    return METRICS[grid.metric].lower_is_better if grid.metric in METRICS else None


def _choose_of_rows(rows: pd.DataFrame, key: Any) -> ResultTable:
    """The controls for rows of several metrics and sizes, and the grid they choose; kept under `key`, if any."""
    metric, at = None, None
    metrics, sizes = metrics_in(rows), sizes_in(rows)
    with st.sidebar:
        if len(metrics) > 1:
            metric = controls.choose_name(
                "Metric", metrics, "metric", name=lambda name: METRICS[name].title if name in METRICS else name
            )
        if len(sizes) > 1:
            at = choose_size("Number of features", sizes)
    if key is None:
        return result_table(rows, metric=metric, size=at)
    return _kept((*key, metric, at), lambda: result_table(rows, metric=metric, size=at))


def _table_name(table: Any) -> str:
    return f"{PAPERS[table.paper].short}, {table.name}"


def _read(text: str) -> ResultTable | pd.DataFrame:
    rows = read_result_rows(text)
    return read_result_table(text) if rows is None else rows


def _kept(key: tuple[Any, ...], make: Callable[[], Any]) -> Any:
    """Large tables take a moment to read; this session's last ones are kept."""
    memo: Memo = st.session_state.setdefault("tables-read", Memo(8))
    return memo.once(key, make)


def _show_text(text: str) -> None:
    st.subheader("The table", anchor=False)
    left, right = view.columns("table", [3, 2])
    with left:
        if len(text) <= EDITABLE:
            how = {"height": HEIGHT, "label_visibility": "collapsed"}
            link.current().show(st.text_area, "Paste a table here", TEXT, text, **how)
        else:
            st.caption(f"A table of {len(text.splitlines()):,} lines, too long to edit here.")
    with right:
        st.file_uploader(
            "Upload a CSV", type=["csv", "tsv", "txt"], key=FILE, on_change=_take_file, max_upload_size=MEGABYTES
        )
        if text != example():
            st.button("Back to the example", on_click=_put, args=(example(),))
        st.caption(FORMS)


def _take_file() -> None:
    file = st.session_state.get(FILE)
    if file is not None:
        _put(decoded(file.getvalue()))


def _take_joined() -> None:
    file = st.session_state.get(JOINED_FILE)
    if file is not None:
        _put(decoded(file.getvalue()), JOINED)


def _put(text: str, key: str = TEXT) -> None:
    st.session_state[key] = text


def _word_of(text: str) -> str:
    """The table itself where it fits a link; else the hash of its content, which only this session can resolve."""
    word = packed(text) if len(text) <= EDITABLE else None
    if word is not None:
        return word
    mark = hashlib.sha256(text.encode()).hexdigest()[:16]
    _long_tables().once(mark, lambda: text)
    return f"{LONG}{mark}"


def _text_of(word: str) -> str:
    if not word.startswith(LONG):
        return unpacked(word)
    mark = word.removeprefix(LONG)

    def missing() -> str:
        raise ParameterError(
            f"This link shows a table that is too long for a link (content {mark}): paste or upload it to see it."
        )

    return _long_tables().once(mark, missing)


def _long_tables() -> Memo:
    """This session's last tables that no link can hold."""
    return st.session_state.setdefault("long-tables", Memo(8))
