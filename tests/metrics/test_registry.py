"""Titles and directions of whatever results hold."""

import pytest

from mlfs.errors import ParameterError
from mlfs.metrics import METRICS, QUANTITIES, direction, lower_is_better, metric_title, quantity


def test_metrics_are_called_as_the_registry_calls_them():
    for name, metric in METRICS.items():
        assert metric_title(name) == metric.title
        assert lower_is_better(name) == metric.lower_is_better
        assert direction(name) == ("lower is better" if metric.lower_is_better else "higher is better")


def test_no_quantity_is_named_like_a_metric():
    assert not set(QUANTITIES) & set(METRICS)


def test_what_has_no_better_and_worse_says_so():
    assert quantity("n_selected").lower_is_better is None
    assert direction("n_selected") == ""
    assert lower_is_better("n_selected")


def test_a_wrong_name_is_put_right():
    with pytest.raises(ParameterError, match="There is no quantity 'redundanci': did you mean 'redundancy'"):
        quantity("redundanci")
