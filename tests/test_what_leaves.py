"""Every place where a table, a file or HTML leaves mlfs: a new one is seen here, and must be made safe like the others.

What names of strangers do there is tried in tests/app/test_hostile.py and test_hostile_exports.py; this is the list, so
that none is forgotten.
"""

from __future__ import annotations

import ast

import pytest

from tests.test_house import ROOT, ours

#: What is called → the files that may, and why it is safe there.
PLACES = {
    "to_csv": {
        "mlfs/spreadsheet.py": "the one that makes cells safe",
        "mlfs/recipes/significance.py": "part of a program, which reads it again",
        "mlfs/papers/stored_runs.py": "names of papers' own methods and data sets, read again by mlfs",
        "pages/parts/result_tables.py": "a published table, in a field of text",
        # Calls of mlfs.tables.to_csv, which is made of mlfs.spreadsheet.
        "mlfs/answer/export.py": "safe", "mlfs/cli/compare.py": "safe", "mlfs/cli/splits.py": "safe",
        "pages/parts/rankings.py": "safe",
    },
    "csv_text": {"mlfs/tables/export.py": "safe", "mlfs/studies/store.py": "safe"},
    "writer": {
        "mlfs/datasets/formats/csv.py": "write_dataset, whose file must be read again, as docs/security.md says",
        "pages/parts/controls.py": "a list of names in a field of text",
    },
    "to_excel": {},
    "to_markdown": {},
    "to_latex": {},  # pandas' own; partial(to_latex) of mlfs.tables is what the pages use
    "to_html": {
        "mlfs/plots/export.py": "Plotly's, of a figure whose names are plain",
        "mlfs/answer/report.py": "that of mlfs.plots", "mlfs/cli/significance.py": "that of mlfs.plots",
    },
    "html": {
        "pages/home.py": "names of bundled data sets and methods, escaped",
        "pages/learn.py": "words of the lessons",
        "pages/parts/papers_verdicts.py": "words of the papers, escaped",
        "pages/parts/share.py": "the address, escaped",
        "pages/parts/uploads.py": "the preview of an upload, escaped",
        "pages/parts/view.py": "styles and the menu's script",
    },
    "component": {"pages/parts/chart.py": "figures", "pages/parts/view.py": "a listener without content"},
    "download_button": {"pages/parts/exports.py": "files with names made safe and addresses nobody can guess"},
    # Written whole or not at all: everything goes through mlfs.files, or is written where it makes files come together.
    "write_text": {
        "mlfs/benchmark/kept.py": "inside replacing",
        "mlfs/datasets/formats/mulan_xml.py": "inside replacing",
        "mlfs/studies/limits.py": "no file but a switch of the system's",
    },
    "write_bytes": {"mlfs/files.py": "the one that replaces"},
    "to_parquet": {"mlfs/benchmark/kept.py": "inside replacing", "mlfs/studies/store.py": "bytes for write_file"},
    "savez_compressed": {"mlfs/datasets/cache.py": "inside replacing"},
}  # fmt: skip


@pytest.fixture(scope="module")
def calls() -> list[tuple[str, str, ast.Call]]:
    """File, last word of what is called, and the call, of all in the library and the pages."""
    found = []
    for path in ours(".py"):
        if path.parts[0] in ("mlfs", "pages"):
            for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call):
                    called = getattr(node.func, "attr", None) or getattr(node.func, "id", "")
                    found.append((path.as_posix(), called, node))
    return found


@pytest.mark.parametrize("called", PLACES)
def test_every_place_is_known(calls, called):
    assert {path for path, word, _ in calls if word == called} == set(PLACES[called])


def test_html_is_never_let_through_markdown_and_scripts_are_ours(calls):
    given = {
        (path, keyword.arg)
        for path, _, call in calls
        for keyword in call.keywords
        if (keyword.arg or "").startswith("unsafe_")
    }
    assert given == {("pages/parts/view.py", "unsafe_allow_javascript")}


def test_files_are_opened_for_writing_only_where_they_come_together(calls):
    """`open` with a mode that writes: in the formats that write_dataset, which replaces whole files, calls."""
    opened = {
        path
        for path, word, call in calls
        if word in ("open", "fdopen")
        for mode in [*call.args, *(keyword.value for keyword in call.keywords if keyword.arg == "mode")]
        if isinstance(mode, ast.Constant) and isinstance(mode.value, str) and set(mode.value) & set("wax+")
        if set(mode.value) <= set("wax+bt")
    }
    assert opened == {f"mlfs/datasets/formats/{format}.py" for format in ("arff", "csv", "libsvm")}
