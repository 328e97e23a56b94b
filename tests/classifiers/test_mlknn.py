"""ML-kNN: the authors' numbers, the algorithm in loops, and neighbours for growing feature sets."""

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from mlfs.classifiers import BRLR, MLkNN, ProblemTransformation
from mlfs.classifiers.nearest import nearest
from mlfs.errors import ParameterError
from mlfs.metrics import average_precision, coverage, hamming_loss, macro_f1, micro_f1, ranking_loss

TOY = np.load(Path(__file__).parents[1] / "golden" / "toy.npz")


def by_hand(X, Y, X_test, k, s):
    """Zhang & Zhou 2007, Fig. 1, one row and label at a time."""
    n, q = Y.shape

    def votes(x, rows):
        order = sorted(rows, key=lambda j: (round(((X[j] - x) ** 2).sum(), 12), j))[:k]
        return Y[order].sum(axis=0)

    prior = (s + Y.sum(axis=0)) / (2 * s + n)
    seen = [votes(X[i], [j for j in range(n) if j != i]) for i in range(n)]
    probabilities = np.empty((len(X_test), q))
    for t, x in enumerate(X_test):
        mine = votes(x, range(n))
        for label in range(q):
            like = []
            for value in (1, 0):
                counts = [seen[i][label] for i in range(n) if Y[i, label] == value]
                like.append((s + counts.count(mine[label])) / (s * (k + 1) + len(counts)))
            yes, no = prior[label] * like[0], (1 - prior[label]) * like[1]
            probabilities[t, label] = yes / (yes + no)
    return probabilities


def test_golden():
    first = TOY["grro_ranking"][:10]
    model = MLkNN().fit(TOY["X_train"][:, first], TOY["Y_train"])
    P, Y = model.predict_proba(TOY["X_test"][:, first]), TOY["Y_test"]
    np.testing.assert_allclose(P, TOY["mlknn_probabilities"], atol=1e-10)
    L = model.predict(TOY["X_test"][:, first])
    found = [
        hamming_loss(Y, L),
        ranking_loss(Y, P),
        coverage(Y, P),
        average_precision(Y, P),
        macro_f1(Y, L),
        micro_f1(Y, L),
    ]
    np.testing.assert_allclose(found, TOY["mlknn_metrics"], atol=1e-10)


@pytest.mark.parametrize("binary", [False, True])
def test_in_loops(binary):
    rng = np.random.default_rng(binary)
    X, X_test = (rng.integers(0, 2, (n, 6)).astype(float) if binary else rng.normal(size=(n, 6)) for n in (30, 9))
    Y = (rng.random((30, 4)) < 0.4).astype(int)
    for k, s in ((1, 1.0), (5, 0.5)):
        expected = by_hand(X, Y, X_test, k, s)
        np.testing.assert_allclose(MLkNN(k, s).fit(X, Y).predict_proba(X_test), expected, atol=1e-10)
        thin = MLkNN(k, s).fit(sparse.csr_matrix(X), Y).predict_proba(sparse.csr_matrix(X_test))
        np.testing.assert_allclose(thin, expected, atol=1e-10)


def test_even_odds_are_a_yes():
    """Four pairs of rows: both have the label, neither has, and twice one has. Then votes tell nothing."""
    X = np.array([0.0, 1, 10, 11, 20, 21, 30, 31])[:, None]
    Y = np.array([1, 1, 0, 0, 1, 0, 1, 0])[:, None]
    model = MLkNN(k=1).fit(X, Y)
    assert (model.predict_proba(X) == 0.5).all()
    assert (model.predict(X) == 1).all()
    labels, _ = next(model.predict_growing(X, Y, X, [1]))
    assert labels.all()


def test_many_labels():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(40, 3)), (rng.random((40, 50)) < 0.1).astype(int)
    np.testing.assert_allclose(MLkNN(3).fit(X, Y).predict_proba(X[:5] + 0.1), by_hand(X, Y, X[:5] + 0.1, 3, 1.0))


@pytest.mark.parametrize("kind", ["numbers", "few values", "binary", "one value", "mostly zeros"])
@pytest.mark.parametrize("itself", [False, True])
def test_growing_neighbours(kind, itself, monkeypatch):
    rng = np.random.default_rng(3)
    train = {
        "numbers": rng.normal(size=(90, 7)),
        "few values": rng.integers(0, 3, (90, 7)).astype(float),
        "binary": rng.integers(0, 2, (90, 7)).astype(float),
        "one value": np.ones((90, 7)),
        # Some features with so few values that only those are visited, one without any, and two that are filled.
        "mostly zeros": np.where(rng.random((90, 7)) < [0.1, 0.9, 0.02, 0.1, 0.0, 0.1, 0.5], rng.normal(size=7), 0.0),
    }[kind]
    query = train if itself else train[rng.permutation(90)[:20]] + (kind == "numbers") * 0.01
    sizes = [1, 2, 5, 7]
    found = nearest(train, query, sizes, k=4, itself=itself)
    for size, neighbours in zip(sizes, found, strict=True):
        for i, got in enumerate(neighbours):
            distance = ((train[:, :size] - query[i, :size]) ** 2).sum(axis=1)
            order = [j for j in np.argsort(distance, kind="stable") if not (itself and j == i)]
            assert got.tolist() == order[:4]
    monkeypatch.setattr("mlfs.classifiers.nearest.BLOCK_ROWS", 3)
    for n_jobs in (1, 3):
        again = nearest(train, query, sizes, k=4, itself=itself, n_jobs=n_jobs)
        assert np.array_equal(again, found)


def test_without_smoothing_the_prior_speaks_where_nothing_was_seen():
    # Two groups far apart: every training row has two votes for the label or none, the middle has one.
    X, Y = np.array([0.0, 0.1, 0.2, 0.3, 10.0, 10.1, 10.2])[:, None], np.array([[1]] * 4 + [[0]] * 3)
    P = MLkNN(2, 0.0).fit(X, Y).predict_proba(np.array([[0.1], [5.15], [100.0]]))
    np.testing.assert_allclose(P.ravel(), [1, 4 / 7, 0])


@pytest.mark.parametrize("model", [MLkNN(3), BRLR(), ProblemTransformation("br")])
def test_labels_are_checked_before_compiled_code_sees_them(model):
    rng = np.random.default_rng(0)
    X, Y = rng.random((20, 3)), rng.integers(0, 2, (20, 2))
    for bad in (Y[:15], Y[:, 0], Y[:, :0]):
        with pytest.raises(ParameterError, match="a table of 20 rows"):
            model.fit(X, bad)
    for masked in ((np.ma.masked_array(X, mask=X > 0.5), Y), (X, np.ma.masked_array(Y, mask=Y > 0))):
        with pytest.raises(ParameterError, match="has masked values"):
            model.fit(*masked)
    with pytest.raises(ParameterError, match="X has masked values"):
        model.fit(X, Y).predict(np.ma.masked_array(X, mask=X > 0.5))
    with pytest.raises(ParameterError, match=r"Labels must be 0 or 1, not "):
        model.fit(X, 2 * Y - 1)
    plain = model.fit(X, Y).predict_proba(X)
    np.testing.assert_allclose(model.fit(X, sparse.csr_matrix(Y)).predict_proba(X), plain)


def test_messages():
    with pytest.raises(ParameterError, match=r"needs 11 training rows and has 5: choose another classifier"):
        MLkNN().fit(np.zeros((5, 2)), np.zeros((5, 1)))
    with pytest.raises(ParameterError, match=r"k must be a whole number from 1 to 4 .* not 5"):
        MLkNN(5).fit(np.zeros((5, 2)), np.zeros((5, 1)))
