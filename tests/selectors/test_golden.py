"""What the papers' authors' own programs print for a toy data set."""

from pathlib import Path

import numpy as np
import pytest

from mlfs.information import discretize
from mlfs.selectors import make_selector

TOY = np.load(Path(__file__).parents[1] / "golden" / "toy.npz")
X, Y = TOY["X_train"], TOY["Y_train"]
TWO_BINS = {"n_bins": 2, "discretization": "equal_frequency"}


def test_two_equal_frequency_bins():
    assert np.array_equal(discretize(X, 2, "equal_frequency"), TOY["discretized"])


@pytest.mark.parametrize(
    ("method", "more"), [("pmu", {}), ("d2f", {"variant": "authors"}), ("ami", {"variant": "authors"})]
)
def test_first_ten_picks(method, more):
    selector = make_selector(method, n_features_to_select=10, **TWO_BINS, **more).fit(X, Y)
    assert selector.ranking_.tolist() == TOY[f"{method}_first10"].tolist()


@pytest.mark.parametrize("method", ["fimf", "ela_chi", "ppt_chi", "ppt_mi"])
def test_scores_and_order(method):
    selector = make_selector(method, **TWO_BINS).fit(X, Y)
    golden = np.empty(20)
    golden[TOY[f"{method}_ranking"]] = TOY[f"{method}_scores"]
    # The program behind fimf drops terms that are the same for all features.
    constant = selector.scores_[0] - golden[0] if method == "fimf" else 0.0
    np.testing.assert_allclose(selector.scores_ - constant, golden, atol=1e-12)
    # The same order, but for features whose scores are equal: there ours goes by index.
    np.testing.assert_allclose(golden[selector.ranking_], TOY[f"{method}_scores"], atol=1e-12)
