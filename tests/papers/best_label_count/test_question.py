"""Which |Y| each split chooses, beside the printed one."""

import pandas as pd
import pytest

from mlfs import load_dataset
from mlfs.papers import QUESTIONS
from mlfs.papers.best_label_count.question import best, explains, measure
from mlfs.papers.lee_kim_2016.experiments import published_y, swept_y
from mlfs.papers.question import RunContext
from mlfs.studies import Store

QUESTION = QUESTIONS.named("best_label_count")


def made_up(*splits):
    """Hamming losses of |Y| = 34, 38, 42 on llog, where 38 is printed, split by split."""
    rows = [
        ("llog", n_labels, repeat, loss, 0.2)
        for repeat, losses in enumerate(splits)
        for n_labels, loss in zip((34, 38, 42), losses, strict=True)
    ]
    return {"losses": pd.DataFrame(rows, columns=QUESTION.tables["losses"])}


def test_kept_run_comes_out_again(tmp_path):
    with Store(tmp_path / "cells.sqlite") as store:
        measured = measure(load_dataset("yeast"), RunContext(store))["losses"]
    assert tuple(measured["n_labels"]) == swept_y("yeast")
    kept = QUESTION.stored().tables["losses"]
    kept = kept[(kept["dataset"] == "yeast") & (kept["repeat"] == 0)].reset_index(drop=True)
    pd.testing.assert_frame_equal(measured, kept, rtol=1e-4, check_dtype=False)


def test_the_printed_one_is_swept():
    for dataset in QUESTION.datasets:
        assert published_y(dataset) in swept_y(dataset)


def test_each_split_chooses_and_so_does_their_mean():
    tables = made_up((0.1, 0.2, 0.3), (0.5, 0.5, 0.2))
    least, by_mean = best(tables, "llog")
    assert least.to_numpy().tolist() == [[True, False, False], [False, False, True]]
    assert by_mean == [42]


@pytest.mark.parametrize(
    ("splits", "span"),
    [(((0.1, 0.2, 0.3), (0.3, 0.2, 0.3)), (34, 38)), (((0.2, 0.2, 0.3),), (34, 38)), (((0.1, 0.2, 0.3),), (34, 34))],
    ids=["two splits", "a tie", "one split"],
)
def test_it_explains_what_lies_between_the_choices(splits, span):
    [row] = explains(made_up(*splits), "lee_kim_2016").to_dict("records")
    assert (row["low"], row["high"]) == span
    assert (row["result"], row["metric"], row["setting"]) == ("table2", "promising_labels", "els")


def test_sentence():
    [told] = QUESTION.findings(made_up((0.1, 0.2, 0.3), (0.3, 0.2, 0.3)))
    assert told.claim == "On llog, 1 of 2 splits choose the printed |Y|, 38"
    assert told.evidence == (
        "Single splits choose |Y| from 34 to 38 (ties counted); by the mean loss it is 34 or 38. The mean Hamming loss "
        "is 0.2000 at the best |Y|, 0.2000 at the printed one and 0.3000 at the worst."
    )
