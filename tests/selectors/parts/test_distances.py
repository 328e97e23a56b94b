"""Distances as a matrix to multiply with, against differences taken one by one."""

import numpy as np
import pytest

from mlfs.selectors.parts import distances
from mlfs.selectors.parts.distances import Distances


def slow(points):
    return np.array([[np.sqrt(((a - b) ** 2).sum()) for b in points] for a in points])


POINTS = {
    "apart": np.random.default_rng(0).normal(size=(23, 4)),
    "far from 0": np.random.default_rng(0).normal(size=(23, 4)) + 1e6,
    "all one": np.ones((9, 3)),
    "some twice": np.repeat(np.random.default_rng(1).normal(size=(8, 2)), 3, axis=0),
    "close pairs": np.vstack([np.eye(5), np.eye(5) + 1e-9]),
}


@pytest.mark.parametrize("keeps", [True, False])
@pytest.mark.parametrize("case", POINTS)
def test_products_and_sums(case, keeps, monkeypatch):
    monkeypatch.setattr(distances, "BLOCK", 7)
    monkeypatch.setattr(distances, "CLOSE_NUMBERS", 10)
    if not keeps:
        monkeypatch.setattr(distances, "TABLE_LIMIT", 0)
    points, B = POINTS[case], np.random.default_rng(2).normal(size=(len(POINTS[case]), 3))
    E = slow(points)
    found = Distances(points)
    np.testing.assert_allclose(found.times(B), E @ B, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found.sums(), E.sum(axis=1), rtol=1e-9, atol=1e-12)
    assert (found._table is not None) == keeps


def test_equal_points_are_at_distance_0_and_close_ones_keep_their_digits():
    points = np.array([[0.1, 0.7], [0.1, 0.7], [0.1 + 1e-12, 0.7], [5.0, -3.0]])
    E = Distances(points).block(slice(None), slice(None))
    assert E[0, 1] == 0 == E[1, 0]
    assert E[0, 2] == pytest.approx(1e-12, rel=1e-3)
