"""A second feature that copies the first: exact counts, hand-worked scores, and the picks of the selectors."""

from math import log2

import numpy as np
import pytest
from mlfs.learn.copying import CRITERIA

from mlfs.errors import ParameterError
from mlfs.learn import advantages, copying, copying_data


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
    one = 1 - rest(0.8)
    assert model.scores["mim_br"][1] == pytest.approx(one)
    # Two witnesses agree on 68 of 100 instances, and are then right on 64 of 68; where they differ they tell nothing.
    two = 1 - 0.68 * rest(64 / 68) - 0.32
    assert model.scores["jmi_br"][1] == pytest.approx(two)
    assert model.scores["jmi_br"][2] == pytest.approx(one + 1 - rest(0.7))
    assert model.scores["ami"][1] == pytest.approx(one - (1 - rest(0.68)))
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
    shares, found = advantages()
    np.testing.assert_allclose(found["mim_br"], found["mim_br"][0])
    for criterion in ("jmi_br", "ami"):
        assert (np.diff(found[criterion]) < 0).all()
        assert found[criterion][0] > 0 > found[criterion][-1]
    at_half = copying(0.5).scores["ami"]
    assert found["ami"][shares == 0.5] == pytest.approx(at_half[1] - at_half[2])
    assert not found["ami"].flags.writeable


def test_the_board_has_the_scores():
    lines = copying(0).worked()
    assert lines[1] == r"\text{JMI}(f_2)=\sum_l M(f_1;l)+\sum_l M(f_2;l\mid f_1)=0.2781+0.1825=0.4605"
    assert lines[-1] == r"R(\{f_1,f_2\})=0.0648,\quad R(\{f_1,f_3\})=0.0000"


def test_more_than_all_cannot_be_copied():
    with pytest.raises(ParameterError, match=r"^copied must be a number from 0 to 1, not 2\.$"):
        copying(2)
