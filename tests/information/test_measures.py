"""The measures against dictionary counting, on any data hypothesis can think of."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from mlfs import information as info
from mlfs.errors import ParameterError
from mlfs.information import counting
from tests.information import brute

TOLERANCE = 1e-10


@st.composite
def discrete_tables(draw):
    """D with mixed numbers of states (constant columns too), Y with empty and full labels, a condition g."""
    seed = draw(st.integers(0, 2**32 - 1))
    n, d, q = draw(st.integers(1, 60)), draw(st.integers(1, 6)), draw(st.integers(1, 5))
    rng = np.random.default_rng(seed)
    D = np.stack([rng.integers(0, rng.integers(1, 7), n) for _ in range(d)], axis=1)
    Y = (rng.random((n, q)) < rng.random(q) * 1.4 - 0.2).astype(np.int8)
    g = rng.integers(0, draw(st.sampled_from([1, 2, 5, 40])), n)
    return D, Y, g


def table(function, D, E):
    return np.array([[function(a, b) for b in E.T] for a in D.T])


@given(discrete_tables())
@settings(max_examples=60)
def test_equals_counting(case):
    D, Y, g = case
    pairs = [sum(brute.I3(a, Y[:, i], Y[:, j]) for j in range(Y.shape[1]) for i in range(j)) for a in D.T]
    expected = [
        (info.entropy, (), [brute.H(a) for a in D.T]),
        (info.joint_entropy, (g,), [brute.H(a, g) for a in D.T]),
        (info.mutual_information, (Y,), table(brute.M, D, Y)),
        (info.mutual_information, (), table(brute.M, D, D)),
        (info.joint_mutual_information, (g, Y), table(lambda a, b: brute.M_joint(a, g, b), D, Y)),
        (info.label_interaction, (Y,), pairs),
        *(
            (info.conditional_mutual_information, (E, g), table(lambda a, b: brute.M_given(a, b, g), D, E))
            for E in (Y, D)
        ),
    ]
    for codes in (D, sparse.csr_matrix(D), (D - 3).astype(np.int16), D * 10**9):
        for measure, others, values in expected:
            np.testing.assert_allclose(measure(codes, *others), values, atol=TOLERANCE)


@given(discrete_tables())
@settings(max_examples=60)
def test_symmetrical_uncertainty(case):
    D, Y, _ = case

    def su(a, b):
        total = brute.H(a) + brute.H(b)
        return 2 * brute.M(a, b) / total if total > 0 else 0.0

    found = info.symmetrical_uncertainty(D, Y)
    np.testing.assert_allclose(found, table(su, D, Y), atol=TOLERANCE)
    assert found.min(initial=0) >= 0
    assert found.max(initial=0) <= 1 + 1e-12


@given(discrete_tables())
@settings(max_examples=60)
def test_information_is_bounded_by_the_entropies(case):
    D, Y, _ = case
    information = info.mutual_information(D, Y)
    assert (information >= 0).all()
    assert (information <= np.minimum.outer(info.entropy(D), info.entropy(Y))).all()


def test_rounding_does_not_break_the_bounds():
    """What two of six observations tell of themselves comes out 1e-16 above their entropy, unless it is held down."""
    few, apart = (np.arange(6)[:, None] < 2).astype(int), np.arange(6)[:, None]
    for D, E in ((few, apart), (apart, few)):
        assert info.mutual_information(D, E).item() <= info.entropy(few).item()


@pytest.mark.parametrize("cells", [1, 7, 100])
def test_blocks_do_not_matter(monkeypatch, cells):
    rng = np.random.default_rng(0)
    D, Y, g = rng.integers(0, 4, (90, 23)), rng.integers(0, 2, (90, 11)), rng.integers(0, 9, 90)
    whole = info.mutual_information(D, Y), info.mutual_information(D), info.conditional_mutual_information(D, Y, g)
    monkeypatch.setattr(counting, "BLOCK_CELLS", cells)
    for n_jobs in (1, 2, 5):
        pieces = (
            info.mutual_information(D, Y, n_jobs=n_jobs),
            info.mutual_information(D, n_jobs=n_jobs),
            info.conditional_mutual_information(D, Y, g, n_jobs=n_jobs),
        )
        for a, b in zip(whole, pieces, strict=True):
            assert np.array_equal(a, b)


def test_each_way_to_multiply_counts_the_same():
    rng = np.random.default_rng(1)
    for density in (0.01, 0.3, 0.9):
        a = sparse.random(40, 70, density, format="csr", random_state=rng)
        b = sparse.random(70, 30, density, format="csr", random_state=rng)
        a.data[:] = b.data[:] = 1
        found = counting.product(a.astype(np.int32), b.astype(np.int32))
        assert np.array_equal(found, (a.toarray() @ b.toarray()).astype(int))


def test_huge_numbers_and_wrong_lengths():
    np.testing.assert_allclose(info.entropy(np.array([2**62, 2**62 + 1] * 2)), [1.0])
    D = np.array([[0], [1], [0], [1]])
    with pytest.raises(ParameterError, match="4 rows as the tables do, not 3"):
        info.conditional_mutual_information(D, D, np.zeros(3))
    with pytest.raises(ParameterError, match="the same rows, not 4 and 2"):
        info.mutual_information(D, D[:2])


def test_states_keep_every_variable():
    states = info.States.of(np.array([[7, 0, 1], [7, 1, 1], [7, 2, 0]]))
    assert (states.n, states.d) == (3, 3)
    assert not states.codes(0).any()
    assert len(set(states.codes(1))) == 3
    picked = states.take(np.array([2, 1]))
    assert np.array_equal(picked.codes(0) == picked.codes(0)[0], [True, True, False])
    np.testing.assert_allclose(info.entropy(picked), info.entropy(states)[[2, 1]])


def test_labelsets():
    rng = np.random.default_rng(2)
    Y = rng.integers(0, 2, (300, 19)) * (rng.random((300, 19)) < 0.2)
    found = info.labelset(Y)
    _, expected = np.unique(Y, axis=0, return_inverse=True)
    assert np.array_equal(found, expected.ravel())
