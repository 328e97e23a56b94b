"""What the papers' authors' own programs print for a toy data set, or, for later methods, a slow transcription of their
formulas that was made independently of this one.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from mlfs.information import discretize
from mlfs.selectors import make_selector

GOLDEN = Path(__file__).parents[1] / "golden"
TOY = np.load(GOLDEN / "toy.npz")
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


@pytest.mark.parametrize(
    ("key", "method", "parameters"),
    [
        ("lrfs", "lrfs", TWO_BINS),
        ("mrmr_br", "mrmr_br", TWO_BINS),
        ("mrmr_lp", "mrmr_lp", TWO_BINS),
        ("igmf", "igmf", TWO_BINS),
        ("mgfs", "mgfs", {}),
        ("mfs_mcdm_weighted", "mfs_mcdm", {}),
        ("mfs_mcdm_authors", "mfs_mcdm", {"variant": "authors"}),
        ("bmfs", "bmfs", {}),
        ("pmfs", "pmfs", {}),
    ],
)
def test_a_transcription_of_the_formulas(key, method, parameters):
    ranking, scores = json.loads((GOLDEN / "second_information_graph.json").read_text())[key]
    selector = make_selector(method, **parameters).fit(X, Y)
    assert selector.ranking_.tolist() == ranking
    if scores is not None:
        # What pmfs calls its score is better the smaller it is.
        sign = -1 if method == "pmfs" else 1
        np.testing.assert_allclose(sign * selector.scores_[ranking], scores, atol=1e-12)
