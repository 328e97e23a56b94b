"""The information-theoretic methods on bibtex: speed, memory, growth."""

from __future__ import annotations

import numpy as np
from scipy import sparse
from sklearn.feature_selection import mutual_info_classif

from benchmarks.measure import best_seconds, fit_in_process, load
from mlfs import make_selector

GREEDY = ("jmi_br", "pmu", "d2f", "mdmr", "scls", "ami")
BEYOND = ("jmi_lp", "cmi_lp", "cmi_br")
PEER_LABELS = 2


def report() -> None:
    data = load("bibtex")
    if data is None:
        return
    _against_scikit_learn(data)
    _against_mim(data)
    _growth(data)


def _against_scikit_learn(data) -> None:
    els = make_selector("els")
    q = data.Y.shape[1]

    def every_size() -> None:
        els.path(els.prepare(data.X, data.Y), n_labels=range(q + 1))

    ours = best_seconds(every_size)
    peer = best_seconds(
        lambda: [mutual_info_classif(data.X, y, discrete_features=True) for y in data.Y.T[:PEER_LABELS]], repeats=1
    )
    # One |Y| = j needs j labels; a loop over all |Y| that keeps nothing computes q(q + 1)/2 of them.
    once, every = peer / PEER_LABELS * q, peer / PEER_LABELS * q * (q + 1) / 2
    print(f"els, all |Y| = 0…{q} with their rankings: {ours:.3f} s")
    print(
        f"  mutual_info_classif, {PEER_LABELS} labels measured, scaled up to {q} labels: {once:.1f} s = "
        f"{once / ours:.0f}× els; refitted for every |Y|: {every / ours:.0f}×"
    )


def _against_mim(data) -> None:
    def seconds(method: str, repeats: int = 3) -> float:
        selector = make_selector(method, n_features_to_select=50)
        return best_seconds(lambda: selector.fit(data.X, data.Y), repeats)

    base = seconds("mim_br", 5)
    print(f"{'method':8} {'seconds':>8} {'× mim_br':>9} {'peak GiB':>9}   (50 features)")
    for method in ("mim_br", "els", *GREEDY, *BEYOND):
        taken = base if method == "mim_br" else seconds(method, 1 if method == "cmi_br" else 3)
        peak = fit_in_process("bibtex", method)["peak"]
        print(f"{method:8} {taken:8.3f} {taken / base:9.1f} {peak:9.2f}", flush=True)


def _growth(data) -> None:
    """Fit seconds = c·size^p to copies of the data side by side (features, labels) or on top of each other (rows)."""
    factors = np.array([1, 2, 4, 8])

    def enlarged(axis: str, factor: int) -> tuple[sparse.csr_matrix, np.ndarray]:
        if axis == "n":
            return sparse.vstack([data.X] * factor, format="csr"), np.vstack([data.Y] * factor)
        if axis == "d":
            return sparse.hstack([data.X] * factor, format="csr"), data.Y
        return data.X, np.hstack([data.Y] * factor)

    print("growth exponents (time ~ size^p, sizes ×1, ×2, ×4, ×8):")
    for method in ("els", "mim_br"):
        exponents = []
        for axis in "ndq":
            taken = []
            for factor in factors:
                X, Y = enlarged(axis, int(factor))
                selector = make_selector(method)
                taken.append(best_seconds(lambda X=X, Y=Y, s=selector: s.fit(X, Y), 3))
            exponents.append(f"{axis} {np.polyfit(np.log(factors), np.log(taken), 1)[0]:.2f}")
        print(f"  {method:8} {'   '.join(exponents)}", flush=True)
