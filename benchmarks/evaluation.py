"""Loss curves and classifiers against refitting, by peers and by ourselves."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.neighbors import NearestNeighbors

from benchmarks.measure import REPOSITORY, best_seconds, load, peak_gib
from mlfs import make_selector
from mlfs.classifiers import BRLR
from mlfs.classifiers.mlknn import Votes, neighbour_labels
from mlfs.evaluation import loss_curve
from mlfs.metrics import METRICS, hamming_loss, ranking_loss

SIZES = range(1, 51)
PEER_SIZES = (1, 10, 25, 50)


def report() -> None:
    for name in ("yeast", "enron"):
        _curve(name)
    _brlr()
    _memory()


def _parts(name: str) -> tuple[Any, ...] | None:
    data = load(name)
    if data is None:
        return None
    train, test = data.split
    ranking = make_selector("els", n_features_to_select=50).fit(data.X[train], data.Y[train]).ranking_
    return data.X[train], data.Y[train], data.X[test], data.Y[test], ranking


def _curve(name: str) -> None:
    parts = _parts(name)
    if parts is None:
        return
    X, Y, X_test, Y_test, ranking = parts
    ours = best_seconds(lambda: loss_curve(X, Y, X_test, Y_test, ranking, SIZES, metrics=tuple(METRICS)))
    bare = best_seconds(lambda: loss_curve(X, Y, X_test, Y_test, ranking, SIZES))
    # Peers refit at a few sizes, spread evenly enough for their mean to stand for all fifty.
    scale = len(SIZES) / len(PEER_SIZES)

    def losses(P: Any) -> tuple[float, float]:
        P = P.toarray() if sparse.issparse(P) else P
        return hamming_loss(Y_test, P >= 0.5), ranking_loss(Y_test, P)

    refit = scale * best_seconds(lambda: [losses(_refit(X, Y, X_test, ranking[:s])) for s in PEER_SIZES], 3)
    peer = scale * best_seconds(lambda: [losses(scikit_multilearn(X, Y, X_test, ranking[:s])) for s in PEER_SIZES], 1)
    print(
        f"{name}: ML-kNN curve of 50 sizes {bare:.2f} s ({len(METRICS)} metrics: {ours:.2f} s); our ML-kNN refitted on "
        f"NearestNeighbors {refit / bare:.1f}×, scikit-multilearn-ng refitted {peer / bare:.0f}× (two losses each, "
        f"{len(PEER_SIZES)} sizes scaled to 50)",
        flush=True,
    )


def _refit(X: Any, Y: np.ndarray, X_test: Any, columns: np.ndarray) -> np.ndarray:
    X, X_test = (x[:, columns].toarray() if sparse.issparse(x) else x[:, columns] for x in (X, X_test))
    search = NearestNeighbors(n_neighbors=10).fit(X)
    own = search.kneighbors(return_distance=False)
    votes = Votes.learn(neighbour_labels(own, Y), Y, 10, 1.0)
    return votes.probabilities(neighbour_labels(search.kneighbors(X_test, return_distance=False), Y))


def scikit_multilearn(X: Any, Y: np.ndarray, X_test: Any, columns: np.ndarray) -> Any:
    from skmultilearn.adapt import MLkNN

    return MLkNN(k=10).fit(X[:, columns], Y).predict_proba(X_test[:, columns])


def _brlr() -> None:
    parts = _parts("bibtex")
    if parts is None:
        return
    X, Y, X_test, Y_test, ranking = parts
    X, X_test = X[:, ranking[:50]], X_test[:, ranking[:50]]
    # int8 labels overflow inside OneVsRestClassifier beyond 127 labels.
    wide = Y.astype(np.int64)
    for C in (1.0, 1e6):
        ours, peer = BRLR(C=C), OneVsRestClassifier(LogisticRegression(C=C, max_iter=1000))
        mine = best_seconds(lambda m=ours: m.fit(X, Y).predict_proba(X_test))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its solver stops before it converges
            theirs = best_seconds(lambda m=peer: m.fit(X, wide).predict_proba(X_test), 2)
        losses = [
            f"{hamming_loss(Y_test, P >= 0.5):.4f}/{ranking_loss(Y_test, P):.4f}"
            for P in (ours.predict_proba(X_test), peer.predict_proba(X_test))
        ]
        print(
            f"bibtex, 50 features, C = {C:g}: BRLR {mine:.2f} s, OneVsRest(LogisticRegression) {theirs / mine:.1f}×; "
            f"Hamming/ranking loss {losses[0]} against {losses[1]}",
            flush=True,
        )


def _memory() -> None:
    """Peak memory of the whole bibtex curve, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "benchmarks.evaluation"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0 and done.stdout.strip().startswith("{"):
        found = json.loads(done.stdout)
        print(f"bibtex, ML-kNN curve of 50 sizes: {found['seconds']:.1f} s, peak memory {found['peak']:.2f} GiB")


if __name__ == "__main__":
    found = _parts("bibtex")
    if found is not None:
        seconds = best_seconds(lambda: loss_curve(*found, SIZES), 1)
        print(json.dumps({"seconds": seconds, "peak": peak_gib()}))
