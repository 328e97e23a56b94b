"""The Noise recipe prints the library's numbers."""

import re

from mlfs import load_dataset
from mlfs.evaluation import get_protocol, noise_table
from mlfs.recipes import noise
from tests.recipes.running import run_command, run_python

METHODS = [("els", {"n_labels": 2}), ("mim_br", {})]


def test_noise(tmp_path):
    protocol = get_protocol("quick", split="folds", folds=3, stratified=True)
    recipe = noise("emotions", METHODS, protocol, 7)
    table = noise_table(load_dataset("emotions"), METHODS, protocol, seed=7)
    assert run_python(recipe.python, tmp_path).rstrip("\n") == table.to_string(index=False)
    printed = run_command(recipe.command, tmp_path)
    for value in [*table["redundancy"], *table["residual_label_correlation"]]:
        assert re.search(rf"(?<![\d.]){re.escape(f'{value:.4g}')}(?!\d)", printed)
