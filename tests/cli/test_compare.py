"""``mlfs compare`` prints, writes and summarises what `compare` finds."""

import pandas as pd
import pytest

from mlfs.errors import ParameterError
from mlfs.evaluation import compare, get_protocol
from mlfs.tables import summary
from mlfs.tables.answer import best_method

COMMAND = "compare emotions synthetic --methods els random:random_state=3 --sizes 3,6 --repeats 2 --seed 4"


@pytest.fixture(scope="module")
def expected():
    protocol = get_protocol("quick", sizes=(3, 6), repeats=2)
    return compare(["emotions", "synthetic"], ["els", ("random", {"random_state": 3})], protocol, seed=4)


def same(found, expected):
    columns = [column for column in expected if column != "seconds"]
    pd.testing.assert_frame_equal(found[columns], expected[columns], check_dtype=False)


def test_rows_are_the_librarys(terminal, expected):
    same(pd.DataFrame(terminal.json(COMMAND)["rows"]), expected)


def test_workers_are_asked_for(terminal, monkeypatch):
    def asked(*given, n_jobs, **more):
        raise ParameterError(f"{n_jobs} workers.")

    monkeypatch.setattr("mlfs.cli.compare.compare", asked)
    assert terminal.complaint(f"{COMMAND} --jobs 3") == "3 workers."


def test_the_file_has_all_digits(terminal, expected):
    terminal.run(f"{COMMAND} --csv rows.csv")
    read = pd.read_csv("rows.csv", dtype=str, keep_default_na=False)
    assert [float(value) for value in read["value"]] == expected["value"].tolist()


def test_summary_is_of_the_library(terminal, expected):
    told = terminal.json(f"{COMMAND} --summary --at best")["summary"]
    assert [part["metric"] for part in told] == ["hamming_loss", "ranking_loss"]
    for part in told:
        table = summary(expected, part["metric"], "best").tidy()
        assert [row["mean"] for row in part["rows"]] == table["mean"].tolist()
        assert [row["best"] for row in part["rows"]] == table["best"].tolist()
    assert "±" in terminal.run(f"{COMMAND} --summary")


def test_the_answer_comes_first(terminal, expected):
    said = best_method(summary(expected, "hamming_loss"))
    assert terminal.run(COMMAND).splitlines()[0] == said
    at_best = terminal.run(f"{COMMAND} --summary --at best").splitlines()[0]
    assert at_best == best_method(summary(expected, "hamming_loss", "best"))


def test_a_part_that_fails_does_not_take_the_rest(terminal):
    out, err = terminal.both("compare emotions nowhere --methods els --sizes 5", code=1)
    assert "emotions  els" in out
    assert err == "els on nowhere: There is no data set 'nowhere': choose from " + err.partition("choose from ")[2]
    assert err.count("\n") == 1


def test_text_has_a_line_for_each_run_and_size(terminal, expected):
    lines = terminal.run(COMMAND).splitlines()[4:]
    assert len(lines) == len(expected) / 2
    first = expected.iloc[:2]["value"]
    assert lines[0].split()[:6] == ["emotions", "els", "0", "3", *(f"{value:.4f}" for value in first)]


def test_nothing_is_computed_for_a_file_that_cannot_be_written(terminal, monkeypatch):
    monkeypatch.setattr("mlfs.cli.compare.compare", lambda *a, **k: pytest.fail("it was computed"))
    assert terminal.complaint(f"{COMMAND} --csv nowhere/rows.csv") == (
        "--csv must be a file in a folder that may be written to, not 'nowhere/rows.csv'."
    )
