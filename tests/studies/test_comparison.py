"""Levels, times, failures, overlap and stability, by hand."""

import numpy as np
import pandas as pd
import pytest

from mlfs.studies.comparison import failures, levels, mean_seconds, overlap, selections, stability_table

ROWS = pd.DataFrame(
    [
        ("d", "els", "{}", 0, 5, "hamming_loss", 0.2, 1.0, ""),
        ("d", "els", "{}", 0, 9, "hamming_loss", 0.1, 1.0, ""),
        ("d", "els", "{}", 1, 5, "hamming_loss", 0.4, 3.0, ""),
        ("d", "all_features", "{}", 0, 50, "hamming_loss", 0.3, 0.1, ""),
        ("d", "all_features", "{}", 1, 50, "hamming_loss", 0.5, 0.1, ""),
        ("d", "mfs", "{}", 0, np.nan, "", np.nan, np.nan, "No."),
        ("d", "mfs", "{}", 1, np.nan, "", np.nan, np.nan, "No."),
    ],
    columns=["dataset", "method", "parameters", "repeat", "size", "metric", "value", "seconds", "error"],
).assign(seed=0)


def test_all_features_are_a_level_and_no_curve():
    assert levels(ROWS) == {"hamming_loss": pytest.approx(0.4)}
    assert levels(selections(ROWS)) == {}
    assert list(selections(ROWS)["method"].unique()) == ["els", "mfs"]


def test_each_selection_counts_once_in_the_times():
    found = mean_seconds(ROWS)
    assert found["els"] == 2
    assert np.isnan(found["mfs"])


def test_a_reason_is_told_once():
    assert failures(ROWS).to_dict("records") == [{"dataset": "d", "setting": "mfs", "cells": 2, "error": "No."}]


def rankings(*rows):
    columns = ["method", "parameters", "repeat", "ranking", "n_selected"]
    table = pd.DataFrame([(m, p, r, np.array(features), n) for m, p, r, features, n in rows], columns=columns)
    return table.assign(dataset="d", seed=0)


TABLE = rankings(
    ("els", "{}", 0, [0, 1, 2], 2),
    ("grro", '{"alpha": 10.0}', 0, [1, 2, 0], 3),
    ("all_features", "{}", 0, [0, 1, 2, 3], 4),
    ("els", "{}", 1, [0, 1, 3], 2),
    ("grro", '{"alpha": 10.0}', 1, [0, 1, 2], 3),
)


def test_overlap_is_the_mean_over_splits():
    found = overlap(TABLE, 4, 2)
    assert list(found.index) == ["els", "grro"]  # all features agree with everybody
    # {0,1} and {1,2}: 1 of 3; {0,1} twice: 1.
    assert found.to_numpy() == pytest.approx(np.array([[1, 2 / 3], [2 / 3, 1]]))


def test_own_sizes_where_none_is_given():
    assert overlap(TABLE, 4).loc["els", "grro"] == pytest.approx(2 / 3)
    table = stability_table(TABLE, 4).set_index("method")
    assert table["features"].to_dict() == {"els": 2, "grro": 3}
    assert table["splits"].tolist() == [2, 2]
    assert table.loc["els", "stability"] == 1


def test_stability_by_its_definition():
    # {1,2} and {0,1} of 4: frequencies ½, 1, ½, 0; variances ½, 0, ½, 0 (unbiased); 1 − (1/4) / (½ · ½) = 0.
    assert stability_table(TABLE, 4, 2).set_index("method").loc["grro", "stability"] == pytest.approx(0)


def test_a_split_that_one_method_lacks_counts_for_the_others():
    found = overlap(TABLE.drop(index=4), 4, 2)
    assert found.loc["els", "grro"] == pytest.approx(1 / 3)
    assert np.isnan(stability_table(TABLE.drop(index=4), 4, 2).set_index("method").loc["grro", "stability"])
