"""The Data page's recipe prints the numbers of the profile."""

import pytest

from mlfs.datasets import load_dataset, profile
from mlfs.datasets.writers import write_dataset
from mlfs.recipes.data import MEASURES, data_profile
from tests.recipes.running import run_command, run_python


@pytest.mark.parametrize("name", ["emotions", "synthetic:n_labels=3,sparse=True,seed=1"])
def test_both_print_the_profile(tmp_path, name):
    check(data_profile(name), load_dataset(name), tmp_path)


@pytest.mark.parametrize("by_name", [False, True])
def test_a_file_whose_labels_had_to_be_told(tmp_path, by_name):
    ds = load_dataset("emotions")
    write_dataset(ds, tmp_path / "mine.csv")
    recipe = data_profile("upload-1234", uploaded=True, labels=list(ds.label_names) if by_name else -6)
    (tmp_path / "path" / "to").mkdir(parents=True)
    (tmp_path / "mine.csv").rename(tmp_path / "path" / "to" / "your-file")
    check(recipe, ds, tmp_path, content_only=True)


def check(recipe, ds, folder, content_only=False):
    found = profile(ds)
    said = run_python(recipe.python, folder)
    for measure in MEASURES:
        assert f"{measure} {getattr(found, measure)}\n" in said
    for label, count in zip(found.label_names, found.label_counts, strict=True):
        assert f"{label} {count} {count / found.instances}\n" in said
    assert str(found.co_occurrence) in said
    if not content_only:
        assert ds.source in said
        assert ds.fingerprint in said
    printed = run_command(recipe.command, folder)
    assert f"{found.cardinality:.4f}" in printed
    assert f"{found.distinct_labelsets} different" in printed
    for label, count in zip(found.label_names, found.label_counts, strict=True):
        assert any(
            line.split()[-2:] == [str(count), f"{count / found.instances:.4f}"]
            for line in printed.splitlines()
            if label in line
        )
