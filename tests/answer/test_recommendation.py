"""The whole answer: on sets with known truth, as plain parts, and stopped half-way."""

import threading

import pytest

from mlfs.answer import answer, answer_settings, run_methods
from mlfs.datasets import make_synthetic
from mlfs.evaluation import Explorer
from mlfs.selectors import Constraints
from tests.answer.data import settings, small


@pytest.mark.parametrize("seed", range(10))
def test_the_number_of_relevant_features_is_found(seed):
    """Ten features drive the labels, each label its own, and thirty say nothing: from five to fifteen are kept."""
    ds = make_synthetic(n_redundant=0, label_correlation=0.0, seed=seed)
    *_, state = run_methods(Explorer(ds), answer_settings(["scls"]))
    assert 5 <= state.best.choice.size <= 15


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
    assert any(note.startswith("2 methods of 2 had no turn or not all splits: it was stopped") for note in found.notes)


def test_constraints_hold_in_the_answer():
    asked = settings(constraints=Constraints(always_keep=(9,), never_use=(0, 1), groups=((3, 4),)))
    found = answer(small(), asked, draws=1)
    chosen = set(found.selection.indices)
    assert 9 in chosen
    assert not chosen & {0, 1}
    assert len(chosen & {3, 4}) in (0, 2)
