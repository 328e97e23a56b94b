"""Significance: do the methods of a table really differ? Average ranks, and what may be concluded."""

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from mlfs.errors import MlfsError, StatisticsError
from mlfs.metrics import lower_is_better as metric_is_loss
from mlfs.parameters import Parameter
from mlfs.plots import verdict_diagram
from mlfs.recipes import significance
from mlfs.results import ALL_FEATURES, setting_title
from mlfs.statistics import TESTS, Verdict, conclusion, judge
from mlfs.tables import to_styler
from mlfs.wording import plain_number
from pages.parts import controls, exports, view
from pages.parts.result_tables import Results, choose_joined, choose_results, joined_results
from pages.parts.words import literal

ALPHA = Parameter(
    "number", 0.05, "how often chance alone may look like a difference", 0.001, 0.5, scale="log", name="alpha"
)
MEANINGS = """
- **Nemenyi**: compares all pairs by their average ranks
- **Bonferroni–Dunn**: compares one method, the control, with all others, and finds smaller differences
- **Wilcoxon–Holm**: compares all pairs, each by its own values, whatever other methods are in the table
"""
MOST_METHODS = 100
BETTER = {"metric": "As the metric says", "lower": "Lower", "higher": "Higher"}
GROUPS = {
    "nemenyi": "A bar joins methods whose average ranks differ by less than the critical difference (CD).",
    "bonferroni_dunn": "The bar is the control's rank ± the critical difference (CD): methods outside it differ.",
    "wilcoxon_holm": "A bar joins methods next to each other in rank among which the test finds no difference.",
}


def choose_test(results: Results | None) -> dict[str, Any]:
    """The settings of `judge`, but for the methods left out."""
    methods = [] if results is None else list(map(str, results.grid.table.columns))
    chosen = {"test": controls.choose("Test", list(TESTS), "test", name=TESTS.get, help=MEANINGS)}
    if not methods:
        controls.keep_name("control")
    elif chosen["test"] == "bonferroni_dunn":
        chosen["control"] = controls.choose_name(
            "Control", methods, "control", name=setting_title, help="The method that all others are compared with."
        )
    chosen["alpha"] = controls.parameter_control(None, ALPHA, {}, "alpha", "α, level of significance")
    known = None if results is None else results.lower_is_better
    options = list(BETTER) if known is not None else ["lower", "higher"]
    better = controls.choose_name("Better is", options, "better", name=BETTER.get)
    chosen["lower_is_better"] = known if better == "metric" else better == "lower"
    chosen["tie_correction"] = controls.switch(
        "Correct for ties",
        "ties",
        True,
        help="Friedman's χ² and F, corrected for ties as SciPy and R do. The five papers do not: switch it off to "
        "compare with theirs.",
    )
    return chosen


def choose_rows(results: Results | None) -> pd.DataFrame | None:
    """The table without what a person leaves out."""
    if results is None:
        controls.keep_names("without")
        return None
    table = results.grid.table
    table = table.set_axis(list(map(str, table.columns)), axis="columns")
    without = controls.choose_names(
        "Leave out", list(table.columns), "without", [], name=setting_title, help="Methods that are not compared."
    )
    table = table.drop(columns=without)
    if table.isna().to_numpy().any() and controls.switch(
        "Leave out data sets with gaps", "gaps", help="The tests need a value of every method on every data set."
    ):
        table = table.dropna()
    return table


def few_enough(table: pd.DataFrame) -> pd.DataFrame:
    """The table, unless its pairs are more than anybody waits for or reads."""
    if table.shape[1] > MOST_METHODS:
        raise StatisticsError(
            f"The table has {table.shape[1]:,} methods, and this page tests {MOST_METHODS} at most: leave some out, or "
            "use mlfs significance."
        )
    return table


def name_in_sentence(method: Any) -> str:
    """Where no figure stands beside it, "All" would be all of anything."""
    return "using all features" if method == ALL_FEATURES else literal(setting_title(method))


def show_picture(results: Results, verdict: Verdict, lower: bool) -> None:
    metric = results.grid.metric
    agrees = metric is not None and metric_is_loss(metric) == lower
    diagram = verdict_diagram(verdict, metric if agrees else None)
    st.markdown(f"**{conclusion(verdict, name_in_sentence)}**")
    exports.figure(diagram, f"{results.name}-{verdict.test}", "diagram")
    better = "lower" if lower else "higher"
    st.caption(f"{literal(results.about.rstrip('.'))}. {better.capitalize()} is better. {GROUPS[verdict.test]}")
    for note in (*results.grid.notes, *verdict.notes):
        st.caption(literal(note))


def show_friedman(verdict: Verdict) -> None:
    if verdict.friedman is None:
        return
    numerator, denominator = verdict.friedman.degrees_of_freedom
    values = {
        "Friedman's χ²": f"{verdict.friedman.chi2:.3f}",
        f"F({numerator}, {denominator})": f"{verdict.friedman.F:.3f}",
        "p (of F)": plain_number(float(f"{verdict.friedman.p_value:.3g}")),
        "Critical F": f"{verdict.friedman.critical_value(verdict.alpha):.3f}",
    }
    if verdict.critical_difference is not None:
        values["Critical difference"] = f"{verdict.critical_difference:.4f}"
    words = (f"{name} **{value}**".replace(" ", "&nbsp;") for name, value in values.items())
    st.markdown(" &emsp;".join(words))
    st.caption(f"χ² and F are {'' if verdict.friedman.tie_correction else 'not '}corrected for ties.")


def show_numbers(results: Results, verdict: Verdict) -> None:
    st.subheader("Numbers", anchor=False)
    show_friedman(verdict)
    left, right = view.columns("ranks", [2, 3])
    with left:
        ranks = pd.DataFrame(
            {
                "Method": [setting_title(method) for method in verdict.average_ranks.index],
                "Average rank": verdict.average_ranks.to_numpy(),
                "Mean value": verdict.means.to_numpy(),
            }
        )
        exports.table(to_styler(ranks, escape=False), ranks, f"{results.name}-ranks", "ranks", hide_index=True)
    with right:
        pairs = pd.DataFrame(
            {
                "Method": verdict.pairs["method"].map(setting_title),
                "Against": verdict.pairs["against"].map(setting_title),
                f"p ({TESTS[verdict.test]})": verdict.pairs["p_value"],
                "Differs": verdict.pairs["differs"].map({True: "yes", False: "no"}),
            }
        )
        exports.table(to_styler(pairs, escape=False), pairs, f"{results.name}-pairs", "pairs", hide_index=True)


def main() -> None:
    view.page_header("" if st.session_state.get("source", "pasted") == "pasted" else None)
    picture, source_place, numbers = st.container(), st.container(), st.container()
    results, problem = choose_results(source_place)
    with st.sidebar:
        joined = choose_joined()
        if results is not None:
            results, problem = joined_results(results, joined)
        settings = choose_test(results)
        table = choose_rows(results)
    view.choose_view()

    verdict = None
    if results is not None and table is not None:
        try:
            verdict = judge(few_enough(table), **settings)
        except MlfsError as error:
            problem = str(error)
    with picture:
        if verdict is None or results is None or table is None:
            exports.placeholder("the diagram needs a table that can be tested", 200, "diagram")
            st.error(problem)
            return
        show_picture(results, verdict, settings["lower_is_better"])
        view.let_paint()
    if view.presenting():
        return
    with source_place:
        if results.name not in ("table", "example"):
            st.subheader("The table", anchor=False)
            shown = table.rename(columns=setting_title).rename_axis("Data set")
            exports.table(to_styler(shown, escape=False), table, results.name, "values")
    with numbers:
        show_numbers(results, verdict)
        exports.recipes(partial(significance, table, **settings, metric=results.grid.metric))


main()
