"""MATLAB's logistic regression beside the losses that Lee & Kim print."""

import numpy as np
import pandas as pd
import pytest

from mlfs import load_dataset
from mlfs.metrics import hamming_loss, ranking_loss
from mlfs.papers import QUESTIONS
from mlfs.papers.brlr_steps.fisher_scoring import BOUND, log_odds
from mlfs.papers.brlr_steps.question import ALL, FOUND, LEFT_OUT, NOT_CUT, RAW, explains, given, measure, reached
from mlfs.papers.question import RunContext
from mlfs.studies import Store

QUESTION = QUESTIONS.named("brlr_steps")


@pytest.fixture(scope="module")
def yeast(tmp_path_factory):
    """The losses of one split of yeast, measured now."""
    with Store(tmp_path_factory.mktemp("store") / "cells.sqlite") as store:
        return measure(load_dataset("yeast"), RunContext(store))["losses"]


def test_kept_run_comes_out_again(yeast):
    kept = QUESTION.stored().tables["losses"]
    kept = kept[(kept["dataset"] == "yeast") & (kept["repeat"] == 0)].reset_index(drop=True)
    assert set(kept["reading"]) == {FOUND, NOT_CUT, LEFT_OUT, RAW}
    pd.testing.assert_frame_equal(yeast, kept, rtol=1e-4, check_dtype=False)


def test_all_features_of_yeast_by_hand(yeast):
    ds = load_dataset("yeast")
    order = np.random.default_rng([0, 0]).permutation(len(ds.Y))
    test = np.sort(order[-round(0.2 * len(order)) :])
    train = np.setdiff1d(order, test)
    middle = (ds.X.min(axis=0) + ds.X.max(axis=0)) / 2
    for reading, X in ((FOUND, (middle <= ds.X).astype(float)), (RAW, ds.X)):
        odds = log_odds(X[train], ds.Y[train], X[test])
        [row] = yeast[(yeast["setting"] == ALL) & (yeast["reading"] == reading)].to_dict("records")
        assert row["hamming_loss"] == pytest.approx(hamming_loss(ds.Y[test], odds > 0), abs=1e-6)
        assert row["ranking_loss"] == pytest.approx(ranking_loss(ds.Y[test], np.clip(odds, -BOUND, BOUND)), abs=1e-6)


def made_up(values, reading=FOUND):
    """Ranking losses of ELS on corel5k, split by split; printed is 0.199. All Hamming losses are as printed, 0.010."""
    rows = [("corel5k", reading, "els", repeat, 0.010, value) for repeat, value in enumerate(values)]
    return pd.DataFrame(rows, columns=QUESTION.tables["losses"])


def test_low_and_high_are_two_standard_errors_away():
    numbers = given({"losses": made_up([0.20, 0.22])}).set_index("metric").loc["ranking_loss"]
    apart = 2 * np.std([0.20, 0.22], ddof=1) * np.sqrt(1 / 10 + 1 / 2)
    assert [numbers["low"], numbers["high"]] == pytest.approx([0.21 - apart, 0.21 + apart])
    given_here = explains({"losses": made_up([0.20, 0.22])}, "lee_kim_2016")
    assert given_here["result"].tolist() == ["table5", "table6"]


@pytest.mark.parametrize(("value", "near"), [(0.1994, True), (0.1996, False)])
def test_without_a_spread_only_the_rounding_is_allowed(value, near):
    assert reached(given({"losses": made_up([value, value])})).tolist() == [True, near]


def test_findings_follow_the_numbers():
    losses = pd.concat([made_up([0.199, 0.199]), made_up([0.14, 0.14], NOT_CUT)])
    told = QUESTION.findings({"losses": losses})
    assert told[0].claim == "MATLAB's logistic regression gives 2 of 2 numbers of Tables 5 and 6"
    assert told[1].claim == "1 of 1 change to it give fewer"
    assert told[1].evidence == "With log-odds not cut, 1 of 2 instead of 2."
    assert told[2].claim.endswith("nearer to the printed one on 1 of 1 data set")
    assert told[2].evidence.endswith("corel5k 0.199 | 0.199 | 0.140.")
    assert QUESTION.findings({"losses": losses[:0]}) == []
