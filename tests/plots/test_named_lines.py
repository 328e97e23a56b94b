"""Lines by name, the slider's place and what they are held against."""

import numpy as np
import pytest

from mlfs.plots.named_lines import named_lines
from tests.plots.checks import check, is_empty, named

LINES = {"one": (np.arange(3), np.array([1.0, 10.0, 100.0])), "two": (np.arange(2), np.array([2.0, 3.0]))}


@pytest.mark.parametrize("log_y", [False, True])
def test_everything_fits_the_axis(log_y):
    figure = check(
        named_lines(LINES, "across", "up", marked=1, levels={"level": 0.5}, log_y=log_y),
        "one from 1 at 0 to 100 at 2",
        "two from 2 at 0 to 3 at 1",
        "level 0.5",
        "1 is marked",
    )
    low, high = figure.layout.yaxis.range
    ends = (10**low, 10**high) if log_y else (low, high)
    assert all(ends[0] - 1e-9 <= y <= ends[1] + 1e-9 for trace in figure.data for y in trace.y)
    assert list(named(figure, "level").x) == [0, 2]


def test_one_line_needs_no_legend():
    figure = check(named_lines({"one": LINES["one"]}, "across", "up"))
    assert not figure.layout.showlegend
    assert len(figure.data) == 1


def test_nothing_to_draw():
    assert is_empty(named_lines({"one": (np.arange(2), np.full(2, np.nan))}, "across", "up"))
