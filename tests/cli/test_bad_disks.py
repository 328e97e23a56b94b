"""Commands on a full disk, in a folder that may not be written to, and with a file that is no store of theirs."""

import argparse
import re
import shlex

import pytest

from mlfs.cli.entry import VERBS, _parser
from mlfs.papers.stored_runs import stored_rows
from mlfs.studies import Store
from tests.disks import KIB, NO_STORES
from tests.studies.support import numbers

pytestmark = pytest.mark.usefixtures("one_process")

STUDY = "study run --datasets synthetic --methods els igmf random --repeats 5"
PAPER = "paper run zhou_2023_mapd tableIV --datasets emotions --repeats 1"
#: Every command that opens a store, with what it needs.
COMMANDS = {
    "study plan": "--datasets synthetic --methods els",
    "study run": "--datasets synthetic --methods els",
    "study status": "",
    "study show": "1",
    "study export": "1 results.csv",
    "study cancel": "1",
    "significance": "1",
    "benchmark run": "--datasets emotions --methods random --parts default --splits 1",
    "benchmark keep": "--datasets emotions --folder kept",
    "benchmark add": "els --datasets emotions",
    "paper run": "zhou_2023_mapd tableIV --datasets emotions --repeats 1 --keep kept",
    "paper question": "label_columns --datasets emotions --repeats 1 --keep kept",
}


def verbs_with(option):
    """All verbs that take it."""
    found, waiting = set(), [(verb, _parser(verb)) for verb in VERBS]
    waiting = [(verb, parser._subparsers._group_actions[0].choices[verb]) for verb, parser in waiting]
    while waiting:
        name, parser = waiting.pop()
        found |= {name} if option in parser._option_string_actions else set()
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                waiting += [(f"{name} {verb}", below) for verb, below in action.choices.items()]
    return found


def test_every_command_that_opens_a_store_is_tried():
    assert set(COMMANDS) == verbs_with("--store")


@pytest.mark.parametrize("kind", NO_STORES)
@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_no_store_is_told_and_left_as_it_is(terminal, tmp_path, command, kind):
    make, sentence = NO_STORES[kind]
    make(tmp_path / "store.db")
    before = (tmp_path / "store.db").read_bytes()
    said = terminal.complaint(f"{command} {COMMANDS[command]} --store store.db", code=1)
    assert said == f"store.db {sentence}"
    assert (tmp_path / "store.db").read_bytes() == before
    assert not (tmp_path / "kept").exists()
    assert not (tmp_path / "results.csv").exists()


def test_a_study_on_a_full_disk_goes_on_when_there_is_room(terminal, disk, tmp_path):
    path = disk.folder / "store.db"
    disk.fill(left=140 * KIB)
    assert "disk is full" in terminal.complaint(f"{STUDY} --store {path}", code=1)
    disk.free()
    with Store(path) as store:
        done = store.study(1).done
        assert 0 <= done < store.study(1).cells
    assert terminal.json(f"{STUDY} --store {path}")["known"] >= done
    terminal.run(f"{STUDY} --store elsewhere.db")
    with Store(path) as store, Store(tmp_path / "elsewhere.db") as other:
        assert numbers(store.results(1)).equals(numbers(other.results(1)))


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "filler"}


def test_a_benchmark_is_kept_whole_or_not_at_all(terminal, disk):
    words, kept = "--datasets emotions --methods mfs random els", disk.folder / "kept"
    terminal.run(f"benchmark run {words} --parts default --splits 1 --store cells.db")
    keep = f"benchmark keep {words} --folder {kept} --store cells.db"
    terminal.run(f"{keep} --machine before")
    before = contents(kept)
    disk.fill_alone(left=12 * KIB)  # room for some of the tables
    said = terminal.complaint(f"{keep} --machine after", code=1)
    assert said == f"The tables cannot be written to {kept}: give a folder that may be written to and has room."
    assert contents(kept) == before
    disk.free()
    terminal.run(f"{keep} --machine after")
    assert b"after" in contents(kept)["about.json"]
    assert [name for name in contents(kept) if name.startswith(".")] == []


def test_rows_of_a_paper_are_kept_whole_or_not_at_all(terminal, disk):
    kept = disk.folder / "kept"
    terminal.run(f"{PAPER} --store cells.db --keep {kept}")
    before, rows = contents(kept), stored_rows("zhou_2023_mapd", "tableIV", kept)
    disk.fill_alone()
    said = terminal.complaint(f"{PAPER} --store cells.db --keep {kept}", code=1)
    assert re.fullmatch(r".* cannot be written: give a folder that may be written to and has room\.", said)
    assert contents(kept) == before
    disk.free()
    told = terminal.json(f"{PAPER} --store cells.db --keep {kept}")
    assert len(told["results"][0]["rows"]) == len(rows)
    assert stored_rows("zhou_2023_mapd", "tableIV", kept).equals(rows)


@pytest.mark.parametrize(
    ("command", "option", "shown"),
    [
        ("compare synthetic --methods random --repeats 1", "--csv", "synthetic"),
        ("answer synthetic random --folds 2 --draws 1 --sizes 1,2", "--report", "random"),
        ("answer synthetic random --folds 2 --draws 1 --sizes 1,2", "--write", "random"),
    ],
)
def test_what_was_computed_is_shown_where_it_cannot_be_written(terminal, disk, command, option, shown):
    """And the file of before stays as it was."""
    path = disk.folder / ("before.csv" if option != "--report" else "before.html")
    path.write_text("before", encoding="utf-8")
    disk.fill_alone()
    out, err = terminal.both(f"{command} {option} {path}", 1)
    assert shown in out
    assert re.fullmatch(rf"{re.escape(str(path))} cannot be written \(.*\): check the folder.*\.\n", err)
    assert path.read_text(encoding="utf-8") == "before"


def test_a_folder_that_may_not_be_written_to(terminal, disk, tmp_path):
    path, kept = disk.folder / "store.db", disk.folder / "kept"
    terminal.run(f"{STUDY} --store {path}")
    kept.mkdir()
    before = path.read_bytes()
    disk.protect()
    rights = "check that its folder exists and may be written to."
    assert terminal.complaint(f"{STUDY} --store {path}", code=1) == f"{path} cannot be opened for writing: {rights}"
    said = f"{kept} cannot be written: give a folder that may be written to and has room."
    assert terminal.complaint(f"{PAPER} --store cells.db --keep {kept}", code=1) == said
    assert not (tmp_path / "cells.db").exists()  # found before the work, not after it
    terminal.run("benchmark run --datasets emotions --methods mfs random els --parts default --splits 1 --store c.db")
    assert terminal.complaint(f"benchmark keep --datasets emotions --folder {kept} --store c.db", code=1) == (
        f"The tables cannot be written to {kept}: give a folder that may be written to and has room."
    )
    assert "must be a file in a folder that may be written to" in terminal.complaint(
        shlex.join(["compare", "synthetic", "--methods", "random", "--csv", str(disk.folder / "rows.csv")])
    )
    assert path.read_bytes() == before
    assert contents(kept) == {}
