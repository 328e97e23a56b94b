"""The GRRO system, against the equation itself and a solution by one large linear system; its matrices and terms."""

from __future__ import annotations

import numpy as np
import pytest

from mlfs.errors import ParameterError
from mlfs.learn import System, objective_terms, prepare_system, system_data, system_matrices
from tests.plots.checks import check


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


@pytest.fixture(scope="module")
def model():
    return System.solve(prepare_system(0.5, 0.5), 1.0, 0.1)


def test_every_matrix_is_there_with_its_numbers(model):
    best = f"f{'₁₂₃₄'[model.ranking[0]]} {model.scores.max():.4f} >"
    figure = check(system_matrices(model), "α = 1, β = 0.1", best)
    maps = [trace for trace in figure.data if trace.type == "heatmap"]
    for cells, matrix in zip(maps, (model.C, model.Z, model.G, model.R), strict=True):
        np.testing.assert_array_equal(cells.z, matrix)
    numbers = [trace for trace in figure.data if trace.type == "scatter"]
    assert [len(trace.text) for trace in numbers] == [12, 12, 16, 9]
    assert numbers[2].text[0] == "1.00"
    assert maps[2].customdata[0][1] == "G(f₁, f₂)"


def test_relevance_and_solution_share_a_scale(model):
    first, second = (trace for trace in system_matrices(model).data[:4] if trace.type == "heatmap")
    assert (first.zmin, first.zmax) == (second.zmin, second.zmax)
    assert first.zmax >= np.abs(model.Z).max()


def test_bars_are_the_terms():
    model = System.solve(prepare_system(0.5, 0.5), 1.0, 0.1)
    figure = check(objective_terms(model), f"together {sum(model.terms.values()):.4f}")
    assert list(figure.data[0].x) == [model.terms[name] for name in ("fit", "redundancy", "labels")]


def test_a_negative_term_has_room():
    model = System.solve(prepare_system(1, 1), 1.0, 1.0)
    assert model.terms["labels"] < 0
    figure = check(objective_terms(model))
    assert figure.layout.xaxis.range[0] < model.terms["labels"]
    assert figure.layout.xaxis.range[1] > max(model.terms.values())
    assert figure.layout.xaxis.range[0] == pytest.approx(model.terms["labels"] - 0.2 * max(model.terms.values()))
