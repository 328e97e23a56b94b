"""The numbers of the sentences, against S and the sums over features written out."""

import numpy as np
import pytest

from mlfs.metrics import redundancy, residual_label_correlation
from mlfs.papers.wang_2020_elc.tour import PROTOCOL, TOUR
from mlfs.selectors import ELC, make_selector
from tests.papers.tour_support import bench_of, numbers, training


@pytest.fixture(scope="module")
def data() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    X, Y = training("emotions", PROTOCOL)
    q = Y.shape[1]
    squared = np.array([[((Y[:, i] - Y[:, j]) ** 2).sum() for j in range(q)] for i in range(q)], dtype=float)
    meets = np.array([[(Y[:, i] * Y[:, j]).any() for j in range(q)] for i in range(q)])
    return X, Y, np.where(meets, np.exp(-squared / (2 * squared.mean())), 0.0)


def see(step: int, **settings):
    return TOUR.steps[step - 1].see(bench_of("emotions"), settings)


def test_similarity(data):
    S = data[2]
    seen, apart = see(1), np.triu(np.ones(S.shape, dtype=bool), 1)
    assert numbers(seen.sentence)[:3] == [15, round(S[apart].max(), 3), int((S[apart] == 0).sum())]
    i, j = np.argwhere(apart & (S[apart].max() == S))[0]
    names = bench_of("emotions").ds.label_names
    assert f"{names[i]} and {names[j]}" in seen.sentence
    assert seen.figure.data[0].z == pytest.approx(S)


def test_rebuilt(data):
    X, Y, S = data
    ranking = ELC(n_features_to_select=X.shape[1]).fit(X, Y).ranking_
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    rests = []
    for k in range(X.shape[1] + 1):
        chosen = Z[:, ranking[:k]]
        rests.append((((Y.T @ chosen) @ (chosen.T @ Y) / len(Y) ** 2 - S) ** 2).sum())
    seen = see(2, set_size=10, variant="paper")
    told = [rests[0], 10, rests[10], 72, rests[-1], min(rests), int(np.argmin(rests)), 1]
    assert numbers(seen.sentence) == pytest.approx(told, abs=6e-4)
    chosen = Z[:, ranking[:10]]
    assert seen.figure.data[2].z == pytest.approx((Y.T @ chosen) @ (chosen.T @ Y) / len(Y) ** 2)


@pytest.mark.parametrize("variant", ["paper", "printed", "exact"])
def test_the_loop_is_told_as_it_went(data, variant):
    fitted = make_selector("elc", variant=variant, k=10).fit(*data[:2])
    seen = see(3, set_size=10, variant=variant)
    new = len(set(fitted.final_set_.tolist()) - set(fitted.initial_set_.tolist()))
    assert numbers(seen.sentence.replace("none of", "0 of"))[:4] == [10, fitted.n_iter_, new, 10]
    assert seen.notes == tuple(fitted.notes_)
    assert (new > 0) == (variant != "paper")


def test_noise(data):
    X, Y, _ = data
    seen = see(4)
    names = {"elc": "ELC", "mifs": "MIFS"}
    for method, name in names.items():
        ranking = make_selector(method, n_features_to_select=X.shape[1]).fit(X, Y).ranking_
        R, C = (trace for trace in seen.figure.data if trace.name == name)
        assert list(R.x) == [round(72 * tenth / 10) for tenth in range(1, 10)]
        assert R.y[2] == pytest.approx(redundancy(X, Y, ranking[: R.x[2]]))
        assert C.y[2] == pytest.approx(residual_label_correlation(X, Y, ranking[: C.x[2]]))
    means = {trace.name: np.mean(trace.y) for trace in seen.figure.data[:3]}
    best = min(means, key=means.__getitem__)
    assert f"Redundancy R(F) is lowest for {best}, {means[best]:.2g} on average. Residual label" in seen.sentence


def test_what_has_not_arrived_is_left_out():
    step = TOUR.steps[3]
    assert "lowest" not in step.see(bench_of("emotions"), {}, {}).sentence
