"""The sidebar's choice of how a study is run: quick, with settings of its own, or as a paper did it."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from mlfs.evaluation import PROTOCOLS, Explorer, Protocol, get_protocol, sizes_up_to
from mlfs.papers import PAPERS
from pages.parts import controls, link
from pages.parts.protocol import LARGEST, METRICS_SHOWN, choose_metrics, choose_settings, sizes_of

# "given" is the quick one with another split, which can be chosen there.
NAMES = [name for name in PROTOCOLS if name != "given"]
REPEATS = "How often the rows are parted anew. More repeats: narrower bands, and tests that see more."


def largest_sizes(explorers: Mapping[str, Explorer]) -> dict[str, int]:
    """The sizes that ranges of parameters refer to, the largest of several data sets."""
    each = [sizes_of(explorer.ds) for explorer in explorers.values()]
    return {name: max(sizes[name] for sizes in each) for name in each[0]}


def choose_experiment(
    explorers: Mapping[str, Explorer], *, repeats: int, natural: bool | None = None
) -> tuple[Protocol, int]:
    """The protocol and the seed.

    Parameters
    ----------
    repeats : of the quick protocol, unless chosen
    natural : whether the method's own number of features is judged rather than several, unless chosen; None: no choice
    """
    with st.sidebar, st.expander("Evaluation", expanded=True):
        name = controls.choose("Protocol", NAMES, "protocol", name=_name, help="Quick, or as a paper ran it.")
        _forget_settings_of_another(name)
        protocol = _quick(explorers, repeats, natural) if name == "quick" else _as_in_paper(name)
        seed = controls.whole("Seed", "seed", 0, 0, 2**31 - 1, help="The same seed gives the same split, bit for bit.")
    return protocol, seed


def _quick(explorers: Mapping[str, Explorer], repeats: int, natural: bool | None) -> Protocol:
    sizes = largest_sizes(explorers)
    settings = choose_settings(sizes, given=all(explorer.ds.split is not None for explorer in explorers.values()))
    if settings["split"] != "given":
        settings["repeats"] = controls.whole("Repeats", "repeats", repeats, 1, 30, help=REPEATS)
    metrics = tuple(choose_metrics(METRICS_SHOWN))
    natural_size = natural is not None and controls.switch(
        "The method's own size", "natural", natural, help="Judge as many features as the method selects by itself."
    )
    if natural_size:
        return get_protocol("quick", **settings, metrics=metrics, sizes=())
    most = controls.whole(
        "Features, at most", "most", LARGEST, 1, min(sizes["features"], 500), help="Where the curves end."
    )
    return get_protocol("quick", **settings, metrics=metrics, sizes=sizes_up_to(most))


def _as_in_paper(name: str) -> Protocol:
    protocol = PROTOCOLS[name]
    st.caption(protocol.note)
    if protocol.split != "given":
        repeats = controls.whole("Repeats", "repeats", protocol.repeats, 1, 30, help=REPEATS)
        protocol = get_protocol(protocol, repeats=repeats)
    return get_protocol(protocol, metrics=tuple(choose_metrics(protocol.metrics)))


def _forget_settings_of_another(name: str) -> None:
    """Each protocol has defaults of its own; a link that says otherwise is followed."""
    before = st.session_state.get("protocol-before")
    if before not in (None, name) and link.current().arrived is None:
        for key in ("repeats", "metrics"):
            st.session_state.pop(key, None)
    st.session_state["protocol-before"] = name


def _name(protocol: str) -> str:
    return PAPERS[protocol].short if protocol in PAPERS else protocol.capitalize()
