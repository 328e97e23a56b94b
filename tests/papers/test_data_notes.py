"""What is said of data that are not the catalogue's, or not parted as a paper prints it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mlfs.datasets import Dataset, bundled_names, load_dataset
from mlfs.papers import get_experiment
from mlfs.papers.data_notes import labels_without_positives, unlike_catalogue, unlike_printed_split


def blank(name: str, n: int, q: int, train: int | None = None) -> Dataset:
    """One feature, no label given; the first rows train."""
    rows, labels = np.arange(n), [f"label {number}" for number in range(q)]
    split = None if train is None else (rows[:train], rows[train:])
    return Dataset(np.zeros((n, 1)), np.zeros((n, q), dtype=int), ["feature"], labels, name, split)


def test_bundled_sets_are_the_catalogue_s():
    for name in bundled_names():
        assert unlike_catalogue(name, load_dataset(name)) == []


def test_a_set_of_the_same_size_with_other_labels_is_told():
    emotions = load_dataset("emotions")
    upside_down = replace(emotions, Y=1 - emotions.Y)  # 593 × 6 labels, of which 1108 were given
    first = unlike_catalogue("emotions", upside_down)[0]
    assert (
        first == f"emotions has {6 - 1108 / 593:.3f} labels per instance, but the catalogue lists 1.869 for emotions."
    )


def test_names_that_the_catalogue_lacks_have_no_sizes_to_compare():
    assert unlike_catalogue("mine", load_dataset("emotions")) == []


@pytest.mark.parametrize("result", ["table2", "table4"])  # table 4 measures time, without a study
def test_a_split_in_other_sizes_than_printed_is_told(result):
    experiment = get_experiment("zhang_2020_grro", result)
    for cut, said in (
        (1000, []),
        (1501, ["image has 1501 training and 499 test rows here, and the paper prints 1000 and 1000."]),
    ):
        image = blank("image", 2000, 5, train=cut)
        assert unlike_printed_split("zhang_2020_grro", "image", experiment.splits(image, "image")) == said


def test_medical_is_compared_as_the_paper_used_it():
    experiment = get_experiment("zhang_2020_grro", "table2")
    medical = blank("medical", 978, 45, train=333)
    splits = experiment.splits(experiment.arranged(medical), "medical")
    assert unlike_printed_split("zhang_2020_grro", "medical", splits) == []


def test_a_random_split_has_the_printed_sizes():
    llog = blank("llog", 1460, 75)
    splits = list(get_experiment("zhang_2020_grro", "table2").splits(llog, "llog"))
    assert [tuple(map(len, split)) for split in splits] == [(978, 482)]


def test_a_paper_that_prints_no_split_needs_none():
    def never():
        raise AssertionError("There is nothing to compare with.")
        yield

    assert unlike_printed_split("wang_2020_elc", "emotions", never()) == []


def test_labels_without_positives_are_counted_in_every_split():
    Y = np.array([[1, 1, 0], [1, 0, 0], [0, 0, 1], [0, 1, 1]])
    ds = Dataset(np.zeros((4, 1)), Y, ["feature"], ["a", "b", "c"], "toy")
    first, last, all_rows = np.arange(2), np.arange(2, 4), np.arange(4)
    assert labels_without_positives("toy", ds, [(first, all_rows)]) == []
    assert labels_without_positives("toy", ds, [(last, np.array([1]))]) == [
        "On toy 2 of 3 labels have no positive among the test rows: Macro-F1 counts them as 1 where they are never "
        "predicted."
    ]
    assert labels_without_positives("toy", ds, [(last, first), (first, all_rows)]) == [
        "On toy up to 1 of 3 labels has no positive among the test rows of a split: Macro-F1 counts it as 1 where it "
        "is never predicted."
    ]
