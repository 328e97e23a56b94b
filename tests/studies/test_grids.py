"""Which values a sweep tries, for every parameter that every method declares."""

import pytest

from mlfs import SELECTORS
from mlfs.errors import ParameterError
from mlfs.studies import MethodGrid
from mlfs.studies.grids import sweepable, usual_range, usually_swept, values_between

SIZES = {"instances": 593, "features": 72, "labels": 6}


def usual(method, name, steps):
    parameter = sweepable(method)[name]
    return values_between(parameter, *usual_range(parameter, SIZES), steps)


def test_the_sweeps_of_the_papers():
    assert usual("els", "n_labels", 10) == (0, 1, 2, 3, 4, 5, 6)
    assert usual("grro", "alpha", 7) == (0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)
    assert usual("grro_ls", "k", 10) == tuple(range(1, 11))
    assert usual("mapd", "alpha", 9) == (0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
    assert usual("elc", "k", 3) == (1, 37, 72)
    assert usual("mim_br", "n_bins", 10) == (2, 3, 4, 5, 6, 7, 8, 9, 10, 11)


@pytest.mark.parametrize("method", SELECTORS)
def test_every_usual_sweep_is_a_plan(method):
    assert set(usually_swept(method)) <= set(sweepable(method))
    for name, parameter in sweepable(method).items():
        values = usual(method, name, 7)
        assert len(values) > 1
        assert list(values) == sorted(set(values))
        assert MethodGrid(method, grid={name: values}).grid[name] == values
        for value in values:
            parameter.check(value, SIZES)


def test_ends_that_cross_or_leave_the_range_are_a_sentence():
    alpha = sweepable("grro")["alpha"]
    with pytest.raises(ParameterError, match=r"^alpha: a sweep needs two steps or more, and a first value below the"):
        values_between(alpha, 10, 1, 5)
    with pytest.raises(ParameterError, match=r"^alpha must be a number from 0.001 to 1000"):
        values_between(alpha, 1, 1e4, 5)
