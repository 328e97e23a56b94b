"""The mutual information of pairs of features, as a table and as a product."""

import numpy as np
import pytest

from mlfs.information import mutual_information
from mlfs.selectors import evidence as module
from mlfs.selectors import make_selector
from tests.information.brute import H, M
from tests.selectors.data import awkward


def test_table_is_the_definition():
    X, Y = awkward(0)
    table = make_selector("els").prepare(X, Y).feature_information
    slow = [[H(a) if i == j else M(a, b) for j, b in enumerate(X.T)] for i, a in enumerate(X.T)]
    np.testing.assert_allclose(table, slow, atol=1e-12)


def test_table_is_made_once_and_cannot_be_spoilt():
    evidence = make_selector("els").prepare(*awkward(0))
    table = evidence.feature_information
    assert evidence.feature_information is table
    with pytest.raises(ValueError, match="read-only"):
        table[0, 0] = 1.0


@pytest.mark.parametrize("block", [1, 3, 8, 100])
@pytest.mark.parametrize("limit", [0, 1 << 20], ids=["anew", "kept"])
def test_product_is_that_of_the_table(block, limit, monkeypatch):
    monkeypatch.setattr(module, "BLOCK", block)
    monkeypatch.setattr(module, "KEPT_LIMIT", limit)
    evidence = make_selector("els").prepare(*awkward(1))
    B = np.random.default_rng(0).normal(size=(8, 3))
    table = evidence.feature_information.copy()
    np.fill_diagonal(table, np.arange(8))
    counted = []
    monkeypatch.setattr(
        module, "mutual_information", lambda *both, **how: counted.append(1) or mutual_information(*both, **how)
    )
    product = evidence.feature_information_product(np.arange(8.0))
    np.testing.assert_allclose(product(B), table @ B, atol=1e-12)
    once = len(counted)
    np.testing.assert_allclose(product(B[:, :1]), table @ B[:, :1], atol=1e-12)
    assert len(counted) == (once if limit else 2 * once)
