"""The numbers of the sentences, against counts of tuples."""

from collections import Counter

import numpy as np
import pytest

from mlfs.evaluation import explore
from mlfs.information import discretize
from mlfs.learn.redundancy import copying_data
from mlfs.papers.sechidis_2014.tour import PICKS, PROTOCOL, TOUR
from mlfs.papers.tour import take_step
from mlfs.selectors import make_selector
from tests.papers.tour_support import bench_of, information, numbers, training


def see(step: int, **settings):
    return TOUR.steps[step - 1].see(bench_of("emotions"), settings)


def test_cells():
    _, Y = training("emotions", PROTOCOL)
    n, sets = len(Y), Counter(map(tuple, Y.tolist()))
    once = sum(count == 1 for count in sets.values())
    cells = 4 * len(sets)
    seen = see(1, n_bins=4)
    told = [n, len(sets), 2**6, once, 4, cells, round(n / cells, 1), 2 * 4, round(n / 8)]
    assert numbers(seen.sentence) == told
    of_sets, of_labels = seen.figure.data[:2]
    assert list(of_sets.y) == sorted(sets.values(), reverse=True)
    assert list(of_labels.y) == sorted(Y.sum(axis=0), reverse=True)


@pytest.mark.parametrize("copied", [0, 100])
def test_a_copy(copied):
    seen = take_step("sechidis_2014", 2, copied=copied)
    X, Y = copying_data(copied / 100)
    picks = {m: make_selector(m, n_features_to_select=2).fit(X, Y).ranking_[1] for m in ("mim_br", "jmi_br", "cmi_br")}
    assert picks["cmi_br"] == picks["jmi_br"]
    names = "₁₂₃"
    assert f"picks f{names[picks['mim_br']]}; JMI" in seen.sentence
    assert f"with f₁, picks f{names[picks['jmi_br']]}." in seen.sentence
    pairs = X[:, 0] * 2 + X[:, 1]
    gain = sum(information(pairs, label) - information(X[:, 0], label) for label in Y.T)
    assert f"What f₂ adds beside f₁ is {abs(gain):.4f} bits" in seen.sentence


def test_rows_per_state():
    X, Y = training("emotions", PROTOCOL)
    ranking = make_selector("cmi_br", n_bins=3, n_features_to_select=PICKS).fit(X, Y).ranking_
    D = discretize(X, 3, "equal_width")[:, ranking]
    rows = [len(D) / len(set(map(tuple, D[:, :k].tolist()))) for k in range(1, PICKS + 1)]
    pairs = [len(D) / len(set(map(tuple, D[:, [0, k]].tolist()))) for k in range(PICKS)]
    seen = see(3, n_bins=3)
    assert list(seen.figure.data[0].y) == pytest.approx(rows)
    assert list(seen.figure.data[1].y) == pytest.approx(pairs)
    few = next(k for k, each in enumerate(rows, 1) if each < 2)
    assert numbers(seen.sentence) == [PICKS, len(D), len(D) / rows[-1], round(rows[-1], 2), few, 2, round(pairs[-1])]


def test_losses_by_the_way_labels_are_taken():
    ds = bench_of("emotions").ds
    for labels_as, method, name in (("one by one", "jmi_br", "JMI-BR"), ("as one", "mim_lp", "MIM-LP")):
        curve = explore(ds, method, PROTOCOL).curve
        seen = take_step("sechidis_2014", 4, "emotions", labels_as=labels_as)
        assert f"{name} {curve['hamming_loss'].mean():.4f}" in seen.sentence
        drawn = [trace for trace in seen.figure.data if trace.name == name]
        assert np.allclose(drawn[0].y, curve["hamming_loss"])
