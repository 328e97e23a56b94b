"""Sums of odds ratios with and without a guard, beside the losses printed for BR-OR."""

import numpy as np
import pandas as pd
import pytest

from mlfs import load_dataset, make_selector
from mlfs.information import discretize
from mlfs.papers import QUESTIONS
from mlfs.papers.odds_ratio_forms.question import (
    FILE,
    FINITE,
    FORMS,
    GUARDED,
    LOGARITHMS,
    PLAIN,
    explains,
    measure,
    scores,
)
from mlfs.papers.question import RunContext
from mlfs.studies import Store

QUESTION = QUESTIONS.named("odds_ratio_forms")
# Counts of both, feature only, label only, neither: 2, 1, 1, 2; 3, 0, 0, 3; and of a constant feature 3, 3, 0, 0.
X = np.array([[1, 1, 1], [1, 1, 1], [0, 1, 1], [1, 0, 1], [0, 0, 1], [0, 0, 1]])
Y = np.array([[1], [1], [1], [0], [0], [0]])


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        (PLAIN, [4.0, np.inf, 0.0]),
        (FINITE, [4.0, 0.0, 0.0]),
        (LOGARITHMS, [np.log(4), 0.0, 0.0]),
        (FILE, [0.0, 0.0, 0.0]),
        (GUARDED, [np.log(6.25 / 2.25), np.log(49.0), 0.0]),
    ],
)
def test_scores_by_hand(form, expected):
    np.testing.assert_allclose(scores(X, Y, form), expected)


def test_the_guarded_form_is_our_selector():
    ds = load_dataset("emotions")
    binned = discretize(ds.X, 2, "equal_width")
    np.testing.assert_allclose(scores(binned, ds.Y, GUARDED), make_selector("br_or").fit(ds.X, ds.Y).scores_)


def test_kept_run_comes_out_again(tmp_path):
    with Store(tmp_path / "cells.sqlite") as store:
        measured = measure(load_dataset("yeast"), RunContext(store))["losses"]
    assert tuple(measured["form"]) == FORMS
    kept = QUESTION.stored().tables["losses"]
    kept = kept[(kept["dataset"] == "yeast") & (kept["repeat"] == 0)].reset_index(drop=True)
    pd.testing.assert_frame_equal(measured, kept, rtol=1e-4, check_dtype=False)


def made_up():
    rows = [("genbase", PLAIN, 0, 0.002, 0.004), ("genbase", FILE, 0, 0.04, 0.09)]
    return {"losses": pd.DataFrame(rows, columns=QUESTION.tables["losses"])}


def test_plain_ratios_explain_and_the_others_do_not():
    rows = explains(made_up(), "lee_kim_2016").set_index("metric")
    assert set(rows["setting"]) == {"br_or"}
    assert rows["low"].to_dict() == rows["high"].to_dict() == {"hamming_loss": 0.002, "ranking_loss": 0.004}


def test_sentences():
    hamming, ranking = QUESTION.findings(made_up())
    assert hamming.claim == "In Hamming loss, plain ratios come nearest to what is printed"
    assert hamming.evidence == (
        "They differ from it by a factor of 1.00; order of the file by 20.00 (geometric means over the data sets). "
        "Printed | plain ratios: genbase 0.002 | 0.0020."
    )
    assert ranking.evidence.endswith("Printed | plain ratios: genbase 0.003 | 0.0040.")
    assert QUESTION.findings({"losses": made_up()["losses"][:0]}) == []
