"""The Significance recipe prints what `judge` finds."""

import pandas as pd

from mlfs.recipes import significance
from mlfs.statistics import conclusion, judge
from tests.recipes.running import start_python, start_shell

# Names that a shell, a CSV and Python each have their own mind about.
TABLE = pd.DataFrame(
    {"els": [0.7, 0.9, 0.8, 0.75], 'it\'s, "mine"': [0.5, 0.4, 0.6, 0.1 + 0.2], "$HOME": [0.6, 0.7, 0.1, 0.2]},
    index=["a", "b, c", "d", "e"],
)


def test_both_print_the_numbers(tmp_path):
    settings = {"control": 'it\'s, "mine"', "lower_is_better": False, "alpha": 0.1}
    verdict = judge(TABLE, "bonferroni_dunn", **settings)
    recipe = significance(TABLE, "bonferroni_dunn", **settings)
    said = start_python(recipe.python, tmp_path)
    assert str((verdict.friedman.chi2, verdict.friedman.F, verdict.friedman.p_value)) in said
    assert verdict.pairs.to_string(index=False) in said
    assert said.endswith(conclusion(verdict) + "\n")
    printed = start_shell(recipe.command, tmp_path)
    assert f"chi2 = {verdict.friedman.chi2:.4g}" in printed
    assert f"{verdict.critical_difference:.4f}" in printed
    for _, pair in verdict.pairs.iterrows():
        assert f"{pair['p_value']:.4g}" in printed
    assert "higher is better" in printed


def test_both_print_friedmans_test_as_the_papers_compute_it(tmp_path):
    tied = pd.DataFrame({"a": [1, 1, 2, 2.0], "b": [1, 2, 3, 2.0], "c": [2, 3, 3, 4.0]}, index=list("wxyz"))
    plain, corrected = (judge(tied, tie_correction=each).friedman for each in (False, True))
    assert plain.chi2 < corrected.chi2
    recipe = significance(tied, "nemenyi", tie_correction=False)
    assert str((plain.chi2, plain.F, plain.p_value)) in start_python(recipe.python, tmp_path)
    assert f"chi2 = {plain.chi2:.4g}" in start_shell(recipe.command, tmp_path)


def test_a_known_metric_names_the_direction():
    assert significance(TABLE, "nemenyi", metric="hamming_loss").command.endswith("--metric hamming_loss")
    # Against what the metric says, its name would turn the table round.
    assert "--metric" not in significance(TABLE, "nemenyi", metric="macro_f1").command
    assert significance(TABLE, "nemenyi", lower_is_better=False).command.endswith("--higher-is-better")
