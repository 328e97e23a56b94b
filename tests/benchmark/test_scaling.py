"""How times grow: exact powers have their exponents, and times too short say nothing."""

import numpy as np
import pandas as pd
import pytest

from mlfs.benchmark.scaling import BASE, exponents, made_name, made_sizes
from mlfs.datasets import load_dataset


def timed(seconds):
    rows = [{"method": "m", **sizes, "seconds": seconds(**sizes), "peak_mib": 1.0} for sizes in made_sizes()]
    return pd.DataFrame(rows)


def test_a_power_law_has_its_exponents():
    table = timed(lambda instances, features, labels: 1e-9 * instances * features**2 * labels**0.5)
    assert exponents(table, "m") == pytest.approx({"instances": 1.0, "features": 2.0, "labels": 0.5})


def test_times_too_short_say_nothing():
    assert np.isnan(list(exponents(timed(lambda **_: 1e-5), "m").values())).all()
    assert np.isnan(list(exponents(timed(lambda **_: 1.0), "unknown").values())).all()


@pytest.mark.parametrize("sizes", made_sizes()[:2], ids=str)
def test_made_sets_have_the_sizes_they_say(sizes):
    ds = load_dataset(made_name(sizes))
    assert (*ds.X.shape, ds.Y.shape[1]) == tuple(sizes[name] for name in BASE)
