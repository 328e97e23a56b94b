"""A guided tour on the Learn page: which paper, which step, what to move, and what there is to see.

All settings of a tour stand in the link at each of its steps, so that whoever goes on and comes back finds them.
"""

from __future__ import annotations

import contextlib
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mlfs.datasets import bundled_names
from mlfs.evaluation import Explorer
from mlfs.papers import PAPERS, TOURS
from mlfs.papers.tour import Knob, StepView, Tour, TourStep
from mlfs.recipes import tour_step
from mlfs.results import setting_title
from mlfs.wording import count, sentence_case
from pages.parts import controls, exports, link, view
from pages.parts.cards import LinkCard, carried
from pages.parts.data import shared_explorer
from pages.parts.method_results import MethodResults
from pages.parts.words import literal

TOPICS = "topics"
KEYS = "You can also use the arrow keys ← and →."
BACK, FORWARD = ":material/arrow_back:", ":material/arrow_forward:"


def chosen_tour() -> Tour | None:
    """The tour that the link names; none where it shows a lesson."""
    chosen = str(link.current().control("tour", TOPICS, link.one_of([TOPICS, *TOURS], "tour")))
    controls.forget_with("tour", chosen, ("step", "on"))  # another tour begins at its first step, on its own data
    return TOURS.get(chosen)


def cards() -> dict[str, LinkCard]:
    """A link to each tour, by the paper's id."""
    settings = carried()
    return {
        name: LinkCard(
            PAPERS[name].short,
            "learn",
            settings | {"tour": name},
            f"{setting_title(PAPERS[name].methods[0])} in {count(len(tour.steps), 'step')}",
        )
        for name, tour in TOURS.items()
    }


def show(tour: Tour) -> None:
    """The step of the tour that the link names; on a wall all that can be moved is in one row."""
    above = st.container()
    left, picture = view.text_and_picture()
    with left:
        title, said, row = st.container(), st.container(), view.in_a_row()
    with row if view.presenting() else above:
        number = _choose_step(tour)
    step = tour.steps[number - 1]
    if number == 1 and not view.presenting():
        above.markdown(PAPERS[tour.paper].proposes)
    title.subheader(f"{number}. {step.title}", anchor=False)
    with row:
        data = _choose_data(tour, step)
        explorer = shared_explorer(data)
        settings = _choose_settings(tour, step, explorer)
        _before_and_after(tour, number)
    _draw(tour, number, explorer, settings, said, picture)
    if not view.presenting():
        st.caption(literal(f"After {PAPERS[tour.paper].citation}."))
        st.page_link(
            "papers.py",
            label="The paper's tables and figures",
            query_params={"paper": tour.paper},
            icon=FORWARD,
        )
        exports.recipes(partial(tour_step, tour.paper, number, None if step.toy else data, settings))


def _choose_step(tour: Tour) -> int:
    numbers = [str(number) for number in range(1, len(tour.steps) + 1)]
    return int(controls.choose_name("Step", numbers, "step", style="segmented"))


def _choose_data(tour: Tour, step: TourStep) -> str:
    known = bundled_names()
    if step.toy:
        return str(link.current().control("on", tour.data, link.one_of(known, "data")))
    return controls.choose("Data", known, "on", tour.data)


def _choose_settings(tour: Tour, step: TourStep, explorer: Explorer) -> dict[str, Any]:
    """The step's knobs by name; those of the other steps only keep their place in the link."""
    sizes, chosen = explorer.ds.sizes, {}
    for key, knob in tour.knobs.items():
        if knob in step.knobs:
            chosen[knob.name] = _turn(knob, sizes)
        else:
            controls.keep_parameter(knob.method, knob.parameter, sizes, key)
    return chosen


def _turn(knob: Knob, sizes: dict[str, int]) -> Any:
    declared = knob.parameter
    if knob.step is None:
        return controls.parameter_control(knob.method, declared, sizes, knob.key, knob.label)
    low, high = int(declared.low or 0), int(declared.high or 0)
    return controls.whole(
        knob.label, knob.key, declared.default, low, high, help=f"{sentence_case(declared.meaning)}.", step=knob.step
    )


def _before_and_after(tour: Tour, number: int) -> None:
    with st.container(horizontal=True, gap="small", width="content", key="steps"):
        st.button(
            "Previous",
            key="step-previous",
            icon=BACK,
            help=KEYS,
            disabled=number == 1,
            on_click=_go,
            args=(number - 1,),
        )
        last = number == len(tour.steps)
        st.button(
            "Next",
            key="step-next",
            icon=FORWARD,
            icon_position="right",
            help=KEYS,
            disabled=last,
            on_click=_go,
            args=(number + 1,),
        )


def _go(number: int) -> None:
    st.session_state["step"] = str(number)


def _draw(
    tour: Tour, number: int, explorer: Explorer, settings: dict[str, Any], said: DeltaGenerator, picture: DeltaGenerator
) -> None:
    step, name = tour.steps[number - 1], f"{tour.paper}-step-{number}"
    tasks = {} if step.toy else step.tasks(explorer, settings)
    if not tasks:
        shown = step.see(explorer, settings)
        with said:
            _tell(shown)
        with picture:
            exports.figure(shown.figure, name)
        return
    work = MethodResults("tour")
    work.ask((tour.paper, number, explorer.ds.name, *settings.items()), tasks)
    # A part that is drawn again by itself cannot write beside itself: there the words stand above their figure.
    beside = contextlib.nullcontext() if work.work.running else said

    def draw() -> None:
        shown = step.see(explorer, settings, work.results)
        with beside:
            _tell(shown)
        exports.figure(shown.figure, name)

    with picture:
        work.show(draw)


def _tell(shown: StepView) -> None:
    st.markdown(literal(shown.sentence))
    for note in shown.notes if not view.presenting() else ():
        st.caption(literal(note))
