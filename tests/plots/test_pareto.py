"""Who is on the front, and what is drawn of the rest; stars where a rival wins, and room for them."""

from __future__ import annotations

import numpy as np
import pytest

from mlfs.errors import ParameterError
from mlfs.plots import feature_front, feature_lines, objective_fronts, selected_count
from mlfs.plots.pareto import duel
from tests.plots.checks import check, is_empty, named

SU = np.array([[0.1, 0.9, 0.2], [0.5, 0.5, 0.1], [0.4, 0.4, 0.1], [0.9, 0.1, 0.3]])
FRONT = np.array([True, True, False, True])
FEATURES = ["f", "g", "h", "i"]


def test_two_labels():
    figure = check(feature_front(SU[:, :2], FRONT, ["a", "b"], FEATURES), "4 features", "3 on the Pareto front")
    assert list(named(figure, "on the front (3)").x) == [0.1, 0.5, 0.9]
    assert list(named(figure, "dominated (1)").text) == ["h"]
    stairs = figure.data[0]
    assert (stairs.line.shape, list(stairs.x)) == ("vh", [0.1, 0.5, 0.9])
    assert figure.layout.xaxis.title.text == "SU with a"


def test_three_labels():
    figure = check(feature_front(SU, FRONT, ["a", "b", "c"], FEATURES, highlight=[2]))
    assert {trace.type for trace in figure.data} == {"scatter3d"}
    assert list(named(figure, "marked (1)").z) == [0.1]
    assert figure.layout.scene.zaxis.title.text == "c"
    # Where there is less room across, it is seen from further away: the names of the axes would be cut.
    near, far = figure.layout.scene.camera.eye, figure.layout.meta["narrow"]["scene"]["camera"]["eye"]
    assert all(abs(far[axis]) > 1.1 * abs(near[axis]) for axis in "xyz")


def test_the_kinds_may_have_other_names():
    kinds = ("neither", "best", "kept")
    for figure in (
        feature_front(SU[:, :2], FRONT, ["a", "b"], FEATURES, highlight=[0], kinds=kinds),
        feature_lines(SU, FRONT, ["a", "b", "c"], FEATURES, highlight=[0], kinds=kinds),
    ):
        check(figure)
        assert {trace.name for trace in figure.data} - {None} == {"neither (1)", "best (2)", "kept (1)"}


def test_many_points_go_to_the_graphics_card():
    values = np.random.default_rng(0).random((3000, 2))
    figure = check(feature_front(values, np.zeros(3000, dtype=bool), ["a", "b"], [str(i) for i in range(3000)]))
    assert "scattergl" in {trace.type for trace in figure.data}


def test_one_or_four_labels_get_a_sentence():
    for labels in (1, 4):
        with pytest.raises(ParameterError, match="two or three labels"):
            feature_front(np.ones((3, labels)), np.ones(3, dtype=bool), ["l"] * labels, FEATURES[:3])


def test_front_of_nothing():
    assert is_empty(feature_front(np.zeros((0, 2)), np.zeros(0, dtype=bool), ["a", "b"], []))
    assert is_empty(feature_front(np.full((2, 2), np.nan), np.ones(2, dtype=bool), ["a", "b"], ["f", "g"]))


def test_parallel_coordinates_draw_a_line_per_feature():
    figure = check(feature_lines(SU, FRONT, ["a", "b", "c"], FEATURES), "4 features over 3 labels", "3 on the front")
    grey, front = named(figure, "dominated (1)"), named(figure, "on the front (3)")
    np.testing.assert_array_equal(grey.y, SU[2])
    assert np.isnan(front.y).sum() == 2
    assert len(front.text) == len(front.x) == 3 * 3 + 2
    assert list(figure.layout.xaxis.ticktext) == ["a", "b", "c"]


def test_parallel_coordinates_say_what_they_leave_out():
    values = np.random.default_rng(0).random((500, 4))
    figure = check(
        feature_lines(values, np.zeros(500, dtype=bool), list("abcd"), [str(i) for i in range(500)]),
        "Lines of 300 more features are not drawn",
    )
    assert named(figure, "dominated (500)").x.size == 200 * 5 - 1


def test_parallel_coordinates_of_one_label_and_of_none():
    assert check(feature_lines(SU[:, :1], FRONT, ["a"], FEATURES)).data[0].mode == "markers"
    assert is_empty(feature_lines(np.zeros((0, 3)), np.zeros(0, dtype=bool), list("abc"), []))


def test_selected_count_is_a_step_curve_with_the_chosen_alpha():
    alphas, counts = np.array([0.5, 0.6, 0.8, 1.0]), np.array([2, 5, 9, 9])
    figure = check(selected_count(alphas, counts, alpha=0.6, d=20), "at α = 0.6 5", "20 in all")
    assert figure.data[0].line.shape == "hv"
    assert list(figure.data[1].y) == [5]
    [note] = figure.layout.annotations
    assert (note.text, note.y, note.yanchor) == ("at α = 0.6: 5 of 20 features", 1, "bottom")  # above the steps
    assert list(selected_count(alphas, counts, alpha=0.59).data[1].y) == [2]


def test_selected_count_of_nothing():
    assert is_empty(selected_count(np.zeros(0), np.zeros(0)))


def test_stars_mark_the_wins():
    mine, theirs = np.array([0.1, 0.3]), np.array([0.2, 0.1])
    figure = check(
        duel(mine, theirs, ("me", "you"), ["one", "two"], theirs > mine), "you is strictly better in 1 of them"
    )
    feature, rival = figure.data
    assert list(rival.text) == ["★", ""]
    assert (list(rival.x), list(feature.x)) == (list(theirs), list(mine))
    assert figure.layout.xaxis.range[1] > 0.3


def test_fronts_of_two_objectives():
    objectives = np.array([[1.0, 1.0], [0.0, 3.0], [2.0, 2.0], [3.0, 3.0], [np.nan, np.nan]])
    titles = ("one", "two")
    figure = check(
        objective_fronts(objectives, np.array([1, 1, 2, 3, 0]), [*FEATURES, "constant"], titles=titles, drawn=2),
        "4 features by two objectives to be minimised, in 3 fronts; on the first: f, g.",
    )
    assert list(named(figure, "front 1 (2)").text) == ["g", "f"]
    assert list(named(figure, "front 2 (1)").x) == [2.0]
    assert named(figure, "front 3 (1)").mode == "markers"
    assert named(figure, "front 1 (2)").marker.color != named(figure, "front 2 (1)").marker.color
    assert figure.layout.yaxis.title.text == "two"


def test_no_front_without_a_feature_that_varies():
    assert is_empty(objective_fronts(np.full((2, 2), np.nan), np.zeros(2, int), ["f", "g"], titles=("one", "two")))
