"""SSFS and SCMFS: their objectives from the formulas, descent, starts, and the bound on Q."""

import numpy as np
import pytest
from scipy import sparse

from mlfs.selectors import SCMFS, SSFS
from tests.selectors.descent_data import heat_graph, laplacian, linear_data, never_rises, row_norm_sum, unit

both = pytest.mark.parametrize("method", [SSFS, SCMFS])
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def objective(selector, X, Y):
    X, V, a, b, c = unit(X), selector.latent_, selector.alpha, selector.beta, selector.gamma
    C, labels = selector.coefficients_, ((Y - V @ selector.basis_) ** 2).sum()
    if isinstance(selector, SSFS):
        smooth = np.trace(V.T @ laplacian(heat_graph(X)) @ V)
        return ((X - V @ C.T) ** 2).sum() + a * labels + b * smooth + c * row_norm_sum(C)
    rebuilt = ((X - V @ selector.feature_basis_) ** 2).sum()
    return ((X @ C - V) ** 2).sum() + a * rebuilt + b * labels + c * row_norm_sum(C)


@both
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_matrix], ids=["dense", "sparse"])
def test_objective_is_the_formula(method, form):
    X, Y = linear_data(0)
    selector = method(alpha=0.7, beta=0.3, gamma=0.5, n_latent=3, max_iter=15, tol=0.0).fit(form(X), Y)
    assert selector.history_["objective"][-1] == pytest.approx(objective(selector, X, Y), rel=1e-9)
    np.testing.assert_allclose(selector.scores_, np.sqrt((selector.coefficients_**2).sum(axis=1)))


@pytest.mark.parametrize(
    "make", [SSFS, SCMFS, lambda **more: SCMFS(variant="printed", **more)], ids=["ssfs", "scmfs", "printed"]
)
@pytest.mark.parametrize(("n", "d"), [(60, 12), (20, 30)])
def test_objective_never_rises_and_nothing_is_negative(make, n, d):
    X, Y = linear_data(1, n, d)
    for alpha, beta, gamma in ((1e-3, 1, 1), (1, 100, 1), (1, 1, 100), (0.1, 0.1, 0.1)):
        selector = make(alpha=alpha, beta=beta, gamma=gamma, max_iter=80, n_init=2).fit(X, Y)
        assert never_rises(selector.history_["objective"])
        assert min(selector.coefficients_.min(), selector.latent_.min(), selector.basis_.min()) >= 0


@both
def test_the_lowest_of_several_starts_counts(method):
    X, Y = linear_data(2)
    one, four = method(max_iter=60).fit(X, Y), method(max_iter=60, n_init=4).fit(X, Y)
    assert four.history_["objective"][-1] <= one.history_["objective"][-1]
    assert any(note.startswith("4 starts ended with objectives from") for note in four.notes_)
    assert np.array_equal(four.scores_, method(max_iter=60, n_init=4).fit(X, Y).scores_)
    # The latent labels are those of the start that counts.
    assert four.history_["objective"][-1] == pytest.approx(objective(four, X, Y), rel=1e-9)


@both
def test_order_of_labels_does_not_matter(method):
    X, Y = linear_data(3)
    plain, turned = (method(max_iter=20, n_init=2).fit(X, labels).scores_ for labels in (Y, Y[:, ::-1]))
    np.testing.assert_allclose(turned, plain, rtol=1e-6, atol=1e-9)


def test_the_bound_keeps_the_coefficients_from_shrinking_away():
    X, Y = linear_data(4)
    short, long = ([SCMFS(variant=v, max_iter=m, tol=0.0).fit(X, Y) for m in (100, 3000)] for v in ("paper", "printed"))
    assert np.linalg.norm(short[0].feature_basis_, axis=1).max() <= 1 + 1e-12
    assert short[1].scores_.sum() > 0.5 * short[0].scores_.sum()
    assert long[1].scores_.sum() < 0.5 * long[0].scores_.sum()
    assert any("no minimum" in note for note in long[0].notes_)


def test_labels_that_are_not_heard_are_told():
    X, Y = linear_data(5)
    total, labels = (unit(X) ** 2).sum(), Y.sum()
    least = 0.01 / 0.99 * total / labels
    quiet, heard = (SSFS(alpha=factor * least, max_iter=5).fit(X, Y).notes_ for factor in (0.9, 1.1))
    assert any(note.endswith("a larger alpha listens to the labels.") and "0.9% of what" in note for note in quiet)
    assert not any("listens" in note for note in heard)
