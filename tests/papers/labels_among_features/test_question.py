"""Labels that can be selected like features, beside the losses that Lee & Kim print for bibtex."""

import numpy as np
import pandas as pd
import pytest

from mlfs import load_dataset, make_selector
from mlfs.evaluation import get_protocol
from mlfs.information import discretize
from mlfs.metrics import hamming_loss
from mlfs.papers import QUESTIONS
from mlfs.papers.brlr_steps.fisher_scoring import log_odds
from mlfs.papers.brlr_steps.question import FOUND
from mlfs.papers.labels_among_features.question import ALONE, AMONG, SIZE, TABLES, explains, measure, reached_by
from mlfs.papers.odds_ratio_forms.question import PLAIN
from mlfs.papers.question import RunContext
from mlfs.studies import Store

QUESTION = QUESTIONS.named("labels_among_features")
#: One of its own selection, and one as the library has it; each fit is a second of work.
TWO = ("br_or", "mfs")


@pytest.fixture(scope="module")
def yeast(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch, Store(tmp_path_factory.mktemp("store") / "cells.sqlite") as store:
        patch.setattr("mlfs.papers.labels_among_features.question.SETTINGS", TWO)
        return measure(load_dataset("yeast"), RunContext(store))["losses"]


def test_alone_the_features_give_what_other_experiments_kept(yeast):
    alone = yeast[yeast["way"] == ALONE].set_index("setting")
    assert tuple(alone.index) == TWO
    assert (alone["labels_selected"] == 0).all()
    steps, forms = (QUESTIONS[name].stored().tables["losses"] for name in ("brlr_steps", "odds_ratio_forms"))
    steps = steps[(steps["reading"] == FOUND) & (steps["setting"] != "br_or")]
    known = pd.concat([steps, forms[forms["form"] == PLAIN].assign(setting="br_or")])
    known = known[(known["dataset"] == "yeast") & (known["repeat"] == 0)].set_index("setting")
    pd.testing.assert_frame_equal(alone[list(TABLES)], known.loc[list(TWO), list(TABLES)], rtol=1e-4)


def test_labels_are_selected_and_classified_like_features(yeast):
    ds = load_dataset("yeast")
    [(train, test)] = get_protocol("lee_kim_2016", repeats=1).splits(ds)
    X = np.hstack([discretize(ds.X, 2, "equal_width"), ds.Y])
    columns = make_selector("mfs").fit(np.hstack([ds.X, ds.Y])[train], ds.Y[train]).ranking_[:SIZE]
    found = yeast[(yeast["way"] == AMONG) & (yeast["setting"] == "mfs")].iloc[0]
    odds = log_odds(X[train][:, columns], ds.Y[train], X[test][:, columns])
    assert found["hamming_loss"] == pytest.approx(hamming_loss(ds.Y[test], odds > 0))
    assert found["labels_selected"] == np.count_nonzero(columns >= ds.X.shape[1]) > 0


def made_up(dataset="bibtex", among=0.009, alone=0.013):
    rows = [
        (dataset, way, "els", repeat, labels, hamming, hamming)
        for way, labels, hamming in ((AMONG, 31, among), (ALONE, 0, alone))
        for repeat in range(2)
    ]
    return {"losses": pd.DataFrame(rows, columns=QUESTION.tables["losses"])}


def test_labels_explain_only_where_they_give_more_of_the_printed_losses():
    rows = explains(made_up(), "lee_kim_2016").set_index("metric")
    assert rows["setting"].tolist() == ["els", "els"]
    assert rows["low"].to_dict() == rows["high"].to_dict() == {"hamming_loss": 0.009, "ranking_loss": 0.009}
    assert explains(made_up("enron", 0.03, 0.055), "lee_kim_2016").empty  # 0.055 is printed
    assert explains(made_up("enron", 0.055, 0.055), "lee_kim_2016").empty


def test_bibtex_comes_out_with_labels_and_enron_without():
    counts = reached_by(QUESTION.stored().tables)
    assert counts.loc["bibtex", [AMONG, ALONE, "of"]].tolist() == [12, 0, 12]
    assert counts.loc["enron", [AMONG, ALONE, "of"]].tolist() == [2, 11, 12]


def test_sentences():
    [finding] = QUESTION.findings(made_up())
    assert (
        finding.claim == "With labels among the features, 1 of 2 losses printed for bibtex are reproduced; without, 0"
    )
    assert finding.evidence == (
        "So many are no farther away than chance allows. Of 50 columns, so many are labels: ELS 31. Printed | with "
        "labels | without: Hamming loss ELS 0.009 | 0.0090 | 0.0130; ranking loss ELS 0.091 | 0.0090 | 0.0130."
    )
    assert QUESTION.findings({"losses": made_up()["losses"][:0]}) == []
