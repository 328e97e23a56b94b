"""Orders that have nothing to do with a method beside the numbers printed for it."""

import numpy as np
import pandas as pd
import pytest

from mlfs import load_dataset, make_selector
from mlfs.classifiers import MLkNN
from mlfs.metrics import average_precision
from mlfs.papers import QUESTIONS
from mlfs.papers.elc_rivals.question import FILE, RANDOM, STANDARD, claimed, explains, given, measure
from mlfs.papers.question import RunContext
from mlfs.papers.wang_2020_elc.experiments import METRICS
from mlfs.studies import Store

QUESTION = QUESTIONS.named("elc_rivals")


@pytest.fixture(scope="module")
def emotions(tmp_path_factory):
    """The tables of a run on emotions, made now."""
    with Store(tmp_path_factory.mktemp("store") / "cells.sqlite") as store:
        return measure(load_dataset("emotions"), RunContext(store))


def test_kept_run_comes_out_again(emotions):
    kept = QUESTION.stored().tables["means"]
    kept = kept[(kept["dataset"] == "emotions") & (kept["repeat"] == 0)].reset_index(drop=True)
    assert kept["order"].tolist() == [FILE, RANDOM, STANDARD]
    pd.testing.assert_frame_equal(emotions["means"], kept, rtol=1e-5, check_dtype=False)


def by_hand(ranking_of):
    """The mean average precision over five folds and 10% to 90% of the 72 features of emotions, as they are."""
    ds, values = load_dataset("emotions"), []
    order = np.random.default_rng([0, 0]).permutation(len(ds.Y))
    for test in np.array_split(order, 5):
        test = np.sort(test)
        train = np.setdiff1d(order, test)
        ranking = ranking_of(ds.X[train], ds.Y[train])
        for tenth in range(1, 10):
            first = ranking[: round(tenth * 7.2)]
            fitted = MLkNN().fit(ds.X[train][:, first], ds.Y[train])
            values.append(average_precision(ds.Y[test], fitted.predict_proba(ds.X[test][:, first])))
    return np.mean(values)


def test_the_order_of_the_file_is_that_of_the_columns(emotions):
    row = emotions["means"].set_index("order").loc[FILE]
    assert row["average_precision"] == pytest.approx(by_hand(lambda X, Y: np.arange(72)), abs=1e-9)


def test_llsf_sees_z_scores_and_the_classifier_does_not(emotions):
    def ranking(X, Y):
        return make_selector("llsf", beta=0.01).fit((X - X.mean(axis=0)) / X.std(axis=0), Y).ranking_

    row = emotions["means"].set_index("order").loc[STANDARD]
    assert row["average_precision"] == pytest.approx(by_hand(ranking), abs=1e-6)


def made_up(dataset, values):
    """Means whose average precisions are these, order by order; all other metrics are 0.5."""
    rows = [
        (dataset, order, repeat, value, *[0.5] * 4, *[0.1] * 5)
        for order, pair in values.items()
        for repeat, value in enumerate(pair)
    ]
    return {"means": pd.DataFrame(rows, columns=QUESTION.tables["means"])}


def test_only_the_claimed_order_explains_a_row():
    tables = made_up("emotions", {FILE: [0.9], RANDOM: [0.66, 0.7], STANDARD: [0.71]})
    rows = explains(tables, "wang_2020_elc").set_index(["metric", "setting"])
    assert set(rows.index) == {(metric, setting) for metric in METRICS for setting in ("mifs", "llsf")}
    assert rows.loc[("average_precision", "mifs"), ["low", "high"]].tolist() == [0.66, 0.7]
    assert rows.loc[("average_precision", "llsf"), ["low", "high"]].tolist() == [0.71, 0.71]
    assert rows.loc[("average_precision", "llsf"), "result"] == "table2a"
    of_genbase = given(made_up("genbase", {FILE: [0.7], RANDOM: [0.1]}))
    assert set(of_genbase["setting"]) == {"mifs", "cmfs", "llsf"}
    assert set(of_genbase["order"]) == {FILE}
    assert claimed("genbase", "elc") is None


def test_findings_follow_the_numbers():
    told = QUESTION.findings(made_up("emotions", {FILE: [0.9], RANDOM: [0.6867], STANDARD: [0.8]}))
    assert told[0].claim == "A random order gives 2 of 5 numbers of MIFS"
    assert "emotions 0.6667 | 0.6867" in told[0].evidence
    assert told[1].claim == "LLSF on z-scores gives 0 of 5 numbers of LLSF"
    assert told[2].claim.endswith("it lies beyond them on 1 of 1")
    assert told[2].evidence.endswith("emotions 0.9000 (printed 0.6667 to 0.7221).")
    within = QUESTION.findings(made_up("emotions", {FILE: [0.7], RANDOM: [0.6867], STANDARD: [0.8]}))
    assert within[2].claim.endswith("it lies beyond them on 0 of 1")
    assert QUESTION.findings({"means": pd.DataFrame(columns=QUESTION.tables["means"])}) == []


def test_the_kept_run_has_the_printed_rows_of_genbase():
    """Three methods, five numbers each, within a tenth of the printed deviation: what the order is believed for."""
    numbers = given(QUESTION.stored().tables).query("dataset == 'genbase'")
    assert len(numbers) == 15
    deviations = numbers["text"].str.partition("±")[2].astype(float)
    # Deviations are printed with two digits.
    assert ((numbers["measured"] - numbers["published"]).abs() <= 0.1 * (deviations + 0.005)).all()
