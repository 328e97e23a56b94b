"""Nogueira's measure and Jaccard overlaps."""

import numpy as np
import pytest

from mlfs.errors import ParameterError
from mlfs.metrics import jaccard, stability


def test_by_hand():
    # Frequencies 1, 1/2, 1/2, 0 over two selections of two out of four: variances 0, 1/2, 1/2, 0.
    assert stability([[0, 1], [0, 2]], 4) == pytest.approx(1 - 0.25 / 0.25)


def test_the_same_again_and_chance():
    assert stability([[1, 3]] * 5, 10) == 1
    rng = np.random.default_rng(0)
    assert stability([rng.permutation(100)[:20] for _ in range(200)], 100) == pytest.approx(0, abs=0.02)


def test_where_nothing_can_vary():
    assert np.isnan(stability([[0, 1]], 4))
    assert np.isnan(stability([[0, 1], [0, 1]], 2))
    assert np.isnan(stability([[], []], 2))


def test_overlap():
    np.testing.assert_allclose(jaccard([[0, 1, 2], [2, 3], []], 5)[0], [1, 1 / 4, 0])
    assert jaccard([[], []], 3)[0, 1] == 1
    with pytest.raises(ParameterError, match="from 0 to 2: found 3"):
        jaccard([[3]], 3)
