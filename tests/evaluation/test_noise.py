"""R(F) and C(F) at tenths of the features, against the measures of each subset by itself."""

import numpy as np
import pandas as pd
import pytest

from mlfs import load_dataset, make_selector
from mlfs.evaluation import Explorer, noise_at_tenths, noise_table
from mlfs.evaluation.noise import least_noise, lowest
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


@pytest.mark.parametrize(
    ("redundancy", "residual", "expected"),
    [
        # Means over the two sizes: R(F) 0.3 and 0.25, C(F) 0.5 and 0.6.
        (
            [0.2, 0.4, 0.1, 0.4],
            [0.5, 0.5, 0.6, 0.6],
            "MFS selects the least redundant features (mean R(F) 0.25); ELS leaves the least label correlation "
            "unexplained (mean C(F) 0.5).",
        ),
        (
            [0.2, 0.4, 0.1, 0.4],
            [0.5, 0.5, 0.1, 0.1],
            "MFS selects the least redundant features (mean R(F) 0.25) and leaves the least label correlation "
            "unexplained (mean C(F) 0.1).",
        ),
    ],
)
def test_the_answer_about_noise(redundancy, residual, expected):
    table = pd.DataFrame({"setting": ["els", "els", "mfs", "mfs"], "size": [1, 2, 1, 2], "redundancy": redundancy})
    assert least_noise(table.assign(residual_label_correlation=residual), str.upper) == expected


def test_where_all_methods_are_alike_none_is_called_the_best():
    table = pd.DataFrame({"setting": ["els", "mfs"], "size": 2, "redundancy": 0.1, "residual_label_correlation": 0.5})
    assert least_noise(table).startswith("The methods are alike here")
    assert least_noise(table.assign(redundancy=[0.1, 0.2])).startswith("els selects")


def test_means_of_noise_are_written_for_people():
    table = pd.DataFrame({"setting": ["els", "mfs"], "size": 2, "redundancy": [6.723e-5, 1e-4]})
    assert "(mean R(F) 6.72·10⁻⁵)" in least_noise(table.assign(residual_label_correlation=0.5))


def test_methods_without_a_common_size_are_not_compared():
    table = pd.DataFrame({"setting": ["els", "mfs"], "size": [1, 2], "redundancy": 0.1})
    assert least_noise(table.assign(residual_label_correlation=0.1)) == ""
