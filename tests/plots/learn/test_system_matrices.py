"""Four matrices with their numbers."""

import numpy as np
import pytest

from mlfs.learn import System, prepare_system
from mlfs.plots import system_matrices
from tests.plots.checks import check


@pytest.fixture(scope="module")
def model():
    return System.solve(prepare_system(0.5, 0.5), 1.0, 0.1)


def test_every_matrix_is_there_with_its_numbers(model):
    best = f"f{'₁₂₃₄'[model.ranking[0]]} {model.scores.max():.4f} >"
    figure = check(system_matrices(model), "α = 1, β = 0.1", best)
    maps = [trace for trace in figure.data if trace.type == "heatmap"]
    for found, matrix in zip(maps, (model.C, model.Z, model.G, model.R), strict=True):
        np.testing.assert_array_equal(found.z, matrix)
    numbers = [trace for trace in figure.data if trace.type == "scatter"]
    assert [len(trace.text) for trace in numbers] == [12, 12, 16, 9]
    assert numbers[2].text[0] == "1.00"
    assert maps[2].customdata[0][1] == "G(f₁, f₂)"


def test_relevance_and_solution_share_a_scale(model):
    first, second = (trace for trace in system_matrices(model).data[:4] if trace.type == "heatmap")
    assert (first.zmin, first.zmax) == (second.zmin, second.zmax)
    assert first.zmax >= np.abs(model.Z).max()


def test_a_rounded_zero_has_no_sign(model):
    texts = [text for trace in system_matrices(model).data if trace.type == "scatter" for text in trace.text]
    assert "−0.00" not in texts
    assert "-" not in "".join(texts)
