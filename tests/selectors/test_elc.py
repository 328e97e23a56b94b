"""ELC: Algorithm 1 written out, the authors' golden set, and the convex problem against another solver."""

import tracemalloc
import warnings
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning, NotFittedError

from mlfs.datasets import load_bundled, make_synthetic
from mlfs.errors import ParameterError
from mlfs.selectors import SELECTORS, make_selector
from mlfs.similarity import label_similarity, released_label_similarity
from tests.selectors.data import awkward

TOY = np.load(Path(__file__).parents[1] / "golden" / "toy.npz")
X, Y = TOY["X_train"], TOY["Y_train"]
LOOPS = ("paper", "printed", "authors")
VARIANTS = (*LOOPS, "exact")


@pytest.fixture(scope="module")
def emotions():
    data = load_bundled("emotions")
    selector = make_selector("elc")
    return data, selector.prepare(data.X, data.Y)


def standardise(X, ddof=0):
    spread = X.std(axis=0, ddof=ddof)
    return (X - X.mean(axis=0)) / np.where(spread > 0, spread, np.inf)


def root(S, n):
    """Γ* = nΦΣ^½."""
    values, vectors = np.linalg.eigh(S)
    return n * vectors[:, ::-1] * np.sqrt(np.maximum(values[::-1], 0))


def algorithm_1(X, Y, k, variant, lambda_, beta, steps):
    """Lines 2–10 with whole matrices and ÂᵀÂ; returns first and last set, W, and the objective of (3)."""
    Y, (n, d) = Y.astype(float), X.shape
    Z = standardise(X, ddof=1 if variant == "authors" else 0)
    S = released_label_similarity(Y) if variant == "authors" else label_similarity(Y)
    A, target = Y.T @ Z, root(S, n)
    norm = (lambda M: np.linalg.norm(M, 2)) if variant == "authors" else (lambda M: np.linalg.norm(M))

    def lowest(values):
        return np.sort(np.argsort(values, kind="stable")[:k])

    first = chosen = lowest([np.sum((np.outer(Y.T @ f, Y.T @ f) / n**2 - S) ** 2) for f in Z.T])
    W, V = np.zeros((d, Y.shape[1])), np.full((d, Y.shape[1]), 1 / d)
    tau, objective = 1 / np.abs(np.linalg.eigvalsh(A.T @ A)).max(), [0.5 * np.sum(target**2)]
    for step in range(1, steps + 1):
        T = W - V / beta if variant == "paper" else W + V / beta
        if variant == "authors":
            U = max(norm(T) - lambda_ / beta, 0) * T / norm(T)
        else:
            U = np.array([max(norm(row) - lambda_ / beta, 0) * row / norm(row) for row in T])
        P = np.diag(np.isin(np.arange(d), chosen).astype(float))
        gradient = P @ A.T @ (A @ P @ W - target)
        before, W = W, tau / (beta * tau + 1) * (beta * U + V + (W - tau * gradient) / tau)
        # ‖Yᵀf w − Γ*‖² less ‖Γ*‖², beside which the rows outside the set would be rounding.
        fits = [np.outer(A[:, i], W[i]) for i in range(d)]
        chosen = lowest([np.sum(fit**2) - 2 * np.sum(fit * target) for fit in fits])
        V = V - beta * (W - U)
        P = np.diag(np.isin(np.arange(d), chosen).astype(float))
        objective.append(0.5 * np.sum((A @ P @ W - target) ** 2) + lambda_ * np.linalg.norm(W, axis=1).sum())
        if variant == "authors":
            tau = 1 / np.linalg.norm((A.T @ A @ V).max(axis=0))
        if norm(W - before) <= 1e-4 and step > (variant == "authors"):
            break
    return first, chosen, W, objective


@pytest.mark.parametrize("variant", LOOPS)
@pytest.mark.parametrize("k", [1, 6, 20])
@pytest.mark.parametrize(("lambda_", "beta"), [(1e-3, 1e8), (1e-3, 1e6), (0.1, 1e4), (1e3, 1e2)])
def test_algorithm_1(variant, k, lambda_, beta):
    first, last, W, objective = algorithm_1(X, Y, k, variant, lambda_, beta, steps=40)
    selector = make_selector("elc", variant=variant, k=k, lambda_=lambda_, beta=beta, max_iter=40).fit(X, Y)
    assert np.array_equal(selector.initial_set_, first)
    assert np.array_equal(selector.final_set_, last)
    np.testing.assert_allclose(selector.history_["objective"], objective, rtol=1e-9)
    assert selector.n_iter_ == len(objective) - 1
    # Signs of eigenvectors are free, so of W only lengths and products with Γ* can be compared.
    np.testing.assert_allclose(
        np.linalg.norm(selector.coefficients_, axis=1), np.linalg.norm(W, axis=1), rtol=1e-7, atol=1e-9
    )
    assert sorted(selector.ranking_[:k]) == last.tolist()


def test_the_set_of_the_released_program():
    selector = make_selector("elc", variant="authors", k=10, lambda_=1e-3, beta=1e8).fit(X, Y)
    assert selector.get_support(indices=True).tolist() == TOY["elc_set10"].tolist()


@pytest.mark.parametrize("k", [5, 18, 50])
@pytest.mark.parametrize("name", ["toy", "emotions", "scene"])
def test_the_released_loop_never_changes_the_set(name, k):
    data = load_bundled(name) if name != "toy" else None
    k = min(k, 12) if data is None else k
    selector = make_selector("elc", variant="authors", k=k)
    selector.fit(*((X, Y) if data is None else (data.X, data.Y)))
    assert np.array_equal(selector.initial_set_, selector.final_set_)
    assert not selector.history_["set_changes"].any()
    assert any("left the initial set as it was" in note for note in selector.notes_)


def test_nor_does_the_right_sign_where_beta_is_large(emotions):
    toy = make_selector("elc", k=10).fit(X, Y)
    known = make_selector("elc", k=18).fit_prepared(emotions[1])
    for selector in (toy, known):
        assert np.array_equal(selector.initial_set_, selector.final_set_)
        # So the ranking is the order by (1) alone, whatever k.
        assert (
            sorted(selector.ranking_[:5])
            == make_selector("elc", k=5)
            .fit_prepared(emotions[1] if selector is known else selector.prepare(X, Y))
            .final_set_.tolist()
        )
    assert known.n_iter_ == 1000
    assert known.history_["objective"][-1] < known.history_["objective"][0]
    assert any("limit of 1000 iterations" in note for note in known.notes_)


def test_a_small_beta_changes_the_set(emotions):
    selector = make_selector("elc", k=18, beta=1e4).fit_prepared(emotions[1])
    new = np.setdiff1d(selector.final_set_, selector.initial_set_)
    assert len(new) > 0
    assert f"The loop replaced {len(new)} of the 18 initial features." in selector.notes_
    assert selector.history_["set_changes"].sum() >= len(new)
    assert sorted(selector.ranking_[:18]) == selector.final_set_.tolist()


@pytest.mark.parametrize("beta", [1.0, 1e2, 1e4])
def test_the_printed_sign_overflows(emotions, beta):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        selector = make_selector("elc", variant="printed", k=18, beta=beta).fit_prepared(emotions[1])
    assert any(f"overflowed at step {selector.n_iter_};" in note for note in selector.notes_)
    assert selector.n_iter_ < 1000
    assert np.isfinite(selector.scores_).all()
    assert all(np.isfinite(values).all() for values in selector.history_.values())


def test_the_printed_sign_ends_with_the_least_correlated(emotions):
    data, evidence = emotions
    correlated = np.abs(np.corrcoef(data.X.T, data.Y.T)[:72, 72:]).sum(axis=1)
    selector = make_selector("elc", variant="printed", k=18).fit_prepared(evidence)
    assert correlated[selector.final_set_].mean() < np.sort(correlated)[:36].mean()
    assert correlated[selector.initial_set_].mean() > np.sort(correlated)[36:].mean()
    assert any("The objective rose from" in note for note in selector.notes_)


def coordinate_descent(A, target, lambda_, sweeps=4000):
    """min ½‖AW − Γ‖² + λ‖W‖₂,₁ row after row, each in closed form."""
    W, residual = np.zeros((A.shape[1], target.shape[1])), target.copy()
    squares = (A**2).sum(axis=0)
    for _ in range(sweeps):
        for i in np.flatnonzero(squares):
            pull = A[:, i] @ residual + squares[i] * W[i]
            new = max(1 - lambda_ / np.linalg.norm(pull), 0) * pull / squares[i]
            residual -= np.outer(A[:, i], new - W[i])
            W[i] = new
    return W


def convex_problem(X, Y):
    return Y.T.astype(float) @ standardise(X), root(label_similarity(Y), len(Y))


@pytest.mark.parametrize("share", [0.05, 0.3, 0.8])
def test_exact_is_what_coordinate_descent_finds(share):
    A, target = convex_problem(X, Y)
    lambda_ = share * np.linalg.norm(A.T @ target, axis=1).max()
    W = coordinate_descent(A, target, lambda_, sweeps=600)
    selector = make_selector("elc", variant="exact", lambda_=lambda_, tol=1e-12).fit(X, Y)
    value = 0.5 * np.sum((A @ W - target) ** 2) + lambda_ * np.linalg.norm(W, axis=1).sum()
    assert np.isclose(selector.history_["objective"][-1], value, rtol=1e-9)
    lengths = np.linalg.norm(W, axis=1)
    np.testing.assert_allclose(np.linalg.norm(selector.coefficients_, axis=1), lengths, atol=1e-6 * lengths.max())
    assert selector.ranking_[0] == lengths.argmax()
    assert np.array_equal(selector.scores_ > 0, lengths > 1e-9)


@pytest.mark.parametrize("lambda_", [1e-3, 10.0, 1e4])
@pytest.mark.parametrize("name", ["toy", "emotions", "synthetic", "awkward"])
def test_exact_is_optimal(name, lambda_):
    if name == "toy":
        data = X, Y
    elif name == "emotions":
        data = load_bundled(name).X, load_bundled(name).Y
    elif name == "awkward":
        data = awkward(1)
    else:
        wide = make_synthetic(n_instances=40, n_irrelevant=100, n_labels=8, seed=2)
        data = np.asarray(wide.X), wide.Y
    selector = make_selector("elc", variant="exact", lambda_=lambda_, tol=1e-12).fit(*data)
    assert selector.gap_ <= 1e-12
    objective = selector.history_["objective"]
    assert (np.diff(objective) <= 1e-13 * objective[0]).all()

    A, target = convex_problem(*data)
    W = selector.coefficients_
    lengths = np.linalg.norm(W, axis=1)
    value = 0.5 * np.sum((A @ W - target) ** 2) + lambda_ * lengths.sum()
    assert np.isclose(value, objective[-1], rtol=1e-9)
    if lambda_ > 1e-3:  # with less, A W − Γ* in this plain form is rounding
        descent = A.T @ (target - A @ W)
        used = lengths > 0
        scale = np.linalg.norm(A.T @ target, axis=1).max() * 1e-13 + lambda_ * 1e-5
        assert np.abs(descent[used] - lambda_ * W[used] / lengths[used, None]).max(initial=0) <= scale
        assert np.linalg.norm(descent[~used], axis=1).max(initial=0) <= lambda_ + scale


def test_exact_with_little_weight_is_the_shortest_interpolation():
    """As λ → 0 the fit is perfect where it can be, and ‖W‖₂,₁ the least."""
    A, target = convex_problem(X, Y)
    selector = make_selector("elc", variant="exact", lambda_=1e-6, tol=1e-10).fit(X, Y)
    W = selector.coefficients_
    np.testing.assert_allclose(A @ W, target, atol=1e-6 * np.abs(target).max())
    # Any other interpolation is W + N with A N = 0; none may be shorter.
    null = np.linalg.svd(A)[2][len(A) :].T
    rng = np.random.default_rng(0)
    length = np.linalg.norm(W, axis=1).sum()
    for size in np.geomspace(1e-6, 1, 20):
        other = W + size * null @ rng.standard_normal((null.shape[1], W.shape[1]))
        assert np.linalg.norm(other, axis=1).sum() >= length * (1 - 1e-9)


def test_exact_without_weights_goes_by_the_gradient():
    A, target = convex_problem(X, Y)
    pull = np.linalg.norm(A.T @ target, axis=1)
    selector = make_selector("elc", variant="exact", lambda_=1.01 * pull.max()).fit(X, Y)
    assert not selector.coefficients_.any()
    np.testing.assert_allclose(selector.scores_, pull / (1.01 * pull.max()) - 1)
    assert np.array_equal(selector.ranking_, np.argsort(-pull))
    assert any(note.startswith("0 of 20 features have a weight") for note in selector.notes_)


def test_exact_says_where_it_stops_early():
    with pytest.warns(ConvergenceWarning, match=r"limit of max_iter=2 iterations with a relative duality gap of \d"):
        selector = make_selector("elc", variant="exact", max_iter=2, tol=0).fit(X, Y)
    assert any("raise max_iter or tol" in note for note in selector.notes_)
    assert selector.n_iter_ == 2
    assert len(selector.history_["objective"]) == 3


def test_an_indefinite_similarity_is_told(emotions):
    S = label_similarity(emotions[0].Y)
    assert np.linalg.eigvalsh(S)[0] < 0
    told = [make_selector("elc", variant=v, max_iter=20).fit_prepared(emotions[1]).notes_ for v in ("paper", "exact")]
    assert all(any("S is indefinite here (lowest eigenvalue −0.09)" in note for note in notes) for notes in told)
    assert not any("indefinite" in note for note in make_selector("elc", variant="paper").fit(X, Y).notes_)


def test_k_and_the_number_of_features():
    evidence = make_selector("elc").prepare(X, Y)

    def sizes(**parameters):
        selector = make_selector("elc", **parameters).fit_prepared(evidence)
        return len(selector.final_set_), selector.n_selected_

    assert sizes() == (20, 20)
    assert sizes(n_features_to_select=6) == (6, 6)
    assert sizes(k=4) == (4, 4)
    assert sizes(k=4, n_features_to_select=6) == (4, 6)


def test_bad_values():
    for name, value, message in [
        ("lambda_", 0, "lambda_ must be a number from 1e-06 to"),
        ("beta", -1, "beta must be a number from 0.001 to"),
        ("k", 21, r"k must be a whole number from 1 to 20 \(the number of features\), or None .*, not 21"),
        ("variant", "author", "did you mean 'authors'"),
    ]:
        with pytest.raises(ParameterError, match=message):
            make_selector("elc", **{name: value}).fit(X, Y)
    with pytest.raises(NotFittedError):
        make_selector("elc").transform(X)


@pytest.mark.parametrize("variant", VARIANTS)
def test_one_evidence_serves_all(variant):
    evidence = SELECTORS["elc"]().prepare(X, Y)
    path = make_selector("elc", k=8).path(evidence, variant=VARIANTS, lambda_=[1e-3, 10.0])
    for cell, fitted in zip(path.parameters, path.fitted, strict=True):
        if cell["variant"] == variant:
            alone = make_selector("elc", k=8, **cell).fit(X, Y)
            assert np.array_equal(alone.scores_, fitted.scores_)


@pytest.mark.parametrize("variant", VARIANTS)
def test_sparse_is_dense(variant):
    rng = np.random.default_rng(3)
    thin = np.where(rng.random(X.shape) < 0.6, 0, X)
    dense = make_selector("elc", variant=variant, k=7).fit(thin, Y)
    found = make_selector("elc", variant=variant, k=7).fit(sparse.csr_matrix(thin), Y)
    np.testing.assert_allclose(found.scores_, dense.scores_, rtol=1e-6, atol=1e-8)
    assert np.array_equal(found.ranking_, dense.ranking_)


@pytest.mark.parametrize("variant", VARIANTS)
def test_degenerate_data_stay_finite(variant):
    rows = awkward(5)
    for bad in [
        (rows[0], np.zeros_like(rows[1])),
        (np.ones_like(rows[0]), rows[1]),
        (rows[0][:2], rows[1][:2]),
        (np.repeat(rows[0][:, [3]], 8, axis=1), rows[1]),
        (rows[0], np.hstack([rows[1][:, [0]], 1 - rows[1][:, [0]]])),
    ]:
        for beta in (1.0, 1e8):
            with warnings.catch_warnings(), np.errstate(all="raise", under="ignore"):
                warnings.simplefilter("error")
                selector = make_selector("elc", variant=variant, beta=beta, k=3).fit(*bad)
            assert np.isfinite(selector.scores_).all()
            assert np.isfinite(selector.coefficients_).all()
            assert len(selector.ranking_) == 8


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_category_is_as_good_as_its_best_column(variant):
    code = np.digitize(X[:, 3], np.quantile(X[:, 3], [0.3, 0.8])).astype(float)
    mixed = np.column_stack([X[:, :3], code, X[:, 4:]])
    expanded = np.column_stack([X[:, :3], code == 0, code == 1, code == 2, X[:, 4:]]).astype(float)
    parameters = {"variant": variant, "lambda_": 10.0}
    # All features in the set: then a column in it is a column in it, whoever owns it.
    whole = make_selector("elc", categorical_features=[3], k=20, **parameters).fit(mixed, Y)
    columns = make_selector("elc", k=22, **parameters).fit(expanded, Y)
    best = columns.scores_[3:6].max()
    np.testing.assert_allclose(whole.scores_, np.r_[columns.scores_[:3], best, columns.scores_[6:]], rtol=1e-9)
    assert whole.coefficients_.shape == (22, 5)


def test_nothing_of_size_d_times_d():
    d = 20_000
    thin = sparse.random(300, d, 0.005, format="csr", random_state=np.random.default_rng(0))
    labels = (np.random.default_rng(1).random((300, 6)) < 0.2).astype(int)
    evidence = make_selector("elc").prepare(thin, labels)
    for variant in VARIANTS:
        tracemalloc.start()
        make_selector("elc", variant=variant, max_iter=80).fit_prepared(evidence)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        # d × q numbers are 1 MB, n × d would be 48 MB, d × d 3.2 GB.
        assert peak < 40e6, f"{variant}: {peak / 1e6:.0f} MB"
