"""The numbers of the sentences, against entropies and information from counts of tuples."""

import numpy as np
import pytest

from mlfs.evaluation import explore
from mlfs.information import discretize
from mlfs.papers.lee_kim_2016.tour import PROTOCOL, TOUR
from mlfs.papers.tour import take_step
from mlfs.selectors import ELS
from tests.papers.tour_support import bench_of, entropy, information, numbers, training

LABELS = bench_of("emotions").ds.label_names


@pytest.fixture(scope="module")
def known() -> dict[str, np.ndarray]:
    X, Y = training("emotions", PROTOCOL)
    D = discretize(X, 2, "equal_width")
    return {
        "X": X,
        "Y": Y,
        "feature": np.array([entropy(column) for column in D.T]),
        "label": np.array([entropy(column) for column in Y.T]),
        "information": np.array([[information(f, label) for label in Y.T] for f in D.T]),
    }


def see(step: int, **settings):
    return TOUR.steps[step - 1].see(bench_of("emotions"), settings)


def test_entropies(known):
    seen, held = see(1, n_labels=2), known["label"]
    assert numbers(seen.sentence) == [
        2,
        round(100 * np.sort(held)[-2:].sum() / held.sum()),
        round(held.sum(), 2),
        6,
        round(held.min(), 3),
    ]
    assert LABELS[int(held.argmin())] in seen.sentence
    inside = next(trace for trace in seen.figure.data if trace.name.startswith("in Y"))
    assert sorted(inside.x) == pytest.approx(np.sort(held)[-2:])


def test_pairs_under_the_bound(known):
    seen = see(2, n_labels=3)
    bound = np.minimum.outer(known["feature"], known["label"])
    excess = bound - known["information"]
    chosen = np.argsort(-known["label"], kind="stable")[:3]
    others = np.setdiff1d(range(6), chosen)
    means = (bound.mean(), known["information"].mean(), excess[:, chosen].mean(), excess[:, others].mean())
    assert numbers(seen.sentence) == pytest.approx([bound.size, *means], abs=6e-4)
    assert "labels of Y and by" not in see(2, n_labels=0).sentence


def test_features_found_for_every_number_of_labels(known):
    top, exact = 10, 2
    order = np.argsort(-known["label"], kind="stable")
    bound = np.minimum.outer(known["feature"], known["label"])
    found = []
    for inside in range(7):
        table = bound.copy()
        table[:, order[:inside]] = known["information"][:, order[:inside]]
        found.append(set(np.argsort(-table.sum(axis=1), kind="stable")[:top]))
    shared = [len(some & found[-1]) for some in found]
    seen = see(3, n_labels=exact, top=top)
    assert list(seen.figure.data[0].y) == shared
    whole = next(j for j in range(7) if all(count == top for count in shared[j:]))
    assert numbers(seen.sentence) == [6, top, shared[exact], exact, shared[0], 0, whole]


def test_losses_are_those_of_explore():
    seen = take_step("lee_kim_2016", 4, "emotions", n_labels=2)
    curve = explore(bench_of("emotions").ds, ("els", {"n_labels": 2}), PROTOCOL).curve
    assert f"ELS {curve['hamming_loss'].mean():.4f}" in seen.sentence
    drawn = next(trace for trace in seen.figure.data if trace.name == "ELS")
    assert list(drawn.y) == pytest.approx(list(curve["hamming_loss"]))


def test_orders_differ_only_between_the_ends():
    seen = see(5, n_labels=2, top=10)
    high, low = (np.asarray(trace.y) for trace in seen.figure.data[:2])
    assert (high[0], high[-1]) == (low[0], low[-1])
    assert not np.array_equal(high, low)
    for order, line in (("max_entropy", high), ("min_entropy", low)):
        for n_labels in (2, 4):
            parameters = {"n_labels": n_labels, "label_order": order}
            curve = explore(bench_of("emotions").ds, ("els", parameters), PROTOCOL).curve
            assert line[n_labels] == pytest.approx(curve.set_index("size").loc[10, "hamming_loss"], abs=2e-3)
    told = [
        2,
        10,
        round(high[2], 4),
        round(low[2], 4),
        1,
        5,
        round(high[1:6].mean(), 4),
        round(low[1:6].mean(), 4),
        0,
        6,
    ]
    assert numbers(seen.sentence) == told


def test_auto_is_a_fifth_of_the_labels():
    assert see(1, n_labels=None).sentence == see(1, n_labels=-(-6 // 5)).sentence
    assert ELS.parameters["n_labels"].default is None
