"""Overlap and stability of rankings, by hand."""

import numpy as np
import pandas as pd
import pytest

from mlfs.studies.agreement import overlap, stability_table


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
