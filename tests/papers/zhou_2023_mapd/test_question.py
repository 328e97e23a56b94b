"""MAPD with and without label columns: the mistake is made as described, and the kept numbers come out again."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from mlfs import load_dataset, make_selector
from mlfs.classifiers import MLkNN
from mlfs.datasets import Dataset
from mlfs.metrics import hamming_loss
from mlfs.papers import QUESTIONS, published
from mlfs.papers.question import RunContext
from mlfs.papers.zhou_2023_mapd.question import BESIDE, CANDIDATES, HONEST, distances, summary, with_label_columns
from mlfs.studies import Store
from tests.papers.in_process import InProcess

QUESTION = QUESTIONS.named("label_columns")


@pytest.fixture(scope="module")
def emotions(tmp_path_factory):
    """The tables of a run on emotions, made now."""
    with Store(tmp_path_factory.mktemp("store") / "cells.sqlite") as store:
        return QUESTION.measure(load_dataset("emotions"), RunContext(store, engine=InProcess()))


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_labels_become_the_last_features_of_another_data_set(form):
    Y = np.array([[1, 0], [0, 1], [1, 1]])
    ds = Dataset(form(np.arange(6.0).reshape(3, 2)), Y, ["a", "b"], ["a", "z"], "toy", categories={0: ["u", "v", "w"]})
    leaky = with_label_columns(ds)
    X = leaky.X.toarray() if sparse.issparse(leaky.X) else leaky.X
    np.testing.assert_array_equal(X, [[0, 1, 1, 0], [2, 3, 0, 1], [4, 5, 1, 1]])
    assert leaky.feature_names == ("a", "b", "label a", "label z")
    assert leaky.name == "toy with its labels as features"
    assert leaky.fingerprint != ds.fingerprint
    assert leaky.categories == ds.categories
    assert ds.X.shape == (3, 2)


def test_kept_run_comes_out_again(emotions):
    kept = QUESTION.stored().tables["losses"]
    kept = kept[kept["dataset"] == "emotions"].reset_index(drop=True)
    assert len(kept) == 2 * 3 * 4 * 5
    pd.testing.assert_frame_equal(emotions["losses"], kept, rtol=1e-5, check_dtype=False)


def test_each_way_is_what_it_says(emotions):
    """The first fold at α = 0.9, by hand: the first fifth of a shuffled list of rows tests."""
    ds = load_dataset("emotions")
    order = np.random.default_rng([0, 0]).permutation(len(ds.Y))
    test = np.sort(np.array_split(order, 5)[0])
    train = np.setdiff1d(order, test)

    def loss(X):
        fitted = MLkNN().fit(X[train], ds.Y[train])
        return hamming_loss(ds.Y[test], fitted.predict(X[test]))

    def chosen(X):
        found = make_selector("mapd", alpha=0.9, n_bins=5, discretization="equal_width").fit(X[train], ds.Y[train])
        return found.ranking_[: found.n_selected_]

    both = np.hstack([ds.X, ds.Y])
    expected = {
        HONEST: loss(ds.X[:, chosen(ds.X)]),
        CANDIDATES: loss(both[:, chosen(both)]),
        BESIDE: loss(np.hstack([ds.X[:, chosen(ds.X)], ds.Y])),
    }
    rows = emotions["losses"].query("alpha == 0.9 and repeat == 0 and scaling == 'none'").set_index("way")
    for way, value in expected.items():
        assert rows.loc[way, "hamming_loss"] == pytest.approx(value, abs=1e-12)
    assert rows.loc[CANDIDATES, "n_labels_selected"] == np.count_nonzero(chosen(both) >= 72)


def made_up(values):
    """A run on emotions with α = 0.6 whose Hamming losses are these, way by way, on two splits."""
    rows = [
        ("emotions", way, "none", 0.6, repeat, value, 1 - value, 3, 1 if way == CANDIDATES else 0)
        for way, pair in values.items()
        for repeat, value in enumerate(pair)
    ]
    return {"losses": pd.DataFrame(rows, columns=QUESTION.tables["losses"])}


MADE_UP = made_up({HONEST: (0.2, 0.28), CANDIDATES: (0.0228, 0.0228), BESIDE: (0.0057, 0.0057)})


def test_summary_stands_beside_what_is_printed():
    row = summary(MADE_UP).set_index("metric").loc["hamming_loss"]
    printed = published("zhou_2023_mapd", "II").query("dataset == 'emotions' and setting == 'mapd:alpha=0.6'")
    assert row["published"] == printed["value"].item() == 0.0057
    assert row["honest"] == pytest.approx(0.24)
    assert row["honest_std"] == pytest.approx(0.08 / np.sqrt(2))
    assert row["n_labels_selected"] == 1


def test_distances_are_factors_up_or_down():
    found = distances(MADE_UP, ("way",)).set_index("way")["factor"]
    assert found.to_dict() == pytest.approx({HONEST: 0.24 / 0.0057, CANDIDATES: 4, BESIDE: 1})


def test_findings_follow_the_numbers():
    told = QUESTION.findings(MADE_UP)
    assert told[0].claim.endswith("on 0 of 1 data set")
    assert "printed one: emotions 42.1." in told[0].evidence
    assert told[2].claim == "Labels beside the selected features are nearest on 1 of 1 data set"
    assert "emotions labels beside the selected features (1)" in told[2].evidence
    other = made_up({HONEST: (0.0057, 0.0057), CANDIDATES: (0.1, 0.1), BESIDE: (0.2, 0.2)})
    assert "emotions the features alone (1)" in QUESTION.findings(other)[2].evidence
    assert QUESTION.findings({"losses": pd.DataFrame(columns=QUESTION.tables["losses"])}) == []
