"""A table of results → the table the tests take: wide, tidy, or the runs of `compare`."""

import pandas as pd
import pytest

from mlfs.errors import ParameterError, StatisticsError
from mlfs.results import metrics_in, sizes_in
from mlfs.tables.result_table import read_result_rows, read_result_table, result_table


def test_rows_of_anybody_are_laid_out_in_their_order_and_averaged():
    text = "Dataset;Method;Value\nyeast;mfs;0,5\nyeast;els;0,25\nflags;mfs;1\nflags;els;0,1\nflags;els;0,3\n"
    losses = read_result_table(text)
    assert losses.table.to_dict("index") == {"yeast": {"mfs": 0.5, "els": 0.25}, "flags": {"mfs": 1.0, "els": 0.2}}
    assert list(losses.table.columns) == ["mfs", "els"]
    assert losses.notes == ("Up to 2 rows have the same data set and method: their mean is tested.",)


def test_rows_of_several_metrics_need_one():
    text = "dataset,method,metric,value\na,els,hamming_loss,0.1\na,els,macro_f1,0.9\n"
    assert metrics_in(read_result_rows(text)) == ["hamming_loss", "macro_f1"]
    with pytest.raises(ParameterError, match="The table holds 2 metrics"):
        read_result_table(text)
    losses = read_result_table(text, metric="macro_f1")
    assert losses.table.loc["a", "els"] == 0.9
    assert not losses.lower_is_better


def test_a_word_among_the_values_is_named():
    with pytest.raises(StatisticsError) as error:
        read_result_table("dataset,method,value\nflags,els,0.1\nflags,mfs,high\n")
    assert str(error.value) == "The value of mfs on flags is not a number but 'high': correct it."


def test_runs_of_compare_by_metric_and_size():
    rows = pd.DataFrame(
        [
            ("flags", method, repeat, size, "hamming_loss", value + repeat / 10)
            for method, value in (("els", 0.1), ("mfs", 0.3))
            for repeat in (0, 1)
            for size in (5, 10)
        ],
        columns=["dataset", "method", "repeat", "size", "metric", "value"],
    )
    assert sizes_in(rows) == [5, 10]
    assert result_table(rows, size=5).table.loc["flags"].round(9).to_dict() == {"els": 0.15, "mfs": 0.35}
    assert read_result_table(rows.to_csv(index=False), size="mean").table.shape == (1, 2)


def test_methods_side_by_side_are_no_rows():
    assert read_result_rows("data,els,mfs\nflags,0.1,0.2\n") is None


def test_rows_and_tables_part_their_columns_by_the_same_rule():
    # More commas than semicolons, yet semicolons are the less likely in a name.
    assert read_result_rows("dataset;method;value, of a, b, c;value\nflags;els;x;0,5\n")["value"].tolist() == [0.5]
    assert read_result_rows("dataset method value\nflags els 0.5\n").to_dict("records") == [
        {"dataset": "flags", "method": "els", "value": 0.5}
    ]
    runs = "dataset method repeat size metric value\nflags els 0 5 hamming_loss 0.5\n"
    assert read_result_table(runs).table.loc["flags", "els"] == 0.5
    for text in ("", "\n \n"):
        with pytest.raises(StatisticsError, match="The table is empty"):
            read_result_table(text)
