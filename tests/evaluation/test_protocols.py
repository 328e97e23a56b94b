"""The five papers' protocols say what the papers say of their experiments."""

import numpy as np
import pytest

from mlfs import load_dataset
from mlfs.datasets import make_synthetic
from mlfs.errors import ParameterError
from mlfs.evaluation import PROTOCOLS, get_protocol


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
        "zhang_2020_grro": "unit",
    }
    assert dict(PROTOCOLS["zhang_2020_grro"].selector_parameters) == {"n_bins": 2, "discretization": "equal_frequency"}
    assert dict(PROTOCOLS["lee_kim_2016"].selector_parameters) == {"n_bins": 2, "discretization": "equal_width"}


def test_sizes_never_exceed_the_features():
    assert get_protocol("lee_kim_2016").sizes_for(12) == [1, 5, 10, 12]
    assert get_protocol("wang_2020_elc").sizes_for(3) == [1, 2, 3]


def test_messages():
    with pytest.raises(ParameterError, match="no protocol 'lee_kim': did you mean 'lee_kim_2016'"):
        get_protocol("lee_kim")
    with pytest.raises(ParameterError, match="no split 'fold': did you mean 'folds'"):
        get_protocol("quick", split="fold").splits(make_synthetic())
