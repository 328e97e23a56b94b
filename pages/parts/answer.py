"""Which features to keep: how many, on the curves of Explore and in a sentence below them."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go
import streamlit as st

from mlfs.answer import AnswerSettings, SizeChoice, SizeRule
from mlfs.answer.figures import mark_size
from mlfs.answer.size import OPTIONS, RULES, choose_from_splits, size_sentence
from mlfs.datasets import Dataset
from mlfs.errors import ParameterError
from mlfs.evaluation import Exploration, Explorer, Protocol, averaged_baseline
from pages.parts import controls
from pages.parts.words import literal

HELP = "By the first of the metrics, its mean over the splits:\n\n"
NUMBER = 10


def choose_rule(ds: Dataset, protocol: Protocol) -> tuple[SizeRule, Protocol]:
    """The rule for the number of features, and the protocol, which measures the number that somebody gives."""
    with st.sidebar:
        meanings = "\n".join(f"- **{_words(name)}**: {meaning}" for name, meaning in RULES.items())
        name = controls.choose(
            "Features to keep", list(RULES), "keep", SizeRule().name, name=_words, help=HELP + meanings
        )
        rule = SizeRule(name) if name not in OPTIONS else None
        if name == "tolerance":
            share = controls.parameter_control(None, OPTIONS[name], ds.sizes, name, "Tolerance")
            rule = SizeRule(name, tolerance=share)
        elif name == "number":
            rule = SizeRule(name, number=controls.whole("Number of features", name, NUMBER, 1, ds.sizes["features"]))
    return rule, AnswerSettings(protocol=protocol, metric=protocol.metrics[0], rule=rule).measured


def marked(figure: go.Figure, asked: AnswerSettings, splits: Sequence[Exploration]) -> go.Figure:
    """The curves with the number of features to keep; as they are where the rule chooses none."""
    try:
        return mark_size(figure, _choice(asked, splits), asked.protocol.metrics)
    except ParameterError:
        return figure


def show(explorer: Explorer, data: str, asked: AnswerSettings, splits: Sequence[Exploration]) -> None:
    """Below the curves: how many features to keep, in a sentence."""
    try:
        choice = _choice(asked, splits)
    except ParameterError as problem:
        st.info(literal(str(problem)))
        return
    level = averaged_baseline(splits)[asked.metric]
    st.markdown(f"**{literal(size_sentence(choice, explorer.ds.X.shape[1], level))}**")


def _choice(asked: AnswerSettings, splits: Sequence[Exploration]) -> SizeChoice:
    curves = [(split.curve["size"].to_numpy(), split.curve[asked.metric].to_numpy()) for split in splits]
    return choose_from_splits(curves, asked.metric, asked.rule)


def _words(rule: str) -> str:
    return rule.replace("_", " ").capitalize()
