"""Settings that are tried: the defaults first, each a change of one parameter that the method takes."""

import pandas as pd
import pytest

from mlfs.benchmark.tuning import NOT_TUNED, best_setting, settings_tried
from mlfs.selectors import SELECTORS, make_selector
from mlfs.selectors.specification import check_parameters

SIZES = {"instances": 100, "features": 20, "labels": 5}


@pytest.mark.parametrize("method", SELECTORS)
def test_every_setting_is_one_that_the_method_takes(method):
    tried = settings_tried(method, SIZES)
    assert tried[0] == {}
    for setting in tried[1:]:
        [(name, value)] = setting.items()
        assert name not in NOT_TUNED
        assert value != SELECTORS[method].parameters[name].default
        check_parameters(method, setting)
        SELECTORS[method].parameters[name].check(value, SIZES)
        make_selector(method, **setting)
    assert len(tried) <= 14


def test_the_best_setting_has_the_lowest_mean_of_the_criterion():
    rows = [
        {"parameters": parameters, "metric": "ranking_loss", "size": size, "value": value}
        for parameters, values in {"{}": (0.3, 0.3), '{"alpha": 1.0}': (0.1, 0.4), '{"alpha": 2.0}': (0.2, 0.6)}.items()
        for size, value in zip((5, 10), values, strict=True)
    ]
    other = [{**row, "metric": "macro_f1", "value": -row["value"]} for row in rows]
    assert best_setting(pd.DataFrame(rows + other)) == '{"alpha": 1.0}'
    assert best_setting(pd.DataFrame([{**row, "value": 0.2} for row in rows])) == "{}"  # of equals the defaults
