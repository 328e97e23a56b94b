"""The Pareto recipe prints the library's numbers."""

from dataclasses import replace

from mlfs import load_dataset
from mlfs.datasets import make_synthetic
from mlfs.evaluation import Explorer, compare_features, get_protocol
from mlfs.recipes import pareto
from tests.recipes.running import put_csv, run_command, run_python

METHODS = [("els", {"n_labels": 2})]


def test_pareto(tmp_path):
    protocol = get_protocol("quick", split="folds", folds=3, metrics=("hamming_loss",), sizes=(5, 10))
    explorer, labels = Explorer(load_dataset("emotions")), ["quiet-still", "sad-lonely"]
    recipe = pareto("emotions", labels, {"alpha": 0.9}, METHODS, protocol, 1, pmfs={"lambda_": 1000.0})
    front = compare_features(explorer, labels, ("mapd", {"alpha": 0.9}), protocol, seed=1)
    said = run_python(recipe.python, tmp_path)
    assert front.table().to_string(index=False) in said
    assert front.steps().to_string(index=False) in said
    pmfs, _ = explorer.fit(("pmfs", {"lambda_": 1000.0}), protocol, seed=1)
    assert f"first front: {[explorer.ds.feature_names[feature] for feature in pmfs.first_front_]}" in said
    printed = run_command(recipe.command, tmp_path)
    assert f"selects {len(front.selected)} of 72 features; {front.on_front.sum()} are on the front" in printed
    for value in front.table()["mean SU"]:
        assert f"{value:.4g}" in printed
    for method in METHODS:
        curve = explorer.explore(method, protocol, seed=1).curve
        assert curve.to_string(index=False) in said
        for loss in curve["hamming_loss"]:
            assert f"{loss:.4f}" in printed


def test_an_upload_without_runs():
    recipe = pareto("upload-1", ["a b", "c"], {}, [], get_protocol("quick"), 0, uploaded=True)
    assert recipe.command == "mlfs pareto path/to/your-file mapd '--under=a b' --under=c"
    assert "path/to/your-file" in recipe.python
    assert ".explore(" not in recipe.python


def test_a_label_that_begins_with_a_dash_in_a_file_that_does_not_tell_labels(tmp_path):
    ds = replace(make_synthetic(n_labels=3), label_names=("-loud", "sad, lonely", "quiet"))
    put_csv(ds, tmp_path)
    under, protocol = ["-loud", "sad, lonely"], get_protocol("quick", sizes=(2,))
    recipe = pareto("upload-1", under, {}, [("mim_br", {})], protocol, 0, uploaded=True, labels=-3)
    front = compare_features(Explorer(ds), under, "mapd", protocol)
    assert front.table().to_string(index=False) in run_python(recipe.python, tmp_path)
    printed = run_command(recipe.command, tmp_path)
    assert f"{front.on_front.sum()} are on the front of -loud, sad, lonely" in printed
    assert f"{Explorer(ds).explore('mim_br', protocol).curve['hamming_loss'][0]:.4f}" in printed
