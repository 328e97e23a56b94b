"""Points, the stair of the front, and arrows from those that dominate."""

from dataclasses import replace

import numpy as np
import pytest

from mlfs.learn import tournament
from mlfs.plots import dominance_map
from tests.plots.checks import check, named


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


def test_an_arrow_from_each_that_dominates(model):
    feature = next(i for i, found in enumerate(model.dominators) if len(found) > 1)
    figure = check(dominance_map(model, 2, 3, looked_at=feature), f"{model.feature_names[feature]} is dominated by")
    starts = sorted(arrow.ax for arrow in figure.layout.annotations)
    assert starts == sorted(model.uncertainty[model.dominators[feature], 2])
    assert {arrow.x for arrow in figure.layout.annotations} == {model.uncertainty[feature, 2]}


def test_a_circle_selects_nobody_and_says_so():
    circle = tournament(0.6, kind="circle")
    figure = check(dominance_map(circle, 0, 1), "0 are selected.")
    assert len(named(figure, "dominated (3)").x) == 3
    check(dominance_map(replace(circle, alpha=0.9), 0, 1, looked_at=0), "f₁ is dominated by none: selected")
