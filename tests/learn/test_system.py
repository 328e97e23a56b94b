"""The GRRO system, against the equation itself and a solution by one large linear system."""

import numpy as np
import pytest

from mlfs.errors import ParameterError
from mlfs.learn import System, prepare_system, system_data


def solved(copied=0.5, together=0.5, alpha=2.0, beta=0.3):
    return System.solve(prepare_system(copied, together), alpha, beta)


def slow_information(a, b):
    """M(a;b) of two columns by their four cells."""
    total = 0.0
    for i in (0, 1):
        for j in (0, 1):
            p = np.mean((a == i) & (b == j))
            if p:
                total += p * np.log2(p / (np.mean(a == i) * np.mean(b == j)))
    return total


def test_matrices_are_what_they_are_called():
    X, Y = system_data(0.5, 0.5)
    model = solved()
    np.testing.assert_allclose(model.C, [[slow_information(f, label) for label in Y.T] for f in X.T], atol=1e-12)
    np.testing.assert_allclose(model.G, [[slow_information(f, g) for g in X.T] for f in X.T], atol=1e-12)
    cosine = [[a @ b / np.sqrt((a @ a) * (b @ b)) for b in Y.T.astype(float)] for a in Y.T.astype(float)]
    np.testing.assert_allclose(model.R, 1 - np.array(cosine), atol=1e-12)


def test_the_solution_solves_the_system():
    model = solved()
    left = np.eye(4) + model.alpha * model.G
    slow = np.linalg.solve(np.kron(left, np.eye(3)) + model.beta * np.kron(np.eye(4), model.R.T), model.C.ravel())
    np.testing.assert_allclose(model.Z, slow.reshape(4, 3))
    np.testing.assert_allclose(model.scores, np.linalg.norm(model.Z, axis=1))
    assert model.terms["fit"] == pytest.approx(((model.Z - model.C) ** 2).sum())
    assert model.terms["redundancy"] == pytest.approx(2.0 * np.trace(model.Z.T @ model.G @ model.Z))
    assert model.terms["labels"] == pytest.approx(0.3 * np.trace(model.R @ model.Z.T @ model.Z))


def test_sliders_do_what_they_say():
    X, Y = system_data(1, 1)
    assert (X[:, 0] == X[:, 1]).all()
    assert (Y[:, 0] == Y[:, 1]).all()
    X, Y = system_data(0, 0)
    assert (Y[:, 0] == Y[:, 1]).mean() == pytest.approx(0.5, abs=0.05)
    assert (X[:, 0] == X[:, 1]).mean() < 0.85


def test_twins_stay_equal_and_fall_behind_as_the_lesson_says():
    weak, strong = solved(1, 0, 0.01), solved(1, 0, 10)
    for model in (weak, strong):
        assert model.scores[0] == pytest.approx(model.scores[1])
    assert weak.scores[0] > weak.scores[3]
    assert strong.scores[0] < strong.scores[3]


def test_a_saddle_point_is_told():
    assert solved(beta=0.1).notes == ()
    assert "saddle point" in solved(alpha=0.01, beta=100.0).notes[0]


def test_the_board_repeats_the_first_entry():
    model = solved(alpha=1.0)
    _, entry, length, objective, order = model.worked()
    assert entry.startswith(f"{model.Z[0, 0]:.3f}+1")
    assert entry.endswith(f"={model.C[0, 0]:.3f}")
    assert length.endswith(f"={model.scores[0]:.4f}")
    assert objective.endswith(f"={sum(model.terms.values()):.4f}")
    best = int(np.linalg.norm(model.Z, axis=1).argmax())
    assert order.startswith(rf"\|z_{best + 1}\|={model.scores.max():.4f}\ge")


def test_shares_are_shares():
    with pytest.raises(ParameterError, match=r"^together must be a number from 0 to 1, not -1\.$"):
        system_data(0, -1)
