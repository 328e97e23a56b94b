"""MGFS against the linear system of PageRank, solved as it stands."""

import numpy as np
import pytest

from mlfs.selectors import make_selector
from mlfs.selectors.mgfs import RandomWalk
from mlfs.selectors.parts import distances
from tests.selectors.data import awkward


def pearson(f, label):
    return np.corrcoef(f, label)[0, 1] if f.std() > 0 and label.std() > 0 else 0.0


def edges(X, Y):
    C = 1 - np.array([[pearson(f, label) for label in Y.T] for f in X.T])
    return np.array([[np.linalg.norm(a - b) for b in C] for a in C])


def pagerank(E, a):
    d = len(E)
    P = E / E.sum(axis=1, keepdims=True)
    return np.linalg.solve(np.eye(d) - a * P.T, np.full(d, (1 - a) / d))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("damping", [0.0, 0.3, 0.85, 0.99])
def test_it_is_the_page_rank(seed, damping):
    X, Y = awkward(seed, d=12)
    scores = make_selector("mgfs", damping=damping).fit(X, Y).scores_
    np.testing.assert_allclose(scores, pagerank(edges(X, Y), damping), rtol=1e-9)
    assert scores.sum() == pytest.approx(1)


def test_damping_of_1_gives_the_row_sums_and_is_the_limit():
    X, Y = awkward(0, d=12)
    sums = edges(X, Y).sum(axis=1)
    np.testing.assert_allclose(make_selector("mgfs", damping=1).fit(X, Y).scores_, sums / sums.sum(), rtol=1e-9)
    near = make_selector("mgfs", damping=1 - 1e-9).fit(X, Y)
    np.testing.assert_allclose(near.scores_, sums / sums.sum(), rtol=1e-7)


@pytest.mark.parametrize("points", [1, 2, 3, 40, 300])
def test_one_space_serves_every_damping(points):
    rng = np.random.default_rng(points)
    P = rng.normal(size=(points, 3)) ** 3
    walk = RandomWalk(P)
    E = np.linalg.norm(P[:, None] - P[None], axis=2)
    for a in (0.1, 0.5, 0.9, 0.999):
        expected = pagerank(E, a) if points > 1 else [1.0]
        np.testing.assert_allclose(walk.pagerank(a), expected, rtol=1e-9)


def test_without_a_table_of_all_pairs_it_is_the_same(monkeypatch):
    X, Y = awkward(1, d=30)
    kept = make_selector("mgfs").fit(X, Y)
    monkeypatch.setattr(distances, "TABLE_LIMIT", 0)
    monkeypatch.setattr(distances, "BLOCK", 7)
    blocks = make_selector("mgfs").fit(X, Y)
    np.testing.assert_allclose(blocks.scores_, kept.scores_, rtol=1e-10)
    assert blocks.ranking_.tolist() == kept.ranking_.tolist()


def test_the_order_of_the_labels_changes_nothing():
    X, Y = awkward(2, d=12)
    one, other = (make_selector("mgfs").fit(X, Y[:, order]) for order in ([0, 1, 2, 3, 4], [3, 0, 4, 2, 1]))
    np.testing.assert_allclose(one.scores_, other.scores_, rtol=1e-10)


def test_memory_is_bounded_where_a_table_would_not_be():
    selector = make_selector("mgfs")
    small, large = ({"instances": 100, "features": d, "labels": 50} for d in (1000, 100_000))
    assert selector.required_bytes(small) == 8 * 1000**2 + 8 * 1000 * 74
    assert selector.required_bytes(large) == (1 << 30) + 8 * 100_000 * 74


def test_the_graph_has_the_strongest_edges_of_the_first_features():
    X, Y = awkward(3, d=12)
    selector = make_selector("mgfs")
    evidence = selector.prepare(X, Y)
    selector.fit_prepared(evidence)
    graph = selector.graph(evidence, top=4, n_edges=3)
    E = edges(X, Y)
    first = selector.ranking_[:4]
    pairs = sorted(((E[i, j], {i, j}) for n, i in enumerate(first) for j in first[n + 1 :]), key=lambda p: -p[0])
    assert [set(edge) for edge in graph.edges.tolist()] == [pair for _, pair in pairs[:3]]
    np.testing.assert_allclose(graph.strengths, [length for length, _ in pairs[:3]])
    np.testing.assert_allclose(graph.pagerank, selector.scores_)
    assert graph.positions.shape == (12, 2)
    # No plane shows more of the distances, and none shows a distance longer than it is.
    shown = np.linalg.norm(graph.positions[:, None] - graph.positions[None], axis=2)
    assert (shown <= E + 1e-9).all()


def test_the_graph_of_one_label_lies_on_a_line():
    X, Y = awkward(0)
    selector = make_selector("mgfs")
    evidence = selector.prepare(X, Y[:, [0]])
    assert not selector.fit_prepared(evidence).graph(evidence).positions[:, 1].any()
