"""The Data page's recipe prints the numbers of the profile."""

from dataclasses import replace

import pytest

from mlfs.datasets import load_dataset, make_synthetic, profile
from mlfs.recipes.one_dataset import MEASURES, data_profile
from tests.recipes.running import put_csv, run_command, run_python


@pytest.mark.parametrize("name", ["emotions", "synthetic:n_labels=3,sparse=True,seed=1"])
def test_both_print_the_profile(tmp_path, name):
    check(data_profile(name), load_dataset(name), tmp_path)


@pytest.mark.parametrize("by_name", [False, True])
def test_a_file_whose_labels_had_to_be_told(tmp_path, by_name):
    ds = load_dataset("emotions")
    put_csv(ds, tmp_path)
    recipe = data_profile("upload-1234", uploaded=True, labels=list(ds.label_names) if by_name else -6)
    check(recipe, ds, tmp_path, content_only=True)


def test_names_that_a_shell_or_a_list_would_take_for_something_else(tmp_path):
    ds = replace(make_synthetic(n_labels=3), label_names=("-loud", "sad, lonely", "3"))
    put_csv(ds, tmp_path)
    recipe = data_profile("upload-1234", uploaded=True, labels=list(ds.label_names))
    assert recipe.command.endswith("--label=-loud '--label=sad, lonely' --label=3")
    check(recipe, ds, tmp_path, content_only=True)


def check(recipe, ds, folder, content_only=False):
    measures = profile(ds)
    said = run_python(recipe.python, folder)
    for measure in MEASURES:
        assert f"{measure} {getattr(measures, measure)}\n" in said
    for label, count in zip(measures.label_names, measures.label_counts, strict=True):
        assert f"{label} {count} {count / measures.instances}\n" in said
    assert str(measures.co_occurrence) in said
    if not content_only:
        assert ds.source in said
        assert ds.fingerprint in said
    printed = run_command(recipe.command, folder)
    assert f"{measures.cardinality:.4f}" in printed
    assert f"{measures.distinct_labelsets} different" in printed
    for label, count in zip(measures.label_names, measures.label_counts, strict=True):
        assert any(
            line.split()[-2:] == [str(count), f"{count / measures.instances:.4f}"]
            for line in printed.splitlines()
            if label in line
        )
