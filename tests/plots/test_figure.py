"""The common ground of all figures, and names and numbers as figures write them."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest

from mlfs.plots import alt_text, nothing_yet
from mlfs.plots.figure import (
    CLEAR,
    DARK_GROUND,
    DARK_INK,
    INK,
    MARGIN,
    draw,
    finite,
    level,
    log_range,
    log_ticks,
    named_axis,
    polyline,
    short,
    short_all,
    standing_for,
    template,
    text_width,
)
from tests.plots.checks import check, is_empty


def test_empty_state_keeps_title_and_height():
    figure = nothing_yet("choose a method", "Losses", height=200)
    assert is_empty(figure)
    assert figure.layout.title.text == "Losses"
    assert figure.layout.height > 200


def test_alt_text_of_a_foreign_figure_is_empty():
    assert alt_text(go.Figure()) == ""


def test_a_title_makes_room_above_notes_but_leaves_legends_to_plotly():
    notes = {"annotations": [{"text": "x"}], "showlegend": False}
    assert draw([], notes, alt="A.", title="T").layout.margin.t > MARGIN["t"]
    assert draw([], {**notes, "showlegend": True}, alt="A.", title="T").layout.margin.t == MARGIN["t"]


def test_input_is_not_changed():
    layout = {"xaxis": {"title": {"text": "x"}}}
    draw([{"type": "scatter", "x": [1], "y": [1]}], layout, alt="A.", title="T")
    assert layout == {"xaxis": {"title": {"text": "x"}}}


def test_finite_copies_and_turns_infinite_into_missing():
    values = np.array([1.0, np.inf, -np.inf, np.nan])
    np.testing.assert_array_equal(finite(values), [1, np.nan, np.nan, np.nan])
    assert np.isinf(values[1])


def test_polyline_of_nothing():
    assert [len(side) for side in polyline([])] == [0, 0]


def test_named_axis_keeps_a_place_for_each_of_two_equal_names():
    axis = named_axis(["a", "a"])
    assert (axis["tickvals"], axis["ticktext"]) == ([0, 1], ["a", "a"])


@pytest.mark.parametrize(
    ("low", "high", "powers"),
    [(-6, 3, [-6, -4, -2, 0, 2]), (-0.2, 1.3, [0, 1]), (-300, 300, [-300, -199, -98, 3, 104, 205]), (0, 0.5, None)],
)
def test_log_ticks_are_few_and_inside(low, high, powers):
    axis = log_ticks(low, high)
    if powers is None:
        assert "tickvals" not in axis  # one tick tells no scale: Plotly chooses
    else:
        assert np.log10(axis["tickvals"]) == pytest.approx(powers)
    check(draw([], {"xaxis": axis}, alt="A."))


def test_log_range_of_one_value_is_not_empty():
    low, high = log_range(np.array([0.0, 10.0]))
    assert low < 1 < high


def test_text_width_counts_what_is_seen():
    assert text_width("<b>abc</b>") == text_width("abc") < text_width("ABC")
    assert text_width("&lt;") == text_width("<")


def test_dark_template_changes_ink_and_ground_only():
    light, dark = (template(dark=dark).to_plotly_json()["layout"] for dark in (False, True))
    assert (light["font"].pop("color"), dark["font"].pop("color")) == (INK, DARK_INK)
    for ground in ("paper_bgcolor", "plot_bgcolor"):
        assert (light.pop(ground), dark.pop(ground)) == (CLEAR, DARK_GROUND)
    assert light == dark


def test_level_of_zero_and_negative():
    assert (level(0), level(-1), level(2e-4)) == ("0", "−1", "0.0002")


def test_short_keeps_both_ends_and_the_length():
    assert short("abcdefghij", 5) == "ab…ij"
    assert short("abcde", 5) == "abcde"


def test_short_all_keeps_names_apart():
    names = [f"Mean_Acc1298_{kind}_Mem40_MFCC_{i}" for kind in ("Mean", "Std") for i in range(13)]
    cut = short_all(names)
    assert len(set(cut)) == len(names)
    assert max(map(len, cut)) <= 22
    assert cut[0] == "Mean_…_Mean_…_MFCC_0"


def test_short_all_gives_room_where_the_middle_is_the_difference():
    names = ["a" * 15 + middle + "z" * 15 for middle in "xy"]
    assert short_all(names, 28) != [short(name, 28) for name in names]


def test_short_all_leaves_out_the_same_of_a_name_of_other_parts():
    names = ["Mean_Acc1298_Mean_Mem40_MFCC_1", "Mean_Acc1298_Std_Mem40_MFCC_1", "Mean_Acc1298_Mean_Mem40_Rolloff"]
    assert short_all(names)[-1] == "Mean_…_Mean_…_Rolloff"


def test_short_all_leaves_one_gap_for_parts_that_follow_each_other():
    names = [f"Emotion-Annotation-of-the-listener_{i:03d}" for i in range(3)]
    assert short_all(names, 16) == ["Emotion-…_000", "Emotion-…_001", "Emotion-…_002"]
    cut = short_all([f"Mean_Acc1298_{kind}_Mem40_Rolloff" for kind in ("Mean", "Std")], 20)
    assert not any("……" in name for name in cut)


def test_short_all_of_equal_names():
    assert short_all(["a", "a"]) == ["a", "a"]


def test_a_trace_says_what_it_stands_for():
    trace = standing_for({"type": "heatmap"}, rows={"feature": ["f"]}, columns={"label": ["l"]})
    assert trace["meta"] == {"rows": {"feature": ["f"]}, "columns": {"label": ["l"]}}
    assert standing_for({"text": ["f"]}, each={"feature": "text"}, method="ELS")["meta"] == {
        "of": {"method": "ELS"},
        "each": {"feature": "text"},
    }
