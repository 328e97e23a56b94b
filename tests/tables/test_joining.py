"""Results of another program beside our own: values in their place, and a sentence where they do not fit."""

from __future__ import annotations

import pandas as pd
import pytest

from mlfs.errors import StatisticsError
from mlfs.results import RESULT_COLUMNS
from mlfs.tables import ResultTable, summary, to_text
from mlfs.tables.joining import join_summaries, join_tables
from mlfs.tables.styled import methods_down

ROWS = [
    (dataset, method, repeat, 10, metric, value + repeat / 100)
    for dataset, method, value in [
        ("flags", "els", 0.2),
        ("flags", "mfs", 0.4),
        ("yeast", "els", 0.3),
        ("yeast", "mfs", 0.1),
    ]
    for repeat in (0, 1)
    for metric in ("hamming_loss", "ranking_loss")
]
RESULTS = pd.DataFrame(ROWS, columns=RESULT_COLUMNS)
OURS = ResultTable(pd.DataFrame({"els": [0.1, 0.3], "mfs": [0.2, 0.2]}, index=["flags", "yeast"]), "hamming_loss")
LONG = """\
dataset,method,metric,value
yeast,theirs,hamming_loss,0.5
flags,theirs,hamming_loss,0.25
flags,theirs,macro_f1,1
"""


@pytest.mark.parametrize("text", ["data;theirs\nyeast;0,5\nflags;0,25 ± 0,1\nbirds;9\n", LONG])
def test_a_table_joins_by_the_names_of_its_data_sets(text):
    joined = join_tables(OURS, text)
    assert joined.table.loc["flags"].to_dict() == {"els": 0.1, "mfs": 0.2, "theirs": 0.25}
    assert joined.table.loc["yeast", "theirs"] == 0.5
    assert list(joined.table.index) == ["flags", "yeast"]
    assert joined.metric == "hamming_loss"
    assert "From another program: theirs." in joined.notes
    assert any("birds, which the other does not have" in note for note in joined.notes) == ("birds" in text)


def test_gaps_stay_gaps():
    joined = join_tables(OURS, "data,theirs,more\nyeast,0.5,0.1\n")
    assert joined.table.loc["flags", ["theirs", "more"]].isna().all()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("data,els\nyeast,0.5\n", "Both tables have the method 'els': rename it"),
        ("data,ELS\nyeast,0.5\n", "Both tables have the method 'ELS': rename it"),
        ("data,theirs\nYeast,0.5\n", "has Yeast, and none of flags, yeast: spell the data sets alike"),
        ("data,theirs\nyeast,good\n", "The values of 'theirs' in the table that joins are not all numbers"),
        ("data,theirs\nyeast,1\nyeast,2\n", "A data set has two lines"),
    ],
)
def test_a_sentence_for_each_mistake(text, sentence):
    with pytest.raises(StatisticsError, match=sentence):
        join_tables(OURS, text)


def test_summaries_show_their_means_without_marks():
    before = [summary(RESULTS, metric) for metric in ("hamming_loss", "ranking_loss")]
    losses, other = join_summaries(before, LONG)
    assert losses.mean.loc["flags"].tolist() == pytest.approx([0.205, 0.405, 0.25])
    assert losses.best["theirs"].tolist() == [False, False]
    assert losses.best[["els", "mfs"]].equals(before[0].best)
    assert other.mean["theirs"].isna().all()  # no such metric there, and the same methods in every table
    text = to_text(losses)
    assert "0.2500 " in text.splitlines()[2] + " "
    assert "From another program: theirs. They stand without marks." in text


def test_summaries_of_one_data_set_go_side_by_side():
    flags = [summary(RESULTS[RESULTS["dataset"] == "flags"], metric) for metric in ("hamming_loss", "ranking_loss")]
    shown = methods_down(join_summaries(flags, LONG)).data
    assert shown.loc["theirs", "Hamming loss ↓"] == 0.25


def test_which_metric_must_be_known():
    both = [summary(RESULTS, metric) for metric in ("hamming_loss", "ranking_loss")]
    with pytest.raises(StatisticsError, match="does not say its metric, and here are 2"):
        join_summaries(both, "data,theirs\nyeast,0.5\n")
    assert join_summaries(both[:1], "data,theirs\nyeast,0.5\n")[0].mean.loc["yeast", "theirs"] == 0.5
    with pytest.raises(StatisticsError, match="has macro_f1, and none of hamming_loss"):
        join_summaries(both[:1], LONG.replace("hamming_loss", "macro_f1"))
