"""The bound min(H(f), H(l)), where it is met, and the figure, in which the point stays under the roof."""

from __future__ import annotations

from math import log2

import numpy as np
import pytest

from mlfs import load_dataset
from mlfs.errors import ParameterError
from mlfs.learn import LabelPoints, bound_curve, information_bound, label_points, make_bound
from tests.plots.checks import check, named


def test_worked_by_hand():
    model = make_bound(0.5, 0.25, 1)
    entropy = 2 - 0.75 * log2(3)
    assert model.bound == pytest.approx(entropy)
    assert model.table.information == pytest.approx(entropy - 0.5)
    assert model.slack == pytest.approx(0.5)
    assert model.worked()[-1].endswith("0.8113-0.3113=0.5000")


def test_independent_variables_share_nothing_in_steps_of_a_twentieth():
    for feature in range(1, 20):
        for label in range(1, 20):
            assert make_bound(feature / 20, label / 20, 0).table.information == pytest.approx(0, abs=1e-12)


def test_only_equal_frequencies_reach_the_bound():
    assert make_bound(0.3, 0.3, 1).slack == pytest.approx(0, abs=1e-12)
    assert make_bound(0.3, 0.35, 1).slack > 0.1
    assert make_bound(0.3, 0, 1).slack == 0


def test_the_bound_holds_everywhere_and_agreement_raises_the_information():
    rng = np.random.default_rng(0)
    for feature, label in rng.random((50, 2)):
        models = [make_bound(feature, label, agreement) for agreement in (0, 0.5, 1)]
        assert all(model.slack >= 0 for model in models)
        information = [model.table.information for model in models]
        assert information[0] < 5e-4  # whole counts of 2000
        assert information == sorted(information)


def test_the_point_lies_on_its_curve():
    shares, entropies, information = bound_curve(0.4, 0.7)
    for share in (0.05, 0.35, 0.95):
        at, model = int(np.flatnonzero(np.isclose(shares, share))[0]), make_bound(0.4, share, 0.7)
        assert entropies[at] == pytest.approx(model.table.label_entropy)
        assert information[at] == pytest.approx(model.table.information)


def test_real_labels_come_with_their_best_feature():
    ds = load_dataset("emotions")
    points = label_points(ds.X, ds.Y, ds.feature_names, ds.label_names)
    assert points.names == tuple(ds.label_names)
    column = list(ds.feature_names).index(points.features[3])
    x, y = ds.X[:, column], ds.Y[:, 3]
    high = x > (x.min() + x.max()) / 2
    cells = [np.mean((high == f) & (y == label)) for f in (0, 1) for label in (0, 1)]

    def slow(shares):
        return -sum(p * log2(p) for p in shares)

    assert points.label_entropy[3] == pytest.approx(slow([y.mean(), 1 - y.mean()]))
    assert points.feature_entropy[3] == pytest.approx(slow([high.mean(), 1 - high.mean()]))
    expected = points.label_entropy[3] + points.feature_entropy[3] - slow(cells)
    assert points.information[3] == pytest.approx(expected)
    assert (points.information <= np.minimum(points.label_entropy, points.feature_entropy)).all()


def test_a_share_beyond_the_whole_gets_a_sentence():
    with pytest.raises(ParameterError, match=r"^p_label must be a number from 0 to 1, not 1\.5\.$"):
        make_bound(0.5, 1.5, 0)


POINTS = LabelPoints(("a<b", "c"), ("f", "g"), np.array([0.5, 0.9]), np.array([0.3, 1.0]), np.array([0.2, 0.1]))


def test_roof_point_and_gap():
    model = make_bound(0.3, 0.2, 0.5)
    figure = check(information_bound(model, bound_curve(0.3, 0.5)), f"under the bound {model.bound:.4f}")
    roof, point, gap = (
        named(figure, "min(H(f), H(l))"),
        named(figure, "this label"),
        named(figure, "excess of ELS"),
    )
    assert list(roof.y) == pytest.approx([0, model.table.feature_entropy, model.table.feature_entropy])
    assert (point.x[0], point.y[0]) == pytest.approx((model.table.label_entropy, model.table.information))
    assert gap.y[1] - gap.y[0] == pytest.approx(model.slack)
    curve = named(figure, "other p(l)")
    assert (curve.y <= np.interp(curve.x, roof.x, roof.y) + 1e-12).all()


def test_real_labels_tell_their_own_bound():
    figure = check(information_bound(make_bound(0.5, 0.5, 1), bound_curve(0.5, 1), POINTS), "a<b 0.2000, c 0.1000")
    real = named(figure, "real labels")
    assert list(real.y) == [0.2, 0.1]
    assert "<b>a&lt;b</b> with f" in real.customdata[0]
    assert "its bound: 0.3000" in real.customdata[0]
