"""The sidebar's choice of an evaluation: split, seed, classifier, scaling, metrics, sizes; or as a paper did it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st

from mlfs.classifiers import CLASSIFIERS
from mlfs.datasets import Dataset
from mlfs.evaluation import PROTOCOLS, SETTINGS, Explorer, Protocol, get_protocol, sizes_up_to
from mlfs.evaluation.protocols import SPLITS
from mlfs.metrics import METRICS
from mlfs.papers import PAPERS
from mlfs.wording import count, value_title
from pages.parts import controls, link

LARGEST = 50
METRICS_SHOWN = ("hamming_loss", "ranking_loss")
SEED_HELP = "The same seed always gives the same splits."
SPLIT_HELP = "A split divides the rows into training rows, on which features are selected, and test rows.\n"
REPEATS_HELP = "How many times the rows are split anew. More repeats make bands narrower and tests more sensitive."
MOST_HELP = "The number of features at which the curves end."
# "given" is the quick one with another split, which can be chosen there.
NAMES = [name for name in PROTOCOLS if name != "given"]
LABELS = {"test_share": "Test share", "folds": "Folds", "stratified": "Stratified", "scaling": "Scaling"}


@dataclass(frozen=True)
class Evaluation:
    """What pages about one data set have in common; `data` is its name in the link."""

    explorer: Explorer
    data: str
    protocol: Protocol
    seed: int

    @property
    def ds(self) -> Dataset:
        return self.explorer.ds

    @property
    def question(self) -> tuple[Hashable, ...]:
        """All that results of a method depend on but the method."""
        return self.data, repr(self.protocol), self.seed


def choose_protocol(ds: Dataset) -> tuple[Protocol, int]:
    """The quick protocol with settings of its own, and the seed."""
    with st.sidebar, st.expander("Evaluation", expanded=True):
        settings = choose_settings(ds.sizes, given=ds.split is not None)
        seed = choose_seed()
        settings["metrics"] = choose_metrics(METRICS_SHOWN)
        settings["sizes"] = choose_sizes(ds.sizes, help=MOST_HELP)
    return get_protocol("quick", **settings), seed


def choose_metrics(default: tuple[str, ...]) -> tuple[str, ...]:
    """Which metrics are drawn; each says what it means."""
    meanings = _listing({metric.title: metric.meaning for metric in METRICS.values()})
    chosen = controls.choose_many(
        "Metrics", list(METRICS), "metrics", default, name=lambda name: METRICS[name].title, help=meanings, most=4
    )
    return tuple(chosen) or default


def choose_seed() -> int:
    return controls.whole("Seed", "seed", 0, 0, 2**31 - 1, help=SEED_HELP)


def choose_sizes(sizes: Mapping[str, int], help: str | None = None) -> tuple[int, ...]:
    """The numbers of features that are evaluated, up to the one chosen."""
    return sizes_up_to(controls.whole("Features, at most", "most", LARGEST, 1, min(sizes["features"], 500), help=help))


def choose_settings(sizes: Mapping[str, int], given: bool) -> dict[str, Any]:
    """Split, classifier and scaling, as `SETTINGS` declares them; `given` says whether the set has its own split."""
    settings = choose_split(sizes, given)
    settings["classifier"] = controls.choose(
        "Classifier", list(CLASSIFIERS), "classifier", name=lambda name: CLASSIFIERS[name].title
    )
    settings["scaling"] = controls.parameter_control(None, SETTINGS["scaling"], sizes, "scaling", LABELS["scaling"])
    return settings


def choose_split(sizes: Mapping[str, int], given: bool) -> dict[str, Any]:
    """How the rows are parted; all that matters where nothing is predicted."""
    splits = [name for name in SPLITS if given or name != "given"]
    settings: dict[str, Any] = {
        "split": controls.choose(
            "Split",
            splits,
            "split",
            name=value_title,
            help=SPLIT_HELP + _listing({value_title(name): SPLITS[name] for name in splits}),
        )
    }
    for name in {"random": ("test_share", "stratified"), "folds": ("folds", "stratified")}.get(settings["split"], ()):
        settings[name] = controls.parameter_control(None, SETTINGS[name], sizes, name, LABELS[name])
    return settings


def largest_sizes(explorers: Mapping[str, Explorer]) -> dict[str, int]:
    """The sizes that ranges of parameters refer to, the largest of several data sets."""
    each = [explorer.ds.sizes for explorer in explorers.values()]
    return {name: max(sizes[name] for sizes in each) for name in each[0]}


def choose_experiment(
    explorers: Mapping[str, Explorer], *, repeats: int, natural: bool | None = None
) -> tuple[Protocol, int]:
    """How a study is run: quick, with settings of its own, or as a paper did it; and the seed.

    Parameters
    ----------
    repeats : of the quick protocol, unless chosen
    natural : whether the method's own number of features is judged rather than several, unless chosen; None: no choice
    """
    with st.sidebar, st.expander("Evaluation", expanded=True):
        name = controls.choose(
            "Protocol",
            NAMES,
            "protocol",
            name=_name,
            help="How methods are judged: quickly, with settings of your own, or as a paper did.",
        )
        _forget_settings_of_another(name)
        protocol = _quick(explorers, repeats, natural) if name == "quick" else _as_in_paper(name)
        seed = choose_seed()
    return protocol, seed


def _quick(explorers: Mapping[str, Explorer], repeats: int, natural: bool | None) -> Protocol:
    sizes = largest_sizes(explorers)
    settings = choose_settings(sizes, given=all(explorer.ds.split is not None for explorer in explorers.values()))
    if settings["split"] != "given":
        settings["repeats"] = controls.whole("Repeats", "repeats", repeats, 1, 30, help=REPEATS_HELP)
    settings["metrics"] = choose_metrics(METRICS_SHOWN)
    natural_size = natural is not None and controls.switch(
        "The method's own size", "natural", natural, help="Use as many features as the method selects by itself."
    )
    settings["sizes"] = () if natural_size else choose_sizes(sizes, help=MOST_HELP)
    return get_protocol("quick", **settings)


def _as_in_paper(name: str) -> Protocol:
    protocol = PROTOCOLS[name]
    st.caption(protocol.note)
    if protocol.split != "given":
        repeats = controls.whole("Repeats", "repeats", protocol.repeats, 1, 30, help=REPEATS_HELP)
        if repeats != protocol.repeats:
            st.caption(f"Here with {count(repeats, 'repeat')} instead of {protocol.repeats}.")
        protocol = get_protocol(protocol, repeats=repeats)
    return get_protocol(protocol, metrics=choose_metrics(protocol.metrics))


def _forget_settings_of_another(name: str) -> None:
    """Each protocol has defaults of its own; a link that says otherwise is followed."""
    before = st.session_state.get("protocol-before")
    if before not in (None, name) and link.current().arrived is None:
        for key in ("repeats", "metrics"):
            st.session_state.pop(key, None)
    st.session_state["protocol-before"] = name


def _name(protocol: str) -> str:
    return PAPERS[protocol].short if protocol in PAPERS else protocol.capitalize()


def _listing(words: dict[str, str]) -> str:
    return "\n".join(f"- **{name}**: {meaning}" for name, meaning in words.items())
