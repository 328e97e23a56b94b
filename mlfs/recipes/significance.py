"""Significance again: the table stands in the recipe, so that it runs wherever it is taken."""

from __future__ import annotations

import io
from collections.abc import Hashable

import pandas as pd

from mlfs.checks import checked
from mlfs.metrics import METRICS
from mlfs.parameters import value_text
from mlfs.recipes.writing import Recipe, command

TABLE = "table.csv"


@checked
def significance(
    table: pd.DataFrame,
    test: str,
    *,
    control: Hashable | None = None,
    lower_is_better: bool = True,
    alpha: float = 0.05,
    tie_correction: bool = True,
    metric: str | None = None,
) -> Recipe:
    """Average ranks, Friedman's test, the pairs with their p-values and the conclusion."""
    csv = io.StringIO()
    table.rename_axis("dataset").to_csv(csv, lineterminator="\n")
    return Recipe(
        _python(csv.getvalue(), test, control, lower_is_better, alpha, tie_correction),
        _command(csv.getvalue(), test, control, lower_is_better, alpha, tie_correction, metric),
    )


def _python(csv: str, test: str, control: Hashable | None, lower: bool, alpha: float, tie_correction: bool) -> str:
    options = "".join(
        f", {name}={value!r}"
        for name, value, default in (
            ("control", control, None),
            ("lower_is_better", lower, True),
            ("alpha", alpha, 0.05),
            ("tie_correction", tie_correction, True),
        )
        if value != default
    )
    lines = "\n".join(f"    {line!r}" for line in csv.splitlines(keepends=True))
    return f"""\
from mlfs.statistics import conclusion, judge
from mlfs.tables import read_result_table

table = read_result_table(
{lines}
).table
verdict = judge(table, {test!r}{options})
print(verdict.friedman and (verdict.friedman.chi2, verdict.friedman.F, verdict.friedman.p_value))
print(verdict.average_ranks.to_string())
print(verdict.critical_difference)
print(verdict.pairs.to_string(index=False))
print(conclusion(verdict))
"""


def _command(
    csv: str,
    test: str,
    control: Hashable | None,
    lower: bool,
    alpha: float,
    tie_correction: bool,
    metric: str | None,
) -> str:
    words = ["significance", TABLE, "--test", test]
    if control is not None:
        words.append(f"--control={control}")  # it may begin with a dash
    if alpha != 0.05:
        words += ["--alpha", value_text(alpha)]
    if not tie_correction:
        words.append("--no-tie-correction")
    if metric in METRICS and METRICS[metric].lower_is_better == lower:
        words += ["--metric", metric]
    elif not lower:
        words.append("--higher-is-better")
    return f"cat > {TABLE} <<'END'\n{csv}END\n{command(*words)}"
