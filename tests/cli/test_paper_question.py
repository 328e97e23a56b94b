"""``mlfs paper question``: the questions, what was kept of their experiments, and a run made now."""

import pandas as pd

from mlfs.papers import QUESTIONS


def test_without_a_name_it_lists_the_questions(terminal):
    told = terminal.run("paper question")
    assert all(question.id in told and question.title in told for question in QUESTIONS.values())
    assert [found["id"] for found in terminal.json("paper question")["questions"]] == list(QUESTIONS)


def test_a_name_shows_what_was_kept(terminal):
    told = terminal.run("paper question label_columns")
    kept = QUESTIONS["label_columns"].stored()
    assert kept.runs[0].command in told
    assert str(QUESTIONS["label_columns"].findings(kept.tables)[0]) in told
    document = terminal.json("paper question label_columns")
    assert len(document["tables"]["losses"]) == len(kept.tables["losses"])
    assert document["files"] == []


def test_findings_are_told_for_each_paper(terminal):
    found = terminal.json("paper question discretisation_and_scaling")["findings"]
    assert list(found) == ["lee_kim_2016", "sechidis_2014", "zhang_2020_grro"]
    assert "2 equal-width bins" in found["lee_kim_2016"][0]
    assert "5 equal-width bins" in found["sechidis_2014"][0]


def test_a_run_is_kept_where_it_is_asked_for(terminal, tmp_path, monkeypatch):
    """The run itself is an example of the help, which a test runs; here only what becomes of it."""
    shipped, asked = QUESTIONS["elc_loop"].stored().tables, []

    def measured(self, datasets, repeats, *, workers, **how):
        asked.append((datasets, repeats, workers))
        return {name: table[table["dataset"].isin(datasets)] for name, table in shipped.items()}

    monkeypatch.setattr("mlfs.papers.question.Question.run", measured)
    told = terminal.run("paper question elc_loop --datasets yeast,emotions --repeats 2 --workers 1 --keep kept")
    assert asked == [(["yeast", "emotions"], 2, 1)]
    assert "Wrote kept/elc_loop-sets.csv, kept/runs.csv." in told
    kept = QUESTIONS["elc_loop"].stored(tmp_path / "kept")
    assert kept.runs[0].command == "mlfs paper question elc_loop --datasets yeast emotions --repeats 2 --workers 1"
    expected = shipped["sets"].query("dataset in ('yeast', 'emotions')").reset_index(drop=True)
    pd.testing.assert_frame_equal(kept.tables["sets"], expected)


def test_mistakes_get_a_sentence(terminal, tmp_path):
    assert terminal.complaint("paper question elc_lop") == "There is no question 'elc_lop': did you mean 'elc_loop'?"
    assert terminal.complaint("paper question --repeats 2").startswith(
        "Say which question to run: one of label_columns"
    )
    said = terminal.complaint("paper question elc_loop --datasets emotions,yeas")
    assert said == "The experiment elc_loop is not made for 'yeas': did you mean 'yeast'?"
    # Before a run of minutes, not after it.
    (tmp_path / "file").write_text("")
    said = terminal.complaint("paper question elc_loop --keep file", 1)
    assert said == "file cannot be written: give a folder that may be written to and has room."
    assert terminal.complaint("paper question elc_loop --repeats 0") == (
        "--repeats must be a whole number from 1, not '0'."
    )
