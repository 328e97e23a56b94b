"""The sidebar's choice of an evaluation: split, seed, classifier, scaling, metrics, sizes."""

from __future__ import annotations

from typing import Any

import streamlit as st

from mlfs.classifiers import CLASSIFIERS
from mlfs.datasets import Dataset
from mlfs.evaluation import SETTINGS, Protocol, get_protocol, sizes_up_to
from mlfs.evaluation.protocols import SPLITS
from mlfs.metrics import METRICS
from pages.parts import controls

LARGEST = 50
METRICS_SHOWN = ("hamming_loss", "ranking_loss")
SEED_HELP = "The same seed gives the same split, bit for bit."
LABELS = {"test_share": "Test share", "folds": "Folds", "stratified": "Stratified", "scaling": "Scaling"}


def sizes_of(ds: Dataset) -> dict[str, int]:
    """The sizes that parameters' ranges refer to."""
    return ds.sizes


def choose_protocol(ds: Dataset, metrics: tuple[str, ...] = METRICS_SHOWN) -> tuple[Protocol, int]:
    """The protocol and the seed."""
    sizes = sizes_of(ds)
    with st.sidebar, st.expander("Evaluation", expanded=True):
        settings = choose_settings(sizes, given=ds.split is not None)
        seed = controls.whole("Seed", "seed", 0, 0, 2**31 - 1, help=SEED_HELP)
        chosen = choose_metrics(metrics)
        most = controls.whole(
            "Features, at most", "most", LARGEST, 1, min(sizes["features"], 500), help="Where the curves end."
        )
    return get_protocol("quick", **settings, metrics=tuple(chosen), sizes=sizes_up_to(most)), seed


def choose_metrics(default: tuple[str, ...]) -> list[str]:
    """Which metrics are drawn; each says what it means."""
    meanings = "\n".join(f"- **{metric.title}**: {metric.meaning}" for metric in METRICS.values())
    chosen = controls.choose_many(
        "Metrics", list(METRICS), "metrics", default, name=lambda name: METRICS[name].title, help=meanings, most=4
    )
    return chosen or list(default)


def choose_settings(sizes: dict[str, int], given: bool) -> dict[str, Any]:
    """Split, classifier and scaling, as `SETTINGS` declares them; `given` says whether the set has its own split."""
    settings = choose_split(sizes, given)
    settings["classifier"] = controls.choose(
        "Classifier", list(CLASSIFIERS), "classifier", name=lambda name: CLASSIFIERS[name].title
    )
    settings["scaling"] = controls.parameter_control(None, SETTINGS["scaling"], sizes, "scaling", LABELS["scaling"])
    return settings


def choose_split(sizes: dict[str, int], given: bool) -> dict[str, Any]:
    """How the rows are parted; all that matters where nothing is predicted."""
    splits = [name for name in SPLITS if given or name != "given"]
    settings: dict[str, Any] = {
        "split": controls.choose("Split", splits, "split", help=_listing({name: SPLITS[name] for name in splits}))
    }
    for name in {"random": ("test_share", "stratified"), "folds": ("folds", "stratified")}.get(settings["split"], ()):
        settings[name] = controls.parameter_control(None, SETTINGS[name], sizes, name, LABELS[name])
    return settings


def _listing(words: dict[str, str]) -> str:
    return "\n".join(f"- **{name}**: {meaning}" for name, meaning in words.items())
