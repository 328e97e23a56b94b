"""A selector that ranks as it is told."""

import numpy as np
import pytest
from sklearn.base import clone

from mlfs import SELECTORS
from mlfs.errors import ParameterError
from mlfs.selectors.external import ExternalSelector

X, Y = np.arange(20.0).reshape(5, 4), [[0], [1], [0], [1], [1]]


def test_it_keeps_the_order_and_never_selects_the_rest():
    selector = clone(ExternalSelector(order=(3, 0))).fit(X, Y)
    assert selector.ranking_.tolist() == [3, 0]
    assert selector.n_selected_ == 2
    assert selector.get_support().tolist() == [True, False, False, True]
    assert np.argsort(-selector.scores_[[3, 0]]).tolist() == [0, 1]
    assert np.isnan(selector.scores_[[1, 2]]).all()
    assert "first 2 of 4 features" in selector.notes_[0]


def test_a_whole_ranking_has_nothing_to_be_told():
    selector = ExternalSelector(order=(3, 0, 1, 2), n_features_to_select=1).fit(X, Y)
    assert selector.n_selected_ == 1
    assert selector.ranking_.tolist() == [3, 0, 1, 2]
    assert not selector.notes_


def test_features_that_there_are_not():
    with pytest.raises(ParameterError, match="order must be a list of column indices from 0 to 3"):
        ExternalSelector(order=(4,)).fit(X, Y)


def test_it_is_no_method_of_the_menu():
    assert ExternalSelector not in SELECTORS.values()
