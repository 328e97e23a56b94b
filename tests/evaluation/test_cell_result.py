"""What a cell gives, as a curve and as rows of a table, by hand."""

import numpy as np
import pandas as pd

from mlfs.evaluation.cell_result import COLUMNS, CellResult, failed, results_table

CELL = {"dataset": "d", "method": "els", "parameters": "{}", "repeat": 0}
RESULT = CellResult((1, 5), ("hamming_loss", "macro_f1"), np.array([[0.3, 0.5], [0.2, 0.6]]), n_selected=5, seconds=2.0)


def test_a_curve_has_a_row_for_each_size():
    expected = pd.DataFrame({"size": [1, 5], "hamming_loss": [0.3, 0.2], "macro_f1": [0.5, 0.6]})
    pd.testing.assert_frame_equal(RESULT.curve, expected)


def test_a_table_has_a_row_for_each_size_and_metric_and_one_for_a_failure():
    table = results_table([(CELL, RESULT), ({**CELL, "repeat": 1}, failed("It has\n no features."))])
    assert list(table.columns) == COLUMNS
    assert table["size"].tolist()[:4] == [1, 1, 5, 5]
    assert table["metric"].tolist() == ["hamming_loss", "macro_f1", "hamming_loss", "macro_f1", ""]
    assert table["value"].tolist()[:4] == [0.3, 0.5, 0.2, 0.6]
    assert table["repeat"].tolist() == [0, 0, 0, 0, 1]
    assert table["seconds"].tolist()[:4] == [2.0] * 4
    assert table["error"].tolist() == ["", "", "", "", "It has no features."]
    assert table.loc[4, ["size", "value", "seconds"]].isna().all()


def test_what_the_system_refuses_is_not_the_cell_s_own_doing():
    for problem in (OSError(28, "No space left on device"), FileNotFoundError(2, "No such file"), MemoryError()):
        assert failed(problem).again
    for problem in (ValueError("It has no features."), OSError("It needs a file beside the data.")):
        assert not failed(problem).again


def test_more_columns_are_those_of_the_cell_and_of_the_result():
    rows = [({**CELL, "seed": 7}, RESULT), ({**CELL, "seed": 8}, failed("No."))]
    table = results_table(rows, [*COLUMNS, "seed", "n_selected"])
    assert table["seed"].tolist() == [7, 7, 7, 7, 8]
    assert table["n_selected"].tolist()[:4] == [5] * 4
    assert np.isnan(table["n_selected"][4])


def test_a_problem_without_words_is_named():
    assert failed(KeyError()).error == "KeyError"
    assert not failed("No.").again
    assert failed("No.", again=True).again
