"""X as the matrix of a linear model: every product against the explicit matrix."""

import numpy as np
import pytest
from scipy import sparse

from mlfs.selectors.parts import design
from mlfs.selectors.parts.design import Design, solve_positive


def explicit(X, scaling):
    """The scaled matrix, column by column."""
    columns = []
    for x in X.T:
        if scaling == "none":
            columns.append(x)
        elif x.min() == x.max():
            columns.append(np.zeros_like(x))
        elif scaling == "standard":
            columns.append((x - x.mean()) / x.std())
        else:
            columns.append((x - x.min()) / (x.max() - x.min()))
    return np.column_stack(columns)


def data(n, d):
    rng = np.random.default_rng(n)
    X = rng.standard_normal((n, d)) * (rng.random((n, d)) < 0.4)
    X[:, 1] = rng.uniform(5, 6, n)
    X[:, 2] = 3.0
    return X, rng.integers(0, 2, (n, 3))


@pytest.mark.parametrize("scaling", design.SCALINGS)
@pytest.mark.parametrize("thin", [False, True], ids=["dense", "sparse"])
@pytest.mark.parametrize("shape", [(30, 7), (8, 20), (90, 70), (70, 90)], ids=str)
def test_products(scaling, thin, shape):
    X, Y = data(*shape)
    true = explicit(X, scaling)
    made = Design(sparse.csr_matrix(X) if thin else X, Y, scaling=scaling)
    rng = np.random.default_rng(0)
    W, R = rng.standard_normal((shape[1], 2)), rng.standard_normal((shape[0], 2))
    np.testing.assert_allclose(made.times(W), true @ W, atol=1e-10)
    np.testing.assert_allclose(made.transposed_times(R), true.T @ R, atol=1e-10)
    np.testing.assert_allclose(made.normal(W), true.T @ true @ W, atol=1e-9)
    np.testing.assert_allclose(made.lengths, np.sqrt((true**2).sum(axis=0)), atol=1e-6)
    rows, columns = rng.uniform(0.1, 2, shape[0]), rng.uniform(0.1, 2, shape[1])
    weighted = rows[:, None] * true * columns
    small = weighted.T @ weighted if shape[1] <= shape[0] else weighted @ weighted.T
    np.testing.assert_allclose(made.weighted_gram(rows, columns), small, atol=1e-9)
    eigenvalues = np.linalg.eigvalsh(true.T @ true)
    assert made.largest == pytest.approx(eigenvalues[-1], rel=1e-12)
    length = np.linalg.norm(true, axis=0)
    shares = np.divide(true, length, out=np.zeros_like(true), where=length > 1e-9)
    assert made.largest_of_units == pytest.approx(np.linalg.eigvalsh(shares.T @ shares)[-1], rel=1e-9)
    assert made.smallest == pytest.approx(max(eigenvalues[0], 0.0), abs=1e-9)
    direct = np.linalg.solve(true.T @ true + 0.3 * np.eye(shape[1]), true.T @ made.labels)
    np.testing.assert_allclose(made.ridge(0.3), direct, atol=1e-9)


def test_labels_are_centred_with_the_features_only():
    X, Y = data(30, 7)
    np.testing.assert_allclose(Design(X, Y, scaling="standard").labels, Y - Y.mean(axis=0))
    for scaling in ("unit", "none"):
        assert np.array_equal(Design(X, Y, scaling=scaling).labels, Y)


def test_a_category_is_a_column():
    X = np.array([[0.0, 1], [1, 2], [2, 3], [1, 4]])
    made = Design(X, np.array([[0], [1], [1], [0]]), scaling="none", categorical=[0])
    assert made.columns.tolist() == [[1, 0, 0, 1], [0, 1, 0, 2], [0, 0, 1, 3], [0, 1, 0, 4]]
    assert made.per_feature(np.array([1.0, 5, 2, 3])).tolist() == [5, 3]


def test_large_means_do_no_harm():
    rng = np.random.default_rng(0)
    X = 1e7 + rng.standard_normal((50, 2))
    for form in (np.asarray, sparse.csr_matrix):
        made = Design(form(X), np.ones((50, 1), dtype=np.int8), scaling="standard")
        np.testing.assert_allclose(made.lengths, np.sqrt(50), rtol=1e-2)
        np.testing.assert_allclose(made.times(np.eye(2)), explicit(X, "standard"), atol=1e-6)


def test_entries_given_twice_are_added():
    twice = sparse.csr_matrix((np.ones(3), np.array([0, 0, 1]), np.array([0, 2, 3])), shape=(2, 2))
    made = Design(twice, np.ones((2, 1), dtype=np.int8), scaling="unit")
    assert made.times(np.eye(2)).tolist() == [[1, 0], [0, 1]]
    assert len(twice.data) == 3


def test_blocks_do_not_change_the_gram_matrix(monkeypatch):
    X, Y = data(30, 7)
    whole = Design(sparse.csr_matrix(X), Y, scaling="standard").gram
    monkeypatch.setattr(design, "BLOCK_BYTES", 1)
    assert np.array_equal(Design(sparse.csr_matrix(X), Y, scaling="standard").gram, whole)


def test_gram_matrix_of_a_wide_sparse_matrix_is_left_alone():
    """Where X is sparse enough, XᵀX W goes through X: XᵀX would take more work, and d × d memory."""
    X = sparse.random_array((400, 300), density=0.001, rng=np.random.default_rng(0), format="csr")
    made = Design(sparse.csr_matrix(X), np.ones((400, 1), dtype=np.int8), scaling="standard")
    made.normal(np.ones((300, 1)))
    assert "gram" not in vars(made)


def test_singular_systems_have_an_answer():
    gram = np.full((3, 3), 1e20)
    right = np.full((3, 1), 1e20)
    np.testing.assert_allclose(gram @ solve_positive(gram, 1e-4, right), right)


@pytest.mark.parametrize("scaling", ["standard", "unit"])
@pytest.mark.parametrize("share", [0.02, 0.5])
def test_products_with_the_labels(scaling, share):
    """Rare labels are multiplied as a sparse matrix, with what centring subtracts; nobody can tell."""
    rng = np.random.default_rng(0)
    Y = (rng.random((80, 7)) < share).astype(np.int8)
    evidence = Design(rng.random((80, 3)), Y, scaling=scaling)
    labels = Y - Y.mean(axis=0) if scaling == "standard" else Y
    B, V = rng.standard_normal((7, 4)), rng.standard_normal((80, 4))
    np.testing.assert_allclose(evidence.labels_times(B), labels @ B, atol=1e-12)
    np.testing.assert_allclose(evidence.labels_transposed_times(V), labels.T @ V, atol=1e-12)
    assert (evidence._rare_labels is None) == (share == 0.5)
