"""Figures of the leaderboard and of a method's card: what stands where, and what they say in words."""

import numpy as np
import pandas as pd
import pytest

from mlfs import SELECTORS
from mlfs.plots import (
    critical_difference_diagram,
    growth,
    method_map,
    parameter_changes,
    rank_against_time,
    rank_intervals,
    ranks_by_dataset,
)
from tests.plots.checks import check, is_empty

TABLE = pd.DataFrame(
    {
        "average_rank": [1.5, 2.0, 2.5],
        "low": [1.0, 1.5, 2.0],
        "high": [2.0, 2.5, 3.0],
        "seconds": [1.0, 0.1, 0.5],
        "on_front": [True, True, False],
    },
    index=["els", "grro", "random"],
)
EVERY = [method for method in SELECTORS if method != "all_features"]


def test_ranks_stand_within_their_intervals_best_on_top():
    figure = check(rank_intervals(TABLE, methods=53, marked="grro"), "best first: ELS 1.5 (1.0 to 2.0), GRRO 2.0")
    lines, points, ring = figure.data
    assert list(points.x) == [1.5, 2.0, 2.5]
    assert list(points.y) == [0, 1, 2]
    assert figure.layout.yaxis.range[0] > figure.layout.yaxis.range[1]  # the first row on top
    assert np.array(lines.x)[[0, 1]].tolist() == [1.0, 2.0]
    assert (ring.x[0], ring.y[0]) == (2.0, 1)
    assert "of 53" in figure.layout.xaxis.title.text


def test_the_front_is_a_staircase_and_has_names():
    words = "nothing is both better and quicker than ELS with rank 1.5 in 1 s, GRRO with rank 2.0 in 100 ms."
    steps, points, names = check(rank_against_time(TABLE), words).data
    # From GRRO on, its rank is to be had, until ELS is done.
    assert list(zip(steps.x, steps.y, strict=True)) == [(0.1, 2.0), (1.0, 2.0), (1.0, 1.5)]
    assert list(points.marker.size) == [11, 11, 6]
    assert [name.replace("<br>", "").strip() for name in names.text] == ["ELS", "GRRO"]
    # The stairs leave a point to its right and come to it from below: names stand elsewhere.
    assert set(names.textposition) <= {"middle left", "top center"}


def test_the_map_names_who_is_asked_for():
    placed = pd.DataFrame({"x": [0.0, 1.0, 2.0], "y": [0.0, 1.0, 0.5]}, index=["els", "grro", "random"])
    points, names, ring = check(method_map(placed, named=["grro"], marked="els"), "named: ELS, GRRO.").data
    assert list(points.text) == ["ELS", "GRRO", "Random"]
    assert [name.strip() for name in names.text] == ["ELS", "GRRO"]
    assert (ring.x[0], ring.y[0]) == (0.0, 0.0)


def test_names_keep_clear_of_each_other():
    near = dict.fromkeys(("els", "grro", "mfs", "scls", "d2f"), (1.0, 1.0))
    ends = {"random": (0.0, 0.0), "mico": (2.0, 2.0)}
    placed = pd.DataFrame.from_dict({**near, **ends}, orient="index", columns=["x", "y"])
    figure = check(method_map(placed, named=list(placed.index)), "named: ELS, GRRO, MFS, SCLS, Random, MICO.")
    names = figure.data[1]
    # Four sides of one place, so that the fifth there has none; what stands at the right end is named to its left.
    assert [name.replace("<br>", "").strip() for name in names.text] == ["ELS", "GRRO", "MFS", "SCLS", "Random", "MICO"]
    assert len(set(names.textposition[:4])) == 4
    assert names.textposition[-1] != "middle right"
    table = TABLE.assign(average_rank=[2.0, 2.001, 2.5], seconds=[0.1001, 0.1, 5.0])
    sides = rank_against_time(table).data[2].textposition
    assert len(set(sides)) == 2


def test_no_name_touches_the_ring_of_the_marked():
    seconds, ranks = np.array([0.0578, 1.0, 100.0, 0.01]), [2.0, 2.0, 9.0, 9.0]
    table = pd.DataFrame(
        {"average_rank": ranks, "seconds": seconds, "on_front": [True, True, False, False]},
        index=["jmi_br", "grro_ls", "d2f", "mfs"],
    )

    def written(marked):
        names = rank_against_time(table, marked=marked).data[2]
        bare = [name.replace("<br>", "").strip() for name in names.text]
        return dict(zip(bare, zip(names.text, names.textposition, strict=True), strict=True))

    # Left of GRRO-LS its name ends just before JMI-BR, and in its ring; its own ring keeps the name further off.
    assert written("mfs")["GRRO-LS"][1] == "middle left"
    assert written("jmi_br")["GRRO-LS"][1] != "middle left"
    own, other = written("grro_ls")["GRRO-LS"][0], written("mfs")["GRRO-LS"][0]
    assert len(own) == len(other) + 1


def test_a_part_of_the_methods_looks_as_all_do():
    """Else a method would have one colour in the ranks and another beside them."""
    every = pd.DataFrame({"average_rank": 2.0, "low": 1.0, "high": 3.0, "seconds": 1.0, "on_front": False}, index=EVERY)
    colours = dict(zip(EVERY, rank_against_time(every).data[1].marker.color, strict=True))
    part = ["jmi_br", "grro_ls", "mico", "grro"]
    shown = rank_intervals(every.loc[part], among=EVERY).data[1].marker.color
    assert list(shown) == [colours[method] for method in part]
    assert list(rank_intervals(every.loc[part]).data[1].marker.color) != list(shown)
    ranks = pd.Series({method: place + 1.0 for place, method in enumerate(part)})
    diagram = critical_difference_diagram(ranks, 1.0, among=EVERY)
    [points] = [trace for trace in diagram.data if trace.mode == "markers"]
    assert set(points.marker.color) == set(shown)


def test_a_click_tells_the_method():
    placed = pd.DataFrame({"x": [0.0, 1.0], "y": [0.0, 1.0]}, index=["els", "grro"])
    for figure in (rank_intervals(TABLE), rank_against_time(TABLE), method_map(placed)):
        [names] = [trace.meta["each"]["method"] for trace in figure.data if trace.meta]
        assert names[:2] == ["ELS", "GRRO"]


def test_times_have_units_however_near_they_are():
    figure = growth({"features": (np.array([1.0, 2.0, 4.0]), np.array([0.11, 0.19, 0.34]))})
    assert list(figure.layout.yaxis.ticktext) == ["100 ms", "200 ms", "300 ms"]


def test_ranks_of_one_method_best_on_top():
    ranks = pd.Series({"yeast": 7.0, "flags": 2.5})
    figure = check(
        ranks_by_dataset(ranks, 53, method="els"), "Ranks of ELS among 53 methods, best first: flags 2.5, yeast 7."
    )
    assert list(figure.layout.yaxis.ticktext) == ["flags", "yeast"]
    assert list(figure.data[1].x) == [2.5, 7.0]


def test_changes_are_in_per_cent():
    table = pd.DataFrame([{"parameter": "alpha", "value": "0.1", "change": -0.25, "low": -0.5, "high": 0.0}])
    figure = check(parameter_changes(table, "ranking loss", method="grro"), "α=0.1 -25.0%")
    assert list(figure.data[2].x) == [-25.0]
    assert list(figure.layout.yaxis.ticktext) == ["α=0.1"]
    assert np.array(figure.data[1].x).tolist() == [-50.0, 0.0]


def test_growth_has_a_line_for_each_that_grows():
    lines = {"instances": (np.array([1.0, 2, 4]), np.array([0.1, 0.2, 0.4])), "labels": (np.empty(0), np.empty(0))}
    figure = check(growth(lines), "instances from 100 ms to 400 ms at × 4")
    assert len(figure.data) == 1
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"


@pytest.mark.parametrize(
    "figure",
    [
        lambda: rank_intervals(TABLE.head(0)),
        lambda: rank_against_time(TABLE.head(0)),
        lambda: method_map(pd.DataFrame(columns=["x", "y"])),
        lambda: ranks_by_dataset(pd.Series(dtype=float), 3, method="els"),
        lambda: parameter_changes(pd.DataFrame(), "loss", method="els"),
        lambda: growth({}),
    ],
)
def test_before_there_is_anything(figure):
    assert is_empty(figure())


def test_a_name_covers_no_point_that_has_one():
    seconds = [1.0, 1.5, 100.0, 0.01]
    table = pd.DataFrame(
        {"average_rank": 2.0, "seconds": seconds, "on_front": True}, index=["els", "grro", "d2f", "mfs"]
    )
    names = rank_against_time(table).data[2]
    bare = [name.replace("<br>", "").strip() for name in names.text]
    sides = dict(zip(bare, names.textposition, strict=True))
    assert sides == {"ELS": "middle left", "GRRO": "top center", "D2F": "middle left", "MFS": "top center"}
    # Six in one place have four sides.
    crowd = pd.DataFrame(
        {"average_rank": 2.0, "seconds": 1.0, "on_front": True}, index=["els", "grro", "d2f", "mfs", "scls", "mico"]
    )
    assert len(rank_against_time(pd.concat([crowd, table[2:].set_axis(["rfs", "spfs"])])).data[2].text) == 6
