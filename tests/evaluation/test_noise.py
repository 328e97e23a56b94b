"""R(F) and C(F) at tenths of the features, against the measures of each subset by itself."""

import numpy as np
import pandas as pd
import pytest

from mlfs import load_dataset, make_selector
from mlfs.evaluation import Explorer, noise_at_tenths, noise_table
from mlfs.evaluation.noise import lowest
from mlfs.metrics import redundancy, residual_label_correlation


@pytest.fixture(scope="module")
def ds():
    return load_dataset("emotions")


def test_each_point_is_the_measure_of_its_subset(ds):
    found = noise_at_tenths(Explorer(ds), "els", "given")
    train, _ = ds.split
    X, Y = ds.X[train], ds.Y[train]
    ranking = make_selector("els", n_features_to_select=65).fit(X, Y).ranking_
    assert found["size"].tolist() == [round(72 * tenth / 10) for tenth in range(1, 10)]
    for _, row in found.iterrows():
        subset = ranking[: int(row["size"])]
        assert row["redundancy"] == pytest.approx(redundancy(X, Y, subset))
        assert row["residual_label_correlation"] == pytest.approx(residual_label_correlation(X, Y, subset))


def test_several_methods_and_settings_stay_apart(ds):
    table = noise_table(ds, ["els", ("els", {"n_labels": 2}), "mim_br"], "given")
    assert list(table["setting"].unique()) == ["els", "els:n_labels=2", "mim_br"]
    alone = noise_at_tenths(Explorer(ds), ("els", {"n_labels": 2}), "given")
    own = table[table["setting"] == "els:n_labels=2"].drop(columns="setting").reset_index(drop=True)
    pd.testing.assert_frame_equal(own, alone)


def test_the_lowest_is_sought_among_sizes_that_all_have():
    table = pd.DataFrame({"setting": ["a", "a", "b", "b"], "size": [1, 2, 2, 3], "redundancy": [0.0, 5.0, 4.0, 1.0]})
    assert lowest(table, "redundancy") == ("b", 4.0)
    assert lowest(table[table["size"] != 2], "redundancy") is None
    # A setting without any value does not compete.
    assert lowest(table.assign(redundancy=[1.0, 5.0, np.nan, np.nan]), "redundancy") == ("a", 3.0)
