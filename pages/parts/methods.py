"""The sidebar's choice of methods and their parameters, and what the app says about a method.

In the link, several methods are words such as ``els,grro:alpha=10,beta=1``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import streamlit as st

from mlfs import SELECTORS
from mlfs.evaluation import Protocol
from mlfs.evaluation.protocols import Choice
from mlfs.parameters import value_text
from mlfs.results import setting_title
from mlfs.selectors import AllFeatures, Random
from mlfs.selectors.base import FAMILIES
from mlfs.selectors.specification import method_text, parse_method
from mlfs.wording import PARAMETERS, count, sentence_case, value_title
from pages.parts import controls, exports, link, view
from pages.parts.chart import Click
from pages.parts.words import literal

HELP = "Set the parameters of a method below; then it can be chosen once more, with others."
# Parameters of the solver rather than of the method: folded away.
PLUMBING = ("tol", "max_iter", "random_state", "n_samples", "rank", "n_candidates")
# Set by the page or by the data, not by a widget.
ELSEWHERE = ("n_features_to_select", "categorical_features", "n_jobs")
# What a control says beyond the short names of `mlfs.wording.PARAMETERS`.
LABELS = {
    "k": "k",
    "n_labels": "|Y|, labels counted exactly",
    "fimf.n_labels": "|Q|, labels looked at in pairs",
    "pmfs.lambda_": "λ, strength of the ridge penalty",
    "min_count": "Least count of a labelset",
    "max_iter": "Iterations, at most",
    "n_candidates": "Candidates looked at",
    "n_samples": "Samples",
    "random_state": "Random seed",
}
# Those that are no method: drawn as levels or for comparison.
BASELINES = (AllFeatures.id, Random.id)


@dataclass(frozen=True)
class MethodChoice:
    """A method with parameters, as what ranks the features on a page; `rankings.RankingChoice` is the other kind."""

    method: str
    parameters: Mapping[str, Any]

    @property
    def choice(self) -> Choice:
        """As explorers take it."""
        return self.method, self.parameters

    @property
    def setting(self) -> str:
        """As figures name it."""
        return self.method

    @property
    def title(self) -> str:
        """As people read it."""
        return method_name(self.method)

    @property
    def name(self) -> str:
        """Its part of the name of a file."""
        return self.method

    @property
    def content(self) -> str:
        """All that its ranking depends on beside the rows."""
        return method_text(self.method, self.parameters)

    @property
    def methods(self) -> tuple[tuple[str, Mapping[str, Any]], ...]:
        """As a question for the features to keep takes it."""
        return ((self.method, self.parameters),)

    @property
    def recipe(self) -> tuple[str, Mapping[str, Any]]:
        """As recipes take it."""
        return self.method, self.parameters

    def most_repeats(self, protocol: Protocol, most: int) -> int:
        """How often the rows can be parted anew."""
        return most

    def check_splits(self, n_splits: int) -> None:
        """Raise where there is no ranking for one of the splits."""

    def notes(self, seed: int) -> list[str]:
        """What has to be said beside its results."""
        return []

    def time_text(self, seconds: float) -> str:
        """How long the selection took, as a sentence after others."""
        return f" The selection took {seconds:.3f} s."

    def show_about(self) -> None:
        """A closed box with what it computes."""
        exports.folded(f"About {self.title}", "about", partial(explain, self.method))


def method_ids() -> list[str]:
    """The methods by family; in each those of the five papers first, then by name."""
    return list(_by_family(tuple(SELECTORS)))


@lru_cache(maxsize=1)  # an extension may bring others
def _by_family(methods: tuple[str, ...]) -> tuple[str, ...]:
    first = ["els", "grro", "grro_ls", "elc", "mapd", "jmi_br"]

    def place(method: str) -> tuple[int, int, str]:
        of_paper = first.index(method) if method in first else len(first)
        return FAMILIES.index(SELECTORS[method].family), of_paper, method_name(method).lower()

    return tuple(sorted((method for method in methods if method != AllFeatures.id), key=place))


def method_name(method: str) -> str:
    return SELECTORS[method].name


def method_option(word: str) -> str:
    """A method, or its word with parameters, as menus write it: all of it can be searched for.

    >>> method_option("grro")
    'GRRO · global relevance & redundancy · 2020 · information'
    """
    about = SELECTORS[word.partition(":")[0]]
    return " · ".join(filter(None, (setting_title(word), about.long_name, about.year, about.family)))


def parameter_label(name: str, method: str = "") -> str:
    """What its control is called; a letter may stand for different things in different methods."""
    label = LABELS.get(f"{method}.{name}") or LABELS.get(name)
    return label or sentence_case(PARAMETERS.get(name, name.strip("_").replace("_", " ")))


def parameter_name(name: str, method: str = "") -> str:
    """As short as a sentence needs it: of a symbol and its meaning, the symbol."""
    symbol, comma, _ = parameter_label(name, method).partition(", ")
    return symbol if comma and len(symbol) <= 3 else parameter_label(name, method)


def parameter_meaning(name: str, method: str) -> str:
    """As an axis says it, for whoever has not read the paper: the symbol and what it stands for."""
    meaning, symbol = SELECTORS[method].parameters[name].meaning, parameter_name(name, method)
    return meaning if meaning.startswith(f"{symbol}: ") else f"{symbol}: {meaning}"


def choose_method(sizes: Mapping[str, int]) -> MethodChoice:
    """Method and parameters; only what differs from the defaults is in the parameters."""
    with view.beside_picture():
        method = controls.choose("Method", method_ids(), "method", name=method_option)
        return MethodChoice(method, choose_parameters(method, sizes))


def choose_parameters(method: str, sizes: Mapping[str, int], without: Collection[str] = ()) -> dict[str, Any]:
    """A widget for each parameter of the method but those left out, where the caller stands."""
    left_out = (*ELSEWHERE, *without)
    declared = {name: p for name, p in SELECTORS[method].parameters.items() if name not in left_out}
    values: dict[str, Any] = {}

    def read(names: list[str], shown: bool) -> None:
        for name in names:
            key, parameter = f"{method}.{name}", declared[name]
            values[name] = controls.keep_parameter(method, parameter, sizes, key)
            if shown:
                values[name] = controls.parameter_widget(
                    parameter, sizes, key, parameter_label(name, method), values[name]
                )

    read([name for name in declared if name not in PLUMBING], shown=True)
    solver = [name for name in declared if name in PLUMBING]
    if view.presenting():
        read(solver, shown=False)
    elif solver:
        with controls.closed_box("Solver", f"{method}-solver") as box:
            read(solver, shown=bool(box.open))
    return {name: value for name, value in values.items() if value != declared[name].default}


def choose_methods(
    default: Sequence[str], sizes: Mapping[str, int], *, most: int = 40, key: str = "methods"
) -> list[tuple[str, dict[str, Any]]]:
    """Methods, and below them a fold for the parameters of each; only what differs from the defaults is given."""
    _understand_tags(key)
    chosen: list[str] = link.current().control(
        key, list(default), lambda text: link.at_most(most, "methods", words_of(text)), ",".join, widget=True
    )
    ids = [*method_ids(), AllFeatures.id]
    options = [*ids, *(word for word in chosen if word not in ids)]
    st.session_state.setdefault(f"{key}:tags", {}).update({method_option(word): word for word in options})
    how = {"options": options, "format_func": method_option, "help": HELP, "max_selections": most}
    link.current().show(st.multiselect, "Methods", key, chosen, **how)
    for place, word in enumerate(chosen):
        method = word.partition(":")[0]
        # By method and turn, not by place or value: so that a fold stays open while its values change.
        turn = sum(other.partition(":")[0] == method for other in chosen[:place])
        _show_parameters(key, word, turn, sizes)
    return [parse_method(word) for word in chosen]


def _understand_tags(key: str) -> None:
    """The browser tells tags by what is written on them, which over a slow network may be that of an earlier run."""
    known, tags = st.session_state.get(f"{key}:tags", {}), st.session_state.get(key) or []
    if any(tag in known for tag in tags):
        st.session_state[key] = [known.get(tag, tag) for tag in tags]


def words_of(text: str) -> list[str]:
    """The methods of a link, each once, without what is the default anyway."""
    return list(dict.fromkeys(_word(*parse_method(word)) for word in link.specifications(text)))


def open_in_explore(data: str, method: str, parameters: Mapping[str, Any]) -> None:
    """Go to Explore with this data set, method and setting, and with the settings that pages share."""
    st.switch_page("explore.py", query_params=explore_settings(data, method, parameters))


def explore_settings(data: str, method: str, parameters: Mapping[str, Any], size: int | None = None) -> dict[str, str]:
    """How Explore opens a method in a setting, with the settings that pages share; `size` features are to be kept."""
    here = {key: text for key, text in link.current().controls.items() if text is not None and key in link.SHARED}
    values = {f"{method}.{name}": value_text(value) for name, value in parameters.items()}
    kept = {} if size is None else {"keep": "number", "number": str(size)}
    return {**here, "data": data, "method": method, **values, **kept}


def note_run(key: str, click: Click) -> None:
    """A click on a line or a point of a method: `offer_run` says what it opens."""
    size = None if click.x is None or click.x < 1 else round(click.x)
    st.session_state[key] = (click.names.get("method", click.trace), size)


def offer_run(key: str, data: str, methods: Sequence[tuple[str, Mapping[str, Any]]]) -> None:
    """Below a figure of methods: what a click does, or the way to the run that was clicked last."""
    known = {setting_title(method_text(*method)): method for method in methods}
    title, size = st.session_state.get(key, ("", None))
    if title not in known or known[title][0] == AllFeatures.id:
        st.caption("Click a method in the figure to mark it in every figure, and to open it in Explore.")
        return
    method, parameters = known[title]
    features = "" if size is None else f" with {count(size, 'feature')}"
    st.page_link(
        "explore.py",
        label=f"Open {literal(title)}{features} in Explore",
        query_params=explore_settings(data, method, parameters, size),
        icon=":material/arrow_forward:",
    )


def explain(method: str) -> None:
    """Two sentences, the formula, the paper, the cost, and where the paper and its authors' program differ."""
    about = SELECTORS[method]
    named = ", ".join(filter(None, (about.long_name, about.year)))
    st.markdown(f"**{literal(about.name)}**: {literal(named)}. {about.summary}" if named else about.summary)
    # Formulas within a line may break, which a telephone needs.
    st.markdown(f"$\\displaystyle {about.formula}$")
    sizes = " for n rows, d features and q labels:" if "·" in about.cost else ""
    st.markdown(f"**Paper** {about.paper}  \n**Cost**{sizes} {about.cost}")
    if about.variants:
        variants = [f"- *{value_title(name)}*: {text}" for name, text in about.variants.items()]
        st.markdown("\n".join(("**Variants**", *variants)))
    if about.slips:
        st.markdown(f"**Public programs** {about.slips}")


def _word(method: str, parameters: Mapping[str, Any]) -> str:
    """A method as the link writes it: without what is the default anyway."""
    declared = SELECTORS[method].parameters
    return method_text(method, {name: v for name, v in parameters.items() if v != declared[name].default})


def _show_parameters(key: str, word: str, turn: int, sizes: Mapping[str, int]) -> None:
    method, given = parse_method(word)
    prefix = f"{key}:{method}:{turn}"
    declared = {name: p for name, p in SELECTORS[method].parameters.items() if name not in ELSEWHERE}
    # Those of the solver come last: a fold in a fold is too deep.
    names = sorted(declared, key=lambda name: name in PLUMBING)
    if not names:
        return
    # A box with another title would be another box to Streamlit, and closed.
    title = f"{method_name(method)} ({turn + 1})" if turn else method_name(method)
    with controls.closed_box(title, f"{prefix}:fold") as box:
        for name in names if box.open else ():
            widget, parameter = f"{prefix}:{name}", declared[name]
            value = given.get(name, parameter.default)
            wide = {end: max(size, value if isinstance(value, int) else 0) for end, size in sizes.items()}
            controls.parameter_widget(
                parameter,
                wide,
                widget,
                parameter_label(name, method),
                value,
                on_change=_changed,
                args=(key, word, turn, name, widget),
            )


def _changed(key: str, word: str, turn: int, name: str, widget: str) -> None:
    """A parameter has moved: the method is another word, made of the word that the page had last.

    The browser may not yet have it among the tags, where a parameter was moved just before.
    """
    method, given = parse_method(word)
    _understand_tags(key)
    words = list(st.session_state[key])
    places = [place for place, other in enumerate(words) if other.partition(":")[0] == method]
    if turn < len(places):
        words[places[turn]] = _word(method, {**given, name: st.session_state[widget]})
        st.session_state[key] = list(dict.fromkeys(words))
