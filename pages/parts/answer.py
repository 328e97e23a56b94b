"""Which features to keep, on Explore: how many, which, is it real, by which method; and the answer to take away."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from mlfs.answer import (
    SHORTLIST,
    AnswerSettings,
    Recommendation,
    ShortlistResult,
    SizeChoice,
    SizeRule,
    answer,
    run_methods,
)
from mlfs.answer.export import features_json, reduced_file
from mlfs.answer.figures import chance_histogram, information_heatmap, mark_size
from mlfs.answer.report import report_html, sentences
from mlfs.answer.size import OPTIONS, RULES, size_of, size_words
from mlfs.background import BackgroundJob, Progress
from mlfs.datasets import Dataset
from mlfs.errors import ParameterError
from mlfs.evaluation import Exploration, Explorer, Protocol
from mlfs.memo import Memo
from mlfs.parameters import value_text
from mlfs.recipes import pipeline_program
from mlfs.results import setting_title
from mlfs.selectors.constraints import Constraints, matching, named_constraints, one_hot_patterns
from mlfs.wording import count, listing
from pages.parts import background, controls, exports, link, share, view
from pages.parts.data import is_upload
from pages.parts.methods import method_ids, method_option
from pages.parts.uploads import recipe_options
from pages.parts.words import literal

NUMBER = 10
# Names of features that a list to pick from can hold.
MOST_NAMES = 1000
# Each with what it does, and what stands in it while it is empty.
LISTS = {
    "always": ("Always keep", "These come first, whatever the method says.", "Names, or a pattern"),
    "never": ("Never use", "The method does not see them.", "Names, or a pattern"),
    "together": (
        "Keep together",
        "The columns of a group are kept or dropped together, such as those of a category with a 0/1 column for each "
        "value. Each pattern is a group: colour=* is all columns whose names begin with colour=.",
        "A pattern for each group",
    ),
}
_LISTS_OF = "answer-lists-of"
PATTERNS_HELP = " In a pattern * stands for any letters and ? for one."
# A selection that takes longer than this is waited for with a way out.
PATIENCE = 2.0
DRAWS, PERMUTATIONS, MOST_PERMUTATIONS = 20, 99, 999
BUDGET, LONGEST = 30, 300
# Groups of columns by data set.
_PROPOSED = Memo(100)
# Tests and searches of all sessions at a time; the others wait in turn.
_PLACES = threading.BoundedSemaphore(2)
FILES = {
    ".csv": ("Smaller data (CSV)", "text/csv"),
    ".mat": ("Smaller data (MATLAB)", "application/octet-stream"),
    ".arff": ("Smaller data (ARFF and XML)", "application/zip"),
}


# How many


def _words(rule: str) -> str:
    return rule.replace("_", " ").capitalize()


RULES_HELP = "By the first of the metrics, its mean over the splits:\n\n" + "\n".join(
    f"- **{_words(name)}**: {meaning}" for name, meaning in RULES.items()
)


def choose_rule(ds: Dataset, protocol: Protocol) -> tuple[SizeRule, Protocol]:
    """The rule for the number of features, and the protocol, which measures the number that somebody gives."""
    with st.sidebar:
        name = controls.choose("Features to keep", list(RULES), "keep", SizeRule().name, name=_words, help=RULES_HELP)
        value: dict[str, Any] = {}
        if name == "tolerance":
            value[name] = controls.parameter_control(None, OPTIONS[name], ds.sizes, name, "Tolerance")
        elif name == "number":
            value[name] = controls.whole("Number of features", name, NUMBER, 1, ds.sizes["features"])
    _keep_lists(ds)
    rule = SizeRule(name, **value)
    return rule, AnswerSettings(protocol=protocol, metric=protocol.metrics[0], rule=rule).measured


def _keep_lists(ds: Dataset) -> None:
    """The lists of features in the link, which stand in a box that may be closed; with other data, if they fit."""
    data = st.session_state["data"]
    changed = st.session_state.get(_LISTS_OF, data) != data
    st.session_state[_LISTS_OF] = data
    for key in LISTS:
        if changed:
            controls.forget_unless(key, [word for word in st.session_state.get(key, ()) if _names(ds, word)])
        controls.keep_names(key)


def choose(asked: AnswerSettings, splits: Sequence[Exploration]) -> SizeChoice | str:
    """The number of features to keep by the rule; a sentence where it chooses none."""
    try:
        return size_of(splits, asked.metric, asked.rule)
    except ParameterError as problem:
        return str(problem)


def marked(figure: go.Figure, choice: SizeChoice | str | None, metrics: Sequence[str]) -> go.Figure:
    """The curves with the number of features to keep; as they are where the rule chooses none."""
    return mark_size(figure, choice, metrics) if isinstance(choice, SizeChoice) else figure


def say(splits: Sequence[Exploration], choice: SizeChoice | str | None) -> None:
    """Above the curves: how many features to keep, in a sentence."""
    if not isinstance(choice, SizeChoice):
        st.info(literal(choice or ""))
        return
    sentence, *notes = size_words(choice, splits)
    st.markdown(f"**{literal(sentence)}**")
    for note in notes:
        st.caption(note)


def show(
    explorer: Explorer,
    data: str,
    asked: AnswerSettings,
    splits: Sequence[Exploration],
    choice: SizeChoice | str | None,
) -> None:
    """Below the curves: all else about the features to keep, in boxes that are filled when opened.

    Of a ranking from elsewhere, where no method is asked for, there is none.
    """
    if not isinstance(choice, SizeChoice) or not asked.methods:
        return
    complete = len(splits) == asked.protocol.n_splits
    for title, key, fill, opened in (
        ("Which features to keep", "answer-box", _show_features, is_upload(data)),  # who brings a table came for this
        ("Which method", "shortlist-box", _show_methods, False),
    ):
        with controls.closed_box(title, key, opened) as box:
            if box.open and complete:
                fill(explorer, data, asked)
            elif box.open:
                st.caption("This starts once all splits are done.")


# Which


def _show_features(explorer: Explorer, data: str, asked: AnswerSettings) -> None:
    """The final selection, with what is known of each feature; its test against chance; downloads."""
    list_place = st.container()  # above what it can be made to respect
    try:
        asked = replace(asked, constraints=_choose_constraints(explorer.ds))
    except ParameterError as problem:
        st.error(literal(str(problem)))
        return
    key = _key(data, asked)
    with list_place:
        job = _job("answer-selection", key) or _start(
            "answer-selection", key, "The selection", partial(_answer, explorer, asked, 0, 0, False)
        )
        view.wait_for(job, 1, PATIENCE)
        recommendation = _result(job, "answer-selection")
        if recommendation is None:
            return
        tested = _job("answer-chance", key)
        recommendation = recommendation if tested is None else _latest(tested) or recommendation
        _show_list(recommendation, data)
    st.markdown("**What they tell about the labels**")
    draw = partial(information_heatmap, recommendation.selection)
    exports.figure(draw, f"{_file_name(recommendation)}-information", "answer-information", of=key)
    _show_chance(explorer, asked, key, recommendation, tested)


def _show_list(recommendation: Recommendation, data: str) -> None:
    st.markdown(literal(sentences(recommendation)[0]))
    for note in recommendation.notes:
        st.caption(literal(note))
    name, table = _file_name(recommendation), recommendation.selection.table()
    exports.table(table, table, f"{name}-features", "answer-features", hide_index=True, column_config=COLUMNS)
    _take(recommendation, data)


# Of a neighbour its likeness stands beside it; the place in the file is for programs.
LIKENESS = "Symmetrical uncertainty with the {}: 0 for independent features, 1 for equal ones."
COLUMNS = {
    **{name: name.capitalize() for name in ("rank", "feature", "nearest selected", "nearest left out")},
    "index": None,
    "selected on": st.column_config.NumberColumn("Selected on", format="percent", help="Share of the splits."),
    **{
        name: st.column_config.NumberColumn(title, format="%.3f", help=help)
        for name, title, help in (
            ("score", "Score", "Of the method, on all rows."),
            ("SU with nearest selected", "SU", LIKENESS.format("nearest selected")),
            ("SU with nearest left out", "SU", LIKENESS.format("nearest left out")),
            ("information", "Information", "With all labels added up, in bits."),
        )
    },
}


def _choose_constraints(ds: Dataset) -> Constraints:
    """The features that every method keeps, leaves out or keeps together."""
    names = ds.feature_names if len(ds.feature_names) <= MOST_NAMES else ()
    groups = _PROPOSED.once(ds.fingerprint, partial(one_hot_patterns, ds.X, ds.feature_names))
    options: dict[str, Sequence[str]] = {"always": names, "never": names, "together": list(groups)}

    def option(word: str) -> str:
        return f"{word} ({count(groups[word], 'column')})" if word in groups else word

    chosen = {}
    for key, place in zip(LISTS, st.columns(len(LISTS)), strict=True):
        label, help, empty = LISTS[key]
        if key == "together" and groups:
            empty = f"Proposed: {listing(list(groups), 2)}"
        with place:
            chosen[key] = controls.choose_words(
                label, options[key], key, option, help=help + PATTERNS_HELP, placeholder=empty
            )
    return named_constraints(
        ds.feature_names, chosen["always"], chosen["never"], [[pattern] for pattern in chosen["together"]]
    )


def _names(ds: Dataset, word: str) -> bool:
    """Whether a word is the name of a feature, or a pattern of some."""
    try:
        return bool(matching(ds.feature_names, [word]))
    except ParameterError:
        return False


def _answer(
    explorer: Explorer, asked: AnswerSettings, draws: int, permutations: int, nested: bool, progress: Progress
) -> Recommendation:
    """The answer, as far as it is there among the parts; what Explore has measured is not measured again."""
    return answer(
        explorer,
        asked,
        draws=draws,
        permutations=permutations,
        nested=nested,
        progress=progress.note,
        partial=partial(_keep, progress),
    )


def _keep(progress: Progress, latest: Any) -> None:
    progress.parts[:] = [latest]


# Take it


def _take(recommendation: Recommendation, data: str) -> None:
    """The answer as files, each made when somebody asks for it."""
    name, key, here = _file_name(recommendation), "answer", share.address_later()
    with st.container(horizontal=True, gap="small"):
        exports.download(
            "List (JSON)", partial(features_json, recommendation), f"{name}-features.json", "application/json", key
        )
        for suffix, (label, mime) in FILES.items():
            ending = ".zip" if mime == "application/zip" else suffix
            exports.download(label, partial(reduced_file, recommendation, suffix), f"{name}{ending}", mime, key)
        program = partial(pipeline_program, recommendation, data, **recipe_options(data))
        exports.download("Python program", program, f"{name}.py", "text/x-python", key)
        exports.download("Report", lambda: report_html(recommendation, link=here()), f"{name}.html", "text/html", key)


def _file_name(recommendation: Recommendation) -> str:
    return f"{recommendation.ds.name}-{recommendation.best.method}-{len(recommendation.selection.features)}"


# Is it real


def _show_chance(
    explorer: Explorer, asked: AnswerSettings, key: str, recommendation: Recommendation, job: BackgroundJob | None
) -> None:
    st.markdown("**Is it real?**")
    if job is not None and job.running and not job.cancelled:
        background.follow(partial(_follow, job, "answer-chance", _say_chance), "Explore")
        return
    if job is not None:
        _tell(job)
        _say_chance(recommendation)
        for name, check in (("random", recommendation.random), ("permutation", recommendation.permutation)):
            if check is not None and check.values:
                exports.figure(
                    partial(chance_histogram, check), f"{_file_name(recommendation)}-{name}", f"answer-{name}"
                )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        permutations = st.number_input(
            "Permutations",
            0,
            MOST_PERMUTATIONS,
            PERMUTATIONS,
            key="answer-permutations",
            help="How often the labels are shuffled and the whole selection is made again. The p-value is at best "
            "1 / (1 + permutations).",
        )
        nested = st.checkbox(
            "Honest estimate too",
            key="answer-nested",
            help="The number of features is chosen inside each training part, and judged on rows that took no part.",
        )
        if st.button("Test against chance", key="answer-test"):
            task = partial(_answer, explorer, asked, DRAWS, int(permutations), nested)
            _start("answer-chance", key, "The test", task, _PLACES)
            st.rerun()


def _say_chance(recommendation: Recommendation) -> None:
    for sentence in sentences(recommendation)[1:]:
        st.markdown(literal(sentence))


# Which method


def _show_methods(explorer: Explorer, data: str, asked: AnswerSettings) -> None:
    """The methods of a shortlist within a time, the best so far, and the way to it."""
    [(shown, parameters)] = asked.methods
    key = _key(data, replace(asked, methods=()))
    job = _job("answer-methods", key)
    if job is not None and job.running and not job.cancelled:
        background.follow(partial(_follow, job, "answer-methods", _show_shortlist), "Explore")
        return
    if job is not None:
        _tell(job)
        if (shortlist := _latest(job)) is not None:
            _show_shortlist(shortlist)
            _lead_to_best(shortlist, shown)
    methods = st.multiselect(
        "Methods",
        method_ids(),
        list(dict.fromkeys((shown, *SHORTLIST))),
        key=f"answer-shortlist-{shown}",
        format_func=method_option,
    )
    budget = st.slider(
        "Time limit, in seconds",
        5,
        LONGEST,
        BUDGET,
        5,
        key="answer-budget",
        help="The search ends after this time, with the best found so far.",
    )
    if st.button("Find the best", key="answer-find", disabled=not methods):
        pairs = tuple((method, parameters if method == shown else {}) for method in methods)
        task = partial(_try_methods, explorer, replace(asked, methods=pairs), budget)
        _start("answer-methods", key, "The search", task, _PLACES)
        st.rerun()


def _try_methods(explorer: Explorer, asked: AnswerSettings, budget: float, progress: Progress) -> ShortlistResult:
    shortlist = ShortlistResult((), {}, len(asked.methods))
    for done, shortlist in enumerate(run_methods(explorer, asked, budget=budget), start=1):
        if shortlist.results:
            _keep(progress, shortlist)
            latest = shortlist.results[-1]
            text = f"{setting_title(latest.text)}, split {len(latest.explorations)} of {latest.splits}"
            progress.note(done, len(asked.methods) * latest.splits, text)
    return shortlist


def _show_shortlist(shortlist: ShortlistResult) -> None:
    table = shortlist.table()
    named = table.assign(method=table["method"].map(setting_title))
    exports.table(
        named.style.format("{:.4f}", subset=["mean", "best mean"]), table, "methods", "shortlist", hide_index=True
    )
    for method, reason in shortlist.failures.items():
        st.caption(literal(f"{setting_title(method)}: {reason}"))


def _lead_to_best(shortlist: ShortlistResult, shown: str) -> None:
    if not shortlist.results:
        return
    best = shortlist.best
    title = setting_title(best.text)
    if best.method == shown:
        st.markdown(f"{literal(title)}, the method of this page, is the best of them.")
        return
    here = {key: text for key, text in link.current().controls.items() if text is not None}
    kept = {key: text for key, text in here.items() if not key.startswith(f"{shown}.")}
    values = {f"{best.method}.{name}": value_text(value) for name, value in best.parameters.items()}
    label = f":primary[**{literal(title)} is the best of them: explore it →**]"
    st.page_link("explore.py", label=label, query_params=kept | {"method": best.method} | values, width="content")


# Jobs: one of each kind for a session


def _key(data: str, asked: AnswerSettings) -> str:
    """All that an answer depends on."""
    return repr((data, asked))


def _job(slot: str, key: str) -> BackgroundJob | None:
    """The job of this session, where it is about this."""
    known, work = st.session_state.get(slot, (None, None))
    return work.job if known == key else None


def _start(
    slot: str,
    key: str,
    what: str,
    task: Callable[[Progress], Any],
    places: threading.Semaphore | None = None,
) -> BackgroundJob:
    """Begin; one of before is given up, for nobody holds it any more."""
    work = background.start(what, task, places=places)
    st.session_state[slot] = (key, work)
    return work.job


def _latest(job: BackgroundJob) -> Any:
    """The result, or what is there of it; None before that."""
    return job.result if job.result is not None else next(iter(job.progress.parts), None)


def _result(job: BackgroundJob, slot: str) -> Any:
    """The result; where there is none, the page says why and what to do."""
    if job.running and not job.cancelled:
        background.follow(partial(_follow, job, slot), "Explore")
    elif job.result is None:
        _tell(job)
        st.button("Start again", key=f"{slot}-again", on_click=st.session_state.pop, args=(slot, None))
    return job.result


def _follow(job: BackgroundJob, slot: str, draw: Callable[[Any], None] | None = None) -> bool:
    """How far it is, with a way out, and what is there; whether it has ended."""
    if not job.running or job.cancelled:
        return True
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(job.progress.share, text=literal(job.progress.text))
        st.button("Stop", key=f"{slot}-stop", on_click=job.cancel)
    latest = _latest(job)
    if draw is not None and latest is not None:
        draw(latest)
    return False


def _tell(job: BackgroundJob) -> None:
    if job.failure:
        st.error(literal(job.failure))
    elif job.cancelled:
        st.caption("Stopped: these are the results so far.")
