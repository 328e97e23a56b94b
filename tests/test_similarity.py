"""S and K of Wang et al. 2020, Appendix B, by hand and by their formulas."""

import numpy as np
from scipy import sparse

from mlfs.similarity import instance_similarity, label_similarity, released_label_similarity


def test_by_hand():
    # Squared distances: 0–1 is 1, 0–2 is 3, 1–2 is 2; over all nine ordered pairs δ² = 12/9.
    Y = np.array([[1, 1, 0], [1, 0, 0], [0, 0, 1]])
    near = np.exp(-1 / (2 * 12 / 9))
    np.testing.assert_allclose(label_similarity(Y), [[1, near, 0], [near, 1, 0], [0, 0, 1]])
    distance = np.sqrt([[0, 1, 3], [1, 0, 2], [3, 2, 0]])
    np.testing.assert_allclose(released_label_similarity(Y), np.exp(-distance) / (2 * distance.mean()))


def test_by_the_formula():
    Y = (np.random.default_rng(0).random((30, 6)) < 0.15).astype(np.int8)
    Y[:, 4] = 0
    found, q = label_similarity(Y), Y.shape[1]
    columns = Y.T.astype(int)
    delta2 = np.mean([np.sum((a - b) ** 2) for a in columns for b in columns])
    for i in range(q):
        for j in range(q):
            alike = np.exp(-np.sum((columns[i] - columns[j]) ** 2) / (2 * delta2))
            assert np.isclose(found[i, j], alike if columns[i] @ columns[j] else 0.0)
    assert not found[4].any()
    assert (found == 0).sum() > 11, "labels that never occur together, beside the empty one"


def test_labels_that_are_all_the_same():
    same = np.repeat([[1], [0], [1]], 3, axis=1)
    for similarity in (label_similarity, released_label_similarity):
        assert np.array_equal(similarity(same), np.ones((3, 3)))
        assert np.array_equal(similarity(same[:, :1]), np.ones((1, 1)))
    assert np.array_equal(label_similarity(np.zeros((3, 2))), np.zeros((2, 2)))


def test_instances():
    X = np.random.default_rng(0).random((7, 3)) * (np.random.default_rng(1).random((7, 3)) < 0.5)
    slow = [[np.exp(-np.sum((a - b) ** 2) / (2 * 0.7)) for b in X] for a in X[:4]]
    np.testing.assert_allclose(instance_similarity(X[:4], X, 0.7), slow, atol=1e-12)
    thin = sparse.csr_matrix(X)
    np.testing.assert_allclose(instance_similarity(thin[:4], thin, 0.7), slow, atol=1e-12)
    assert np.array_equal(instance_similarity(np.ones((2, 3)), np.ones((2, 3)), 0.0), np.ones((2, 2)))
