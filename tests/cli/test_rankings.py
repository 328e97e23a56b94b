"""Rankings from elsewhere on the command line: in every verb that takes a method, and joined results."""

from __future__ import annotations

import pytest

from mlfs import load_dataset
from mlfs.evaluation import Explorer, get_protocol

pytestmark = pytest.mark.usefixtures("one_process")
FLAGS = "--repeats 2 --sizes 1,5,10 --seed 3"
PROTOCOL = get_protocol("quick", repeats=2, sizes=(1, 5, 10))
SAW_TEST_ROWS = (
    "mine: one ranking for all rows, selected with the test rows included, so its results look better than they are."
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A ranking of all rows, counted from 1, and the rankings of els on each split, counted from 0."""
    monkeypatch.chdir(tmp_path)
    explorer = Explorer(load_dataset("synthetic"))
    orders = [explorer.fit("els", PROTOCOL, seed=3, repeat=repeat)[0].ranking_ for repeat in range(2)]
    (tmp_path / "els.csv").write_text("\n".join(",".join(map(str, pair)) for pair in zip(*orders, strict=True)))
    (tmp_path / "mine.csv").write_text("\n".join(str(index) for index in range(50, 0, -1)))
    return tmp_path


def test_compare_beside_the_method_itself(terminal, folder):
    command = f"compare synthetic --methods els --ranking theirs=els.csv --ranking mine=mine.csv {FLAGS}"
    document = terminal.json(command)
    rows = {name: [row["value"] for row in document["rows"] if row["method"] == name] for name in ("els", "theirs")}
    assert rows["els"] == rows["theirs"]
    assert SAW_TEST_ROWS in document["notes"]
    assert "mine: Read as feature indices, counted from 1, best first." in document["notes"]
    text = terminal.run(command)
    assert "mine (saw test rows)" in text
    assert f"note: {SAW_TEST_ROWS}" in text
    table = terminal.run(f"{command} --summary")
    assert table.count(SAW_TEST_ROWS) == 2  # once under each metric
    assert "theirs: Read as feature indices, counted from 0" in table


def test_the_mark_goes_with_the_rows_to_the_tests(terminal, folder):
    sets = "synthetic synthetic:seed=1"
    (folder / "two.csv").write_text((folder / "mine.csv").read_text())
    rankings = "--ranking mine@synthetic=mine.csv --ranking mine@synthetic:seed=1=two.csv"
    terminal.run(f"compare {sets} --methods els random {rankings} --sizes 5 --csv rows.csv")
    text = terminal.run("significance rows.csv --metric hamming_loss")
    assert "mine (saw test rows)" in text
    assert SAW_TEST_ROWS in text


def test_curve_and_noise(terminal, folder):
    ours = terminal.json(f"curve synthetic --ranking theirs=els.csv {FLAGS}")
    assert ours["curve"] == terminal.json(f"curve synthetic els {FLAGS}")["curve"]
    assert ours["method"] == "theirs"
    assert "selected elsewhere" in terminal.run(f"curve synthetic --ranking mine=mine.csv {FLAGS}")
    rows = terminal.json("noise synthetic --methods els --ranking theirs=els.csv --repeats 2 --seed 3")["rows"]
    by_method = {
        name: [(r["size"], r["redundancy"]) for r in rows if r["method"] == name] for name in ("els", "theirs")
    }
    assert by_method["els"] == by_method["theirs"]
    assert "mine (saw test rows)" in terminal.run("noise synthetic --ranking mine=mine.csv")


def test_a_study_keeps_the_ranking_in_its_plan(terminal, folder):
    flags = f"--datasets synthetic --methods els --ranking theirs=els.csv {FLAGS.replace('--seed', '--seeds')}"
    plan = terminal.json(f"study plan {flags} --write plan.toml")
    assert [ranking["name"] for ranking in plan["plan"]["rankings"]] == ["theirs"]
    (folder / "els.csv").unlink()
    assert terminal.json("study run plan.toml")["computed"] + terminal.json("study run plan.toml")["known"] >= 4
    rows = terminal.json("study show 1 --metric ranking_loss")["tables"][0]["rows"]
    means = {row["method"]: row["mean"] for row in rows}
    assert means["els"] == means["theirs"]


def test_results_of_another_program_join(terminal, folder):
    (folder / "other.csv").write_text("dataset;method;metric;value\nsynthetic;Theirs;hamming_loss;0,125\n")
    table = terminal.run(f"compare synthetic --methods els {FLAGS} --summary --join other.csv")
    assert "Theirs" in table.splitlines()[2]
    assert table.splitlines()[4].endswith("0.1250")
    (folder / "ours.csv").write_text("data,a,b\nx,0.1,0.2\ny,0.3,0.2\nz,0.1,0.2\n")
    (folder / "theirs.csv").write_text("data,c\nz,0.9\ny,0.9\nx,0.9\n")
    joined = terminal.json("significance ours.csv --join theirs.csv")
    assert joined["average_ranks"] == pytest.approx({"a": 4 / 3, "b": 5 / 3, "c": 3.0})
    assert "From another program: c." in joined["notes"]
    assert "Both tables have the method 'a'" in terminal.complaint("significance ours.csv --join ours.csv", code=1)
    assert "--join needs --summary" in terminal.complaint("compare synthetic --methods els --join other.csv")


@pytest.mark.parametrize(
    ("command", "code", "sentence"),
    [
        ("compare synthetic", 2, "mlfs compare needs --methods or --ranking"),
        ("compare synthetic --ranking mine.csv", 2, "--ranking must be a name and a file, as mine=mine.csv"),
        ("compare synthetic --ranking mine=nowhere.csv", 1, "The ranking nowhere.csv cannot be read"),
        ("compare synthetic --ranking els=mine.csv", 1, "'els' is the name of a method of mlfs"),
        ("compare synthetic emotions --ranking mine=mine.csv", 2, "--ranking mine@synthetic=mine.csv"),
        ("compare synthetic --ranking mine@yeast=mine.csv", 2, "--ranking names 'yeast', which is not compared"),
        ("compare synthetic --ranking a=mine.csv --ranking a=els.csv", 2, "Two rankings of synthetic are called a"),
        ("compare synthetic --ranking a=els.csv --repeats 5", 1, "a has 2 rankings of training rows for 5 splits"),
        ("curve synthetic els --ranking a=mine.csv", 2, "A curve is of one method or of one --ranking"),
        ("noise synthetic --ranking a=few.csv", 1, "few.csv holds neither 0 nor 50"),
        ("study run plan.toml --ranking a=mine.csv", 2, "leave out --ranking, or the file"),
    ],
)
def test_a_sentence_for_each_mistake(terminal, folder, command, code, sentence):
    (folder / "few.csv").write_text("3\n4\n")
    assert sentence in terminal.complaint(command, code)


def test_flags_say_what_a_file_does_not(terminal, folder):
    (folder / "few.csv").write_text("3\n4\n")
    for base, first in ((0, 3), (1, 2)):
        names = terminal.json(f"curve synthetic --ranking a=few.csv --ranking-base {base} --sizes 1,2")["ranking"]
        assert names[0] == load_dataset("synthetic").feature_names[first]
    train = terminal.run("compare synthetic --ranking mine=mine.csv --ranking-rows train --sizes 2")
    assert "saw test rows" not in train


def test_the_rows_of_the_splits(terminal, folder):
    document = terminal.json("splits synthetic --repeats 2 --seed 3 --csv rows.csv")
    ds = load_dataset("synthetic")
    for (train, test), told in zip(PROTOCOL.splits(ds, 3), document["splits"], strict=True):
        assert told == {"train": (train + 1).tolist(), "test": (test + 1).tolist()}
    lines = (folder / "rows.csv").read_text().splitlines()
    assert lines[0] == "row_from_1,split_1_train,split_2_train"
    assert len(lines) == 1 + len(ds.Y)
    assert (
        terminal.json("splits synthetic --repeats 2 --seed 3 --base 0")["splits"][0]["train"][0]
        == next(PROTOCOL.splits(ds, 3))[0][0]
    )
    assert "rows are counted from 0, 1 trains and 0 tests" in terminal.run("splits synthetic --base 0 --csv rows.csv")
