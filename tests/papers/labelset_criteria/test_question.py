"""Criteria on labelsets beside those on single labels, split by split."""

import numpy as np
import pandas as pd
import pytest

from mlfs import load_dataset, make_selector
from mlfs.classifiers import MLkNN
from mlfs.evaluation import get_protocol
from mlfs.metrics import hamming_loss
from mlfs.papers import QUESTIONS
from mlfs.papers.labelset_criteria.question import METRICS, SETTINGS, leads, measure, significant, word
from mlfs.papers.question import RunContext
from mlfs.studies import Store

QUESTION = QUESTIONS.named("labelset_criteria")
REPEATS, SIZES = 6, (1, 10, 50)


def made_up(loss_of, dataset="scene"):
    """Losses of every criterion, size and split, by a function of the criterion, the size and the split."""
    rows = [
        (dataset, setting, repeat, size, *[loss_of(setting, size, repeat)] * len(METRICS))
        for setting in SETTINGS
        for repeat in range(REPEATS)
        for size in SIZES
    ]
    return {"losses": pd.DataFrame(rows, columns=QUESTION.tables["losses"])}


def noise(setting, size, repeat):
    return np.random.default_rng([SETTINGS.index(setting), size, repeat]).normal(0, 0.001)


def test_losses_are_those_of_the_protocol(tmp_path, one_process):
    ds = load_dataset("emotions")
    with Store(tmp_path / "cells.sqlite") as store:
        rows = measure(ds, RunContext(store))["losses"]
    assert set(rows["setting"]) == set(SETTINGS)
    assert rows["size"].max() == 72
    [(train, test)] = get_protocol("sechidis_2014", repeats=1).splits(ds)
    assert abs(len(train) - len(test)) <= 1
    selector = make_selector("jmi_lp", n_bins=5, discretization="equal_width", n_features_to_select=10)
    first = selector.fit(ds.X[train], ds.Y[train]).ranking_
    predicted = MLkNN(k=7).fit(ds.X[train][:, first], ds.Y[train]).predict(ds.X[test][:, first])
    row = rows[(rows["setting"] == "jmi_lp") & (rows["size"] == 10)]
    assert row["hamming_loss"].item() == pytest.approx(hamming_loss(ds.Y[test], predicted))


def test_a_lead_is_taken_on_the_same_split():
    # Splits differ by much, the two criteria on each of them by little, and always the same way.
    tables = made_up(lambda setting, size, repeat: repeat / 10 + 0.01 * (setting == "cmi_lp"))
    lead = leads(tables, "scene", "hamming_loss", "cmi_br", "cmi_lp")
    assert lead.shape == (REPEATS, len(SIZES))
    assert np.allclose(lead, 0.01)


def test_only_differences_beyond_chance_are_significant():
    tables = made_up(
        lambda setting, size, repeat: noise(setting, size, repeat) + 0.02 * (setting == "cmi_lp") * (size == 10)
    )
    differs = significant(leads(tables, "scene", "ranking_loss", "cmi_br", "cmi_lp"))
    assert differs.to_dict() == {1: False, 10: True, 50: False}
    alike = made_up(lambda setting, size, repeat: 0.1)
    assert not significant(leads(alike, "scene", "ranking_loss", "cmi_br", "cmi_lp")).any()


def test_sentences():
    ahead = {"jmi": 0.0, "cmi": 0.02, "mim": 0.01}
    tables = made_up(lambda setting, size, repeat: ahead[setting[:3]] + noise(setting, size, repeat))
    first, hamming, _ = word(tables, "sechidis_2014")
    assert first.claim.startswith("On scene, CMI-BR and CMI-LP differ significantly at 0 of 3 in Hamming loss")
    assert "over 6 splits" in first.evidence
    assert "of CMI-BR 0.02" in hamming.evidence
    assert "MIM-LP 0.01" in hamming.evidence
    assert hamming.claim.endswith("agree on who is ahead in Hamming loss at 100% of the numbers of features")
    turned = {"jmi_br": 0.0, "cmi_br": 0.1, "mim_br": 0.1, "jmi_lp": 0.1, "cmi_lp": 0.0, "mim_lp": 0.2}
    _, hamming, _ = word(
        made_up(lambda setting, size, repeat: turned[setting] + noise(setting, size, repeat)), "sechidis_2014"
    )
    assert "at 50% of the numbers" in hamming.claim
    one = {"losses": tables["losses"].query("repeat == 0")}
    assert word(one, "sechidis_2014") == []
