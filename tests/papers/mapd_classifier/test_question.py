"""The reading that gives the printed losses is what it says, and the kept numbers come out again."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from mlfs import load_dataset, make_selector
from mlfs.papers import QUESTIONS
from mlfs.papers.mapd_classifier.question import (
    FOUND,
    READINGS,
    SETTINGS,
    Reading,
    distances,
    explains,
    given,
    measure,
    nearest_rows,
    predict,
    reached,
    with_labels,
)
from mlfs.papers.question import RunContext
from mlfs.studies import Store

QUESTION = QUESTIONS.named("mapd_classifier")


@pytest.fixture(scope="module")
def emotions(tmp_path_factory):
    """The tables of a run on emotions, made now."""
    with Store(tmp_path_factory.mktemp("store") / "cells.sqlite") as store:
        return measure(load_dataset("emotions"), RunContext(store))


def test_kept_run_comes_out_again(emotions):
    kept = QUESTION.stored().tables["losses"]
    kept = kept[(kept["dataset"] == "emotions") & (kept["repeat"] == 0)].reset_index(drop=True)
    assert len(kept) == len(READINGS) * len(SETTINGS)
    pd.testing.assert_frame_equal(emotions["losses"], kept, rtol=1e-5, check_dtype=False)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_cosine_looks_at_directions_and_euclid_at_places(form):
    train = np.vstack([np.tile([[10.0, 0.0]], (10, 1)), np.tile([[0.0, 1.0]], (10, 1))])
    test = np.array([[1.0, 0.2]])
    assert set(nearest_rows(form(train), form(test), "cosine")[0]) == set(range(10))
    assert set(nearest_rows(form(train), form(test), "euclidean")[0]) == set(range(10, 20))


def test_a_row_of_zeros_has_no_direction_and_ties_go_to_the_lowest_row():
    train = np.vstack([np.eye(2), np.zeros((10, 2))])
    assert nearest_rows(train, np.array([[1.0, 0.0]]), "cosine")[0].tolist() == [0, *range(1, 10)]
    assert nearest_rows(train, np.zeros((1, 2)), "cosine")[0].tolist() == list(range(10))


def test_half_of_the_neighbours_are_no_majority():
    X, Y = np.ones((10, 1)), np.array([[1, 1]] * 5 + [[0, 1]] + [[0, 0]] * 4)
    assert predict(Reading(), X, Y, X[:1]).tolist() == [[0, 1]]
    assert predict(Reading(vote="half"), X, Y, X[:1]).tolist() == [[1, 1]]


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix])
def test_labels_stand_beside_the_features(form):
    both = with_labels(form(np.array([[2.0], [3.0]])), np.array([[1, 0], [0, 1]]))
    np.testing.assert_array_equal(both.toarray() if sparse.issparse(both) else both, [[2, 1, 0], [3, 0, 1]])


def test_the_first_fold_by_hand(emotions):
    """AMI with a tenth of the 72 features, rounded up, selected on all rows; scikit-learn finds the neighbours."""
    from sklearn.neighbors import NearestNeighbors

    ds, wrong = load_dataset("emotions"), []
    chosen = make_selector("ami", n_bins=10, discretization="equal_width", n_features_to_select=8).fit(ds.X, ds.Y)
    X = np.hstack([ds.X[:, chosen.ranking_[:8]], ds.Y])
    order = np.random.default_rng([0, 0]).permutation(len(ds.Y))
    for test in np.array_split(order, 5):
        train = np.setdiff1d(order, test)
        finder = NearestNeighbors(n_neighbors=10, metric="cosine").fit(X[train])
        votes = ds.Y[train][finder.kneighbors(X[test], return_distance=False)].sum(axis=1)
        wrong.append(((votes > 5) != ds.Y[test]).mean())
    row = emotions["losses"].query("reading == @FOUND and setting == 'ami'")
    assert row["hamming_loss"].item() == pytest.approx(np.mean(wrong), abs=1e-12)
    assert row["n_selected"].item() == 8


def made_up(values, repeats=2):
    """A run on emotions whose Hamming losses are these, reading by reading; each repeat adds a thousandth."""
    rows = [
        ("emotions", reading, "mapd:alpha=0.6", repeat, value + repeat / 1000, 0.5, 2)
        for reading, value in values.items()
        for repeat in range(repeats if reading == FOUND else 1)
    ]
    return {"losses": pd.DataFrame(rows, columns=QUESTION.tables["losses"])}


def test_numbers_stand_beside_what_is_printed():
    numbers = given(made_up({FOUND: 0.0055})).set_index(["result", "setting"])
    assert set(numbers.index) == {
        ("tableII", "mapd:alpha=0.6"),
        ("tableIII", "mapd:alpha=0.6"),
        ("tableIV", "mapd"),
        ("tableV", "mapd"),
    }
    row = numbers.loc[("tableIV", "mapd")]
    assert (row["published"], row["text"]) == (0.0057, "0.0057 ± 0.00073")
    assert [row[name] for name in ("measured", "low", "high")] == pytest.approx([0.006, 0.0055, 0.0065])


def test_what_is_within_the_printed_deviation_is_reached():
    def told(value):
        numbers = given(made_up({FOUND: value}, repeats=1))
        return set(reached(numbers[numbers["metric"] == "hamming_loss"]))

    assert told(0.0064) == told(0.0050) == {True}
    assert told(0.0065) == told(0.0049) == {False}


def test_it_explains_by_the_reading_that_was_found_only():
    numbers = explains(made_up({FOUND: 0.0055, "ML-kNN": 0.1}), "zhou_2023_mapd")
    losses = numbers[numbers["metric"] == "hamming_loss"]
    assert len(losses) == 2
    assert losses["low"].tolist() == pytest.approx([0.0055] * 2)
    assert losses["high"].tolist() == pytest.approx([0.0065] * 2)


def test_findings_follow_the_numbers():
    tables = made_up({FOUND: 0.0057, "ML-kNN": 0.057})
    assert distances(tables).set_index("reading")["factor"].to_dict() == pytest.approx({FOUND: 1, "ML-kNN": 10})
    told = QUESTION.findings(tables)
    assert told[0].claim == "Ten neighbours by cosine that see the labels give 2 of 4 numbers"
    assert told[1].claim.endswith("is at most 0.0005 from the printed one")
    assert "emotions 0.0057 | 0.0062" in told[1].evidence
    assert told[2].claim == "Changing one thing gives 0 to 2 of 4 numbers; the most: as found"
    assert "as found 2 (1), ML-kNN 0 (10)" in told[2].evidence
    assert told[3].claim == "2 numbers lie farther away than twice the deviation"
    assert told[3].evidence == "By data set: emotions 2."


def test_the_kept_run_gives_every_printed_number_of_emotions():
    """Sixteen numbers of four tables: what the reading is believed for."""
    numbers = given(QUESTION.stored().tables)
    assert reached(numbers[numbers["dataset"] == "emotions"]).all()
