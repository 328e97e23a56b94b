"""What is said of data that are not the catalogue's, or not parted as a paper prints it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mlfs.datasets import Dataset, bundled_names, load_dataset
from mlfs.papers import get_experiment
from mlfs.papers.data_notes import drawn_at_random, labels_without_positives, unlike_catalogue, unlike_printed_split


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


@pytest.mark.parametrize(
    ("name", "rows", "labels", "sizes"),
    [
        ("llog", 1460, 75, (978, 482)),
        ("slashdot", 3782, 22, (2546, 1236)),
        ("corel16k001", 13766, 153, (9241, 4525)),
        ("corel16k002", 13761, 164, (9165, 4596)),
    ],
)
@pytest.mark.parametrize("result", ["table2", "table4"])
def test_rows_are_drawn_in_the_printed_sizes_where_no_split_is_distributed(name, rows, labels, sizes, result):
    experiment = get_experiment("zhang_2020_grro", result)
    found = blank(name, rows, labels)
    arranged = experiment.arranged(found)
    [split] = experiment.splits(arranged, name)
    assert tuple(map(len, split)) == sizes
    assert np.array_equal(np.sort(np.concatenate(split)), np.arange(rows))
    assert (np.diff(np.concatenate(split)) != 1).sum() > rows / 10  # drawn, not cut off
    assert unlike_printed_split("zhang_2020_grro", name, [split]) == []
    assert drawn_at_random(name, found, arranged) == [
        f"{name} came without a split: {sizes[0]} of its rows were drawn at random to train and {sizes[1]} to test, "
        "so its numbers are another draw than the paper had."
    ]
    again = experiment.arranged(found).split
    assert all(np.array_equal(*pair) for pair in zip(split, again, strict=True))


def test_a_split_that_came_with_the_data_stays():
    experiment = get_experiment("zhang_2020_grro", "table2")
    slashdot = blank("slashdot", 3782, 22, train=2000)
    assert experiment.arranged(slashdot) is slashdot
    assert drawn_at_random("slashdot", slashdot, slashdot) == []


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
