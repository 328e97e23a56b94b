"""Who dominates whom, against a count by hand; points, the stair of the front, and arrows from those that dominate."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mlfs.errors import ParameterError
from mlfs.learn import dominance_map, tournament, tournament_data
from mlfs.selectors import make_selector
from tests.plots.checks import check, named


def slow_dominators(uncertainty, alpha):
    """The definition, pair by pair."""
    d, q = uncertainty.shape
    return [
        [j for j in range(d) if sum(uncertainty[j, p] > uncertainty[i, p] + 1e-12 for p in range(q)) > alpha * q + 1e-9]
        for i in range(d)
    ]


@pytest.mark.parametrize("alpha", [0.51, 0.6, 0.8, 0.99])
def test_dominators_follow_the_definition(alpha):
    model = tournament(alpha, n_labels=5, seed=3)
    expected = slow_dominators(model.uncertainty, alpha)
    assert [list(rivals) for rivals in model.dominators] == expected
    np.testing.assert_array_equal(model.selected, [not rivals for rivals in expected])


def test_two_labels_make_alpha_idle():
    models = [tournament(alpha, n_labels=2) for alpha in (0.51, 0.75, 0.99)]
    for model in models:
        assert model.needed == 2
        np.testing.assert_array_equal(model.selected, model.on_front(0, 1))


def test_a_circle_leaves_nobody():
    for seed in (0, 7, 99):
        model = tournament(0.6, kind="circle", seed=seed)
        assert not model.selected.any()
        assert [len(rivals) for rivals in model.dominators] == [1, 1, 1]
        assert replace(model, alpha=0.7).selected.all()


def test_a_larger_share_selects_no_fewer():
    model = tournament(0.6, seed=1)
    sizes = [int(replace(model, alpha=alpha).selected.sum()) for alpha in (0.51, 0.6, 0.7, 0.8, 0.9)]
    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]
    alphas, counts = model.against_alpha()
    assert counts[np.searchsorted(alphas, 0.7, side="right") - 1] == sizes[2]


def test_the_selector_agrees_on_the_same_data():
    X, Y = tournament_data(4, 5)
    fitted = make_selector("mapd", alpha=0.7).fit(X, Y)
    assert set(fitted.get_support(indices=True)) == set(np.flatnonzero(tournament(0.7, 4, 5).selected))


def test_the_board_counts_the_wins():
    model = tournament(0.6, kind="circle")
    lines = model.worked(0)
    rival = model.dominators[0][0]
    assert len(lines) == 6
    assert sum(">" in line for line in lines[:3]) == 2
    assert lines[3] == r"2>1.8=0.6\cdot3=\alpha q"
    assert lines[4] == rf"f_{{{rival + 1}}}\text{{ dominates }}f_{{1}}"
    assert lines[5] == r"\text{selected: }\emptyset"
    *_, verdict, chosen = replace(model, alpha=0.7).worked(0)
    assert r"\text{ does not dominate }" in verdict
    assert chosen == r"\text{selected: }f_{1},f_{2},f_{3}"


def test_the_same_seed_gives_the_same_toy():
    first, again, other = tournament_data(3, 4), tournament_data(3, 4), tournament_data(3, 5)
    np.testing.assert_array_equal(first[0], again[0])
    assert (first[0] != other[0]).any()
    assert tournament_data(8)[1].shape == (600, 8)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"n_labels": 1}, "n_labels must be a whole number from 2 to 8, not 1."),
        ({"seed": -1}, "seed must be a whole number from 0 to 99, not -1."),
        ({"kind": "cirle"}, "There is no toy 'cirle': did you mean 'circle'?"),
    ],
)
def test_what_there_is_not_gets_a_sentence(arguments, sentence):
    with pytest.raises(ParameterError) as problem:
        tournament_data(**arguments)
    assert str(problem.value) == sentence


@pytest.fixture(scope="module")
def model():
    return tournament(0.6)


def test_points_are_selected_or_dominated(model):
    chosen = int(model.selected.sum())
    figure = check(dominance_map(model, 0, 1), "needs 4 of 5 labels", f"{chosen} are selected")
    assert 0 < chosen < 12
    selected = named(figure, f"selected ({chosen})")
    assert list(selected.text) == [model.feature_names[i] for i in np.flatnonzero(model.selected)]
    assert len(named(figure, f"dominated ({12 - chosen})").x) == 12 - chosen
    stair = named(figure, "front of these two labels")
    assert len(stair.x) == model.on_front(0, 1).sum()
    assert figure.layout.xaxis.title.text == "SU with l₁"
    assert not figure.layout.annotations


def test_no_name_runs_into_another_point(model):
    figure = check(dominance_map(model, 0, 1), "needs 4 of 5 labels")
    sides = {
        name: side
        for trace in figure.data
        if trace.text is not None
        for name, side in zip(trace.text, trace.textposition, strict=True)
    }
    # f₈ stands just above f₁, and to its right.
    assert (sides["f₁"], sides["f₈"], sides["f₄"]) == ("middle right", "top center", "top center")


def test_an_arrow_from_each_that_dominates(model):
    feature = next(i for i, rivals in enumerate(model.dominators) if len(rivals) > 1)
    figure = check(dominance_map(model, 2, 3, looked_at=feature), f"{model.feature_names[feature]} is dominated by")
    # Its name keeps off the ring; the pointer tells it as it is.
    points = next(trace for trace in figure.data if model.feature_names[feature] in (trace.hovertext or ()))
    written = dict(zip(points.hovertext, points.text, strict=True))[model.feature_names[feature]]
    assert written != model.feature_names[feature]
    assert written.replace("<br>", "").strip() == model.feature_names[feature]
    starts = sorted(arrow.ax for arrow in figure.layout.annotations)
    assert starts == sorted(model.uncertainty[model.dominators[feature], 2])
    assert {arrow.x for arrow in figure.layout.annotations} == {model.uncertainty[feature, 2]}


def test_a_circle_selects_nobody_and_says_so():
    circle = tournament(0.6, kind="circle")
    figure = check(dominance_map(circle, 0, 1), "0 are selected.")
    assert len(named(figure, "dominated (3)").x) == 3
    check(dominance_map(replace(circle, alpha=0.9), 0, 1, looked_at=0), "f₁ is dominated by none.")
