"""GRRO and GRRO-LS: the formula, the authors' numbers, what the notes say, the low-rank route."""

from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from scipy.linalg import solve_sylvester

from mlfs import load_dataset
from mlfs.errors import ParameterError, TooLargeError
from mlfs.information import pairs
from mlfs.selectors import base, grro, make_selector
from mlfs.selectors.evidence import Information
from mlfs.selectors.grro import GRRO, GRROLabelSpecific, label_distance
from tests.information.brute import H, M
from tests.selectors.data import awkward

TOY = np.load(Path(__file__).parents[1] / "golden" / "toy.npz")
AUTHORS = {"variant": "authors", "alpha": 100.0, "beta": 0.1, "n_bins": 2, "discretization": "equal_frequency"}
GRID = 10.0 ** np.arange(-3, 4)


# Two independent bits and what can be made of them: all entropies are 1 (2 for the pair), all else 0 or 1.
A = np.array([0, 0, 1, 1] * 4)
B = np.array([0, 1, 0, 1] * 4)


def columns(*parts):
    return np.column_stack(parts)


# What the authors' program prints


def test_the_released_program_cuts_two_valued_features_too():
    rng = np.random.default_rng(0)
    Y = rng.integers(0, 2, (50, 3))
    X = np.column_stack([Y[:, 0], 1 - (Y[:, 1] & (rng.random(50) < 0.3)), rng.random(50)])
    assert X[:, 1].mean() > 0.5
    evidence = GRRO(**AUTHORS).prepare(X, Y)
    assert (evidence.information[1] == 0).all()
    assert GRRO(**{**AUTHORS, "variant": "paper"}).prepare(X, Y).information[1].max() > 0
    with pytest.raises(ParameterError, match="prepared as"):
        GRRO(**{**AUTHORS, "variant": "paper"}).fit_prepared(evidence)


def test_golden_tables():
    evidence = GRRO(**AUTHORS).prepare(TOY["X_train"], TOY["Y_train"])
    np.testing.assert_allclose(evidence.information, TOY["grro_relevance"], atol=1e-12)
    redundancy = evidence.feature_information.copy()
    np.fill_diagonal(redundancy, 1.0)
    np.testing.assert_allclose(redundancy, TOY["grro_redundancy"], atol=1e-12)
    np.testing.assert_allclose(label_distance(TOY["Y_train"]), TOY["grro_label_distance"], atol=1e-12)


@pytest.mark.parametrize(("method", "more"), [("grro", {}), ("grro_ls", {"k": 5})])
def test_golden_solution(method, more):
    selector = make_selector(method, **AUTHORS, **more).fit(TOY["X_train"], TOY["Y_train"])
    golden = TOY[f"{method}_coefficients"]
    np.testing.assert_allclose(selector.coefficients_, golden, atol=1e-12)
    assert np.array_equal(selector.coefficients_ == 0, golden == 0)
    order = TOY[f"{method}_ranking"]
    # Equal but for features that no label kept, where ours goes by index.
    np.testing.assert_allclose(golden.sum(axis=1)[selector.ranking_], golden.sum(axis=1)[order], atol=1e-12)
    assert selector.ranking_.tolist() == order.tolist()


# The formula


def slow_system(X, Y, variant):
    C = np.array([[M(f, label) for label in Y.T] for f in X.T])
    G = np.array([[M(f, g) for g in X.T] for f in X.T])
    np.fill_diagonal(G, 1.0 if variant == "authors" else [H(f) for f in X.T])
    q = Y.shape[1]
    R = np.zeros((q, q))
    for u, v in np.ndindex(q, q):
        if u != v and Y[:, u].any() and Y[:, v].any():
            R[u, v] = 1 - (Y[:, u] * Y[:, v]).sum() / np.sqrt(Y[:, u].sum() * Y[:, v].sum())
    return G, R, C


@pytest.mark.parametrize("variant", ["paper", "authors"])
@pytest.mark.parametrize("seed", range(4))
def test_is_the_solution_of_the_system(seed, variant):
    X, Y = awkward(seed)
    G, R, C = slow_system(X, Y.astype(float), variant)
    for alpha, beta in ((1.0, 0.1), (0.01, 0.3), (3.0, 0.02)):
        # Every unknown by itself: the system as one of d·q equations.
        system = np.kron(np.eye(5), np.eye(8) + alpha * G) + beta * np.kron(R.T, np.eye(8))
        Z = np.linalg.solve(system, C.T.ravel()).reshape(5, 8).T
        selector = GRRO(alpha=alpha, beta=beta, variant=variant).fit(X, Y)
        np.testing.assert_allclose(selector.coefficients_, Z, atol=1e-10)
        score = Z.sum(axis=1) if variant == "authors" else np.sqrt((Z**2).sum(axis=1))
        np.testing.assert_allclose(selector.scores_, score, atol=1e-10)
        terms = selector.terms_
        assert terms["fit"] == pytest.approx(((Z - C) ** 2).sum())
        assert terms["redundancy"] == pytest.approx(alpha * np.trace(Z.T @ G @ Z))
        assert terms["labels"] == pytest.approx(beta * np.trace(R @ Z.T @ Z))
        assert all(type(value) is float for value in terms.values())


def test_agrees_with_solve_sylvester_on_a_path():
    data = load_dataset("emotions")
    selector = GRRO()
    evidence = selector.prepare(data.X, data.Y)
    G, R = evidence.feature_information, label_distance(data.Y)
    path = selector.path(evidence, alpha=GRID, beta=GRID)
    assert len(path.fitted) == 49
    for cell, fitted in zip(path.parameters, path.fitted, strict=True):
        Z = solve_sylvester(np.eye(72) + cell["alpha"] * G, cell["beta"] * R, evidence.information)
        np.testing.assert_allclose(fitted.coefficients_, Z, rtol=1e-8, atol=1e-8 * max(1.0, np.abs(Z).max()))


def test_worked_by_hand():
    """One feature equal to its label: C = G = 1, so z = 1/(1+α); its copy takes half of what is left: 1/(1+2α)."""
    alone = GRRO(alpha=3.0, beta=1.0).fit(columns(A, B), columns(A))
    np.testing.assert_allclose(alone.coefficients_, [[1 / 4], [0]], atol=1e-12)
    twice = GRRO(alpha=3.0, beta=1.0).fit(columns(A, A), columns(A))
    np.testing.assert_allclose(twice.coefficients_, [[1 / 7], [1 / 7]], atol=1e-12)
    # A label and its complement never meet: R = 1 between them, and each gets 1/(1+α+β).
    both = GRRO(alpha=3.0, beta=2.0).fit(columns(A), columns(A, 1 - A))
    np.testing.assert_allclose(both.coefficients_, [[1 / 6, 1 / 6]], atol=1e-12)
    assert both.scores_[0] == pytest.approx(np.sqrt(2) / 6)
    assert GRRO(alpha=3.0, beta=2.0, variant="authors").fit(columns(A), columns(A, 1 - A)).scores_[0] == pytest.approx(
        1 / 3
    )


@pytest.mark.parametrize("variant", ["paper", "authors"])
@pytest.mark.parametrize("method", [GRRO, GRROLabelSpecific])
def test_score_is_relevance_minus_both_redundancies(method, variant):
    X, Y = awkward(1)
    selector = method(alpha=2.0, beta=0.3, variant=variant, n_bins=3)
    evidence = selector.prepare(X, Y)
    selector.fit_prepared(evidence)
    terms = selector.feature_terms(evidence)
    np.testing.assert_allclose(terms["relevance"] - terms["features"] - terms["labels"], selector.scores_, atol=1e-10)
    G = evidence.feature_information.copy()
    if variant == "authors":
        np.fill_diagonal(G, 1.0)
    Z = GRRO(alpha=2.0, beta=0.3, variant=variant, n_bins=3).fit(X, Y).coefficients_
    for i, row in enumerate(selector.coefficients_):
        weights = (row != 0) if variant == "authors" else row / (np.linalg.norm(row) or 1.0)
        assert terms["relevance"][i] == pytest.approx(weights @ evidence.information[i], abs=1e-10)
        assert terms["features"][i] == pytest.approx(2.0 * (weights @ (G[i] @ Z)), abs=1e-10)
        assert terms["labels"][i] == pytest.approx(0.3 * (weights @ (label_distance(Y) @ Z[i])), abs=1e-10)


def test_minimum_of_the_objective():
    """Where no note says otherwise, every other Z is worse."""
    X, Y = awkward(0)
    G, R, C = slow_system(X, Y.astype(float), "paper")
    selector = GRRO(alpha=1.0, beta=0.2).fit(X, Y)
    assert selector.notes_ == []

    def objective(Z):
        return ((Z - C) ** 2).sum() + np.trace(Z.T @ G @ Z) + 0.2 * np.trace(R @ Z.T @ Z)

    here = objective(selector.coefficients_)
    assert here == pytest.approx(sum(selector.terms_.values()))
    rng = np.random.default_rng(0)
    assert all(objective(selector.coefficients_ + rng.normal(size=C.shape)) > here for _ in range(100))


def test_empty_label_changes_nothing():
    X, Y = awkward(0)
    Y = Y[:, Y.any(axis=0)]
    more = np.insert(Y, 1, 0, axis=1)
    for variant in ("paper", "authors"):
        without = GRRO(beta=0.5, variant=variant).fit(X, Y)
        with_it = GRRO(beta=0.5, variant=variant).fit(X, more)
        np.testing.assert_allclose(with_it.scores_, without.scores_, atol=1e-12)
        np.testing.assert_allclose(with_it.coefficients_[:, 1], 0.0, atol=1e-12)


def test_redundancy_weight_lets_independent_features_pass_copies():
    rng = np.random.default_rng(0)
    noise = (rng.random((400, 2)) < 0.1).astype(int)
    bits = rng.integers(0, 2, (400, 2))
    Y = bits
    # Five copies that know label 0 a little better than one feature knows label 1.
    X = columns(*[bits[:, 0] ^ noise[:, 0]] * 5, bits[:, 1] ^ noise[:, 1] ^ (rng.random(400) < 0.02))
    assert GRRO(alpha=1e-3).fit(X, Y).ranking_[-1] == 5
    assert GRRO(alpha=10.0).fit(X, Y).ranking_[0] == 5


# Sharing


def test_factored_once_for_all_sliders(monkeypatch):
    calls = []
    original = grro.factor
    monkeypatch.setattr(grro, "factor", lambda *arguments: calls.append(1) or original(*arguments))
    selector = GRRO()
    evidence = selector.prepare(*awkward(1))
    assert len(calls) == 1
    selector.path(evidence, alpha=GRID, beta=GRID)
    make_selector("grro_ls").path(evidence, alpha=GRID, beta=[0.1], k=[1, 2, 3])
    assert len(calls) == 1
    # The other variant has another diagonal.
    GRRO(variant="authors").fit_prepared(evidence)
    assert len(calls) == 2


def test_takes_the_evidence_of_other_information_methods():
    X, Y = awkward(2)
    shared = GRRO().fit_prepared(make_selector("els").prepare(X, Y))
    assert np.array_equal(shared.scores_, GRRO().fit(X, Y).scores_)


def test_path_is_many_fits():
    X, Y = awkward(3)
    selector = GRROLabelSpecific(n_features_to_select=3)
    path = selector.path(selector.prepare(X, Y), alpha=[0.1, 10.0], beta=[0.01, 0.1], k=[1, 4])
    assert path.parameters[1] == {"alpha": 0.1, "beta": 0.01, "k": 4}
    for cell, fitted in zip(path.parameters, path.fitted, strict=True):
        single = make_selector("grro_ls", n_features_to_select=3, **cell).fit(X, Y)
        np.testing.assert_allclose(fitted.scores_, single.scores_, atol=1e-12)
        assert np.array_equal(fitted.ranking_, single.ranking_)


# What the notes say


def test_says_where_it_is_no_minimum_and_from_which_beta():
    X, Y = awkward(0)
    _, R, _ = slow_system(X, Y.astype(float), "paper")
    limit = -1 / np.linalg.eigvalsh(R)[0]  # the constant feature has λ = 0
    below = GRRO(alpha=1.0, beta=0.98 * limit).fit(X, Y)
    assert not any("saddle" in note for note in below.notes_)
    (above, *_) = GRRO(alpha=1.0, beta=2 * limit).fit(X, Y).notes_
    assert "saddle point of the objective, not its minimum: 1 + αλ + βγ goes down to -1," in above
    assert f"it is a minimum for beta below {limit:.3g}." in above


def test_says_where_the_redundancies_are_to_blame():
    # Two copies of a feature of two bits: [[1, 2], [2, 1]] with the authors' diagonal has λ = −1.
    X = columns(2 * A + B, 2 * A + B)
    (note, *_) = GRRO(variant="authors", alpha=4.0, beta=0.1).fit(X, columns(A)).notes_
    assert "goes down to -3, for the eigenvalues λ of the redundancies reach -1 and γ of the label distances 0" in note
    assert "only for alpha below 1, and small beta" in note
    # The entropies are right for the copies; but a pair of bits shares one with each of three independent ones.
    X = columns(2 * A + B, A, B, A ^ B)
    (note, *_) = GRRO(alpha=10.0).fit(X, columns(A)).notes_
    assert f"redundancies reach {(3 - np.sqrt(13)) / 2:.4f}".rstrip("0") in note


def test_says_where_it_is_near_singular():
    # One feature, two labels that never meet: 1 + αλ + βγ = 1 + α ± β.
    X, Y = columns(A), columns(A, 1 - A)
    near = GRRO(alpha=1.0, beta=2.0 - 1e-4).fit(X, Y)
    assert near.notes_ == [
        "The system is near singular: |1 + αλ + βγ| comes down to 0.0001, so that direction is enlarged 1e+04 times; "
        "another alpha or beta may turn the ranking over."
    ]
    singular = GRRO(alpha=1.0, beta=2.0).fit(X, Y)
    assert singular.notes_ == ["The system is singular: 1 + αλ + βγ is 0 in 1 of 2 directions, which are left out."]
    # What the labels tell lies in the other direction, where the system is as sound as ever.
    np.testing.assert_allclose(singular.coefficients_, [[1 / 4, 1 / 4]], atol=1e-12)


# GRRO-LS


def test_each_label_keeps_its_largest():
    X, Y = awkward(1, d=12)
    Z = GRRO(alpha=10.0).fit(X, Y).coefficients_
    for k in (1, 3, 7):
        selector = GRROLabelSpecific(alpha=10.0, k=k).fit(X, Y)
        for label, z in enumerate(Z.T):
            kth = sorted(z, reverse=True)[k - 1]
            kept = [value if value >= kth - 1e-12 else 0.0 for value in z]
            np.testing.assert_allclose(selector.coefficients_[:, label], kept, atol=1e-12)
        np.testing.assert_allclose(selector.scores_, np.linalg.norm(selector.coefficients_, axis=1), atol=1e-12)


def test_ties_at_the_cut_are_all_kept():
    selector = GRROLabelSpecific(k=1).fit(columns(A, B, A, A), columns(A))
    assert (selector.coefficients_[:, 0] != 0).tolist() == [True, False, True, True]


def test_large_negative_coefficients_are_not_kept():
    # A xor B tells nothing of A, but shares with the pair (A, B): its coefficient is negative.
    X = columns(2 * A + B, A, B, A ^ B)
    whole = GRRO(alpha=0.5).fit(X, columns(A)).coefficients_[:, 0]
    assert whole[3] < 0
    kept = GRROLabelSpecific(alpha=0.5, k=2).fit(X, columns(A)).coefficients_[:, 0]
    np.testing.assert_allclose(kept, [*whole[:2], 0, 0], atol=1e-12)


def test_keeping_all_is_grro():
    X, Y = awkward(2)
    whole, all_kept = GRRO().fit(X, Y), GRROLabelSpecific(k=8).fit(X, Y)
    assert np.array_equal(whole.coefficients_, all_kept.coefficients_)
    assert whole.terms_ == GRROLabelSpecific(k=1).fit(X, Y).terms_


# Size


@pytest.fixture(scope="module")
def scene():
    data = load_dataset("scene")
    return GRRO().prepare(data.X, data.Y)


@pytest.mark.parametrize("variant", ["paper", "authors"])
def test_low_rank_finds_the_same_first_fifty(scene, variant):
    exact = GRRO(variant=variant).fit_prepared(scene)
    assert exact.notes_ == []
    narrow = GRRO(variant=variant, rank=30).fit_prepared(scene)
    assert set(narrow.ranking_[:50]) == set(exact.ranking_[:50])
    wide = GRRO(variant=variant, rank=60).fit_prepared(scene)
    assert wide.ranking_[:50].tolist() == exact.ranking_[:50].tolist()
    np.testing.assert_allclose(wide.scores_, exact.scores_, atol=2e-3 * np.abs(exact.scores_).max())
    assert sum(wide.terms_.values()) == pytest.approx(sum(exact.terms_.values()), rel=1e-4)
    assert wide.notes_ == [
        "Low-rank route: the redundancy is seen along 60 of 294 directions, so later ranks may differ from the exact "
        "ones."
    ]


@pytest.mark.parametrize(("alpha", "beta"), [(1.0, 0.1), (1.0, 1.0), (10.0, 0.1), (10.0, 10.0)])
def test_a_rank_that_is_too_low_is_told(scene, alpha, beta):
    """Where nothing is said the first twenty are right and the error is small; where something is said it is not."""
    exact = GRRO(alpha=alpha, beta=beta).fit_prepared(scene)
    told = []
    for rank in (6, 30, 60, 264):
        low = GRRO(alpha=alpha, beta=beta, rank=rank).fit_prepared(scene)
        told.append(any(f"too few for alpha={alpha:g} and beta={beta:g}" in note for note in low.notes_))
        error = np.linalg.norm(low.coefficients_ - exact.coefficients_) / np.linalg.norm(exact.coefficients_)
        assert told[-1] == (error > 0.1), (rank, error)
        assert told[-1] or set(low.ranking_[:20]) == set(exact.ranking_[:20])
    assert told[0]
    assert told[-1] == (beta == 10.0)


def test_low_rank_never_makes_the_table(monkeypatch):
    def refuse(evidence):
        raise AssertionError("the table was asked for")

    monkeypatch.setattr(Information, "feature_information", property(refuse))
    for rank in (1, 3, 8):
        selector = GRRO(rank=rank).fit(*awkward(3))
        assert np.isfinite(selector.scores_).all()


@pytest.mark.parametrize("variant", ["paper", "authors"])
def test_low_rank_by_the_compiled_loop_has_the_same_bits(monkeypatch, variant):
    X = sparse.random(400, 70, 0.1, format="csr", random_state=0)
    Y = (sparse.random(400, 4, 0.3, format="csr", random_state=1).toarray() > 0).astype(int)
    monkeypatch.setattr("mlfs.selectors.evidence.BLOCK", 16)
    before = GRRO(rank=20, variant=variant).fit(X, Y)
    counted, count = [], pairs.information
    monkeypatch.setattr(pairs, "information", lambda *a, **k: counted.append(1) or count(*a, **k))
    monkeypatch.setattr(pairs, "LARGE", 1000)
    after = GRRO(rank=20, variant=variant).fit(X, Y)
    assert len(counted) >= 15  # a block and all that follow it, of five
    assert after.coefficients_.tobytes() == before.coefficients_.tobytes()


def test_low_rank_with_few_features_is_exact():
    X, Y = awkward(4)
    exact, low = GRRO().fit(X, Y), GRRO(rank=8).fit(X, Y)
    np.testing.assert_allclose(low.coefficients_, exact.coefficients_, atol=1e-10)


def test_low_rank_of_data_that_tell_nothing():
    X, Y = awkward(5)
    with np.errstate(all="raise", under="ignore"):
        for case in ((X, np.zeros_like(Y)), (np.ones_like(X), Y), (X[:, [3]], Y[:, [0]])):
            assert np.isfinite(GRRO(rank=1).fit(*case).scores_).all()


def test_says_beforehand_what_it_would_take():
    X = sparse.random(4, 20_000, 0.001, format="csr", random_state=0)
    Y = np.array([[0], [1], [0], [1]])
    with pytest.raises(TooLargeError, match=r"grro would need 11\.9 GiB .* 20000 features .*: set rank \(five to ten"):
        GRRO().fit(X, Y)
    sizes = {"instances": 14_512, "features": 49_060, "labels": 22}
    assert GRRO().required_bytes(sizes) > 71 * 2**30
    assert GRRO(rank=220).required_bytes(sizes) < 2**29 < base.MEMORY_LIMIT
    # Half of the table of all pairs, while it is needed.
    assert 4 * 20_000**2 < GRRO(rank=220).required_bytes(sizes | {"features": 20_000}) < 2**31


def test_ranges():
    X, Y = awkward(6)
    with pytest.raises(ParameterError, match=r"alpha must be a number from 0\.001 to 1000\.0, not 0\."):
        GRRO(alpha=0.0).fit(X, Y)
    with pytest.raises(ParameterError, match=r"rank must be a whole number from 1 to 8 \(the number of features\)"):
        GRRO(rank=9).fit(X, Y)
    with pytest.raises(ParameterError, match="k must be a whole number from 1, not 0"):
        GRROLabelSpecific(k=0).fit(X, Y)
    with pytest.raises(ParameterError, match=r"variant must be one of 'paper', 'authors', not 'author'"):
        GRRO(variant="author").fit(X, Y)
