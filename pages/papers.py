"""Papers: what the five papers print, with the data sets, tests and slips behind it."""

import streamlit as st

from mlfs.datasets import bundled_names, list_datasets, load_dataset
from mlfs.errors import MlfsError
from mlfs.papers import (
    PAPERS,
    Paper,
    PublishedRanks,
    PublishedTable,
    beside_ours_in_words,
    get_table,
    grid_sheet,
    measured,
    published,
    published_ranks,
    quantity,
    styled_grid,
)
from mlfs.plots import critical_difference_diagram
from mlfs.recipes import published_table
from mlfs.tables import setting_title
from pages.parts import controls, names, takeaway, view

LATER = (
    "{} measured here by the same protocol follow in a later version; until then Compare runs the protocol on the data "
    "sets at hand: {}."
)
FORWARD = ":material/arrow_forward:"
TESTS = {"bonferroni_dunn": "Bonferroni–Dunn", "nemenyi": "Nemenyi"}


@st.cache_data(show_spinner="Measuring the data sets", max_entries=64)
def measured_here(name: str) -> dict[str, float]:
    """Sizes of a data set at hand, once for all sessions."""
    return measured(load_dataset(name))


def choose_paper() -> Paper:
    return PAPERS[controls.choose("Paper", list(PAPERS), "paper", name=lambda paper: PAPERS[paper].short)]


def choose_table(paper: Paper) -> tuple[PublishedTable, str | None]:
    """A table of the paper and, where it has several grids, the metric of one."""
    numbers = [table.table for table in paper.tables]
    number = names.choose_name("Table", numbers, "table", paper.main_table.table, name=lambda table: f"Table {table}")
    table = get_table(paper.id, number)
    if table.is_of_statistics or len(table.metrics) == 1:
        return table, None
    return table, names.choose_name("Metric", table.metrics, "metric", name=lambda metric: quantity(metric).title)


def show_table(table: PublishedTable, metric: str | None) -> None:
    st.subheader(f"Table {table.table}. {table.caption}", anchor=False)
    name = "-".join(filter(None, (table.paper, f"table{table.table}", metric)))
    where = (table.paper, table.table, metric)
    rows = published(table.paper, table.table)
    takeaway.table(
        styled_grid(*where),
        rows if metric is None else rows[rows["metric"] == metric],
        name,
        latex=grid_sheet(*where),
        height="content",
    )
    st.caption(" ".join(filter(None, (reading(table, metric), table.note))))


def reading(table: PublishedTable, metric: str | None) -> str:
    """How to read the numbers: the quantity, its unit, which way is better."""
    if table.is_of_statistics:
        return "Methods differ significantly where F_F is above the critical value."
    what = quantity(metric or table.metric)
    unit = f" in {what.unit}" if what.unit else ""
    if what.lower_is_better is None:
        return f"{what.title}{unit}."
    better = "lower" if what.lower_is_better else "higher"
    return f"{what.title}{unit}: {better} is better, and the best of each row is in bold."


def show_ranks(ranks: PublishedRanks, name: str) -> None:
    st.subheader("Average ranks of these numbers", anchor=False)
    takeaway.figure(
        critical_difference_diagram(
            ranks.average_ranks, ranks.critical_difference, control=ranks.control, metric=ranks.metric
        ),
        f"{name}-ranks",
    )
    printed = "–" if ranks.printed_F is None else f"{ranks.printed_F:g}"
    against = f" with {setting_title(ranks.control)} as the control" if ranks.control else ""
    st.caption(
        f"{TESTS[ranks.test]}'s test at {ranks.alpha:.0%}{against}. Friedman's F_F of the printed values is "
        f"{ranks.friedman.F:.3f}, and the paper prints {printed}; the critical difference is "
        f"{ranks.critical_difference:.4f}, and the paper prints {ranks.printed_critical_difference:g}. "
        "Printed values are rounded, so some tie that did not."
    )


def show_data_sets(paper: Paper, at_hand: list[str]) -> None:
    st.subheader("Its data sets, as printed and as they are here", anchor=False)
    more = [name for name in at_hand if name not in bundled_names()]
    everything = bool(more) and controls.switch(
        f"Measure {', '.join(more)} too", "measure", help="Reading large files takes a while, the first time."
    )
    ours = {}
    for name in at_hand if everything else [name for name in at_hand if name not in more]:
        try:
            ours[name] = measured_here(name)
        except MlfsError as error:
            st.warning(str(error))
    words = beside_ours_in_words(paper.id, ours)
    widths = {"here": st.column_config.Column(width="medium")}
    takeaway.table(words, words, f"{paper.id}-data-sets", height="content", column_config=widths)
    for name, why in paper.unknown_datasets.items():
        st.caption(f"{name}: {why}")


def show_figures(paper: Paper, at_hand: list[str]) -> None:
    st.subheader("Its figures", anchor=False)
    for figure in paper.figures:
        st.markdown(f"**Figure {figure.figure}.** {figure.caption}")
        st.page_link(
            f"pages/{figure.page}.py",
            label=f"A picture like it: {figure.page.capitalize()}",
            query_params=figure.query(at_hand),
            icon=FORWARD,
        )


with st.sidebar:
    paper = choose_paper()
    table, metric = choose_table(paper) if paper.tables else (None, None)
view.choose_view()
known = list_datasets()
at_hand = [name for name in paper.datasets if name in known]

st.header(paper.title, anchor=False)
st.markdown(f"{paper.authors}, {paper.venue}, {paper.year}. {paper.proposes}")
if table is not None:
    show_table(table, metric)
    if table.rank_test is not None:
        show_ranks(
            published_ranks(paper.id, table.table, metric), "-".join(filter(None, (paper.id, table.table, metric)))
        )
else:
    st.info("This paper prints its results as figures only.")
if not view.presenting():
    st.page_link(
        "pages/compare.py",
        label="Compare its methods by its protocol",
        query_params=paper.compare_query(at_hand),
        icon=FORWARD,
    )
    what = "Curves" if table is None else "These are the published numbers. Numbers"
    st.caption(LATER.format(what, ", ".join(at_hand) or "none"))
    if paper.slips:
        st.subheader("Known slips", anchor=False)
        st.markdown("\n".join(f"- {slip}" for slip in paper.slips))
    show_data_sets(paper, at_hand)
    show_figures(paper, at_hand)
    if table is not None:
        takeaway.recipes(published_table(table, metric))
