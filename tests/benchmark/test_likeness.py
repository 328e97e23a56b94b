"""Overlap, stability and the map, on selections set by hand."""

import numpy as np
import pandas as pd
import pytest

from mlfs.benchmark import overlaps, placed_on_map, stabilities
from mlfs.benchmark.likeness import relatives
from tests.benchmark.made import made_benchmark


def test_overlaps_by_hand():
    found = overlaps(made_benchmark())
    assert found.loc["els", "mfs"] == 1.0
    assert found.loc["els", "grro"] == pytest.approx(10 / 30)  # 0–19 and 10–29
    assert found.loc["els", "random"] == 0.0
    assert (found == found.T).all().all()
    assert relatives(found, "els").index.tolist() == ["mfs", "grro", "random"]


def test_sets_with_too_few_features_say_nothing():
    assert overlaps(made_benchmark(features=59)).isna().all().all()


def test_a_selection_that_never_changes_is_stable():
    assert (stabilities(made_benchmark())["els"].dropna() == 1.0).all()


def test_the_map_keeps_distances_that_a_plane_can_hold():
    rng = np.random.default_rng(0)
    points = rng.random((6, 2)) * 0.5
    distance = np.linalg.norm(points[:, None] - points[None], axis=2)
    names = list("abcdef")
    placed = placed_on_map(pd.DataFrame(1 - distance, names, names))
    again = np.linalg.norm(placed.to_numpy()[:, None] - placed.to_numpy()[None], axis=2)
    np.testing.assert_allclose(again, distance, atol=1e-9)
    assert placed.attrs["share"] == pytest.approx(1.0)
