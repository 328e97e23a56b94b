"""How far orders of methods move: hand-worked orders, and kept numbers that come out again."""

import numpy as np
import pandas as pd
import pytest

from mlfs import load_dataset
from mlfs.evaluation import explore, get_protocol
from mlfs.papers import QUESTIONS
from mlfs.papers.discretisation_and_scaling import question

QUESTION = QUESTIONS.named("discretisation_and_scaling")


def table(part, values):
    """(data set, choice, repeat) → losses of els, fimf and scls."""
    rows = [
        (dataset, part, choice, method, repeat, loss, 1 - loss)
        for (dataset, choice, repeat), losses in values.items()
        for method, loss in zip(("els", "fimf", "scls"), losses, strict=True)
    ]
    overlap = pd.DataFrame(columns=list(question.OVERLAP))
    return {"losses": pd.DataFrame(rows, columns=list(question.LOSSES)), "overlap": overlap}


MADE_UP = table(
    "scaling",
    {
        ("yeast", "none", 0): (0.1, 0.2, 0.3),
        ("yeast", "none", 1): (0.1, 0.3, 0.2),
        ("yeast", "unit", 0): (0.3, 0.2, 0.1),
        ("yeast", "unit", 1): (0.3, 0.2, 0.1),
        ("scene", "none", 0): (0.1, 0.2, 0.3),
        ("scene", "none", 1): (0.1, 0.2, 0.3),
        ("scene", "unit", 0): (0.1, 0.3, 0.2),
        ("scene", "unit", 1): (0.1, 0.3, 0.2),
    },
)


def test_ranks_are_of_mean_losses_averaged_over_data_sets():
    """On yeast without scaling fimf and scls tie at 0.25 and share ranks 2 and 3."""
    found = question.ranks(MADE_UP, "scaling", "hamming_loss")
    assert found["none"].to_dict() == {"els": 1.0, "fimf": 2.25, "scls": 2.75}
    assert found["unit"].to_dict() == {"els": 2.0, "fimf": 2.5, "scls": 1.5}
    assert question.ranks(MADE_UP, "scaling", "hamming_loss", "scene")["unit"].tolist() == [1, 3, 2]
    assert question.ranks(MADE_UP, "scaling", "ranking_loss", "scene")["unit"].tolist() == [3, 1, 2]


def test_agreement_is_kendalls_tau_with_the_reference():
    """Of three pairs of methods: on scene one is turned round, (2 − 1)/3; on yeast two are and one ties: −2/√(2·3)."""
    found = question.agreement(MADE_UP, "scaling", "hamming_loss", "none")
    assert found["none"].tolist() == pytest.approx([1, 1])
    assert found["unit"].to_dict() == pytest.approx({"yeast": -2 / np.sqrt(6), "scene": 1 / 3})


def test_agreement_between_splits_keeps_the_choice():
    found = question.between_splits(MADE_UP, "scaling", "hamming_loss", "none")
    assert found == pytest.approx({"yeast": 1 / 3, "scene": 1})
    one = {"losses": MADE_UP["losses"].query("repeat == 0")}
    assert np.isnan(question.between_splits(one, "scaling", "hamming_loss", "none")["yeast"])


def test_findings_follow_the_numbers():
    told = QUESTION.findings(MADE_UP, "zhang_2020_grro")
    assert told[0].claim == "By Hamming loss, another scaling reorders the methods more than another split does"
    assert told[0].evidence.startswith(
        "The order of the 3 methods agrees with that of scaling to [0, 1] by a mean Kendall's τ of -0.24 "
        "(lowest -0.82, no scaling on yeast); between two single splits with the same choice it is 1.00."
    )
    assert told[0].evidence.endswith("SCLS has the best average rank there, and with 0 of the 1 other choices.")


def test_references_are_what_the_papers_chose():
    chosen = {paper: question.reference_of(paper, "discretisation") for paper in QUESTION.papers}
    assert chosen == {
        "lee_kim_2016": "equal_width 2",
        "sechidis_2014": "equal_width 5",
        "zhang_2020_grro": "equal_frequency 2",
    }
    assert all(choice in question.CHOICES["discretisation"] for choice in chosen.values())


@pytest.mark.parametrize(
    ("part", "choice", "method", "repeat"),
    [
        ("discretisation", "equal_width 2", "els", 0),
        ("discretisation", "equal_frequency 7", "scls", 2),
        ("scaling", "z_score", "br_cc", 1),
        ("scaling", "none", "els", 1),
    ],
)
def test_kept_losses_come_out_again(part, choice, method, repeat):
    kind, _, bins = choice.partition(" ")
    own = {"discretization": kind, "n_bins": int(bins)} if bins else {}
    protocol = get_protocol("quick", repeats=3, scaling="unit" if bins else choice)
    curve = explore(load_dataset("emotions"), (method, own), protocol, repeat=repeat).curve
    kept = QUESTION.stored().tables["losses"].query("dataset == 'emotions' and part == @part and choice == @choice")
    row = kept[(kept["method"] == method) & (kept["repeat"] == repeat)]
    for metric in question.METRICS:
        assert row[metric].item() == pytest.approx(curve[metric].mean(), rel=1e-5)


def test_kept_overlaps_come_out_again():
    ds, found = load_dataset("emotions"), []
    protocol = get_protocol("quick", repeats=3, scaling="unit")
    for repeat in range(3):
        one, other = (
            set(explore(ds, ("fimf", {"n_bins": bins}), protocol, repeat=repeat).selector.ranking_[:20].tolist())
            for bins in (2, 9)
        )
        found.append(len(one & other) / len(one | other))
    kept = QUESTION.stored().tables["overlap"].query("dataset == 'emotions' and choice == 'equal_width 9'")
    row = kept[(kept["method"] == "fimf") & (kept["reference"] == "equal_width 2")]
    assert row["overlap"].item() == pytest.approx(np.mean(found), rel=1e-5)
