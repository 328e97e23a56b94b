"""Every table that cannot be tested gets one sentence that says what to change."""

import ast
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import mlfs.statistics
from mlfs.errors import MlfsError, ParameterError, StatisticsError
from mlfs.statistics import bonferroni_dunn, friedman, nemenyi, paired_t_tests, wilcoxon_holm

TABLE = pd.DataFrame(
    {"els": [0.1, 0.2, 0.3], "grro": [0.2, 0.3, 0.2], "mfs": [0.3, 0.1, 0.4]}, index=["emotions", "scene", "yeast"]
)


def with_cell(value, *more):
    table = TABLE.astype(object)
    table.loc["scene", "grro"] = value
    for name in more:
        table.loc[name, "mfs"] = value
    return table


@pytest.mark.parametrize("test", [friedman, wilcoxon_holm])
@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        (
            with_cell(None),
            "Method 'grro' has no value on data set 'scene'; fill it in, or drop the row or the column.",
        ),
        (
            with_cell(np.nan, "yeast", "scene"),
            "Method 'grro' has no value on data set 'scene' (1 of 3 such cells); "
            "fill it in, or drop the row or the column.",
        ),
        (
            with_cell(-np.inf),
            "Method 'grro' is infinite on data set 'scene'; correct it, or drop the row or the column.",
        ),
        (
            with_cell("0.2±0.1"),
            "Method 'grro' is not a number but '0.2±0.1' on data set 'scene'; "
            "leave only numbers in the cells, and make a column of names the index.",
        ),
        (
            TABLE.rename_axis("dataset").reset_index(),
            "Method 'dataset' is not a number but 'emotions' on data set '0' (1 of 3 such cells); "
            "leave only numbers in the cells, and make a column of names the index.",
        ),
        (
            TABLE.set_axis(["els", "mfs", "mfs"], axis=1),
            "The method 'mfs' is in the table twice; rename one, or average the two first.",
        ),
        (
            TABLE.set_axis(["yeast", "scene", "yeast"]),
            "The data set 'yeast' is in the table twice; rename one, or average the two first.",
        ),
        ([1, 2, 3], "The table must be data sets × methods: rows of equal length, one cell per method."),
        ([[1, 2, 3], [1, 2]], "The table must be data sets × methods: rows of equal length, one cell per method."),
        (
            {"els": [1, 2], "mfs": [1, 2, 3]},
            "The table must be data sets × methods: rows of equal length, one cell per method.",
        ),
        (
            np.ones((4, 3)) * [[1], [2], [3], [4]],
            "All methods have the same value on every data set, so there is nothing to compare; "
            "check the table, or give its values with more decimals.",
        ),
    ],
)
def test_unfit_table(test, table, sentence):
    with pytest.raises(StatisticsError) as error:
        test(table)
    assert str(error.value) == sentence
    assert isinstance(error.value, MlfsError)


@pytest.mark.parametrize(
    ("test", "table", "sentence"),
    [
        (
            friedman,
            TABLE[:1],
            "Friedman's test needs at least 2 data sets and the table has 1; add data sets (rows).",
        ),
        (
            friedman,
            TABLE[["els", "mfs"]],
            "Friedman's test needs at least 3 methods and the table has 2; add methods (columns).",
        ),
        (
            wilcoxon_holm,
            TABLE[:0],
            "The Wilcoxon signed-rank test needs at least 2 data sets and the table has 0; add data sets (rows).",
        ),
        (
            wilcoxon_holm,
            TABLE[["els"]],
            "The Wilcoxon signed-rank test needs at least 2 methods and the table has 1; add methods (columns).",
        ),
        (
            paired_t_tests,
            TABLE[:1],
            "A paired t-test needs at least 2 repeats and the table has 1; add repeats (rows).",
        ),
        (
            paired_t_tests,
            with_cell(None),
            "Method 'grro' has no value on repeat 'scene'; fill it in, or drop the row or the column.",
        ),
    ],
)
def test_too_small_or_incomplete(test, table, sentence):
    with pytest.raises(StatisticsError) as error:
        test(table)
    assert str(error.value) == sentence


@pytest.mark.parametrize(
    ("control", "sentence"),
    [
        ("gro", "The control 'gro' is not a method of the table: did you mean 'grro'?"),
        (7, "The control '7' is not a method of the table: choose from els, grro, mfs."),
    ],
)
def test_unknown_control(control, sentence):
    with pytest.raises(ParameterError) as error:
        bonferroni_dunn(friedman(TABLE), control)
    assert str(error.value) == sentence


@pytest.mark.parametrize(
    "call",
    [
        lambda alpha: nemenyi(friedman(TABLE), alpha),
        lambda alpha: bonferroni_dunn(friedman(TABLE), "els", alpha),
        lambda alpha: wilcoxon_holm(TABLE, alpha=alpha),
        lambda alpha: paired_t_tests(TABLE, alpha=alpha),
        lambda alpha: friedman(TABLE).critical_value(alpha),
    ],
)
@pytest.mark.parametrize("alpha", [0, 1, -0.05, 5, float("nan")])
def test_alpha_outside_its_range(call, alpha):
    with pytest.raises(ParameterError) as error:
        call(alpha)
    assert str(error.value) == f"alpha={alpha} must be a number between 0 and 1, both excluded; 0.05 is usual."


def test_numbers_in_any_dress_are_numbers():
    """A pasted table comes as text, an array without names."""
    expected = friedman(TABLE)
    for table in (TABLE.astype(str), TABLE.astype("Float64"), TABLE.astype(object), dict(TABLE)):
        assert friedman(table).F == expected.F
        assert list(friedman(table).average_ranks.index) == ["els", "grro", "mfs"]
    unnamed = friedman(TABLE.to_numpy())
    assert unnamed.F == friedman(TABLE.to_numpy().tolist()).F == expected.F
    assert bonferroni_dunn(unnamed, 0).differences.index.tolist() == [1, 2]


def test_input_is_left_alone():
    before = TABLE.copy()
    bonferroni_dunn(friedman(TABLE), "els")
    wilcoxon_holm(TABLE)
    paired_t_tests(TABLE)
    pd.testing.assert_frame_equal(TABLE, before)


def test_scipy_stats_is_imported_only_when_needed():
    """It takes half a second, and only Nemenyi's test needs it."""
    for path in Path(mlfs.statistics.__file__).parent.glob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            assert not (isinstance(node, ast.ImportFrom) and node.module == "scipy.stats"), path.name
            assert not (isinstance(node, ast.Import) and any("scipy" in name.name for name in node.names)), path.name
