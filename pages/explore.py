"""Explore: one data set, one method, live sliders."""

from __future__ import annotations

import re
from collections.abc import Hashable
from functools import partial
from typing import Any, NamedTuple

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from mlfs.answer import AnswerSettings, SizeChoice, SizeRule
from mlfs.background import BackgroundJob
from mlfs.datasets import Dataset
from mlfs.evaluation import Exploration, Explorer, Protocol, averaged, averaged_baseline, get_protocol
from mlfs.memo import Memo
from mlfs.plots import curves, score_bars, tidy
from mlfs.recipes import exploration
from mlfs.results import setting_title
from mlfs.tables.sheet import decimals_for
from mlfs.tables.styled import column_title
from mlfs.wording import count
from pages.parts import answer, background, controls, exports, method_figures, pins, rankings, view
from pages.parts.chart import Click, Moves
from pages.parts.data import choose_data
from pages.parts.methods import MethodChoice
from pages.parts.protocol import choose_protocol
from pages.parts.uploads import recipe_options
from pages.parts.words import NOISE, literal

# A first answer that takes longer than this is waited for with a way out.
PATIENCE = 1.5
MOST_REPEATS = 30
KEPT = 200
# At the end of a title of noise, and enough for a column: R(F).
SYMBOL = re.compile(r"\w\(F\)$")


@st.cache_resource(show_spinner=False)
def averages() -> Memo:
    """The means over the splits that were shown last, for whoever asks for the same."""
    return Memo(KEPT)


class ExploreSettings(NamedTuple):
    """What the sidebar says; `data` is the name of the data set in the link.

    The class is made at every move of a slider: a dataclass would take ten times as long.
    """

    explorer: Explorer
    data: str
    ranker: MethodChoice | rankings.RankingChoice
    protocol: Protocol
    seed: int
    rule: SizeRule
    pinned: tuple[str, ...]

    @property
    def ds(self) -> Dataset:
        return self.explorer.ds

    @property
    def question(self) -> tuple[Hashable, ...]:
        """All that the results depend on."""
        return self.data, self.ranker.setting, self.ranker.content, repr(self.protocol), self.seed

    @property
    def asked(self) -> AnswerSettings:
        """The same as a question for the features to keep."""
        return AnswerSettings(self.ranker.methods, self.protocol, self.protocol.metrics[0], self.rule, seed=self.seed)

    @property
    def run(self) -> str | None:
        """What is shown as a run that can be pinned: a method in a setting."""
        return self.ranker.content if isinstance(self.ranker, MethodChoice) else None

    @property
    def compared(self) -> tuple[str, ...]:
        """The pinned runs, without the one that is shown anyway."""
        return tuple(word for word in self.pinned if word != self.run)

    @property
    def moves(self) -> Moves:
        """What a slider moves: axes stay as long as the data, and what is measured on them, are the same."""
        within = f"{self.data} {self.protocol.metrics} {self.protocol.split} {self.seed} {self.compared}"
        return Moves(within, f"{self.ranker.setting} {self.ranker.content}", setting_title(self.ranker.setting))

    @property
    def file_name(self) -> str:
        return f"{self.ds.name}-{self.ranker.name}"


def read_controls() -> ExploreSettings:
    explorer = choose_data()
    data = st.session_state["data"]
    ranker = rankings.choose_ranker(data, explorer.ds.sizes)
    place = st.sidebar.container()
    protocol, seed = choose_protocol(explorer.ds)
    with st.sidebar:
        repeats = 1
        if protocol.split != "given":
            most = ranker.most_repeats(protocol, MOST_REPEATS)
            repeats = controls.whole(
                "Repeats", "repeats", 10, 1, most, help="The first split is drawn at once; the others follow as a band."
            )
    rule, protocol = answer.choose_rule(explorer.ds, get_protocol(protocol, repeats=repeats))
    view.choose_view()
    with place:
        rankings.offer({data: explorer}, protocol, seed, "ranking")
    ranker.check_splits(protocol.n_splits)
    return ExploreSettings(explorer, data, ranker, protocol, seed, rule, tuple(pins.pinned(explorer.ds.sizes)))


def explore(settings: ExploreSettings) -> BackgroundJob:
    """The work on all splits, then on those of pinned runs; begun unless it is under way, and waited for a moment."""
    latest = background.live_job("explore-work", yields=True)
    choice, how = settings.ranker.choice, {"protocol": settings.protocol, "seed": settings.seed}
    repeats = range(settings.protocol.n_splits)
    tasks = [partial(settings.explorer.explore, choice, **how, repeat=r) for r in repeats]
    tasks += [pins.task(settings.explorer, word, **how, repeat=r) for word in settings.compared for r in repeats]
    ready = partial(settings.explorer.explored, choice, **how)
    work = latest.start((settings.question, settings.compared), tasks, ready)
    view.wait_for(work, 1, PATIENCE)
    return work


def choose_size(most: int, click: Click) -> None:
    """A click on the curves is the number of features to keep, as the sidebar's control is."""
    if click.x is not None:
        st.session_state["keep"], st.session_state["number"] = "number", min(max(round(click.x), 1), most)


def picture(
    settings: ExploreSettings,
    work: BackgroundJob,
    splits: list[Exploration],
    compared: dict[str, list[Exploration]],
    choice: SizeChoice | str | None,
    running: bool,
) -> None:
    """The curves of the splits that are done and of the pinned runs, with the number of features to keep."""
    if not splits:
        waiting = "Stopped. Change a setting to start again." if work.cancelled else "Selecting and evaluating …"
        st.info(waiting)
        if running:
            st.button("Cancel", on_click=work.cancel)
        return

    answer.say(splits, choice)
    setting = settings.ranker.setting

    def loss_curves() -> go.Figure:
        beside = {pins.setting(word, setting): [run.curve for run in runs] for word, runs in compared.items()}
        table = tidy({setting: [split.curve for split in splits], **beside})
        drawn = curves(table, metrics=settings.protocol.metrics, baseline=averaged_baseline(splits))
        return answer.marked(drawn, choice, settings.protocol.metrics)

    beside = tuple((word, len(runs)) for word, runs in compared.items())
    exports.figure(
        loss_curves,
        f"{settings.file_name}-curves",
        "curves",
        of=(settings.question, len(splits), settings.rule, beside),
        on_click=partial(choose_size, settings.ds.X.shape[1]),
        moves=settings.moves,
    )
    if not view.presenting():
        pins.offer(settings.pinned, settings.run)
    total = settings.protocol.n_splits
    of = f"{len(splits)} of {total} splits" if running and len(splits) < total else count(len(splits), "split")
    took = settings.ranker.time_text(splits[0].seconds)
    st.caption(
        f"{literal(settings.ranker.title)} on {literal(settings.ds.name)}: {of} into training and test rows.{took}"
    )
    for note in settings.ranker.notes(settings.seed):
        st.caption(literal(note))


def show_details(settings: ExploreSettings, splits: list[Exploration], choice: SizeChoice | str | None) -> None:
    """Below the picture: which features to keep, those of the first split, noise, what the method sees, numbers."""
    setting, question, name, selector = (
        settings.ranker.setting,
        settings.question,
        settings.file_name,
        splits[0].selector,
    )
    answer.show(settings.explorer, settings.data, settings.asked, splits, choice)
    for note in selector.notes_:
        st.warning(literal(note))
    left, right = view.columns("details", [1, 1])
    with left:
        st.markdown("**The first features** and their scores, on the first split")
        exports.figure(
            partial(score_bars, selector.scores_, selector.ranking_, settings.ds.feature_names, method=setting),
            f"{name}-scores",
            "scores",
            of=question,
        )
    with right:
        st.markdown("**Noise**: redundancy R(F) and residual label correlation C(F)")
        exports.figure(
            lambda: curves(tidy({setting: [split.noise for split in splits]}), columns=1),
            f"{name}-noise",
            "noise",
            of=(question, len(splits)),
            moves=settings.moves,
        )
        st.caption(NOISE)
    if method_figures.has_figures(selector):
        st.subheader("What this method sees", anchor=False)
        method_figures.show(settings.explorer, selector, settings.protocol, settings.seed, question)
    st.subheader("Numbers", anchor=False)
    numbers = averages().once((question, len(splits)), partial(averaged, splits))
    columns = {column: number_column(column, numbers) for column in numbers}
    exports.table(numbers, numbers, name, "numbers", hide_index=True, column_config=columns)
    exports.recipes(
        partial(
            exploration,
            settings.data,
            settings.ranker.recipe,
            settings.protocol,
            settings.seed,
            **recipe_options(settings.data),
        )
    )
    settings.ranker.show_about()


def number_column(column: str, numbers: pd.DataFrame) -> Any:
    """How the table shows it; a deviation stands beside its mean, and the table fits a screen without its name."""
    mean = column.removesuffix("_std")
    title, digits = column_title(mean), f"%.{decimals_for(numbers[mean])}f"
    if mean != column:
        help = f"{title}: the standard deviation over the splits."
        return st.column_config.NumberColumn("±", help=help, format=digits, width="small")
    if column == "size":
        return st.column_config.Column(title, pinned=True)
    symbol = SYMBOL.search(title)
    return st.column_config.NumberColumn(symbol[0] if symbol else title, help=title, format=digits)


def main() -> None:
    view.page_header()
    settings = read_controls()
    work = explore(settings)
    # In this order: what is no longer running has given all its results.
    running = work.running
    done = work.results
    splits, compared = pins.parted(done, settings.protocol.n_splits, settings.compared)
    of_choice = (settings.question, len(splits), settings.rule)
    choice = averages().once(of_choice, partial(answer.choose, settings.asked, splits)) if splits else None
    picture(settings, work, splits, compared, choice, running)
    if running:
        view.redraw_when_more_arrives(work, len(done))
    view.let_paint()
    if splits and not view.presenting():
        show_details(settings, splits, choice)


main()
