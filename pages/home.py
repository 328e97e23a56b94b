"""Home: three ways in, demonstrations to open with a click, what each page answers, and the bundled data sets.

All but the place for files and the table is HTML with drawings in it: it is there at once, and needs no figure.
"""

from collections.abc import Iterable
from html import escape

import pandas as pd
import streamlit as st
from pandas.io.formats.style import Styler

from mlfs.datasets import Profile, bundled_names, load_dataset, profile
from mlfs.errors import MlfsError
from pages.parts import link, uploads, view
from pages.parts.cards import LOOK, LinkCard, address, cards
from pages.parts.menu import ENTRIES, INSIDE

INTRODUCTION = (
    "Load a data set, choose a method, move its parameters, and see at once which features it keeps, how well a "
    "classifier does with them, and whether the difference is real."
)


ENTRANCES = (
    LinkCard(
        "My data",
        "data",
        {},
        "Drop a table here, check which columns are labels, and get the list of features worth keeping.",
        "table",
    ),
    LinkCard(
        "Teach",
        "learn",
        {},
        "Five lessons on toy data and a guided tour of each paper, for the projector and for your students' phones.",
        "lesson",
    ),
    LinkCard(
        "Write a paper",
        "compare",
        {"sets": "emotions,yeast,scene"},
        "Compare methods on several data sets, test the differences, and download tables and diagrams as LaTeX and "
        "SVG.",
        "ranks",
    ),
)
DEMONSTRATIONS = (
    LinkCard(
        "Ten among a hundred and ten",
        "explore",
        {"data": "synthetic:n_redundant=0,n_irrelevant=100", "method": "grro"},
        "Ten features made these labels and a hundred say nothing. Both losses fall until the ten are found, and rise "
        "again as the others come in.",
        "valley",
    ),
    LinkCard(
        "A third of yeast is enough",
        "explore",
        {"data": "yeast", "method": "grro", "split": "given"},
        "Both curves come down to the dashed level of all 103 features with the first 35. Move α and β, and see "
        "whether fewer will do.",
        "level",
    ),
    LinkCard(
        "The price of a copy",
        "learn",
        {"topic": "redundancy", "copied": "90"},
        "f₂ tells more about the labels than f₃, but f₁ has already told nearly all of it. Which criterion still picks "
        "f₂?",
        "bars",
    ),
    LinkCard(
        "A circle without a winner",
        "learn",
        {"topic": "dominance", "toy": "circle"},
        "Each of three features is beaten by another in two of three labels, so approximate dominance keeps none of "
        "them.",
        "circle",
    ),
    LinkCard(
        "A paper, step by step",
        "learn",
        {"tour": "zhang_2020_grro"},
        "What GRRO weighs against what, on real data: one idea at a time, with a slider for each.",
        "steps",
    ),
    LinkCard(
        "Does it hold up?",
        "papers",
        {"paper": "sechidis_2014"},
        "Five papers run again: a verdict on every table and figure, and the numbers behind it.",
        "verdicts",
    ),
)


# Further in from each of the three ways, without a stop between.
SHORTCUTS = {
    "My data": (LinkCard("No table yet? Try sample data", "data", {}),),
    "Teach": (
        LinkCard("The first lesson, on the projector", "learn", {"present": "1"}),
        LinkCard("A paper, on the projector", "learn", {"tour": "zhang_2020_grro", "present": "1"}),
    ),
    "Write a paper": (
        LinkCard("Test results that I already have", "significance", {}),
        LinkCard("Which methods to compare", "methods", {}),
    ),
}
# Each way in is a box of Streamlit's own, for files are dropped into the first.
ENTRANCES_LOOK = """<style>
.st-key-entrances .stHorizontalBlock { flex-wrap: wrap; }
.st-key-entrances .stColumn { min-width: min(100%, 15rem); }
.st-key-entrances .stColumn > div { min-width: 0; }
.st-key-entrances .mlfs-cards { grid-template-columns: minmax(0, 1fr); }
.st-key-entrances .mlfs-cards a { border: 0; padding: 0; }
.mlfs-shortcuts a { display: block; padding: 0.15rem 0; font-size: 0.9rem; color: inherit !important; }
</style>"""


# What the table says of a set: row → field of its profile, and how to write it.
ROWS = {
    "Rows": ("instances", "{:,.0f}"),
    "Features": ("features", "{:,.0f}"),
    "Labels": ("labels", "{:.0f}"),
    "Cardinality": ("cardinality", "{:.3f}"),
    "Density": ("density", "{:.3f}"),
    "Distinct labelsets": ("distinct_labelsets", "{:.0f}"),
    "Mean imbalance": ("mean_imbalance", "{:.2f}"),
}

MEANINGS = """
**Cardinality** is the mean number of labels of a row, **density** the same as a share of all labels.
**Distinct labelsets** counts the combinations of labels that occur. **Mean imbalance** says how many times rarer
a label is than the most frequent one, on average.
"""


@st.cache_resource(show_spinner="Reading the bundled data sets")
def profiled(name: str) -> tuple[str, Profile]:
    """The source and the profile of a bundled set, once for all sessions; its arrays are read-only."""
    ds = load_dataset(name)
    return ds.source, profile(ds)


def profile_table(profiles: list[Profile]) -> Styler:
    """One column per set: narrow enough for a telephone."""
    table = pd.DataFrame({p.name: {row: getattr(p, field) for row, (field, _) in ROWS.items()} for p in profiles})
    styler = table.style
    for row, (_, form) in ROWS.items():
        styler = styler.format(form, subset=pd.IndexSlice[[row], :])
    return styler


def answers() -> str:
    """Every page with the question it answers, as it was left."""
    links = [
        f'<a class="{INSIDE}" href="{address(name.lower(), link.current().address_of(name))}">'
        f"<b>{escape(name)}</b><span>{escape(entry.question)}</span></a>"
        for name, entry in ENTRIES.items()
        if name != "Home"
    ]
    return f'<div class="mlfs-answers">{"".join(links)}</div>'


def show_sets(sets: list[tuple[str, Profile]]) -> None:
    left, right = view.columns("sets", [3, 2])
    left.table(profile_table([p for _, p in sets]), border="horizontal")
    right.caption(MEANINGS)
    right.caption("  \n".join(f"**{p.name}**: {source}" for source, p in sets))


def shortcuts(listed: Iterable[LinkCard]) -> str:
    links = [
        f'<a class="{INSIDE}" href="{address(card.page, card.settings)}">{escape(card.title)}</a>' for card in listed
    ]
    return f'<div class="mlfs-shortcuts">{"".join(links)}</div>'


def show_entrances() -> None:
    """Three ways in; files that are dropped into the first are looked at below all three."""
    with st.container(key="entrances"):
        places = st.columns(len(ENTRANCES), gap="small")
    for card, place in zip(ENTRANCES, places, strict=True):
        with place, st.container(border=True, height="stretch", gap="small"):
            st.html(cards([card], "mlfs-entrances"))
            if card == ENTRANCES[0]:
                uploads.choose_files()
            st.html(shortcuts(SHORTCUTS[card.title]))
    uploads.check_files("Find the features to keep →")


def main() -> None:
    if (name := uploads.take()) is not None:
        st.switch_page("explore.py", query_params=uploads.explore_settings(name))
    view.page_header(title="Multi-label feature selection")
    st.html(f"{LOOK}{ENTRANCES_LOOK}<p>{INTRODUCTION}</p>")
    show_entrances()
    st.html(
        f'<div class="mlfs-home"><h2>See it at work</h2>{cards(DEMONSTRATIONS)}'
        f"<h2>What each page answers</h2>{answers()}</div>"
    )
    st.header("Bundled data sets", anchor=False)
    sets: list[tuple[str, Profile]] = []
    for name in bundled_names():
        try:
            sets.append(profiled(name))
        except MlfsError as error:
            st.error(str(error))
    if sets:
        show_sets(sets)


main()
