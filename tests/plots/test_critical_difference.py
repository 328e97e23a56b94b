"""The layout of the diagram, and what it says."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import pytest

from mlfs.errors import ParameterError
from mlfs.plots import critical_difference_diagram as diagram
from mlfs.plots.critical_difference import LABEL, axis_ticks, bar_levels, fitting, label_slots, margins
from mlfs.plots.figure import text_width
from mlfs.statistics import bonferroni_dunn, friedman, nemenyi
from tests.plots.checks import check, is_empty

WIDEST = f"{fitting('MW' * 20)} 12.34"


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def overlaps(self, other: Box) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def label_boxes(ranks: Sequence[float] | np.ndarray, labels: Sequence[str], width: float) -> list[Box]:
    """The room each label takes in a figure of the given width, with the best rank on the right."""
    left, right = margins(label_slots(ranks), labels)
    boxes = []
    for slot, label in zip(label_slots(ranks), labels, strict=True):
        wide, middle = text_width(label), LABEL * slot.row
        start = width - right if slot.best_side else left - wide
        boxes.append(Box(start, middle - LABEL / 2, start + wide, middle + LABEL / 2))
    return boxes


def all_ranks(k: int) -> list[np.ndarray]:
    """Random ranks, all equal, equal but one, and two heaps."""
    rng = np.random.default_rng(k)
    return [
        rng.uniform(1, k, k),
        np.full(k, (k + 1) / 2),
        np.array([1.0] + [(k + 2) / 2] * (k - 1)),
        np.repeat([1.5, float(k)], [k // 2, k - k // 2]),
    ]


@pytest.mark.parametrize("k", range(2, 31))
@pytest.mark.parametrize("width", [400, 800])
def test_label_boxes_never_overlap_nor_leave_the_figure(k, width):
    for ranks in all_ranks(k):
        boxes = label_boxes(ranks, [WIDEST] * k, width)
        assert all(box.left >= 0 and box.right <= width for box in boxes)
        assert not any(a.overlaps(b) for a, b in itertools.combinations(boxes, 2))


@pytest.mark.parametrize("k", range(2, 31))
def test_leaders_do_not_cross(k):
    """On one side, whoever is further out turns off higher up."""
    for ranks in all_ranks(k):
        slots = label_slots(ranks)
        for i, j in itertools.permutations(range(k), 2):
            if slots[i].best_side and slots[j].best_side and ranks[i] < ranks[j]:
                assert slots[i].row < slots[j].row
            if not slots[i].best_side and not slots[j].best_side and ranks[i] > ranks[j]:
                assert slots[i].row < slots[j].row
            if slots[i].best_side and not slots[j].best_side:
                assert ranks[i] <= ranks[j]


@pytest.mark.parametrize("k", [2, 7, 30])
@pytest.mark.parametrize("best", ["left", "right"])
def test_drawn_labels_have_rows_and_margins(k, best):
    ranks = all_ranks(k)[0]
    figure = check(diagram({f"method {i}": rank for i, rank in enumerate(ranks)}, 1.5, best=best))
    texts = [trace for trace in figure.data if trace.mode == "text" and trace.customdata is not None]
    assert sum(len(trace.text) for trace in texts) == k
    for trace in texts:
        assert all(np.diff(sorted(trace.y)) >= LABEL)
        side = "r" if trace.textposition == "middle right" else "l"
        assert max(map(text_width, trace.text)) <= figure.layout.margin[side]
    plot = figure.layout.height - figure.layout.margin.t - figure.layout.margin.b
    assert figure.layout.yaxis.range[0] == pytest.approx(plot, abs=1)  # one unit is one pixel


@pytest.mark.parametrize("k", range(2, 41))
@pytest.mark.parametrize("room", [40, 66, 150, 600])
def test_axis_numbers_have_room(k, room):
    ticks = axis_ticks(k, room)
    assert (ticks[0], ticks[-1]) == (1, k)
    assert len(ticks) == 2 or min(np.diff(ticks)) * room / (k - 1) >= 22 - 1e-9


def test_no_word_is_cut_off_where_the_axis_ends():
    figure = diagram({method: rank + 1.0 for rank, method in enumerate("abcdefghij")}, 2.0)
    words = [trace for trace in figure.data if trace.mode == "text"]
    assert "10" in [word for trace in words for word in trace.text]  # on a telephone wider than the room beside it
    assert all(trace.cliponaxis is False for trace in words)


def test_bars_of_one_level_never_touch():
    rng = np.random.default_rng(0)
    for _ in range(50):
        bars = sorted((low, low + length) for low, length in rng.uniform(0, 5, (12, 2)))
        levels = bar_levels(bars, apart=0.1)
        for (a, level_a), (b, level_b) in itertools.combinations(zip(bars, levels, strict=True), 2):
            assert level_a != level_b or b[0] - a[1] > 0.1
    assert bar_levels([]) == []


RANKS = {"els": 1.5, "grro": 2.0, "fimf": 3.2, "mfs": 3.3}


def thick(figure):
    bars = [trace for trace in figure.data if trace.mode == "lines" and trace.line.width == 5]
    return bars[0] if bars else None


def test_cliques_get_bars_and_the_ruler_its_value():
    figure = check(
        diagram(RANKS, 1.4, metric="hamming_loss"),
        "rank 1 being the lowest Hamming loss: ELS 1.50, GRRO 2.00, FIMF 3.20, MFS 3.30",
        "critical difference 1.400",
        "not significantly different: ELS to GRRO, GRRO to MFS",
    )
    bars = thick(figure).x.reshape(-1)
    assert np.isnan(bars).sum() == 1
    assert bars[0] < 1.5 < 2.0 < bars[1]
    assert any("CD = 1.400" in text for trace in figure.data for text in trace.text or ())


@pytest.mark.parametrize(
    ("metric", "words"), [("ranking_loss", "lowest ranking loss"), ("macro_f1", "highest macro-F1")]
)
def test_says_what_the_best_rank_means_and_where_it_stands(metric, words):
    for best, ends in (("right", (4, 1)), ("left", (1, 4))):
        figure = diagram(RANKS, 1.0, metric=metric, best=best)
        assert figure.layout.xaxis.title.text == f"Average rank: 1, on the {best}, is best<br>(the {words})"
        assert np.sign(np.diff(figure.layout.xaxis.range)) == np.sign(np.diff(ends))


def test_interval_of_the_control():
    figure = check(diagram(RANKS, 1.4, control="grro"), "different from the control GRRO: none")
    np.testing.assert_allclose(thick(figure).x, [1, 3.4])
    check(diagram(RANKS, 1.7, control="els"), "different from the control ELS: FIMF, MFS.")
    assert any("<b>GRRO 2.00</b>" in (trace.text or ()) for trace in figure.data)


def test_from_the_tests_themselves():
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.random((10, 6)) + np.arange(6) / 4, columns=list("abcdef"))
    result = friedman(table)
    verdict = nemenyi(result)
    figure = check(diagram(result.average_ranks, verdict.critical_difference))
    assert np.isnan(thick(figure).x).sum() == len(verdict.cliques) - 1
    control = bonferroni_dunn(result, "c")
    low, high = control.interval
    bar = thick(diagram(result.average_ranks, control.critical_difference, control="c")).x
    np.testing.assert_allclose(bar, [max(low, 1), min(high, 6)])


def test_groups_without_a_critical_difference():
    figure = check(diagram(RANKS, groups=[("els", "grro")]), "not significantly different: ELS to GRRO.")
    assert not any("CD" in text for trace in figure.data for text in trace.text or ())
    assert thick(check(diagram(RANKS), "no methods are joined")) is None


def test_critical_difference_beyond_the_axis_says_so():
    figure = check(diagram(RANKS, 9.0))
    assert any("CD = 9.000 (beyond the axis)" in text for trace in figure.data for text in trace.text or ())


def test_equal_ranks_have_a_bar_too():
    low, high = thick(check(diagram({"a": 2.0, "b": 2.0, "c": 2.0}, 1.0))).x
    assert low < 2 < high


def test_groups_may_name_methods_without_a_rank():
    check(diagram({**RANKS, "elc": np.nan}, groups=[("els", "elc", "grro")]), "ELS to GRRO")


def test_nothing_to_show():
    assert is_empty(diagram({}))
    assert is_empty(diagram({"els": 1.0, "grro": np.nan}, 1.0))


def test_mistakes_get_a_sentence():
    with pytest.raises(ParameterError, match="'elz' is not among the methods: did you mean 'els'"):
        diagram(RANKS, 1.0, control="elz")
    with pytest.raises(ParameterError, match="needs a critical difference"):
        diagram(RANKS, control="els")
    with pytest.raises(ParameterError, match="must be 'left' or 'right'"):
        diagram(RANKS, 1.0, best="top")
