"""ELC's loop: hand-made tables are read rightly, and the kept numbers come out again."""

import numpy as np
import pandas as pd
import pytest

from mlfs import load_dataset, make_selector
from mlfs.evaluation import loss_curve, random_splits, scale
from mlfs.metrics import redundancy, residual_label_correlation
from mlfs.papers import QUESTIONS
from mlfs.papers.question import RunContext
from mlfs.papers.wang_2020_elc import question
from mlfs.studies import Store
from tests.plots.checks import check

QUESTION = QUESTIONS.named("elc_loop")


@pytest.fixture(scope="module")
def emotions(tmp_path_factory):
    """The tables of a run on one split of emotions, made now."""
    with Store(tmp_path_factory.mktemp("store") / "cells.sqlite") as store:
        return QUESTION.measure(load_dataset("emotions"), RunContext(store))


def test_kept_run_comes_out_again(emotions):
    kept = QUESTION.stored().tables["sets"]
    kept = kept[(kept["dataset"] == "emotions") & (kept["repeat"] == 0)].reset_index(drop=True)
    # An iteration that grows without bound repeats every rounding error of the machine.
    stable = ~kept["setting"].str.contains("printed")
    assert kept["setting"].tolist() == emotions["sets"]["setting"].tolist()
    pd.testing.assert_frame_equal(emotions["sets"][stable], kept[stable], rtol=1e-4, check_dtype=False)
    assert (kept["ended"] == emotions["sets"]["ended"]).all()


def test_a_row_is_what_it_says(emotions):
    """The authors' program with a tenth of the features, on the training rows of the first random split."""
    ds = load_dataset("emotions")
    train, test = next(iter(random_splits(ds.Y)))
    elc = make_selector("elc", variant="authors", n_features_to_select=7).fit(ds.X[train], ds.Y[train])
    exact = make_selector("elc", variant="exact").fit(ds.X[train], ds.Y[train]).ranking_[:7]
    X_train, X_test = scale(ds.X[train], ds.X[test], "z_score")
    chosen = np.sort(elc.final_set_)
    row = emotions["sets"].query("size == 7 and setting == 'elc:variant=authors'").iloc[0]
    assert row["redundancy"] == pytest.approx(redundancy(ds.X[train], ds.Y[train], chosen))
    assert row["residual_label_correlation"] == pytest.approx(
        residual_label_correlation(ds.X[train], ds.Y[train], chosen)
    )
    curve = loss_curve(X_train, ds.Y[train], X_test, ds.Y[test], chosen, [7], metrics=("ranking_loss",))
    assert row["ranking_loss"] == pytest.approx(curve["ranking_loss"].item())
    both = set(chosen.tolist()) & set(exact.tolist())
    assert row["overlap_exact"] == pytest.approx(len(both) / (14 - len(both)))
    assert (row["iterations"], row["ended"]) == (elc.n_iter_, "converged")


def made_up(**of_setting):
    """Two sizes on one split; each setting with its R(F), ranking loss, replaced features and how it ended."""
    rows = [
        {
            **dict.fromkeys(QUESTION.tables["sets"], 0.5),
            "dataset": "yeast",
            "repeat": 0,
            "size": size,
            "setting": setting,
            "redundancy": R,
            "residual_label_correlation": 2.0 if setting == "random" else 3.0,
            "ranking_loss": loss,
            "replaced": replaced[place],
            "ended": ended,
        }
        for setting, (R, loss, replaced, ended) in of_setting.items()
        for place, size in enumerate((10, 20))
    ]
    return {"sets": pd.DataFrame(rows)[list(QUESTION.tables["sets"])]}


NONE = (np.nan, np.nan)
MADE_UP = made_up(
    **{
        "elc:variant=exact": (0.3, 0.2, NONE, "converged"),
        "start of the loop": (0.4, 0.1, NONE, ""),
        "elc": (0.4, 0.1, (0, 0), "limit"),
        "elc:variant=printed": (0.1, 0.4, (10, 5), "limit"),
        "elc:variant=authors": (0.5, 0.1, (0, 2), "converged"),
        "elc:beta=10000": (0.4, 0.1, (0, 0), "limit"),
        "elc:beta=10000,variant=printed": (0.1, 0.4, (10, 5), "overflow"),
        "random": (0.2, 0.2, NONE, ""),
    }
)


def test_loops_are_counted():
    found = question.loops(MADE_UP).set_index("setting")
    assert found.loc["elc", ["runs", "changed", "replaced", "limit"]].tolist() == [2, 0, 0.0, 2]
    assert found.loc["elc:variant=printed", "replaced"] == pytest.approx((10 / 10 + 5 / 20) / 2)
    assert found.loc["elc:variant=authors", ["changed", "converged", "overflow"]].tolist() == [1, 2, 0]
    assert found.loc["elc:beta=10000,variant=printed", "overflow"] == 2


def test_findings_follow_the_numbers():
    told = QUESTION.findings(MADE_UP)
    assert told[0].claim.endswith("the loop changes the initial set in 0 of 2 runs")
    assert told[0].evidence == "On no data set; 0.0% of the features on average."
    assert told[2].claim.endswith("in 1 of 2 runs")
    assert told[2].evidence.startswith("On yeast; 5.0% of the features")
    assert told[4].evidence.endswith("; 2 runs overflow.")
    assert told[6].claim == "The redundancy R(F) is lowest for ELC (printed) on 1 of 1 data set"
    assert told[6].evidence == (
        "It is lowest for ELC (printed) on 1. As a multiple of a random choice's (median over data sets): "
        "ELC 2.00, ELC (printed) 0.50, "
        "ELC (authors) 2.50, ELC (exact) 1.50."
    )
    assert "has 2.00 times the ranking loss of a random choice" in told[9].claim
    assert told[9].evidence.endswith("low redundancy comes with poor prediction.")
    assert "between 1.00 and 1.50 times" in told[10].claim


def test_a_curve_is_not_drawn_against_itself():
    found = question.curves_of(MADE_UP, "yeast", ("overlap_exact", "overlap_start"))
    own = found.groupby("metric")["method"].agg(set)
    assert "elc:variant=exact" not in own["overlap_exact"]
    assert "start of the loop" not in own["overlap_start"]
    assert "elc:beta=10000" not in set(found["method"])


def test_each_loop_is_compared_with_the_set_it_began_with():
    drawn = question.curves_of(MADE_UP, "yeast", ("overlap_start",)).groupby("method")["value"].agg(list)
    assert drawn["elc:variant=authors"] == [1.0, 18 / 22]  # none, and two of twenty replaced
    assert drawn["elc:variant=exact"] == [0.5, 0.5]  # no loop: as measured
    # Where the start is the one that was measured against, both ways give the same.
    kept = QUESTION.stored().tables["sets"].query("setting in ('elc', 'elc:variant=printed')")
    assert question._with_own_start(kept).to_numpy() == pytest.approx(kept["overlap_start"].to_numpy(), abs=1e-5)


def test_residual_correlation_is_drawn_beside_a_random_choice():
    found = question.curves_of(MADE_UP, "yeast", (question.RELATIVE,)).groupby("method")["value"].mean()
    assert found["random"] == 1
    assert found["elc"] == 1.5


def test_overlaps_are_two_panels_of_curves():
    rows = [
        ("elc", size, metric, value)
        for size, value in ((1, 0.2), (2, 0.4))
        for metric in ("overlap_exact", "overlap_start")
    ]
    figure = check(
        question.set_overlaps(pd.DataFrame(rows, columns=["method", "size", "metric", "value"])), "exact solution"
    )
    assert [list(trace.y) for trace in figure.data] == [[0.2, 0.4], [0.2, 0.4]]
