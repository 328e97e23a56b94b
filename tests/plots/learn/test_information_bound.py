"""The point stays under the roof."""

import numpy as np
import pytest

from mlfs.learn import LabelPoints, bound_curve, meeting
from mlfs.plots import information_bound
from tests.plots.checks import check, named

POINTS = LabelPoints(("a<b", "c"), ("f", "g"), np.array([0.5, 0.9]), np.array([0.3, 1.0]), np.array([0.2, 0.1]))


def test_roof_point_and_gap():
    model = meeting(0.3, 0.2, 0.5)
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
    figure = check(information_bound(meeting(0.5, 0.5, 1), bound_curve(0.5, 1), POINTS), "a<b 0.2000, c 0.1000")
    real = named(figure, "real labels")
    assert list(real.y) == [0.2, 0.1]
    assert "<b>a&lt;b</b> with f" in real.customdata[0]
    assert "its bound: 0.3000" in real.customdata[0]
