"""The whole answer: on sets with known truth, as plain parts, and stopped half-way."""

import threading

import pytest

from mlfs import SELECTORS
from mlfs.answer import SHORTLIST, answer, answer_protocol, answer_settings
from mlfs.answer.shortlist import SIZES
from mlfs.answer.validation import choose_on
from mlfs.datasets import Dataset, make_synthetic
from mlfs.evaluation.protocols import configured_selector
from mlfs.selectors import Constraints
from mlfs.selectors.base import FAMILIES
from tests.answer.data import settings, small


def easy(seed: int) -> Dataset:
    """Ten features drive the labels, each label its own, and thirty say nothing."""
    return make_synthetic(n_redundant=0, label_correlation=0.0, seed=seed)


def size_and_found(ds: Dataset, method: str) -> tuple[int, int]:
    """The size by the rule of one standard error, and how many of the first ten features are relevant ones."""
    protocol = answer_protocol(metrics=("hamming_loss",), sizes=[size for size in SIZES if size <= 24])
    asked = answer_settings([method], protocol=protocol)
    _, choice = choose_on(ds, asked, protocol)
    first = configured_selector(asked.choice(0), protocol, ds).fit(ds.X, ds.Y).ranking_[:10]
    return choice.size, len(set(first.tolist()) & set(ds.truth.relevant))


@pytest.mark.parametrize("seed", range(0, 10, 3))
def test_the_number_of_relevant_features_is_found(seed):
    """By methods of five kinds, those of the shortlist among them: from five to fifteen of ten are kept."""
    ds = easy(seed)
    for method in (*SHORTLIST, "mim_br", "relieff_ml", "els:n_labels=6"):
        size, found = size_and_found(ds, method)
        assert (method, found) == (method, 10)
        assert 5 <= size <= 15, method


# A method of each family, and a set of which it has all of the relevant features in front.
OF_EACH_FAMILY = {"jmi_br": 8, "mgfs": 2, "mrdm": 5, "rfs": 3, "pmfs": 8, "relieff_ml": 1, "f_br": 4}


@pytest.mark.parametrize("method", OF_EACH_FAMILY)
def test_a_size_is_as_good_as_the_ranking(method):
    """No rule finds features that a ranking does not have in front, as the one label of ELS's default has not."""
    size, found = size_and_found(easy(OF_EACH_FAMILY[method]), method)
    assert found == 10
    assert 5 <= size <= 15


def test_every_family_has_its_turn():
    assert {SELECTORS[method].family for method in OF_EACH_FAMILY} == set(FAMILIES) - {"baselines"}


def test_all_parts_are_there_and_growing():
    states, steps = [], []
    found = answer(
        small(),
        settings(),
        draws=2,
        permutations=2,
        nested=True,
        partial=states.append,
        progress=lambda done, total, text: steps.append((done, total)),
    )
    assert (len(found.random.values), len(found.permutation.values), len(found.nested.values)) == (2, 2, 3)
    assert not found.stopped
    assert len(states) == 2 + 3 + 2
    assert steps == [(done, 13) for done in range(1, 14)]
    assert found.nested.optimistic == found.best.choice.mean == found.random.observed
    assert len(found.selection.features) == found.best.choice.size


def test_stopping_keeps_what_is_there():
    cancel = threading.Event()
    found = answer(small(), settings(), draws=5, permutations=5, partial=lambda state: cancel.set(), cancel=cancel)
    assert found.stopped
    assert len(found.random.values) == 1
    assert found.permutation is None
    assert found.selection.features


def test_stopped_while_methods_run():
    cancel = threading.Event()
    found = answer(small(), settings(), progress=lambda *_: cancel.set(), cancel=cancel)
    assert found.stopped
    assert found.best.method == "els"
    assert any(note.startswith("2 methods of 2 were not run on all splits: it was stopped") for note in found.notes)


def test_constraints_hold_in_the_answer():
    asked = settings(constraints=Constraints(always_keep=(9,), never_use=(0, 1), groups=((3, 4),)))
    found = answer(small(), asked, draws=1)
    chosen = set(found.selection.indices)
    assert 9 in chosen
    assert not chosen & {0, 1}
    assert len(chosen & {3, 4}) in (0, 2)
