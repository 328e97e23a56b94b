"""MATLAB's logistic regression with all features beside the losses that Lee & Kim print."""

import numpy as np
import pandas as pd
import pytest

from mlfs import load_dataset
from mlfs.evaluation import get_protocol
from mlfs.information import discretize
from mlfs.metrics import hamming_loss, ranking_loss
from mlfs.papers import QUESTIONS
from mlfs.papers.brlr_all_features.question import explains, measure
from mlfs.papers.brlr_steps.fisher_scoring import BOUND, log_odds
from mlfs.papers.brlr_steps.question import ALL, FOUND, LEFT_OUT, NOT_CUT
from mlfs.papers.question import RunContext
from mlfs.studies import Store

QUESTION = QUESTIONS.named("brlr_all_features")


def test_losses_are_those_of_all_features(tmp_path):
    ds = load_dataset("emotions")
    with Store(tmp_path / "cells.sqlite") as store:
        rows = measure(ds, RunContext(store))["losses"].set_index("reading")
    assert rows.index.tolist() == [FOUND, NOT_CUT, LEFT_OUT]
    [(train, test)] = get_protocol("lee_kim_2016", repeats=1).splits(ds)
    X = discretize(ds.X, 2, "equal_width")
    odds = log_odds(X[train], ds.Y[train], X[test])
    assert rows.loc[FOUND, "hamming_loss"] == pytest.approx(hamming_loss(ds.Y[test], odds > 0))
    assert rows.loc[FOUND, "ranking_loss"] == pytest.approx(ranking_loss(ds.Y[test], np.clip(odds, -BOUND, BOUND)))
    assert rows.loc[NOT_CUT, "ranking_loss"] == pytest.approx(ranking_loss(ds.Y[test], odds))


def made_up(hamming, ranking):
    rows = [("enron", reading, ALL, 0, hamming, ranking) for reading in (FOUND, NOT_CUT)]
    return {"losses": pd.DataFrame(rows, columns=QUESTION.tables["losses"])}


def test_one_split_explains_what_it_gives():
    rows = explains(made_up(0.165, 0.3), "lee_kim_2016").set_index("metric")
    assert rows["result"].to_dict() == {"hamming_loss": "table5", "ranking_loss": "table6"}
    assert rows.loc["hamming_loss", ["low", "high"]].tolist() == [0.165, 0.165]


def test_sentences_have_printed_and_measured_losses_side_by_side():
    hamming, ranking = QUESTION.findings(made_up(0.16, 0.4))
    assert hamming.claim.endswith("printed Hamming loss than a fit that converges on 1 of 1 data set")
    assert "converges: enron 0.165 | 0.160 | 0.160 | 0.06" in hamming.evidence
    assert "converges: enron 0.478 | 0.400 | 0.400 | 0.2" in ranking.evidence
    ranking = QUESTION.findings(made_up(0.16, 0.9))[1]
    assert ranking.claim.endswith("than a fit that converges on 0 of 1 data set")
    assert QUESTION.findings({"losses": made_up(0.16, 0.4)["losses"][:0]}) == []
