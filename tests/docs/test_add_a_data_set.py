"""docs/add-a-data-set.md, done as it says."""

from __future__ import annotations

import re

import numpy as np
import pytest

from mlfs.datasets import load_dataset
from tests.docs.pages import blocks

PAGE = blocks("add-a-data-set.md")
FILE, ARRAY_FILE, BOOK_FILE, FOLDER, SHIPPED, TESTS = (block.text for block in PAGE if block.language == "sh")
READ, ARRAYS, BOOK, MEMORY, PACK = (block.text for block in PAGE if block.language == "python")
ENTRY, ROW, NOTICE = (block.text for block in PAGE if block.language == "text")


@pytest.fixture(scope="module")
def owner(newcomer):
    return newcomer.follow(PAGE)


@pytest.fixture
def inside(owner, monkeypatch):
    monkeypatch.chdir(owner.folder)
    monkeypatch.setenv("MLFS_CACHE", str(owner.folder / "cache"))
    return owner


def test_a_file_and_its_labels(owner, inside, capsys):
    names: dict = {}
    exec(compile(READ, "add-a-data-set.md", "exec"), names)
    ds = names["ds"]
    assert ds.Y.tolist() == [[0, 0], [0, 1], [1, 1], [1, 0], [0, 1], [0, 0], [1, 1], [1, 0]]
    assert ds.X[:, 0].tolist() == [21.5, 3, 12, 17.5, -2, 14, 8.5, 19]
    assert ds.categories[2] == ("autumn", "spring", "summer", "winter")
    assert "weather: 8 instances, 3 features" in capsys.readouterr().out
    printed = owner.shell(FILE)
    assert re.search(r"instances +8\n", printed)
    [score] = re.findall(r"^1 +humidity +1 +([\d.]+)$", printed, flags=re.M)
    assert float(score) == pytest.approx(sum(abs(np.corrcoef(ds.X[:, 1], label)[0, 1]) for label in ds.Y.T), abs=1e-3)


def test_a_file_of_arrays(owner, inside, capsys):
    exec(compile(ARRAYS, "add-a-data-set.md", "exec"), {})
    assert "lab: 4 instances, 5 features" in capsys.readouterr().out
    printed = owner.shell(ARRAY_FILE)
    assert re.search(r"instances +4\n", printed)
    assert load_dataset("lab.parquet").fingerprint == load_dataset("mine/lab.mat").fingerprint


def test_a_sheet_of_a_workbook(owner, inside, capsys):
    exec(compile(BOOK, "add-a-data-set.md", "exec"), {})
    assert "Of book.xlsx the sheet 'days' was read, and not 'readme'." in capsys.readouterr().out
    assert re.search(r"instances +8\n", owner.shell(BOOK_FILE))


def test_a_folder_of_sets(owner, inside, monkeypatch):
    printed = owner.shell(FOLDER)
    assert re.search(r"^garden +MLFS_DATA", printed, flags=re.M)
    assert re.search(r"^weather +MLFS_DATA", printed, flags=re.M)
    assert "4 training, 2 test rows" in printed
    monkeypatch.setenv("MLFS_DATA", "mine")
    garden = load_dataset("garden")
    assert [rows.tolist() for rows in garden.split] == [[0, 1, 2, 3], [4, 5]]
    assert garden.label_names == ("fern", "rose")
    assert garden.Y.tolist() == [[1, 0], [0, 1], [1, 1], [0, 0], [1, 0], [0, 1]]


def test_a_set_in_memory(capsys):
    names: dict = {}
    exec(compile(MEMORY, "add-a-data-set.md", "exec"), names)
    assert names["ds"].categorical == (8,)
    first, second = capsys.readouterr().out.split("\n", 1)
    assert first == "{'numeric': 8, 'binary': 0, 'categorical': 1, 'constant': 0}"
    losses = np.array(re.findall(r"[\d.]+", second), dtype=float)
    assert ((losses > 0) & (losses < 1)).all()


@pytest.fixture(scope="module")
def shipping(owner):
    """The copy with the set among the bundled ones, for the last tests: a bundled name goes before one of MLFS_DATA."""
    owner.python(PACK)
    owner.insert_after("mlfs/datasets/bundled.py", r"BUNDLED = \{\n(?:    .*\n)+", "    " + ENTRY)
    owner.insert_after("data/catalogue.csv", r"(?s)\A.*", ROW)
    owner.insert_after("data/NOTICE.md", r"\| file .*\n(?:\|.*\n)+", NOTICE)
    return owner


def test_a_set_that_ships(shipping):
    shown = shipping.shell(SHIPPED)
    assert "made up for docs/add-a-data-set.md" in shown
    assert "6 training, 2 test rows" in shown
    program = "from mlfs.datasets import *; print(CATALOGUE['weather'].check(load_bundled('weather')))"
    assert shipping.python(program).strip() == "[]"


def test_the_tests_stay_green_with_it_and_red_without_a_step(shipping):
    """What the page tells to run, and all else in the tests of the data sets that looks at every bundled set."""
    others = " tests/datasets/test_load.py tests/cli/test_data.py mlfs/datasets/bundled.py mlfs/datasets/load.py"
    passed = shipping.shell(f"{TESTS.strip()} {others} --quiet -p no:cacheprovider -n 0")
    assert re.search(r"\d+ passed", passed)
    shipping.replace("data/NOTICE.md", NOTICE, "")
    failed = shipping.shell(f"! {TESTS.strip()} --quiet -p no:cacheprovider -n 0 -k notice")
    assert "test_notice_has_a_full_row_for_each[weather]" in failed
