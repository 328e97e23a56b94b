"""Papers: which published results are reproduced, and each table and figure, published and measured side by side."""

from functools import partial

import streamlit as st

from mlfs.datasets import list_datasets, load_dataset
from mlfs.errors import MlfsError
from mlfs.papers import PAPERS, Paper, PublishedFigure, PublishedTable
from mlfs.papers.characteristics import characteristics, characteristics_in_words, measured_characteristics
from mlfs.papers.experiment import Experiment
from mlfs.recipes import Recipe, measured_result, published_table
from pages.parts import controls, exports, papers_results, papers_runs, papers_verdicts, questions, view

FORWARD = ":material/arrow_forward:"
NOTHING = "There is no stored run of {}: run it below."


@st.cache_data(show_spinner="Measuring the data sets", max_entries=64)
def measured_here(name: str) -> dict[str, float]:
    """Sizes of a data set at hand, once for all sessions."""
    return measured_characteristics(load_dataset(name))


def choose_paper() -> Paper:
    return PAPERS[controls.choose("Paper", list(PAPERS), "paper", name=lambda paper: PAPERS[paper].short)]


def choose_result(paper: Paper) -> Experiment:
    """A table or figure of the paper; first the table that compares methods."""
    known = paper.experiments
    default = next(iter(known)) if paper.main_table is None else paper.main_table.result
    chosen = controls.choose_name("Result", list(known), "result", default, name=lambda result: known[result].label)
    return known[chosen]


def show_ways_on(paper: Paper, experiment: Experiment, available: list[str]) -> None:
    """Where to see and move the same: the tour, Compare, and the page that draws such a figure."""

    def way(page: str, label: str, query: dict[str, str]) -> None:
        st.page_link(f"{page}.py", label=label, query_params=query, icon=FORWARD, width="content")

    with st.container(horizontal=True, gap="medium"):
        if paper.has("tour"):
            way("learn", "A guided tour of the paper", {"tour": paper.id})
        way("compare", "Compare its methods by its protocol", paper.compare_query(available))
        if isinstance(figure := paper.results[experiment.result], PublishedFigure):
            way(figure.page, f"Draw one like it: {figure.page.capitalize()}", figure.query(available))


def show_data_sets(paper: Paper, available: list[str]) -> None:
    if characteristics(paper.id).empty:
        return
    st.subheader("Its data sets, as printed and as measured here", anchor=False)
    everything = controls.switch(
        "Measure the data sets on this server", "measure", help="The first time, large files take a while to read."
    )
    ours = {}
    for name in available if everything else ():
        try:
            ours[name] = measured_here(name)
        except MlfsError as error:
            st.info(str(error))
    words = characteristics_in_words(paper.id, ours)
    widths = {"Here": st.column_config.Column(width="medium")}
    exports.table(words, words, f"{paper.id}-data-sets", height="content", column_config=widths)
    for name, why in paper.unknown_datasets.items():
        st.caption(f"{name}: {why}")


def recipe(
    result: PublishedTable | PublishedFigure, shown: papers_runs.ShownRows, layout: str, chosen: str | None
) -> Recipe:
    """What is on the screen, again: the published grid, or the run."""
    if isinstance(result, PublishedTable) and layout == papers_results.PUBLISHED:
        return published_table(result, chosen)
    metric = chosen if result.is_of_table else None
    return measured_result(result.paper, result.result, shown.datasets, shown.repeats, metric)


with st.sidebar:
    paper = choose_paper()
    experiment = choose_result(paper)
    result = paper.results[experiment.result]
    shown = papers_runs.shown_rows(experiment)
    if isinstance(result, PublishedTable):
        chosen = papers_results.choose_metric(result)
    else:
        chosen = papers_results.choose_part(experiment, result, shown.rows)
view.choose_view()
known = list_datasets()
available = [name for name in paper.datasets if name in known]

view.page_header(paper.short, paper.short if view.presenting() else None)
if not view.presenting():
    papers_verdicts.show_grid(paper, experiment.result)
    st.header(paper.title, anchor=False)
    st.markdown(f"{paper.authors}, {paper.venue}, {paper.year}. {paper.proposes}")
    papers_verdicts.show_reasons(paper, experiment.result)
st.subheader(experiment.label, anchor=False)
papers_verdicts.show_verdict(paper, experiment.result)
st.caption(experiment.title)
layout = ""
if shown.rows.empty:
    st.info(NOTHING.format(experiment.name))
papers_runs.say_whose(shown)
if isinstance(result, PublishedTable):
    layout = papers_results.show_table(experiment, result, shown, chosen)
    papers_results.show_ranks(result, shown, chosen)
else:
    papers_results.show_figure(experiment, shown, chosen)
if not view.presenting():
    view.let_paint()
    papers_runs.show_origin(experiment, shown)
    papers_runs.run_of(experiment).show(shown)
    show_ways_on(paper, experiment, available)
    papers_verdicts.show_closeness(paper)
    papers_verdicts.show_findings(paper)
    questions.show(paper)
    if paper.known_errors:
        st.subheader("Known errors in the paper", anchor=False)
        st.markdown("\n".join(f"- {error}" for error in paper.known_errors))
    show_data_sets(paper, available)
    exports.recipes(partial(recipe, result, shown, layout, chosen))
