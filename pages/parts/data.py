"""Which data set a page is about: one shared explorer for a set by name, one of the session's own for an upload."""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Iterable

import streamlit as st

from mlfs.datasets import CATALOGUE, Dataset, is_synthetic, list_datasets, load_dataset, parse_synthetic
from mlfs.errors import DatasetError, did_you_mean
from mlfs.evaluation import Explorer
from pages.parts import link

# Explorers kept for all sessions; each holds a data set and what was found out about it.
SHARED_EXPLORERS = 8
# An upload's name in a link is this and the beginning of its content's hash.
UPLOAD, HASH = "upload-", 16
_UPLOADS = "uploads"
_uploaded: weakref.WeakSet[Explorer] = weakref.WeakSet()
MORE = "The Data page has more: uploads, downloads, synthetic sets."


@st.cache_resource(show_spinner="Reading the data set", max_entries=SHARED_EXPLORERS)
def shared_explorer(name: str) -> Explorer:
    """The explorer of a set that everybody may see; its arrays are read-only."""
    return Explorer(load_dataset(name))


def at_hand() -> dict[str, str]:
    """The data sets on this machine, looked up once in a run of the page."""
    known = link.current().known_in_run
    if "datasets" not in known:
        known["datasets"] = list_datasets()
    found: dict[str, str] = known["datasets"]
    return found


def uploads() -> dict[str, Explorer]:
    """This session's own data sets, by their name in the link. No other session sees them."""
    found: dict[str, Explorer] = st.session_state.setdefault(_UPLOADS, {})
    return found


def keep_upload(ds: Dataset) -> str:
    """Keep an uploaded set for this session; returns its name in the link."""
    name = f"{UPLOAD}{ds.fingerprint[:HASH]}"
    _uploaded.add(uploads().setdefault(name, Explorer(ds)))
    return name


def everybodys_uploads() -> list[Dataset]:
    """The uploaded sets of all sessions, to know how much they take; they go with their sessions."""
    return [explorer.ds for explorer in tuple(_uploaded)]


def is_upload(name: str) -> bool:
    return name.startswith(UPLOAD)


def explorer_of(name: str) -> Explorer:
    """The explorer of a data set by its name in the link."""
    if not is_upload(name):
        return shared_explorer(name)
    if name not in uploads():
        raise DatasetError(
            f"This link shows an uploaded data set (content {name.removeprefix(UPLOAD)}), which only its owner has: "
            "upload the same file on the Data page to see the same picture."
        )
    return uploads()[name]


def title(name: str) -> str:
    """What a person calls the data set."""
    return uploads()[name].ds.name if name in uploads() else name


def titles(names: Iterable[str]) -> dict[str, str]:
    """The titles of several data sets, no two alike: a file may have the name of a bundled set."""
    found = {name: title(name) for name in names}
    several = Counter(found.values())
    return {name: word if several[word] == 1 else f"{word} ({name})" for name, word in found.items()}


def choose_data() -> Explorer:
    """The sidebar's choice of a data set."""
    listed = [*at_hand(), *uploads()]
    name = link.current().control("data", listed[0], _known)
    if name not in listed:
        listed.append(name)
    named = titles(listed)
    with st.sidebar:
        st.selectbox("Data", listed, key="data", format_func=lambda each: named.get(each, each), help=MORE)
    return explorer_of(name)


def choose_data_sets(default: list[str], most: int = 10) -> dict[str, Explorer]:
    """Several data sets, for pages that compare across them."""

    def parse(text: str) -> list[str]:
        return link.at_most(most, "data sets", [_known(name) for name in link.specifications(text)])

    chosen: list[str] = link.current().control("sets", list(default), parse, ",".join)
    listed = list(dict.fromkeys([*at_hand(), *uploads(), *chosen]))
    named = titles(listed)
    st.multiselect(
        "Data", listed, key="sets", format_func=lambda each: named.get(each, each), help=MORE, max_selections=most
    )
    return {name: explorer_of(name) for name in chosen}


def _known(name: str) -> str:
    """A name the link may hold: one that is listed, a synthetic set, or an upload, which may not be this session's.

    A path is none: whoever writes a link must not read the server's files.
    """
    if is_synthetic(name):
        parse_synthetic(name)
    elif not is_upload(name) and name not in at_hand():
        if name in CATALOGUE:
            raise DatasetError(f"{name} is not on this machine: the Data page says how to get it.")
        raise DatasetError(f"There is no data set {name!r}: {did_you_mean(name, at_hand())}")
    return name
