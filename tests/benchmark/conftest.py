"""A store with a few cells of the benchmark, and what is gathered from it."""

import pytest

from mlfs.benchmark import make_benchmark, run_benchmark
from mlfs.studies import Store
from tests.benchmark.made import METHODS
from tests.studies.support import Remembering


@pytest.fixture(scope="package")
def store(tmp_path_factory):
    """Two splits of one set by a few methods, and a third that only one of them has."""
    with Store(tmp_path_factory.mktemp("benchmark") / "cells.sqlite") as made:
        how = {"datasets": ["emotions", "nowhere"], "classifiers": ["mlknn", "brlr"], "engine": Remembering()}
        done = run_benchmark(made, methods=METHODS, parts=["default"], splits=2, **how)
        assert (done.cells, done.computed, done.failed, done.limited) == (24, 16, 0, 0)  # a split is looked at twice
        assert list(done.missing) == ["nowhere"]
        run_benchmark(made, methods=["mfs"], parts=["default"], splits=3, **how)
        yield made


@pytest.fixture(scope="package")
def made(store):
    return make_benchmark(store, datasets=["emotions"], methods=METHODS, machine="a test")
