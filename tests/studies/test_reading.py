"""Levels, times and failures, by hand."""

import numpy as np
import pandas as pd
import pytest

from mlfs.studies.reading import failures, levels, mean_seconds, selections

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
