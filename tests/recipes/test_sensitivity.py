"""Sensitivity's recipe prints the page's numbers, as Python and as commands."""

import io
from dataclasses import replace

import pandas as pd
import pytest

from mlfs.datasets import make_synthetic
from mlfs.recipes import sensitivity
from mlfs.studies import MethodGrid, Plan, Store, run
from mlfs.studies.sweep import held_at, numbers
from tests.recipes.running import put_csv, run_command, run_python
from tests.studies.support import Here

GRID = MethodGrid("grro_ls", {"variant": "authors"}, {"alpha": [0.1, 1], "beta": [1], "k": [2, 5]})
PLAN = Plan('GRRO\'s α × β, "k"', ["synthetic"], [GRID], settings={"sizes": (1, 5), "repeats": 2}, seeds=(3,))


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    with Store(tmp_path_factory.mktemp("plain") / "s.sqlite") as store:
        run(PLAN, store, engine=Here())
        return numbers(held_at(store.results(PLAN), {"k": 5}), ["alpha", "beta"], "hamming_loss", [5])


def test_both_print_the_numbers_of_the_page(tmp_path, expected):
    recipe = sensitivity(PLAN, ["alpha", "beta"], "hamming_loss", [5], {"k": 5})
    printed = pd.read_csv(io.StringIO(run_python(recipe.python, tmp_path)), sep=r"\s+")
    assert printed.to_numpy() == pytest.approx(expected.to_numpy(dtype=float), abs=1e-6)
    # In the same folder, hence with the same store: the command finds the cells that the program computed.
    out = run_command(recipe.command, tmp_path)
    assert "8: 8 already done, 0 computed" in out
    assert "grro_ls on synthetic, hamming_loss" in out
    for mean, std in zip(expected["mean"], expected["std"], strict=True):
        assert f"{mean:.4f}  {std:.4f}" in out
    assert Plan.read(tmp_path / "sweep.toml") == PLAN


def test_an_uploads_place_is_left_to_the_reader():
    recipe = sensitivity(PLAN, ["alpha", "beta"], "ACR", [None], {"k": 5}, uploaded=True)
    assert "['path/to/your-file']" in recipe.python
    assert 'datasets = ["path/to/your-file"]' in recipe.command
    assert "--metric ACR --at last --hold k=5" in recipe.command


def test_of_several_data_sets_the_one_on_the_page(expected):
    several = replace(PLAN, datasets=("emotions", "synthetic"))
    assert sensitivity(several, ["alpha"], "hamming_loss", [5], dataset="synthetic") == sensitivity(
        PLAN, ["alpha"], "hamming_loss", [5]
    )


def test_an_upload_whose_labels_had_to_be_told(tmp_path, expected):
    put_csv(make_synthetic(), tmp_path)
    recipe = sensitivity(PLAN, ["alpha", "beta"], "hamming_loss", [5], {"k": 5}, uploaded=True, labels=-6)
    printed = pd.read_csv(io.StringIO(run_python(recipe.python, tmp_path)), sep=r"\s+")
    assert printed.to_numpy() == pytest.approx(expected.to_numpy(dtype=float), abs=1e-6)
    out = run_command(recipe.command, tmp_path)
    for mean, std in zip(expected["mean"], expected["std"], strict=True):
        assert f"{mean:.4f}  {std:.4f}" in out
