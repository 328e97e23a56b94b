"""The compiled loop over pairs gives what the tables give, to the last bit, and is taken only where it does."""

import numpy as np
import pytest
from scipy import sparse

from mlfs.information import mutual_information, pairs
from mlfs.information.states import States
from tests.information import brute


def variables(seed, n, d, most=8):
    """Variables of 1 … most + 1 states, most observations in one of them; some are constant."""
    rng = np.random.default_rng(seed)
    columns = []
    for states in rng.integers(1, most + 2, d):
        share = rng.dirichlet(np.r_[10.0, np.ones(states - 1)])
        columns.append(rng.choice(states, n, p=share))
    return np.stack(columns, axis=1)


@pytest.mark.parametrize(("seed", "n", "most"), [(0, 1, 8), (1, 7, 1), (2, 90, 3), (3, 400, 8), (4, 2000, 1)])
@pytest.mark.parametrize("n_jobs", [1, 3])
def test_the_same_bits_as_the_tables(monkeypatch, seed, n, most, n_jobs):
    D, E = variables(seed, n, 23, most), variables(seed + 10, n, 9, most)
    for first, second in ((D, E), (E, D), (D, D)):
        first, second = States.of(first), States.of(second)
        expected = mutual_information(first, second)
        for together in (4, 1024):
            monkeypatch.setattr(pairs, "TOGETHER", together)
            found = pairs.information(first, second, n_jobs=n_jobs)
            assert found.tobytes() == expected.tobytes()


def test_equals_counting():
    D, E = variables(5, 60, 6), variables(6, 60, 4)
    slow = [[brute.M(a, b) for b in E.T] for a in D.T]
    np.testing.assert_allclose(pairs.information(States.of(D), States.of(E)), slow, atol=1e-10)
    # More states than NumPy sums one after the other: rounded otherwise, but counted alike.
    many = np.arange(60)[:, None] // np.array([1, 3, 5])
    slow = [[brute.M(a, b) for b in E.T] for a in many.T]
    np.testing.assert_allclose(pairs.information(States.of(many), States.of(E)), slow, atol=1e-10)


def test_taken_for_many_sparse_pairs_of_few_states(monkeypatch):
    X = sparse.random(50, 300, 0.05, format="csr", random_state=0)
    X.data[:] = 1 + np.arange(X.nnz) % 3
    states = States.of(X)
    assert not pairs.suits(states, states)
    monkeypatch.setattr(pairs, "LARGE", 300 * 300)
    assert pairs.suits(states, states)
    taken = []
    monkeypatch.setattr(pairs, "_fill", lambda *_: taken.append(1))
    mutual_information(states)
    assert taken


@pytest.mark.parametrize(
    "second",
    [
        States.of(np.tile(np.arange(50) % 2, (4, 1)).T),  # dense: linear algebra counts quicker
        States.of(np.where(np.arange(50) > 9, 0, np.arange(50))[:, None]),  # ten states
        States.of(sparse.csr_matrix((50, 0), dtype=np.int8)),
        States.of(np.zeros((50, 3), int)).rows(np.arange(0)),
    ],
    ids=["dense", "many states", "no variables", "no observations"],
)
def test_not_taken_where_it_is_slower_or_rounds_otherwise(monkeypatch, second):
    monkeypatch.setattr(pairs, "LARGE", 1)
    assert not pairs.suits(second, second)


def test_not_taken_where_a_state_has_no_observations(monkeypatch):
    monkeypatch.setattr(pairs, "LARGE", 1)
    column = np.zeros((50, 1), int)
    column[:6, 0] = 1, 1, 2, 2, 3, 3
    whole = States.of(column)
    assert pairs.suits(whole, whole)
    part = whole.rows(np.r_[0:2, 4:50])
    assert not pairs.suits(part, part)
