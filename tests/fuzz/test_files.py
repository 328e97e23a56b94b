"""Odd and damaged files: a short run of `make fuzz`, and the files of what it found."""

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from fuzz import files, trials
from fuzz.references import unexplained
from fuzz.tables import Column, Table
from fuzz.writers import WRITERS
from mlfs.datasets import read_files
from mlfs.errors import DatasetError

FOUND = Path(__file__).parent / "found"
#: How many labels they have, where they do not tell.
LABELS = {"name-that-is-no-text": -2, "foot-has-another-type": -3, "comma-in-a-header-apart-by-bars": -1}


@pytest.mark.parametrize("path", sorted(FOUND.iterdir()), ids=lambda path: path.stem)
def test_what_was_found_stays_mended(path):
    """A crash, or a sentence that was none: as files, for the seeds of yesterday make other files today."""
    labels = LABELS.get(path.stem)
    written = files.Written({f"toy{path.suffix}": path.read_bytes()}, {} if labels is None else {"labels": labels})
    assert files._check(files.Case(path.stem, written)) is None


def test_a_comma_in_a_header_apart_by_bars_is_part_of_a_name():
    ds = read_files({"toy.csv": (FOUND / "comma-in-a-header-apart-by-bars.csv").read_bytes()}, labels=-1)
    assert (ds.feature_names, ds.label_names) == (("{0,1}",), ("c1",))
    assert ds.X[:, 0].tolist() == [1, 0, 1, -1e-300, -7, 0.5]


@pytest.mark.parametrize("name", ["-1", "x"])
def test_a_header_that_reads_as_a_row_may_be_refused_and_no_other(name):
    """With one row of labels, too: seed 20009824."""
    contents = {"toy.csv": f"{name}\n0.5\n".encode(), "toy_labels.csv": b"c1,c2\n1,0\n"}
    table = Table([Column(name, [0.5])], [Column("c1", [1.0]), Column("c2", [0.0])])
    if name == "-1":
        with pytest.raises(DatasetError, match="1 row of labels for the 2 rows"):
            read_files(contents)
    assert files._check(files.Case("header", files.Written(contents, {}, table))) is None


def test_compiled_code_of_an_r_file_takes_no_memory():
    """It named a length, and a list of that length was made before the file was found to be too short."""
    content = (FOUND / "compiled-code-of-any-length.rda").read_bytes()
    tracemalloc.start()
    try:
        with pytest.raises(DatasetError, match="not a valid R file"):
            read_files({"toy.rda": content}, limits=files.LIMITS)
        assert tracemalloc.get_traced_memory()[1] < 100 * 1024**2
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("first", range(1, 301, 60))
def test_files_of_all_kinds(first):
    assert [problem for seed in range(first, first + 60) if (problem := trials.try_seed("files", seed))] == []


@pytest.mark.parametrize("bomb", files.BOMBS)
def test_bombs_are_refused(bomb):
    assert files._check(files.Case("bomb", files.Written(*files.BOMBS[bomb]()))) is None


@pytest.mark.parametrize("writer", WRITERS)
def test_a_silent_difference_is_found(writer):
    """Of every format: another number, a row less and another label than were written are told."""
    written = WRITERS[writer](np.random.default_rng(3))
    ds = read_files(written.files, **written.options)
    assert unexplained(written.table, ds, names=written.names) is None
    cells = [column.cells for column in written.table.features]
    where = next((j, i) for j, part in enumerate(cells) for i, cell in enumerate(part) if isinstance(cell, float))
    before = cells[where[0]][where[1]]
    cells[where[0]][where[1]] = 77.25
    assert "77.25" in unexplained(written.table, ds, names=written.names)
    cells[where[0]][where[1]] = before
    label = written.table.labels[0]
    label.cells = [1 - cell for cell in label.cells]
    assert "label" in unexplained(written.table, ds, names=written.names)
    for column in written.table.columns:
        column.cells.append(0.0)
    assert "rows" in unexplained(written.table, ds, names=written.names)


def test_what_the_notes_say_is_explained():
    content = b"user_id,x,w,a\n1,0.5,yes,-1\n2,,no,1\n3,1.5,yes,1\n"
    ds = read_files({"t.csv": content}, labels=-1)
    columns = [Column("user_id", [1.0, 2.0, 3.0]), Column("x", [0.5, None, 1.5]), Column("w", ["yes", "no", "yes"])]
    table = Table(columns, [Column("a", [-1.0, 1.0, 1.0])])
    assert unexplained(table, ds) is None
    object.__setattr__(ds, "notes", ())
    assert unexplained(table, ds) is not None
