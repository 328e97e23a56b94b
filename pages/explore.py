"""Explore: one data set, one method, live sliders."""

from functools import partial

import plotly.graph_objects as go
import streamlit as st

from mlfs.background import LatestJob
from mlfs.evaluation import Exploration, averaged, averaged_baseline, get_protocol
from mlfs.memo import Memo
from mlfs.plots import curves, score_bars, tidy
from mlfs.recipes import exploration
from mlfs.selectors.specification import method_text
from pages.parts import controls, sees, takeaway, view
from pages.parts.data import choose_data, is_upload
from pages.parts.method import choose_method, explain, method_name
from pages.parts.protocol import choose_protocol, sizes_of
from pages.parts.uploads import labels_of_uploads
from pages.parts.words import literal

# A first answer that takes longer than this is waited for with a way out.
PATIENCE = 1.5
KEPT = 200


@st.cache_resource(show_spinner=False)
def averages() -> Memo:
    """The tables of numbers that were shown last, for whoever asks for the same."""
    return Memo(KEPT)


explorer = choose_data()
ds, data = explorer.ds, st.session_state["data"]
method, parameters = choose_method(sizes_of(ds))
protocol, seed = choose_protocol(ds)
with st.sidebar:
    repeats = 1
    if protocol.split != "given":
        repeats = controls.whole(
            "Repeats", "repeats", 10, 1, 30, help="The first split is drawn at once; the others follow as a band."
        )
view.choose_view()
protocol = get_protocol(protocol, repeats=repeats)

latest: LatestJob = st.session_state.setdefault("explore-work", LatestJob(yields=True))
question = (data, method_text(method, parameters), repr(protocol), seed)
work = latest.start(
    question,
    [partial(explorer.explore, (method, parameters), protocol, seed=seed, repeat=r) for r in range(protocol.n_splits)],
    ready=partial(explorer.explored, (method, parameters), protocol, seed=seed),
)
view.wait_for(work, 1, PATIENCE)
# In this order: what is no longer running has given all its results.
running = work.running
found: list[Exploration] = work.results


def picture() -> None:
    """The curves of the splits that are done."""
    if not found:
        waiting = "Stopped. Change a setting to start again." if work.cancelled else "Selecting and evaluating …"
        st.info(waiting)
        if running:
            st.button("Cancel", on_click=work.cancel)
        return
    takeaway.figure(loss_curves, f"{ds.name}-{method}-curves", "curves", of=(question, len(found)))
    of = f"{len(found)} of {work.total} splits" if running else f"{len(found)} split{'s' * (len(found) > 1)}"
    st.caption(f"{method_name(method)} on {literal(ds.name)}: {of}. The selection took {found[0].seconds:.3f} s.")


def loss_curves() -> go.Figure:
    table = tidy({method: [one.curve for one in found]})
    return curves(table, metrics=protocol.metrics, baseline=averaged_baseline(found))


st.header("Explore", anchor=False)
picture()
if running:
    view.come_back(work, len(found))
view.let_paint()
if found and not view.presenting():
    first = found[0]
    for note in first.selector.notes_:
        st.warning(literal(note))
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**The first features** and their scores")
        takeaway.figure(
            partial(score_bars, first.selector.scores_, first.selector.ranking_, ds.feature_names, method=method),
            f"{ds.name}-{method}-scores",
            "scores",
            of=question,
        )
    with right:
        st.markdown("**Noise**: redundancy R(F) and residual label correlation C(F)")
        takeaway.figure(
            lambda: curves(tidy({method: [one.noise for one in found]}), columns=1),
            f"{ds.name}-{method}-noise",
            "noise",
            of=(question, len(found)),
        )
    if sees.has_sight(first.selector):
        st.subheader("What this method sees", anchor=False)
        sees.show(explorer, first.selector, protocol, seed, question)
    st.subheader("Numbers", anchor=False)
    numbers = averages().once((question, len(found)), partial(averaged, found))
    takeaway.table(numbers, numbers, f"{ds.name}-{method}", "numbers", hide_index=True)
    takeaway.recipes(
        partial(
            exploration,
            data,
            method,
            parameters,
            protocol,
            seed,
            uploaded=is_upload(data),
            labels=labels_of_uploads().get(data),
        )
    )
    takeaway.folded(f"About {method_name(method)}", "about", partial(explain, method))
