"""Means, bands and gaps of the curves."""

import sys
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from mlfs.errors import ParameterError
from mlfs.plots import curves, curves_outline, style_of, tidy
from tests.plots.checks import check, is_empty, named


def table(methods=("els", "grro"), metrics=("hamming_loss",), sizes=(1, 2, 3), repeats=1) -> pd.DataFrame:
    rows = [
        (method, size, metric, repeat, i + 0.1 * size + 0.01 * repeat)
        for i, method in enumerate(methods)
        for metric in metrics
        for size in sizes
        for repeat in range(repeats)
    ]
    return pd.DataFrame(rows, columns=["method", "size", "metric", "repeat", "value"])


def losses(*values) -> pd.DataFrame:
    return pd.DataFrame({"size": range(1, len(values) + 1), "hamming_loss": values})


def band_of(figure, panel="y"):
    return next(trace for trace in figure.data if trace.fill == "toself" and trace.yaxis == panel)


def test_one_line_per_method_in_its_own_look():
    figure = check(curves(table()), "ELS", "GRRO", "from 1 to 3")
    line = named(figure, "GRRO")
    np.testing.assert_allclose(line.y, [1.1, 1.2, 1.3])
    assert (line.line.color, line.line.dash) == (style_of("grro").colour, style_of("grro").dash)
    assert not any(trace.fill for trace in figure.data)
    assert figure.layout.yaxis.title.text == "Hamming loss (lower is better)"
    assert figure.layout.xaxis.title.text == "Number of features"


def test_sizes_in_any_order_are_drawn_in_rising_order():
    figure = curves(table().sample(frac=1, random_state=0))
    assert list(named(figure, "ELS").x) == [1, 2, 3]


def test_methods_keep_the_order_of_the_table():
    figure = curves(table(("scls", "els")))
    assert [trace.name for trace in figure.data] == ["SCLS", "ELS"]


def test_band_is_mean_plus_minus_the_standard_deviation_of_the_repeats():
    rows = pd.DataFrame({"method": "els", "metric": "hamming_loss", "size": [1, 1, 2, 2], "value": [1.0, 3, 5, 5]})
    figure = check(curves(rows), "mean ± standard deviation")
    np.testing.assert_allclose(named(figure, "ELS").y, [2, 5])
    np.testing.assert_allclose(band_of(figure).x, [1, 2, 2, 1])
    np.testing.assert_allclose(band_of(figure).y, [2 + 2**0.5, 5, 5, 2 - 2**0.5])


def test_confidence_interval_is_student_s():
    values = np.array([0.1, 0.2, 0.4])
    rows = pd.DataFrame(
        {"method": "els", "metric": "hamming_loss", "size": np.repeat([1, 2], 3), "value": [*values, *values]}
    )
    low, high = stats.t.interval(0.95, 2, loc=values.mean(), scale=stats.sem(values))
    band = band_of(check(curves(rows, band="ci"), "95% confidence interval"))
    np.testing.assert_allclose(band.y, [high, high, low, low])


def test_spread_may_be_given_instead_of_repeats():
    rows = table(("els",)).assign(std=0.5)
    np.testing.assert_allclose(band_of(curves(rows)).y, [0.6, 0.7, 0.8, -0.2, -0.3, -0.4])
    assert not any(trace.fill for trace in curves(rows, band="none").data)


def test_missing_value_interrupts_curve_and_band():
    rows = table(("els",), sizes=range(1, 6), repeats=2)
    rows.loc[rows["size"] == 3, "value"] = np.nan
    figure = check(curves(rows))
    assert np.isnan(named(figure, "ELS").y[2])
    gap = np.flatnonzero(np.isnan(band_of(figure).x))
    assert list(gap) == [4]
    assert not named(figure, "ELS").connectgaps


def test_infinite_is_missing():
    rows = table(("els",))
    rows.loc[0, "value"] = np.inf
    assert np.isnan(check(curves(rows)).data[0].y[0])


def test_one_size_has_a_marker_and_an_error_bar():
    figure = check(curves(table(("els",), sizes=(10,), repeats=3)))
    line = named(figure, "ELS")
    assert "markers" in line.mode
    np.testing.assert_allclose(line.error_y.array, [0.01])


def test_panels_share_the_legend_and_the_sizes():
    figure = check(curves(table(metrics=("hamming_loss", "macro_f1", "coverage"))), "Macro-F1", "Coverage")
    assert sum(bool(trace.showlegend) for trace in figure.data) == 2
    assert {trace.yaxis for trace in figure.data} == {"y", "y2", "y3"}
    assert figure.layout.xaxis2.matches == figure.layout.xaxis3.matches == "x"
    headings = [note.text for note in figure.layout.annotations]
    assert headings == ["<b>Hamming loss ↓</b>", "<b>Macro-F1 ↑</b>", "<b>Coverage ↓</b>"]


@pytest.mark.parametrize("columns", [1, 2, 3])
@pytest.mark.parametrize("count", [2, 3, 5, 9])
def test_panels_do_not_overlap(columns, count):
    figure = curves(table(metrics=[f"metric {i}" for i in range(count)]), columns=columns)
    axes = [("", "")] + [(str(i), str(i)) for i in range(2, count + 1)]
    boxes = [(*figure.layout[f"xaxis{i}"].domain, *figure.layout[f"yaxis{j}"].domain) for i, j in axes]
    for a in range(count):
        assert 0 <= boxes[a][2] < boxes[a][3] <= 1
        for b in range(a):
            beside = boxes[a][0] >= boxes[b][1] or boxes[b][0] >= boxes[a][1]
            below = boxes[a][2] >= boxes[b][3] or boxes[b][2] >= boxes[a][3]
            assert beside or below


def test_a_method_without_the_first_metric_is_in_the_legend():
    rows = table(metrics=("hamming_loss", "coverage")).query("method == 'els' or metric == 'coverage'")
    assert [trace.name for trace in curves(rows).data if trace.showlegend] == ["ELS", "GRRO"]


def test_a_band_is_explained_even_for_one_method():
    figure = curves(table(("els",), repeats=3))
    assert figure.layout.showlegend
    assert figure.layout.legend.title.text == "mean ± standard deviation"
    assert not curves(table(("els",))).layout.showlegend


def test_metrics_choose_and_order_the_panels():
    rows = table(metrics=("hamming_loss", "ranking_loss", "coverage"))
    figure = curves(rows, metrics=("coverage", "hamming_loss", "macro_auc"))
    assert [note.text for note in figure.layout.annotations] == ["<b>Coverage ↓</b>", "<b>Hamming loss ↓</b>"]


def test_description_names_the_best_of_each_method_by_the_metric_s_direction():
    check(curves(table(metrics=("hamming_loss",))), "ELS 0.1000 at 1, GRRO 1.1000 at 1")
    check(curves(table(metrics=("macro_f1",))), "GRRO 1.3000 at 3, ELS 0.3000 at 3")


def test_baseline_is_a_level_line():
    figure = check(curves(table(("els",)), baseline={"hamming_loss": 0.25, "coverage": 1}), "all features 0.2500")
    line = named(figure, "all features")
    assert set(line.y) == {0.25}
    assert figure.layout.showlegend


def test_subset_measures_have_their_titles():
    figure = check(curves(table(metrics=("redundancy", "residual_label_correlation")), x_title="k′"))
    assert "<b>Residual label</b><br><b>correlation C(F) ↓</b>" in [note.text for note in figure.layout.annotations]
    assert figure.layout.xaxis2.title.text == "k′"


def test_log_axis():
    assert curves(table(metrics=("residual_label_correlation",)), log_y=True).layout.yaxis.type == "log"
    # A panel that reaches 0 has no logarithm there: it stays as it is.
    both = table(metrics=("redundancy", "residual_label_correlation"))
    both.loc[both["metric"] == "redundancy", "value"] -= both.loc[both["metric"] == "redundancy", "value"].min()
    layout = curves(both, log_y=True).layout
    assert (layout.yaxis.type, layout.yaxis2.type) == (None, "log")
    wide = pd.DataFrame({"method": "els", "size": [1, 2, 3], "metric": "redundancy", "value": [0.3, 0.02, 0.005]})
    axis = curves(wide, log_y=True).layout.yaxis
    assert {"0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.5"} <= set(axis.ticktext)
    close = curves(wide.assign(value=[0.02, 0.015, 0.012]), log_y=True).layout.yaxis
    assert {"0.012", "0.015", "0.02"} <= set(close.ticktext)
    equal = curves(wide.assign(value=0.02), log_y=True).layout.yaxis
    assert {"0.01", "0.02", "0.05"} <= set(equal.ticktext)


def test_one_split_has_no_band_where_a_value_is_missing():
    single = pd.DataFrame({"method": "els", "size": [1, 2, 3], "metric": "redundancy", "value": [np.nan, 0.2, 0.1]})
    figure = curves(single)
    assert not figure.layout.showlegend  # it would speak of a standard deviation
    assert "deviation" not in figure.layout.meta["alt"]


def test_a_panel_without_values_says_why():
    rows = table(metrics=("hamming_loss", "ranking_loss"))
    rows.loc[rows["metric"] == "ranking_loss", "value"] = np.nan
    figure = check(curves(rows), "Ranking loss is not defined on these data.")
    assert [note.text for note in figure.layout.annotations].count("not defined on these data") == 1
    assert (figure.layout.yaxis.showticklabels, figure.layout.yaxis2.showticklabels) == (None, False)


@pytest.mark.parametrize(
    "rows",
    [table(()), table().assign(value=np.nan), table(metrics=("coverage",)).query("size > 9")],
    ids=["no rows", "no values", "filtered"],
)
def test_nothing_to_show(rows):
    assert is_empty(curves(rows))


def test_names_are_not_markup():
    assert [trace.name for trace in check(curves(table(("a<b>", "c")))).data] == ["a&lt;b>", "c"]


def test_mistakes_get_a_sentence():
    with pytest.raises(ParameterError, match="lacks the column 'metric'; it needs method, size, metric, value"):
        curves(table().drop(columns="metric"))
    with pytest.raises(ParameterError, match="no band 'sd': did you mean 'std'"):
        curves(table(), band="sd")


def test_tidy_of_nothing_draws_nothing():
    assert is_empty(curves(tidy({})))


def test_the_table_is_left_alone():
    rows = table(repeats=2)
    before = rows.copy()
    curves(rows)
    pd.testing.assert_frame_equal(rows, before)


def test_building_takes_few_steps():
    """A slider redraws at every move; calls are counted, for a clock would tell how busy the machine is."""
    rows = table(("els", "grro", "elc"), ("hamming_loss",), range(1, 51))
    curves(rows)
    calls = Counter()
    sys.setprofile(lambda frame, event, argument: calls.update([event]))
    try:
        curves(rows)
    finally:
        sys.setprofile(None)
    assert 0 < calls["call"] < 5_000


def test_settings_of_one_method_are_curves_of_their_own():
    rows = table(("els",), ("hamming_loss",), range(1, 4))
    both = pd.concat([rows.assign(parameters="{}"), rows.assign(parameters='{"n_labels": 1}')])
    drawn = [trace for trace in curves(both).data if trace.name]
    assert [trace.name for trace in drawn] == ["ELS", "ELS (|Y|=1)"]
    assert drawn[0].line.color == style_of("els").colour


def test_failed_cells_and_several_data_sets():
    rows = table(("els",), ("hamming_loss",), range(1, 4))
    failed = rows.assign(size=np.nan, value=np.nan)
    assert is_empty(curves(failed))
    with pytest.raises(ParameterError, match="several data sets"):
        curves(pd.concat([rows.assign(dataset="a"), rows.assign(dataset="b")]))


def test_log_axis_of_sizes():
    few = check(curves(table(sizes=(1, 10, 100)), log_x=True))
    assert (few.layout.xaxis.type, list(few.layout.xaxis.tickvals)) == ("log", [1, 10, 100])
    many = check(curves(table(metrics=("hamming_loss", "ranking_loss"), sizes=range(3, 61)), log_x=True))
    assert list(many.layout.xaxis2.tickvals) == [5, 10, 20, 50]
    low, high = many.layout.xaxis.range
    assert low < np.log10(3) < np.log10(60) < high


def test_where_there_is_little_room_panels_stand_one_below_the_other():
    rows = table(metrics=("hamming_loss", "ranking_loss"))
    figure = check(curves(rows))
    stacked, narrow = curves(rows, columns=1).layout, figure.layout.meta["narrow"]
    for name in ("xaxis", "xaxis2", "yaxis", "yaxis2"):
        assert tuple(narrow[name]["domain"]) == tuple(stacked[name].domain)
    assert tuple(figure.layout.xaxis.domain) != tuple(stacked.xaxis.domain)
    assert narrow["height"] == stacked.height > figure.layout.height
    assert "narrow" not in curves(table()).layout.meta


def test_the_ends_of_the_axis_hold_curves_bands_and_level_with_little_room():
    repeats = tidy({"els": [losses(0.3, 0.2), losses(0.1, 0.2)]})
    figure = check(curves(repeats, metrics=["hamming_loss"], baseline={"hamming_loss": 0.5}))
    low, high = figure.layout.yaxis.range
    deviation = np.std([0.3, 0.1], ddof=1)
    lowest = 0.2 - deviation
    assert lowest - 0.05 < low < lowest
    assert 0.5 < high < 0.55
    assert curves(repeats, metrics=["hamming_loss"], log_y=True).layout.yaxis.range is None


def test_bands_of_many_methods_fade():
    def opacity(methods):
        repeats = tidy({method: [losses(0.3, 0.2), losses(0.1, 0.2)] for method in methods})
        return float(band_of(curves(repeats)).fillcolor.split(",")[-1].strip(" )"))

    few = ["els", "grro", "elc", "mapd"]
    assert opacity([*few, "scls"]) < 0.05 < opacity(few)


def test_curves_and_their_bands_stand_for_their_method():
    figure = curves(tidy({"els": [losses(0.3, 0.2), losses(0.1, 0.2)], "a<b": losses(0.2, 0.2)}))
    assert [trace.meta["of"]["method"] for trace in figure.data] == ["ELS", "ELS", "a&lt;b"]


def test_an_outline_has_the_panels_to_come_and_no_numbers():
    metrics = ("hamming_loss", "macro_f1")
    sentence = "There will be a curve of Hamming loss, Macro-F1 for each of ELS, GRRO."
    figure = check(curves_outline(["ELS", "GRRO"], metrics, [10, 5, 1]), "no results yet", sentence)
    assert [trace.yaxis for trace in figure.data] == ["y", "y", "y2", "y2"]
    assert all(list(trace.x) == [1, 5, 10] and trace.hoverinfo == "skip" for trace in figure.data)
    loss, score = figure.data[0], figure.data[2]
    assert loss.y[0] > loss.y[-1]
    assert score.y[0] < score.y[-1]
    assert not figure.layout.yaxis.showticklabels
    assert not figure.layout.yaxis2.showticklabels
    assert [trace.name for trace in figure.data if trace.showlegend] == ["An outline: no results yet"]
    assert figure.layout.height == curves(table(metrics=metrics, repeats=2)).layout.height


def test_an_outline_of_nothing():
    assert is_empty(curves_outline([], ["hamming_loss"], [1, 2]))
    assert is_empty(curves_outline(["ELS"], ["hamming_loss"], []))


def test_a_parameter_below_one_has_powers_of_ten_on_its_axis():
    below = table(sizes=(0.001, 0.01, 0.1, 1, 10, 100, 1000))
    assert list(curves(below, log_x=True).layout.xaxis.tickvals) == [0.001, 0.1, 10, 1000]
