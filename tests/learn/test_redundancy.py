"""A second feature that copies the first: exact counts, hand-worked scores, the selectors' picks, their figures."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest

from mlfs.errors import ParameterError
from mlfs.learn import advantages, copy_advantage, copying, copying_data, second_pick
from mlfs.learn.redundancy import CRITERIA
from tests.plots.checks import check, named


def rest(p):
    """The entropy of a coin that shows 1 with probability p."""
    return -p * log2(p) - (1 - p) * log2(1 - p)


@pytest.mark.parametrize("copied", [0, 0.35, 1])
def test_copying_shows_in_nothing_but_the_agreement_of_the_two(copied):
    X, Y = copying_data(copied)
    assert len(X) == 5000
    np.testing.assert_array_equal(Y.mean(axis=0), [0.5, 0.5])
    agrees = (Y[:, [0, 0, 1]] == X).mean(axis=0)
    np.testing.assert_allclose(agrees, [0.8, 0.8, 0.7])
    # On its own a pair agrees where both are right or both are wrong: 0.64 + 0.04.
    assert (X[:, 0] == X[:, 1]).mean() == pytest.approx(copied + (1 - copied) * 0.68)


def test_scores_without_copying_worked_by_hand():
    model = copying(0)
    alone = 1 - rest(0.8)
    assert model.scores["mim_br"][1] == pytest.approx(alone)
    # Two witnesses agree on 68 of 100 instances, and are then right on 64 of 68; where they differ they tell nothing.
    together = 1 - 0.68 * rest(64 / 68) - 0.32
    assert model.scores["jmi_br"][1] == pytest.approx(together)
    assert model.scores["jmi_br"][2] == pytest.approx(alone + 1 - rest(0.7))
    assert model.scores["ami"][1] == pytest.approx(alone - (1 - rest(0.68)))
    assert set(model.second.values()) == {1}


def test_a_full_copy_is_picked_by_relevance_alone():
    model = copying(1)
    assert model.second == {"mim_br": 1, "jmi_br": 2, "ami": 2}
    assert model.gain[1] == pytest.approx(0, abs=1e-12)
    assert model.scores["ami"][1] == pytest.approx((1 - rest(0.8)) - 1)


def test_redundancy_asks_for_the_label_and_not_for_the_copy():
    # ρ of a feature that agrees on a share p of balanced instances is 2p − 1; one of two labels has both features.
    for copied in (0, 0.5, 1):
        assert copying(copied).redundancy == pytest.approx((0.6**4 / 2, 0), abs=1e-12)


def test_the_second_pick_has_the_higher_score():
    for copied in np.arange(21) / 20:
        model = copying(float(copied))
        for criterion in CRITERIA:
            assert model.second[criterion] == (1 if model.scores[criterion][1] > model.scores[criterion][2] else 2)


def test_advantages_fall_where_redundancy_counts():
    shares, ahead = advantages()
    np.testing.assert_allclose(ahead["mim_br"], ahead["mim_br"][0])
    for criterion in ("jmi_br", "ami"):
        assert (np.diff(ahead[criterion]) < 0).all()
        assert ahead[criterion][0] > 0 > ahead[criterion][-1]
    at_half = copying(0.5).scores["ami"]
    assert ahead["ami"][shares == 0.5] == pytest.approx(at_half[1] - at_half[2])
    assert not ahead["ami"].flags.writeable


def test_the_board_has_the_scores():
    lines = copying(0).worked()
    assert lines[1] == r"\text{JMI}(f_2)=\sum_l M(f_1;l)+\sum_l M(f_2;l\mid f_1)=0.2781+0.1825=0.4605"
    assert lines[-1] == r"R(\{f_1,f_2\})=0.0648,\quad R(\{f_1,f_3\})=0.0000"


def test_more_than_all_cannot_be_copied():
    with pytest.raises(ParameterError, match=r"^copied must be a number from 0 to 1, not 2\.$"):
        copying(2)


def test_picks_are_marked_and_told():
    model = copying(1)
    figure = check(second_pick(model), "MIM-BR picks f₂", "JMI-BR picks f₃", "AMI picks f₃")
    copy, newcomer = named(figure, "f₂"), named(figure, "f₃")
    assert [word != "" for word in copy.customdata] == [True, False, False]
    assert [word != "" for word in newcomer.customdata] == [False, True, True]
    assert copy.marker.color[0] != copy.marker.color[1] == copy.marker.color[2]
    assert list(copy.y) == [model.scores[criterion][1] for criterion in ("mim_br", "jmi_br", "ami")]
    assert figure.layout.xaxis.ticktext[0] == "MIM-BR<br>picks <b>f₂</b>"


def test_every_bar_fits_the_axis():
    for copied in (0, 0.5, 1):
        figure = second_pick(copying(copied))
        low, high = figure.layout.yaxis.range
        assert all(low < value < high for trace in figure.data for value in trace.y)


SHARES = np.array([0.0, 0.5, 1.0])
AHEAD = {"mim_br": np.array([0.2, 0.2, 0.2]), "ami": np.array([0.1, -0.1, -0.3])}


def test_lines_and_the_mark():
    figure = check(copy_advantage(SHARES, AHEAD, copied=0.5), "MIM-BR never", "AMI prefers f₃ from 50% on")
    np.testing.assert_array_equal(named(figure, "AMI").y, AHEAD["ami"])
    mark = figure.data[-1]
    assert (list(mark.x), mark.showlegend) == ([0.5, 0.5], False)
    assert [note.text for note in figure.layout.annotations] == ["picks f₂", "picks f₃"]


def test_without_a_mark():
    assert len(check(copy_advantage(SHARES, AHEAD)).data) == 2
