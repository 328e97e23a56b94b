"""Which data set a page is about: one shared explorer for a set by name, one of its owner's own for an upload."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import streamlit as st

from mlfs.datasets import CATALOGUE, Dataset, is_synthetic, list_datasets, load_dataset, parse_synthetic
from mlfs.errors import DatasetError, did_you_mean
from mlfs.evaluation import Explorer
from mlfs.wording import duration
from pages.parts import link, owners

# Explorers kept for all sessions; each holds a data set and what was found out about it.
SHARED_EXPLORERS = 8
# An upload's name in a link is this and the beginning of its content's hash.
UPLOAD, HASH = "upload-", 16
MORE = "The Data page has more: uploads, downloads, synthetic sets."


@st.cache_resource(show_spinner="Reading the data set", max_entries=SHARED_EXPLORERS)
def shared_explorer(name: str) -> Explorer:
    """The explorer of a set that everybody may see; its arrays are read-only."""
    return Explorer(load_dataset(name))


def available_datasets() -> dict[str, str]:
    """The data sets on this machine, looked up once in a run of the page."""
    known = link.current().known_in_run
    if "datasets" not in known:
        known["datasets"] = list_datasets()
    return known["datasets"]


def uploads() -> dict[str, Explorer]:
    """This browser's own data sets, by their name in the link. No other sees them."""
    return {name: upload.explorer for name, upload in owners.UPLOADS.of(owners.viewer()).items()}


def upload_name(ds: Dataset) -> str:
    """The name of an uploaded set in the link, which is its content's."""
    return f"{UPLOAD}{ds.fingerprint[:HASH]}"


def is_upload(name: str) -> bool:
    return name.startswith(UPLOAD)


def explorer_of(name: str) -> Explorer:
    """The explorer of a data set by its name in the link."""
    if not is_upload(name):
        return shared_explorer(name)
    known = uploads()
    if name not in known:
        raise DatasetError(_why_missing(name))
    return known[name]


def _why_missing(name: str) -> str:
    """Why this browser is not shown an upload: for its owner, and for everybody else."""
    content = f"(content {name.removeprefix(UPLOAD)})"
    if owners.UPLOADS.had(owners.viewer(), name):
        return (
            f"The server has forgotten this uploaded data set {content}: it keeps uploads for "
            f"{duration(owners.KEPT_SECONDS)} after their owner has left. Upload the same file again on the Data page."
        )
    if owners.was_here_before_the_start():
        return (
            f"This link shows an uploaded data set {content}. If it was yours, the server lost it when it was "
            "restarted: upload the same file again on the Data page. Otherwise only its owner has it."
        )
    return (
        f"This link shows an uploaded data set {content}, which only its owner has: "
        "upload the same file on the Data page to see the same picture."
    )


def title(name: str) -> str:
    """What a person calls the data set."""
    known = uploads() if is_upload(name) else {}
    return known[name].ds.name if name in known else name


def titles(names: Iterable[str]) -> dict[str, str]:
    """The titles of several data sets, no two alike: a file may have the name of a bundled set."""
    plain = {name: title(name) for name in names}
    counts = Counter(plain.values())
    return {name: word if counts[word] == 1 else f"{word} ({name})" for name, word in plain.items()}


def choose_data() -> Explorer:
    """The sidebar's choice of a data set."""
    name = link.current().control("data", next(iter(available_datasets())), _known, widget=True)
    with st.sidebar:
        link.current().show(st.selectbox, "Data", "data", name, **_options(name))
    return explorer_of(name)


def choose_data_sets(default: list[str], most: int = 10) -> dict[str, Explorer]:
    """Several data sets, for pages that compare across them."""

    def parse(text: str) -> list[str]:
        return link.at_most(most, "data sets", [_known(name) for name in link.specifications(text)])

    chosen: list[str] = link.current().control("sets", list(default), parse, ",".join, widget=True)
    link.current().show(st.multiselect, "Data", "sets", chosen, **_options(*chosen), max_selections=most)
    return {name: explorer_of(name) for name in chosen}


def _options(*chosen: str) -> dict[str, Any]:
    """What the menu of data sets lists: those of the server, this browser's uploads, and what is chosen."""
    named = titles(dict.fromkeys([*available_datasets(), *uploads(), *chosen]))
    return {"options": list(named), "format_func": lambda each: named.get(each, each), "help": MORE}


def _known(name: str) -> str:
    """A name the link may hold: one that is listed, a synthetic set, or an upload, which may not be this browser's.

    A path is none: whoever writes a link must not read the server's files.
    """
    if is_synthetic(name):
        parse_synthetic(name)
    elif not is_upload(name) and name not in available_datasets():
        if name in CATALOGUE:
            raise DatasetError(f"{name} is not on this machine: the Data page says how to get it.")
        raise DatasetError(f"There is no data set {name!r}: {did_you_mean(name, available_datasets())}")
    return name
