"""What Explore offers to copy, run as it stands."""

import contextlib
import io

import pandas as pd
import pytest

from mlfs import load_dataset
from mlfs.datasets import make_synthetic
from mlfs.evaluation import averaged, averaged_baseline, explore_all, get_protocol
from mlfs.recipes import exploration
from tests.recipes.running import put_csv, run_command, run_python


def test_the_program_prints_the_numbers_on_the_screen():
    protocol = get_protocol("quick", repeats=2, scaling="unit", sizes=(1, 5), metrics=("macro_f1", "hamming_loss"))
    recipe = exploration("emotions", ("grro", {"alpha": 10.0}), protocol, seed=4)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(recipe.python, "recipe", "exec"), {})
    table, _, rest = printed.getvalue().partition("with all features: ")
    explored = explore_all(load_dataset("emotions"), ("grro", {"alpha": 10.0}), protocol, seed=4)
    shown = pd.read_csv(io.StringIO(table), sep=r"\s+")
    pd.testing.assert_frame_equal(shown, averaged(explored), check_dtype=False, atol=1e-6)
    assert rest.splitlines()[0] == str(averaged_baseline(explored))
    first = load_dataset("emotions").feature_names[explored[0].selector.ranking_[0]]
    assert rest.splitlines()[1].startswith(f"{first} ")


def test_an_upload_leaves_a_place_for_its_path():
    recipe = exploration("upload-0123", ("els", {}), get_protocol("quick"), seed=0, uploaded=True)
    assert "load_dataset('path/to/your-file')  # An uploaded file: put its path here." in recipe.python
    assert recipe.command == "mlfs curve path/to/your-file els"


@pytest.mark.parametrize("seed", [0, 3])
def test_defaults_are_left_out_of_the_command(seed):
    recipe = exploration("yeast", ("els", {"n_labels": 2}), get_protocol("quick"), seed=seed)
    assert recipe.command == "mlfs curve yeast els:n_labels=2" + (" --seed 3" if seed else "")


def test_an_upload_whose_labels_had_to_be_told(tmp_path):
    ds, protocol = make_synthetic(n_labels=3), get_protocol("quick", sizes=(2,))
    put_csv(ds, tmp_path)
    recipe = exploration("upload-1", ("mim_br", {}), protocol, 0, uploaded=True, labels=-3)
    curve = averaged(explore_all(ds, "mim_br", protocol))
    assert curve.to_string(index=False) in run_python(recipe.python, tmp_path)
    assert f"{curve['hamming_loss'][0]:.4f}" in run_command(recipe.command, tmp_path)
