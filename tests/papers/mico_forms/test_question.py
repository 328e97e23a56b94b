"""The search for MICO's form: kept numbers come out again, and what is ruled out is ruled out by them."""

import pandas as pd
import pytest

from mlfs import load_dataset
from mlfs.papers.mico_forms.forms import MicoForm, forms
from mlfs.papers.mico_forms.question import FORM, METRICS, NEAREST, QUESTION, TRIED, evaluated, left_over, printed


@pytest.fixture(scope="module")
def kept():
    return QUESTION.stored().tables


def test_a_tiny_part_comes_out_again(kept):
    """One kept form of each of three solvers, on the bundled set, to the six digits that are kept."""
    nearest = kept["nearest"]
    some = nearest[nearest["dataset"] == "emotions"].drop_duplicates("solver").head(3)
    wanted = [MicoForm(*(row[name] for name in FORM[:-1])) for row in some.to_dict("records")]
    assert len({form.solver for form in wanted}) == 3
    again = evaluated(load_dataset("emotions"), wanted)
    both = some.merge(again, on=["dataset", *FORM], suffixes=("", "_again"))
    assert len(both) == 3
    for name in (*METRICS, "distance"):
        assert both[f"{name}_again"].tolist() == pytest.approx(both[name].tolist(), abs=1e-6)


def test_distances_are_those_from_the_printed_numbers(kept):
    assert printed("emotions").tolist() == [0.5363, 0.5935]
    published = {name: printed(name) for name in kept["nearest"]["dataset"].unique()}
    for row in kept["nearest"].itertuples():
        macro, micro = published[row.dataset]
        assert row.distance == pytest.approx(max(abs(row.macro_f1 - macro), abs(row.micro_f1 - micro)), abs=2e-6)


def test_every_form_was_tried_on_the_first_data_set(kept):
    tried = kept["tried"]
    first = tried[tried["dataset"] == QUESTION.datasets[0]]
    assert set(first["solver"]) == {form.solver for form in forms()}
    assert first["forms"].sum() >= len(list(forms()))  # ties count, too
    assert tried["exact"].sum() == (kept["nearest"]["distance"] <= 0.5e-4 + 1e-9).sum()


def tables(*near):
    """(data set, weight, distance) of one form each."""
    rows = [
        {**MicoForm("sum", "MI", "H", weight, "simplex").parts, "dataset": name, "distance": distance}
        for name, weight, distance in near
    ]
    counts = [{"dataset": name, "solver": "simplex", "forms": 9, "near": 1, "exact": 0} for name, *_ in near]
    nearest = pd.DataFrame(rows).assign(macro_f1=0.5, micro_f1=0.5)[list(NEAREST)]
    return {"nearest": nearest, "tried": pd.DataFrame(counts)[list(TRIED)].drop_duplicates("dataset")}


def test_on_later_data_sets_only_what_is_left_is_tried():
    found = tables(("emotions", "1", 0.001), ("emotions", "2", 0.001), ("emotions", "10", 0.003), ("birds", "2", 0.0))
    assert len(left_over(found, "emotions")) == len(list(forms()))
    assert [form.weight for form in left_over(found, "birds")] == ["1", "2"]
    assert [form.weight for form in left_over(found, "entertainment")] == ["2"]


def test_words_follow_the_numbers():
    one = tables(("emotions", "1", 0.001), ("birds", "1", 0.0015))
    told = QUESTION.findings(one)
    assert told[0].claim == "No form that was tried gives the printed digits on all data sets"
    assert told[0].evidence == "Equal to the printed digits are 0 of 9 forms on emotions and 0 of 9 forms on birds."
    assert told[1].claim == "On all data sets 1 form comes within 0.002"
    assert "weight 1, solver simplex, ties index, at most 0.0015" in told[1].evidence
    assert told[2].claim == "The row MICO stays unknown"
    exact = tables(("emotions", "1", 0.00004), ("birds", "1", 0.00001))
    exact["tried"]["exact"] = 1
    told = QUESTION.findings(exact)
    assert told[0].claim == "1 form of those tried gives the printed digits on all data sets"
    assert len(told) == 2
