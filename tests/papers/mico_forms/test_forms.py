"""Forms of MICO: what they rank by, worked by hand on three features, and the one that is our own reading."""

import numpy as np
import pytest

from mlfs.papers.mico_forms.forms import RELEVANCES, SOLVERS, FormInputs, MicoForm, Programme, forms, orders
from mlfs.selectors import make_selector
from mlfs.selectors.evidence import Information
from tests.information.brute import H, M

C, G = np.array([3.0, 2.0, 0.5]), np.diag([4.0, 1.0, 1.0])


def test_every_form_is_its_own():
    every = list(forms())
    assert len(every) == len(set(every)) == 3080


@pytest.mark.parametrize(
    ("solver", "weights"),
    [
        # Independent features: x = c/G where x may be anything from 0; the slope falls by what a unit takes.
        ("inverse", [0.75, 2.0, 0.5]),
        ("nonnegative", [0.75, 2.0, 0.5]),
        ("box", [0.75, 1.0, 0.5]),
        ("linear", [0.6, 1.0, 0.25]),
        ("first step", [3 - 4 / 3, 2 - 1 / 3, 0.5 - 1 / 3]),
        # Σx = 1: slopes 3 − 4x, 2 − x and 0.5 − x are equal at −λ: 0.75 + 2 + 0.5 + λ(0.25 + 1 + 1) = 1, so λ = −1.
        ("sum to one", [0.5, 1.0, -0.5]),
        # x ≥ 0 too: 3 − 4x = 2 − (1 − x) gives x = 0.4, where the third feature's slope 0.5 is below 1.4.
        ("simplex", [0.4, 0.6, 0.0]),
    ],
)
def test_solvers_by_hand(solver, weights):
    assert SOLVERS[solver](Programme(C, G), 1.0) == pytest.approx(np.array(weights), abs=1e-5)


@pytest.mark.parametrize("solver", ["simplex, 1000 steps", "exponentiated, 1000 steps"])
def test_many_steps_come_to_the_minimum(solver):
    assert SOLVERS[solver](Programme(C, G), 1.0) == pytest.approx(np.array([0.4, 0.6, 0.0]), abs=1e-6)


@pytest.fixture(scope="module")
def quantities():
    rng = np.random.default_rng(1)
    Y = rng.integers(0, 2, (60, 3))
    X = np.column_stack([rng.integers(0, 3, 60), Y[:, 0] ^ (rng.random(60) < 0.2), rng.integers(0, 2, (60, 4))])
    return FormInputs(Information(X.astype(float), Y, n_bins=3, discretization="equal_width"))


@pytest.mark.parametrize(
    ("relevance", "of"),
    [
        ("sum", lambda f, labels: sum(M(f, label) for label in labels)),
        ("mean", lambda f, labels: sum(M(f, label) for label in labels) / 3),
        ("max", lambda f, labels: max(M(f, label) for label in labels)),
        ("SU", lambda f, labels: sum(2 * M(f, label) / (H(f) + H(label)) for label in labels)),
        ("labelset", lambda f, labels: M(f, labels[0] * 4 + labels[1] * 2 + labels[2])),
        ("related labels", lambda f, labels: sum(M(f, a) * sum(M(a, b) for b in labels) for a in labels)),
    ],
)
def test_relevance_from_counts(quantities, relevance, of):
    evidence = quantities.evidence
    features, labels = np.asarray(evidence.X, dtype=int).T, evidence.Y.T.astype(int)
    assert RELEVANCES[relevance](evidence) == pytest.approx([of(f, list(labels)) for f in features], abs=1e-12)


def test_our_reading_is_one_of_them(quantities):
    """Simplex with the entropies on the diagonal, ties by the gradient: `mico` itself, here with few weights."""
    evidence = quantities.evidence
    mine = make_selector("mico", n_bins=3, redundancy_weight=0.1).fit(evidence.X, evidence.Y)
    assert np.count_nonzero(mine.weights_) < 5
    found = orders(MicoForm("sum", "MI", "H", "0.1", "simplex"), quantities)
    assert found["gradient"].tolist() == mine.ranking_.tolist()


def test_features_without_a_weight_are_told_apart_by_the_rule():
    class Given(FormInputs):
        def programme(self, form):
            return Programme(np.array([5.0, 0.1, 0.3, 0.2]), np.diag([1.0, 1, 1, 1]))

    found = orders(MicoForm("sum", "MI", "H", "1", "simplex"), Given(None))
    assert {name: order.tolist() for name, order in found.items()} == {
        "index": [0, 1, 2, 3],
        "last": [0, 3, 2, 1],
        "gradient": [0, 2, 3, 1],
        "relevance": [0, 2, 3, 1],
    }
