"""The figures of an answer say in words, and show, what was chosen."""

import pytest

from mlfs.answer import answer
from mlfs.answer.figures import chance_histogram, frequency_bars, information_heatmap, size_curve
from mlfs.answer.validation import RandomComparison
from tests.answer.data import settings, small
from tests.plots.checks import check, is_empty


@pytest.fixture(scope="module")
def found():
    return answer(small(), settings(), draws=3, permutations=2)


def test_the_chosen_size_is_marked(found):
    choice = found.best.choice
    figure = check(
        size_curve(found.shortlist.results, found.best, baseline=0.25),
        f"Chosen: {choice.size} feature",
        f"best: {choice.best_size}, {choice.best_mean:.4f}",
    )
    marks = {trace.name: trace for trace in figure.data if trace.name}
    assert list(marks[f"chosen: {choice.size}"].y) == [choice.mean]
    assert list(marks[f"best: {choice.best_size}"].x) == [choice.best_size]


def test_features_and_labels(found):
    figure = check(information_heatmap(found.selection), "Mutual information in bits")
    assert figure.data[0].z[0][0] == found.selection.features[0].information[0]
    check(frequency_bars(found.selection), f"{found.selection.names[0]} ")


def test_chance(found):
    figure = check(chance_histogram(found.random), "3 × random features", "p = ")
    assert sum(figure.data[0].y) == 3
    check(chance_histogram(found.permutation), "2 × permuted labels")
    assert is_empty(chance_histogram(RandomComparison("hamming_loss", 3, 0.2, (), 5)))
