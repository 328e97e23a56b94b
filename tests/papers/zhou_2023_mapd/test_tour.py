"""The numbers of the sentences, against every pair of features compared label by label."""

import numpy as np
import pytest

from mlfs.evaluation import explore
from mlfs.information import discretize
from mlfs.papers.zhou_2023_mapd.tour import PROTOCOL, TOUR
from tests.papers.tour_support import bench_of, entropy, numbers, symmetrical_uncertainty, training

DS = bench_of("emotions").ds


@pytest.fixture(scope="module")
def uncertainty() -> np.ndarray:
    X, Y = training("emotions", PROTOCOL)
    D = discretize(X, 5, "equal_width")
    return np.array([[symmetrical_uncertainty(f, label) for label in Y.T] for f in D.T])


@pytest.fixture(scope="module")
def wins(uncertainty) -> np.ndarray:
    """(d, d) in how many labels the column's feature beats the row's."""
    return np.array([[(other > own + 1e-12).sum() for other in uncertainty] for own in uncertainty])


def see(step: int, **settings):
    return TOUR.steps[step - 1].see(bench_of("emotions"), settings)


def stored_rows(wins: np.ndarray, alpha: float) -> np.ndarray:
    return np.flatnonzero((wins <= alpha * 6).all(axis=1))


def test_uncertainty(uncertainty):
    seen = see(1)
    row, _ = np.unravel_index(uncertainty.argmax(), uncertainty.shape)
    assert f"is {uncertainty.max():.3f}, of {DS.feature_names[row]} with" in seen.sentence
    assert f"{len(set(uncertainty.argmax(axis=0)))} different best features" in seen.sentence
    first = np.argsort(-uncertainty.mean(axis=1), kind="stable")[:15]
    assert seen.figure.data[0].z == pytest.approx(uncertainty[first], abs=1e-9)


@pytest.mark.parametrize("place", [1, 5, 30])
def test_the_strongest_rival(uncertainty, wins, place):
    mine = int(np.argsort(-uncertainty.mean(axis=1), kind="stable")[place - 1])
    for alpha in (0.6, 0.95):
        seen = see(2, place=place, alpha=alpha)
        most = wins[mine].max()
        assert f"{DS.feature_names[mine]} is number {place} " in seen.sentence
        assert f"strictly better in {most} of 6 labels, {most / 6:.0%};" in seen.sentence
        assert ("so it is dominated" in seen.sentence) == bool(most > alpha * 6)
        assert sum(mark == "★" for mark in seen.figure.data[1].text) == most


def test_how_many_stay(wins):
    counts = [len(stored_rows(wins, alpha)) for alpha in (0.7, 0.51, 0.99)]
    assert numbers(see(3, alpha=0.7).sentence) == [0.7, counts[0], 72, counts[1], 0.5, counts[2], 1]


def test_the_front_of_two_labels(uncertainty, wins):
    _, Y = training("emotions", PROTOCOL)
    two = np.argsort([-entropy(label) for label in Y.T], kind="stable")[:2]
    pairs = uncertainty[:, two]
    on_front = [not any((other > own + 1e-12).all() for other in pairs) for own in pairs]
    chosen = stored_rows(wins, 0.9)
    outside = sum(not on_front[i] for i in chosen)
    sentence = see(4, alpha=0.9).sentence
    assert f"{DS.label_names[two[0]]} and {DS.label_names[two[1]]} alone, {sum(on_front)} of 72" in sentence
    assert f"keeps {len(chosen)}. {outside} of these are not on this front" in sentence


def test_the_sets_are_judged_honestly(wins):
    seen = see(5, alpha=0.9)
    loss = explore(DS, ("mapd", {"alpha": 0.9}), PROTOCOL).curve["hamming_loss"].iloc[0]
    size = len(stored_rows(wins, 0.9))
    assert f"a Hamming loss of {loss:.4f} with {size} features" in seen.sentence
    line = seen.figure.data[0]
    assert (
        f"The paper prints 0.0057 for α = 0.6. The best set here has {min(line.y) / 0.0057:.0f} times" in seen.sentence
    )
    assert list(line.x) == sorted({len(stored_rows(wins, alpha)) for alpha in (0.51, 0.7, 0.9)})
    assert line.y[-1] == pytest.approx(loss)
