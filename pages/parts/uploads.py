"""Uploads: files become a data set of this session alone, or one sentence, and then all stays as it was.

The choices made here are about files that no link can hold, so they stand outside the link; the set itself is in it
by its content.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st
from scipy import sparse

from mlfs.datasets import Dataset, bundled_names
from mlfs.datasets.formats import Limits, columns_to_choose_from, read_files
from mlfs.errors import DatasetError, MlfsError
from mlfs.wording import listing
from pages.parts import data
from pages.parts.words import literal

MEGABYTE = 1024**2
LIMITS = Limits(
    max_bytes=200 * MEGABYTE, max_rows=500_000, max_features=100_000, max_labels=5_000, max_cells=20_000_000
)
MOST_SETS, MOST_BYTES = 5, 300 * MEGABYTE
# Of all sessions together: a class that uploads must not take the memory of the machine.
EVERYBODYS_BYTES = 2048 * MEGABYTE
PICKED_BY_NAME = 1000  # more columns than this do not fit into a list to pick from

FORMATS = """
- **Mulan**: an ARFF and its XML together
- **MEKA**: an ARFF that counts its labels in @relation (-C)
- **CSV** with a header; you say which columns are labels
- **LibSVM**
- a training and a test file of any of these, or a **zip** of them
"""
AS_FILES_SAY, LAST, FIRST, BY_NAME = "as the files say", "the last columns", "the first columns", "by name"

# The readers' advice to programs: in the app the limits stand.
_FOR_PROGRAMS = re.compile(r", or raise max_\w+")

_ROUND, _ASKED, _REFUSED, _LABELS = "upload-round", "upload-asked", "upload-refused", "upload-labels"
Labels = int | list[str] | None


def offer() -> None:
    """The uploader, which columns are labels, and the button."""
    given = st.file_uploader("Files of one data set", accept_multiple_files=True, key=_uploader(), help=FORMATS)
    ids = [file.file_id for file in given]
    refused = st.session_state.get(_REFUSED)
    if given:
        labels = _choose_labels({file.name: file.getvalue() for file in given})
        st.button("Use these files", type="primary", on_click=_ask, args=(labels,))
        if refused and refused[0] == ids:
            st.error(literal(refused[1]))
    st.caption(
        f"Only this session sees its uploads. It keeps {MOST_SETS} sets and "
        f"{MOST_BYTES // MEGABYTE} MB at most, until it ends."
    )
    for name, explorer in data.uploads().items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(explorer.ds.name)
            st.button("Remove", key=f"remove-{name}", on_click=remove, args=(name,), width="content")


def take() -> None:
    """Read what the button asked for; call it before the choice of a data set is drawn."""
    if _ASKED not in st.session_state:
        return
    labels = st.session_state.pop(_ASKED)
    given = st.session_state.get(_uploader()) or []
    try:
        with st.spinner("Reading the files"):
            name = accept([(file.name, file.getvalue()) for file in given], labels)
    except MlfsError as problem:
        st.session_state[_REFUSED] = ([file.file_id for file in given], _FOR_PROGRAMS.sub("", str(problem)))
        return
    st.session_state.pop(_REFUSED, None)
    st.session_state["data"] = name
    st.session_state[_ROUND] += 1  # another key: the uploader is empty again, and its files are let go


def accept(files: Sequence[tuple[str, bytes]], labels: Labels = None) -> str:
    """Read the files and keep the set for this session; returns its name in the link."""
    names = [name for name, _ in files]
    if not names:
        raise DatasetError("No file has arrived: choose the files again.")
    if len(set(names)) < len(names):
        raise DatasetError("Two of the files have the same name: rename one, or leave it out.")
    if sum(len(content) for _, content in files) > LIMITS.max_bytes:
        raise DatasetError(f"The files have more than {LIMITS.max_bytes // MEGABYTE} MB together: pack them as a zip.")
    ds = read_files(dict(files), labels=labels, limits=LIMITS)
    _refuse_too_much(ds)
    name = data.keep_upload(ds)
    labels_of_uploads()[name] = labels
    return name


def remove(name: str) -> None:
    """Forget an upload; where it was shown, the first bundled set is shown instead."""
    data.uploads().pop(name, None)
    labels_of_uploads().pop(name, None)
    if st.session_state.get("data") == name:
        st.session_state["data"] = bundled_names()[0]


def labels_of_uploads() -> dict[str, Labels]:
    """What the reader had to be told about the labels of each upload, for the recipe."""
    return st.session_state.setdefault(_LABELS, {})


def recipe_options(name: str) -> dict[str, Any]:
    """What a recipe has to know about a data set beside its name: whether it is an upload, and which labels it has."""
    return {"uploaded": data.is_upload(name), "labels": labels_of_uploads().get(name)}


def _refuse_too_much(ds: Dataset) -> None:
    kept = {explorer.ds.fingerprint: explorer.ds for explorer in data.uploads().values()}
    kept[ds.fingerprint] = ds
    if len(kept) > MOST_SETS:
        raise DatasetError(f"This session keeps {MOST_SETS} uploaded sets at most: remove one first.")
    if sum(map(_bytes, kept.values())) > MOST_BYTES:
        raise DatasetError(
            f"With {ds.name} the uploads of this session would take more than {MOST_BYTES // MEGABYTE} MB: "
            "remove one first, or upload a part of the rows."
        )
    if sum(map(_bytes, data.everybodys_uploads())) + _bytes(ds) > EVERYBODYS_BYTES:
        raise DatasetError(
            f"The uploads of all visitors fill the {EVERYBODYS_BYTES // MEGABYTE} MB that this server keeps for them: "
            "try again when some have left, or upload a part of the rows."
        )


def _bytes(ds: Dataset) -> int:
    X = ds.X
    features = X.data.nbytes + X.indices.nbytes + X.indptr.nbytes if sparse.issparse(X) else X.nbytes
    return int(features + ds.Y.nbytes)


def _uploader() -> str:
    return f"upload-files-{st.session_state.setdefault(_ROUND, 0)}"


def _ask(labels: Labels) -> None:
    st.session_state[_ASKED] = labels


def _choose_labels(files: Mapping[str, bytes]) -> Labels:
    """Which columns are labels: only a CSV has to be told, but any file may be told otherwise."""
    try:
        columns = columns_to_choose_from(files, LIMITS)
    except MlfsError:
        columns = []  # reading will say what is wrong
    ways = [LAST, FIRST, BY_NAME] if columns else [AS_FILES_SAY, LAST, FIRST, BY_NAME]
    way = st.selectbox("Labels", ways, key=f"labels-{bool(columns)}")
    if way == AS_FILES_SAY:
        return None
    if way == BY_NAME:
        return _by_name(columns)
    most = len(columns) - 1 if len(columns) > 1 else LIMITS.max_labels
    n = int(st.number_input("Number of labels", 1, most, key=f"labels-{way}-{most}"))
    if columns:
        st.caption(literal(f"Labels: {listing(columns[-n:] if way == LAST else columns[:n], 8)}"))
    return -n if way == LAST else n


def _by_name(columns: list[str]) -> list[str]:
    if columns and len(columns) <= PICKED_BY_NAME:
        return st.multiselect("Label columns", list(dict.fromkeys(columns)), key="labels-picked")
    typed = st.text_input("Label columns, with commas between", key="labels-typed")
    return [name.strip() for name in typed.split(",") if name.strip()]
