"""Explore: one data set, one method, live sliders."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import Any, NamedTuple

import plotly.graph_objects as go
import streamlit as st

from mlfs.answer import AnswerSettings, SizeRule
from mlfs.background import BackgroundJob, LatestJob
from mlfs.datasets import Dataset
from mlfs.evaluation import (
    Exploration,
    Explorer,
    ExternalRanking,
    Protocol,
    averaged,
    averaged_baseline,
    get_protocol,
)
from mlfs.evaluation.protocols import Choice
from mlfs.memo import Memo
from mlfs.plots import curves, score_bars, tidy
from mlfs.recipes import exploration
from mlfs.selectors.specification import method_text
from pages.parts import answer, controls, exports, method_figures, rankings, view
from pages.parts.data import choose_data
from pages.parts.methods import choose_method, explain, method_name
from pages.parts.protocol import choose_protocol
from pages.parts.uploads import recipe_options
from pages.parts.words import literal

# A first answer that takes longer than this is waited for with a way out.
PATIENCE = 1.5
KEPT = 200


@st.cache_resource(show_spinner=False)
def averages() -> Memo:
    """The tables of numbers that were shown last, for whoever asks for the same."""
    return Memo(KEPT)


class ExploreSettings(NamedTuple):
    """What the sidebar says; `data` is the name of the data set in the link.

    The class is made at every move of a slider: a dataclass would take ten times as long.
    """

    explorer: Explorer
    data: str
    method: str
    parameters: dict[str, Any]
    protocol: Protocol
    seed: int
    rule: SizeRule
    ranking: ExternalRanking | None

    @property
    def choice(self) -> Choice:
        """The method with its parameters, or the ranking in its place."""
        return (self.method, self.parameters) if self.ranking is None else self.ranking

    @property
    def setting(self) -> str:
        """As figures name what is shown."""
        return self.method if self.ranking is None else self.ranking.setting

    @property
    def title(self) -> str:
        return method_name(self.method) if self.ranking is None else self.ranking.setting

    @property
    def ds(self) -> Dataset:
        return self.explorer.ds

    @property
    def question(self) -> tuple[Hashable, ...]:
        """All that the results depend on."""
        shown = method_text(self.method, self.parameters) if self.ranking is None else self.ranking.fingerprint
        return self.data, self.setting, shown, repr(self.protocol), self.seed

    @property
    def asked(self) -> AnswerSettings:
        """The same as a question for the features to keep."""
        methods = ((self.method, self.parameters),)
        return AnswerSettings(methods, self.protocol, self.protocol.metrics[0], self.rule, seed=self.seed)

    @property
    def file_name(self) -> str:
        return f"{self.ds.name}-{self.method if self.ranking is None else self.ranking.name}"


def read_controls() -> ExploreSettings:
    explorer = choose_data()
    data = st.session_state["data"]
    ranking = rankings.choose_ranking(data)
    method, parameters = choose_method(explorer.ds.sizes) if ranking is None else ("", {})
    place = st.sidebar.container()
    protocol, seed = choose_protocol(explorer.ds)
    with st.sidebar:
        repeats = 1
        if protocol.split != "given":
            most = 30 if ranking is None else rankings.most_repeats(ranking, protocol, 30)
            repeats = controls.whole(
                "Repeats", "repeats", 10, 1, most, help="The first split is drawn at once; the others follow as a band."
            )
    rule, protocol = answer.choose_rule(explorer.ds, get_protocol(protocol, repeats=repeats))
    view.choose_view()
    with place:
        rankings.offer({data: explorer}, protocol, seed, "ranking")
    if ranking is not None:
        ranking.check_splits(protocol.n_splits)
    return ExploreSettings(explorer, data, method, parameters, protocol, seed, rule, ranking)


def explore(settings: ExploreSettings) -> BackgroundJob:
    """The work on all splits, begun unless it is under way, and waited for a moment."""
    latest: LatestJob = st.session_state.setdefault("explore-work", LatestJob(yields=True))
    choice, how = settings.choice, {"protocol": settings.protocol, "seed": settings.seed}
    work = latest.start(
        settings.question,
        [partial(settings.explorer.explore, choice, **how, repeat=r) for r in range(settings.protocol.n_splits)],
        ready=partial(settings.explorer.explored, choice, **how),
    )
    view.wait_for(work, 1, PATIENCE)
    return work


def picture(settings: ExploreSettings, work: BackgroundJob, splits: list[Exploration], running: bool) -> None:
    """The curves of the splits that are done."""
    if not splits:
        waiting = "Stopped. Change a setting to start again." if work.cancelled else "Selecting and evaluating …"
        st.info(waiting)
        if running:
            st.button("Cancel", on_click=work.cancel)
        return

    def loss_curves() -> go.Figure:
        table = tidy({settings.setting: [split.curve for split in splits]})
        drawn = curves(table, metrics=settings.protocol.metrics, baseline=averaged_baseline(splits))
        return answer.marked(drawn, settings.asked, splits)

    of_curves = (settings.question, len(splits), settings.rule)
    exports.figure(loss_curves, f"{settings.file_name}-curves", "curves", of=of_curves)
    of = f"{len(splits)} of {work.total} splits" if running else f"{len(splits)} split{'s' * (len(splits) > 1)}"
    took = f" The selection took {splits[0].seconds:.3f} s." if settings.ranking is None else ""
    st.caption(f"{literal(settings.title)} on {literal(settings.ds.name)}: {of}.{took}")
    for note in rankings.notes([settings.ranking] if settings.ranking else [], settings.seed):
        st.caption(literal(note))


def show_details(settings: ExploreSettings, splits: list[Exploration]) -> None:
    """Below the picture: the features of the first split, noise, what the method sees, numbers, recipes."""
    method, question, name, selector = settings.setting, settings.question, settings.file_name, splits[0].selector
    if settings.ranking is None:
        answer.show(settings.explorer, settings.data, settings.asked, splits)
    for note in selector.notes_:
        st.warning(literal(note))
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**The first features** and their scores")
        exports.figure(
            partial(score_bars, selector.scores_, selector.ranking_, settings.ds.feature_names, method=method),
            f"{name}-scores",
            "scores",
            of=question,
        )
    with right:
        st.markdown("**Noise**: redundancy R(F) and residual label correlation C(F)")
        exports.figure(
            lambda: curves(tidy({method: [split.noise for split in splits]}), columns=1),
            f"{name}-noise",
            "noise",
            of=(question, len(splits)),
        )
    if method_figures.has_figures(selector):
        st.subheader("What this method sees", anchor=False)
        method_figures.show(settings.explorer, selector, settings.protocol, settings.seed, question)
    st.subheader("Numbers", anchor=False)
    numbers = averages().once((question, len(splits)), partial(averaged, splits))
    exports.table(numbers, numbers, name, "numbers", hide_index=True)
    exports.recipes(
        partial(
            exploration,
            settings.data,
            settings.method,
            settings.parameters,
            settings.protocol,
            settings.seed,
            **recipe_options(settings.data),
            ranking=settings.ranking and rankings.file_of(settings.ranking),
        )
    )
    if settings.ranking is None:
        exports.folded(f"About {method_name(method)}", "about", partial(explain, method))


def main() -> None:
    settings = read_controls()
    work = explore(settings)
    # In this order: what is no longer running has given all its results.
    running = work.running
    splits: list[Exploration] = work.results
    st.header("Explore", anchor=False)
    picture(settings, work, splits, running)
    if running:
        view.come_back(work, len(splits))
    view.let_paint()
    if splits and not view.presenting():
        show_details(settings, splits)


main()
