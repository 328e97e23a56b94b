"""The Noise recipe prints the library's numbers."""

import re

from mlfs import load_dataset
from mlfs.datasets import make_synthetic
from mlfs.evaluation import get_protocol, noise_table
from mlfs.recipes import noise
from tests.recipes.running import put_csv, run_command, run_python

METHODS = [("els", {"n_labels": 2}), ("mim_br", {})]


def test_noise(tmp_path):
    protocol = get_protocol("quick", split="folds", folds=3, stratified=True)
    recipe = noise("emotions", METHODS, protocol, 7)
    table = noise_table(load_dataset("emotions"), METHODS, protocol, seed=7)
    assert run_python(recipe.python, tmp_path).rstrip("\n") == table.to_string(index=False)
    printed = run_command(recipe.command, tmp_path)
    for value in [*table["redundancy"], *table["residual_label_correlation"]]:
        assert re.search(rf"(?<![\d.]){re.escape(f'{value:.4g}')}(?!\d)", printed)


def test_an_upload_whose_labels_had_to_be_told(tmp_path):
    ds, protocol = make_synthetic(n_labels=3), get_protocol("quick")
    put_csv(ds, tmp_path)
    recipe = noise("upload-1", METHODS, protocol, 0, uploaded=True, labels=list(ds.label_names))
    table = noise_table(ds, METHODS, protocol)
    assert run_python(recipe.python, tmp_path).rstrip("\n") == table.to_string(index=False)
    assert f"{table['redundancy'].iloc[1]:.4g}" in run_command(recipe.command, tmp_path)
