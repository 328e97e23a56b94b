"""The five papers' protocols say what the papers say; a selector is set up as its protocol and its choice demand."""

import numpy as np
import pytest

from mlfs import load_dataset
from mlfs.datasets import Dataset, make_synthetic
from mlfs.errors import ParameterError
from mlfs.evaluation import PROTOCOLS, get_protocol
from mlfs.evaluation.protocols import configured_selector, method_and_parameters, parameters_text
from mlfs.selectors import make_selector


@pytest.mark.parametrize(
    ("name", "splits", "test_share", "sizes"),
    [
        ("lee_kim_2016", 10, 0.2, [1, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50]),
        ("wang_2020_elc", 5, 0.2, [7, 14, 22, 29, 36, 43, 50, 58, 65]),
        ("sechidis_2014", 30, 0.5, list(range(1, 73))),
        ("zhou_2023_mapd", 25, 0.2, []),
        ("zhang_2020_grro", 1, 202 / 593, list(range(1, 51))),
    ],
)
def test_papers(name, splits, test_share, sizes):
    emotions = load_dataset("emotions")
    protocol = get_protocol(name)
    drawn = list(protocol.splits(emotions))
    assert len(drawn) == protocol.n_splits == splits
    assert np.mean([len(test) for _, test in drawn]) / 593 == pytest.approx(test_share, abs=0.002)
    assert protocol.sizes_for(72) == sizes


def test_classifiers_scaling_and_bins():
    assert PROTOCOLS["sechidis_2014"].classifier.k == 7
    assert PROTOCOLS["lee_kim_2016"].classifier.C == 1e6
    assert {name: p.scaling for name, p in PROTOCOLS.items() if p.scaling != "none"} == {
        "wang_2020_elc": "z_score",
        "zhang_2020_grro": "unit_parts",
    }
    strict = {"n_bins": 2, "discretization": "equal_frequency_strict"}
    assert dict(PROTOCOLS["zhang_2020_grro"].selector_parameters) == strict
    assert dict(PROTOCOLS["lee_kim_2016"].selector_parameters) == {"n_bins": 2, "discretization": "equal_width"}


def test_sizes_never_exceed_the_features():
    assert get_protocol("lee_kim_2016").sizes_for(12) == [1, 5, 10, 12]
    assert get_protocol("wang_2020_elc").sizes_for(3) == [1, 2, 3]


def test_messages():
    with pytest.raises(ParameterError, match="no protocol 'lee_kim': did you mean 'lee_kim_2016'"):
        get_protocol("lee_kim")
    with pytest.raises(ParameterError, match="no split 'fold': did you mean 'folds'"):
        get_protocol("quick", split="fold").splits(make_synthetic())


def test_what_a_choice_sets_goes_before_the_protocol():
    ds, protocol = load_dataset("emotions"), get_protocol("zhang_2020_grro")
    by_protocol = configured_selector("grro", protocol, ds)
    assert (by_protocol.n_bins, by_protocol.discretization) == (2, "equal_frequency_strict")
    for choice in (("grro", {"n_bins": 4}), make_selector("grro", n_bins=4)):
        chosen = configured_selector(choice, protocol, ds)
        assert (chosen.n_bins, chosen.discretization) == (4, "equal_frequency_strict")


def test_the_data_and_the_sizes_set_the_rest():
    X = np.column_stack([np.arange(8), [0, 1] * 4, np.arange(8)[::-1]])
    ds = Dataset(X, np.eye(8, 2, dtype=int), list("abc"), ["p", "q"], "mixed", categories={1: ("x", "y")})
    selector = configured_selector(
        ("els", {"n_features_to_select": 1}), get_protocol("quick", sizes=(1, 2)), ds, n_jobs=1
    )
    assert selector.n_features_to_select == 2
    assert list(selector.categorical_features) == [1]
    assert selector.n_jobs == 1
    assert configured_selector("mapd", get_protocol("quick", sizes=()), ds).n_features_to_select is None


def test_the_parameters_of_a_choice():
    assert method_and_parameters("els") == ("els", {})
    assert method_and_parameters(("els", {"n_labels": 2})) == ("els", {"n_labels": 2})
    assert method_and_parameters(make_selector("els", n_labels=2)) == ("els", {"n_labels": 2})
    assert parameters_text("els", {"n_labels": 2, "n_bins": np.int64(3)}) == '{"n_bins": 3, "n_labels": 2}'
    with pytest.raises(ParameterError, match="The parameters of els must be plain numbers and words, not"):
        parameters_text("els", {"n_labels": object()})
