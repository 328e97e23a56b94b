"""``mlfs data``, and the line that tells how far the work is."""

import io
import zipfile
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from mlfs.background import Waiting
from mlfs.cli import progress
from mlfs.datasets import bundled_names, load_dataset, make_synthetic, profile
from mlfs.datasets.cache import store


def test_list_tells_where_each_set_is(terminal):
    listed = {row["name"]: row for row in terminal.json("data list")["datasets"]}
    assert listed["emotions"] == {
        "name": "emotions",
        "where": "bundled",
        "instances": 593,
        "features": 72,
        "labels": 6,
        "domain": "music",
    }
    assert listed["birds"]["where"] == "download"
    here = [row["name"] for row in terminal.json("data list --here")["datasets"]]
    assert here == [*bundled_names(), "synthetic"]


def test_list_does_not_give_ones_own_set_the_sizes_of_the_catalogue(terminal, tmp_path, monkeypatch):
    (tmp_path / "birds.csv").write_text("a,b\n1,0\n2,1\n")
    monkeypatch.setenv("MLFS_DATA", str(tmp_path))
    [row] = [row for row in terminal.json("data list --here")["datasets"] if row["name"] == "birds"]
    assert (row["where"], row["instances"]) == ("MLFS_DATA", None)


def test_show_is_the_profile(terminal):
    ds = load_dataset("yeast")
    document = terminal.json("data show yeast")
    assert document["cardinality"] == profile(ds).cardinality
    assert document["label_counts"] == ds.Y.sum(axis=0, dtype=int).tolist()
    assert document["split"] == {"train": 1500, "test": 917}
    assert document["fingerprint"] == ds.fingerprint
    assert "1500 training, 917 test rows" in terminal.run("data show yeast")


def test_names_from_files_cannot_command_the_terminal(terminal, tmp_path):
    (tmp_path / "evil.csv").write_text("a,\x1b[2Jlabel\n1,0\n2,1\n")
    assert "\x1b" not in terminal.run("data show evil.csv --labels -1")
    with zipfile.ZipFile(tmp_path / "evil.zip", "w") as archive:
        archive.writestr("\x1b[2Jtoy.csv", "a,b\n1\n")
    assert "\x1b" not in terminal.complaint("data show evil.zip --labels -1", code=1)
    assert "\x1b" not in terminal.complaint("data show \x1b[2J.csv --labels -1", code=1)


@pytest.mark.parametrize(
    "target", ["copy.csv --labels -6", "copy.arff", "copy.libsvm", "copy.mat", "copy.parquet", "copy.feather"]
)
def test_convert_keeps_every_number(terminal, target):
    file, _, labels = target.partition(" ")
    terminal.run(f"data convert emotions {file}")
    copy = load_dataset(f"./{file}", labels=int(labels.split()[-1]) if labels else None)
    ds = load_dataset("emotions")
    values = copy.X.toarray() if file.endswith("libsvm") else copy.X
    np.testing.assert_array_equal(values, ds.X)
    np.testing.assert_array_equal(copy.Y, ds.Y)


def test_convert_keeps_the_split_in_two_parts(terminal):
    document = terminal.json("data convert yeast yeast.arff --parts")
    assert document["files"] == ["yeast-train.arff", "yeast-test.arff", "yeast.xml"]
    ds, copy = load_dataset("yeast"), load_dataset("./yeast.arff".removesuffix(".arff"))
    for ours, theirs in zip(ds.split, copy.split, strict=True):
        np.testing.assert_array_equal(ds.X[ours], copy.X[theirs])
        np.testing.assert_array_equal(ds.Y[ours], copy.Y[theirs])


def test_convert_keeps_the_split_in_one_matlab_file(terminal):
    document = terminal.json("data convert yeast yeast.mat")
    assert (document["files"], document["notes"]) == (["yeast.mat"], [])
    ds, copy = load_dataset("yeast"), load_dataset("./yeast.mat")
    for ours, theirs in zip(ds.split, copy.split, strict=True):
        np.testing.assert_array_equal(ds.X[ours], copy.X[theirs])


def test_variables_and_which_way_round(terminal, tmp_path):
    rng = np.random.default_rng(0)
    np.savez(tmp_path / "lab.npz", inputs=rng.normal(size=(5, 60)), answers=rng.integers(0, 2, (2, 60)))
    printed = terminal.run("data show lab.npz --variables inputs,answers --transposed XY")
    assert "instances       60" in printed
    assert (
        "note: The features are inputs, an instance in each column; the labels answers, one in each column." in printed
    )
    verbs = (
        "select lab.npz br_cc",
        "compare lab.npz --methods br_cc",
        "splits lab.npz",
        "answer lab.npz br_cc --draws 1 --program again.py",
    )
    for verb in verbs:
        assert terminal.run(f"{verb} --variables inputs,answers --transposed XY")
    program = (tmp_path / "again.py").read_text()
    assert "load_dataset('lab.npz', variables=['inputs', 'answers'], transposed='XY')" in program
    assert terminal.complaint("data show lab.npz --transposed Z", code=1) == (
        "There is no transposed='Z': choose from none, Y, XY, X."
    )
    assert "transposed= is for files" in terminal.complaint("data show emotions --transposed X", code=1)


def test_the_sheet_of_a_workbook(terminal, tmp_path):
    with pd.ExcelWriter(tmp_path / "book.xlsx") as book:
        for name, rows in {"Day 1": 3, "Day 2": 4}.items():
            frame = pd.DataFrame({"x": range(rows), "y": [1, *[0] * (rows - 1)]})
            frame.to_excel(book, sheet_name=name, index=False)
    for sheet in ("'Day 2'", "2"):
        printed = terminal.run(f"data show book.xlsx --labels -1 --sheet {sheet}")
        assert "instances       4" in printed
        assert "note: Of book.xlsx the sheet 'Day 2' was read, and not 'Day 1'." in printed
    assert "sheet= is for files" in terminal.complaint("data show emotions --sheet 2", code=1)


def test_convert_says_what_the_file_cannot_hold(terminal):
    printed = terminal.run("data convert emotions a.csv")
    assert "--parts" in printed
    assert "--labels -6" in printed
    assert "no names" in terminal.run("data convert emotions a.libsvm --parts")


def test_convert_refuses_what_it_cannot_write(terminal):
    assert terminal.complaint("data convert emotions a.xlsx", code=1) == (
        "The suffix of 'a.xlsx' is no format that mlfs writes: "
        "choose from a.csv, a.arff, a.libsvm, a.mat, a.parquet, a.feather."
    )
    assert terminal.complaint("data convert emotions nowhere/a.csv") == (
        "TARGET must be a file in a folder that may be written to, not 'nowhere/a.csv'."
    )


def test_download_takes_what_is_there_and_names_what_failed(terminal, tmp_path):
    store(replace(make_synthetic(), name="birds"), tmp_path / "cache")
    out, err = terminal.both("data download birds bird", code=1)
    assert out == f"birds is in {tmp_path / 'cache'}.\n"
    assert err == "No data set called 'bird' can be downloaded: did you mean 'birds'?\n"


def test_progress_is_shown_on_a_terminal_only(capsys):
    class Screen:
        def __init__(self, is_terminal):
            self.is_terminal, self.shown = is_terminal, ""

        def isatty(self):
            return self.is_terminal

        def write(self, text):
            self.shown += text

        def flush(self):
            pass

    for is_terminal in (True, False):
        screen = Screen(is_terminal)
        with progress.ProgressLine(screen) as report:
            report(1, 4, "els on emotions")
        assert ("[######..................] 1 of 4: els on emotions" in screen.shown) is is_terminal
        assert screen.shown.endswith("\x1b[K") is is_terminal


def test_a_file_is_told_once_what_is_waited_for():
    wait = Waiting("no workers are there")
    for tell in (lambda bar, text: bar(1, 4, text), lambda bar, text: bar.share(0.25, text)):
        with progress.ProgressLine(log := io.StringIO()) as bar:
            for text in ("waiting, a method of that name", wait, Waiting(wait)):
                tell(bar, text)
        assert log.getvalue() == "mlfs: no workers are there.\n"
