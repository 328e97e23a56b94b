"""Words of cells, and what a caption says."""

import numpy as np
import pandas as pd
import pytest

from mlfs.tables import summary
from mlfs.tables.sheet import NOTHING, caption, sheet, word
from tests.tables.test_method_summary import results


@pytest.mark.parametrize(
    ("cell", "words"),
    [
        (np.float32(0.5), "0.5000"),
        (np.int64(-7), "−7"),
        (True, "True"),
        (pd.NA, NOTHING),
        (-0.0, "0.0000"),
        (np.inf, "inf"),
    ],
)
def test_words(cell, words):
    assert word(cell) == words


def test_several_levels_of_names_become_one():
    table = pd.DataFrame(
        [[1, 2.0]],
        index=pd.MultiIndex.from_tuples([("flags", 3)], names=["dataset", None]),
        columns=pd.MultiIndex.from_tuples([("ELS", "mean"), ("ELS", "std")]),
    )
    words = sheet(table)
    assert words.header == ["dataset", "", "ELS mean", "ELS std"]
    assert words.rows == [["flags", "3", "1", "2.0000"]]
    assert words.numeric == [False, True, True, True]


def test_caption_says_where_the_values_stand():
    rows = results({"els": [0.1, 0.2], "mfs": [0.2, 0.3]}, "macro_f1")
    words = {size: caption(summary(rows, "macro_f1", size), str) for size in (None, "mean", "best", 10)}
    assert words[None].startswith(
        "Macro-F1 (higher is better), mean ± standard deviation over 2 repeats, with the most features"
    )
    assert "averaged over the numbers of features" in words["mean"]
    assert "chosen on the test rows" in words["best"]
    assert "with 10 features. best: the best of a row; testing" in words[10]
    assert ": the best of a column;" in caption(summary(rows, "macro_f1"), str, "column")
