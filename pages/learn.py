"""Learn: the ideas on toy data a teacher can move, one lesson at a time; or a paper, step by step."""

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from mlfs.datasets import bundled_names
from mlfs.errors import MlfsError
from mlfs.learn import (
    LESSONS,
    PRESETS,
    LabelPoints,
    System,
    Table,
    advantages,
    bound_curve,
    copy_advantage,
    copying,
    dominance_map,
    information_bars,
    information_bound,
    label_points,
    make_bound,
    mosaic,
    objective_terms,
    prepare_system,
    second_pick,
    system_matrices,
    tournament,
)
from mlfs.learn.dominance import FEATURES, KINDS, LABELS, SEEDS, subscript
from mlfs.papers import PAPERS
from mlfs.plots import selected_count
from mlfs.recipes import Recipe, lesson
from mlfs.selectors import SELECTORS
from mlfs.wording import sentence_case
from pages.parts import controls, exports, link, tour, view
from pages.parts.cards import LOOK, LinkCard, address, cards, carried
from pages.parts.data import shared_explorer
from pages.parts.menu import INSIDE
from pages.parts.words import literal

# The key of each count in the link, and what its slider is called.
COUNTS = {
    "both": "f = 1, l = 1",
    "feature_only": "f = 1, l = 0",
    "label_only": "f = 0, l = 1",
    "neither": "f = 0, l = 0",
}
MOST = 100
# The tables to begin with take a row of their own, on a wall too.
STEPS = """<style>
.mlfs-steps a { color: inherit !important; margin-right: 1.2rem; white-space: nowrap; }
.st-key-row > [data-testid="stLayoutWrapper"]:has(> .st-key-presets) { flex: 1 0 100%; }
@media (min-width: 641px) {
  .st-key-row > [data-testid="stLayoutWrapper"]:has(.stMetric) { flex: 1 0 17rem !important; }
}
</style>"""
NO_DATA = "none"

# The numbers on the board, and the recipe that prints them.
Worked = tuple[Sequence[str], Recipe]


def percent(label: str, key: str, default: int, help: str | None = None) -> float:
    """A share on a slider, in the steps that keep the toys' counts whole."""
    return controls.whole(f"{label} (%)", key, default, 0, 100, step=5, help=help) / 100


def say(sentence: str) -> None:
    """The answer, above its picture."""
    st.markdown(f"**{literal(sentence)}**")


def take_preset(name: str) -> None:
    for key, count in zip(COUNTS, PRESETS[name].counts, strict=True):
        st.session_state[key] = count


def information(picture: DeltaGenerator) -> Worked:
    start = PRESETS["related"].counts
    with st.container(horizontal=True, gap="xsmall", key="presets"):
        for name in PRESETS:
            st.button(sentence_case(name), key=f"preset-{name}", on_click=take_preset, args=(name,))
    counts = tuple(
        controls.whole(label, key, count, 0, MOST) for (key, label), count in zip(COUNTS.items(), start, strict=True)
    )
    table = Table(*counts)
    with picture:
        say(table.sentence())
        exports.figure(partial(mosaic, table), "learn-mosaic", of=counts)
        exports.figure(partial(information_bars, table), "learn-information", of=counts)
    return table.worked(), lesson("Table", f"Table{table.counts}.worked()")


@st.cache_resource(show_spinner="Reading the data set")
def real_labels(name: str) -> LabelPoints:
    ds = shared_explorer(name).ds
    return label_points(ds.X, ds.Y, ds.feature_names, ds.label_names)


def bound(picture: DeltaGenerator) -> Worked:
    p_label = percent("p(l), with the label", "p_label", 20)
    p_feature = percent("p(f), with the feature", "p_feature", 40)
    agreement = percent(
        "Agreement", "agreement", 70, "0: independent. 100: they occur together as often as their frequencies allow."
    )
    data = controls.choose(
        "Labels of real data",
        [NO_DATA, *bundled_names()],
        "labels_of",
        name=lambda data: sentence_case(data) if data == NO_DATA else data,
        help="Each label with the feature that tells most about it, in two bins; each has a bound of its own.",
    )
    model = make_bound(p_feature, p_label, agreement)
    points = None if data == NO_DATA else real_labels(data)
    with picture:
        say(model.sentence())
        exports.figure(
            lambda: information_bound(model, bound_curve(p_feature, agreement), points),
            "learn-bound",
            of=(p_label, p_feature, agreement, data),
        )
    return model.worked(), lesson("make_bound", f"make_bound({p_feature}, {p_label}, {agreement}).worked()")


def redundancy(picture: DeltaGenerator) -> Worked:
    copied = percent("How much of f₁ is copied by f₂", "copied", 50)
    model = copying(copied)
    same, other = model.redundancy
    left, right = st.columns(2)
    help = "How much two features repeat each other: the redundancy of Wang et al. 2020, eq. (16)."
    left.metric("R({f₁, f₂})", f"{same:.4f}", help=help)
    right.metric("R({f₁, f₃})", f"{other:.4f}", help=help)
    with picture:
        say(model.sentence())
        exports.figure(partial(second_pick, model), "learn-second-pick", of=copied)
        exports.figure(lambda: copy_advantage(*advantages(), copied=copied), "learn-advantage", of=copied)
    return model.worked(), lesson("copying", f"copying({copied}).worked()")


def dominance(picture: DeltaGenerator) -> Worked:
    kind = controls.choose("Toy", KINDS, "toy", name=sentence_case, style="segmented")
    q, d = 3, 3
    if kind == KINDS[0]:
        q, d = controls.whole("Labels", "labels", 5, *LABELS), FEATURES
    alpha = controls.parameter_control("mapd", SELECTORS["mapd"].parameters["alpha"], {}, "mapd.alpha", "α")
    draw = controls.whole("Draw", "draw", 0, *SEEDS, help="Another random draw of the same toy data.")
    across, up = place("Label across", "across", q, "l", 1), place("Label up", "up", q, "l", 2)
    # The ninth of the first draw lies on the front of the two labels, and is dominated all the same.
    looked_at = place("Feature", "feature", d, "f", min(9, d))
    toy = (alpha, q, draw, kind)
    model = tournament(*toy)
    with picture:
        say(model.sentence(looked_at))
        exports.figure(
            partial(dominance_map, model, across, up, looked_at=looked_at),
            "learn-dominance",
            of=(*toy, across, up, looked_at),
        )
        exports.figure(lambda: selected_count(*model.against_alpha(), alpha=alpha, d=d), "learn-selected", of=toy)
    call = f"tournament({alpha}, n_labels={q}, seed={draw}, kind={kind!r}).worked({looked_at})"
    return model.worked(looked_at), lesson("tournament", call)


def place(label: str, key: str, size: int, letter: str, default: int) -> int:
    """Which of the toy's features or labels; counted from 1 in the link, from 0 in the program."""
    options = [str(number) for number in range(1, size + 1)]
    chosen = controls.choose(label, options, key, str(default), name=lambda n: letter + subscript(int(n) - 1))
    return options.index(chosen)


def system(picture: DeltaGenerator) -> Worked:
    copied = percent("How much of f₁ is copied by f₂", "repeats", 50)
    together = percent("How much of l₁ is copied by l₂", "together", 50)
    alpha, beta = (
        controls.parameter_control("grro", SELECTORS["grro"].parameters[name], {}, f"grro.{name}", letter)
        for name, letter in (("alpha", "α"), ("beta", "β"))
    )
    model = System.solve(prepare_system(copied, together), alpha, beta)
    with picture:
        toy = (copied, together, alpha, beta)
        say(model.sentence())
        exports.figure(partial(system_matrices, model), "learn-matrices", of=toy)
        exports.figure(partial(objective_terms, model), "learn-terms", of=toy)
        for note in model.notes:
            st.warning(note)
    call = f"System.solve(prepare_system({copied}, {together}), {alpha}, {beta}).worked()"
    return model.worked(), lesson("System, prepare_system", call)


TOPICS: dict[str, Callable[[DeltaGenerator], Worked]] = {
    "information": information,
    "bound": bound,
    "redundancy": redundancy,
    "dominance": dominance,
    "system": system,
}


def lesson_cards() -> dict[str, LinkCard]:
    """A link to each lesson, by its name."""
    settings = carried()
    return {
        name: LinkCard(about.title, "learn", settings | {"topic": name}, about.asks) for name, about in LESSONS.items()
    }


def show_choice(lesson: str | None, paper: str | None) -> None:
    """Lessons and tours side by side, the one that is shown marked."""
    lessons, tours = lesson_cards(), tour.cards()
    left = cards(lessons.values(), "mlfs-small", lessons.get(lesson or ""))
    right = cards(tours.values(), "mlfs-small", tours.get(paper or ""))
    st.html(
        f'{LOOK}<nav class="mlfs-beside" aria-label="Lessons and tours"><div><h2>Lessons on toy data</h2>{left}</div>'
        f"<div><h2>Papers, step by step</h2>{right}</div></nav>"
    )


def neighbours(topic: str) -> str:
    """Links to the lessons before and after, which the arrow keys follow."""
    listed = list(lesson_cards().items())
    place = [name for name, _ in listed].index(topic)
    ways = {"previous": listed[place - 1 : place], "next": listed[place + 1 : place + 2]}
    links = "".join(
        f'<a class="{INSIDE} mlfs-{way}" href="{address(card.page, card.settings)}" title="{tour.KEYS}">'
        f"{'← ' if way == 'previous' else ''}{card.title}{' →' if way == 'next' else ''}</a>"
        for way, beside in ways.items()
        for _, card in beside
    )
    return f'{STEPS}<nav class="mlfs-steps" aria-label="Other lessons">{links}</nav>'


def show_lesson(topic: str) -> None:
    about = LESSONS[topic]
    left, picture = view.text_and_picture()
    with left:
        if not view.presenting():
            st.header(about.title, anchor=False)
        st.markdown(about.explanation)
        lines: Sequence[str] = ()
        recipe, row = None, view.in_a_row()
        try:
            with row:
                lines, recipe = TOPICS[topic](picture)
        except MlfsError as problem:
            picture.info(str(problem))
        with row:
            st.html(neighbours(topic), width="content")
    view.let_paint()
    board, question = view.columns("board", [3, 2])
    with board:
        st.subheader("On the board", anchor=False)
        # Formulas within a line may break, which a telephone needs.
        st.markdown(f"$\\displaystyle {about.formula}$")
        st.markdown("\n\n".join(f"${line}$" for line in lines))
    with question:
        st.subheader("Ask the class", anchor=False)
        st.markdown(about.question)
        with st.expander("Answer"):
            st.markdown(about.answer)
        st.caption(f"After {about.source}.")
    if recipe is not None and not view.presenting():
        exports.recipes(lambda: recipe)


def main() -> None:
    chosen = tour.chosen_tour()
    view.choose_view()
    if chosen is None:
        topic = str(link.current().control("topic", next(iter(TOPICS)), link.one_of(list(TOPICS), "topic")))
        title, paper = LESSONS[topic].title, None
    else:
        topic, title, paper = None, PAPERS[chosen.paper].short, chosen.paper
    view.page_header(title, title if view.presenting() else None)
    if not view.presenting():
        show_choice(topic, paper)
    if chosen is None:
        show_lesson(str(topic))
    else:
        tour.show(chosen)


main()
