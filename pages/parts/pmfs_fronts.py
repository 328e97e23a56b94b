"""PMFS' fronts on the Pareto page: features that compete by coefficients of a regression instead of by labels."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import Any

import streamlit as st

from mlfs.plots import nothing_yet
from mlfs.selectors.specification import method_text
from mlfs.wording import count, listing
from pages.parts import exports, method_figures
from pages.parts.method_results import MethodResults
from pages.parts.methods import choose_parameters
from pages.parts.protocol import Evaluation
from pages.parts.words import literal

METHOD = "pmfs"


def show(settings: Evaluation) -> dict[str, Any]:
    """Parameters, picture and words; returns the parameters."""
    st.subheader("Two objectives instead of labels: PMFS", anchor=False)
    with st.container(horizontal=True, gap="medium"):
        choice = (METHOD, choose_parameters(METHOD, settings.ds.sizes))
    question = (*settings.question, method_text(*choice))
    work = MethodResults("objectives")
    work.ask(question, {METHOD: partial(settings.explorer.fit, choice, settings.protocol, seed=settings.seed)})
    work.show(partial(_show_fronts, settings, work, question))
    return choice[1]


def _show_fronts(settings: Evaluation, work: MethodResults, question: Hashable) -> None:
    if METHOD not in work.results:
        if not work.failures:
            exports.figure(nothing_yet("the regression is running", height=380), "fronts", "fronts")
        return
    pmfs, _ = work.results[METHOD]
    names = [settings.ds.feature_names[feature] for feature in pmfs.first_front_]
    which = f": {literal(listing(names, 8))}" if names else ""
    st.markdown(
        f"**{len(names)} of {count(len(settings.ds.feature_names), 'feature')} of {literal(settings.ds.name)} "
        f"{'is' if len(names) == 1 else 'are'} on the first front{which}.**"
    )
    method_figures.show(settings.explorer, pmfs, settings.protocol, settings.seed, question)
