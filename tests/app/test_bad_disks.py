"""The app with a full disk, a folder that may not be written to, and a file that is no store of studies."""

from __future__ import annotations

import pytest

from fuzz import links
from mlfs.studies import Store
from pages.parts import studies
from tests.app.job_queue import finished, press, said, until
from tests.disks import KIB, NO_STORES
from tests.studies.support import numbers

STUDY = {"sets": "synthetic", "methods": "els,igmf,random", "repeats": "5", "most": "5"}


@pytest.fixture
def store_at(monkeypatch):
    """Makes the app keep its results in this file."""
    return lambda path: monkeypatch.setenv(studies.VARIABLE, str(path))


@pytest.mark.parametrize("kind", NO_STORES)
def test_what_is_no_store_is_told_and_left_as_it_is(open_page, store_at, tmp_path, kind):
    """On the pages of studies; the others go on without."""
    make, sentence = NO_STORES[kind]
    path = tmp_path / "store.db"
    make(path)
    before = path.read_bytes()
    store_at(path)
    told = set()
    for page in links.PAGES if kind == "newer" else ("compare", "sensitivity"):
        app = open_page(page)
        assert not app.exception, (page, app.exception[0].value)
        assert links.FAULT not in said(app), page
        if sentence in said(app):
            told.add(page)
    assert {"compare", "sensitivity"} <= told
    assert not told & {"data", "explore", "learn", "noise"}
    assert path.read_bytes() == before


def test_a_folder_that_may_not_be_written_to(open_page, store_at, disk):
    path = disk.folder / "store.db"
    Store(path).close()
    before = path.read_bytes()
    disk.protect()
    store_at(path)
    for page in ("compare", "sensitivity"):
        app = open_page(page)
        assert not app.exception
        assert "cannot be opened for writing: check that its folder exists and may be written to." in said(app)
    assert path.read_bytes() == before


def test_a_study_on_a_full_disk_goes_on_when_there_is_room(open_page, engine, store_at, disk, tmp_path):
    path = disk.folder / "store.db"
    store_at(path)
    app = open_page("compare", **STUDY)
    disk.fill(left=48 * KIB)
    app = until(press(app, "Run"), lambda app: "disk is full" in said(app))
    assert links.FAULT not in said(app)
    disk.free()
    computed = len(engine.computed)
    with Store(path) as store:
        done = store.study(1).done
    app = until(press(app.run(), "Run"), finished)
    assert len(engine.computed) - computed == store_cells(path) - done  # what was kept is not computed again
    studies.job_queue().close()
    store_at(tmp_path / "elsewhere.db")
    until(press(open_page("compare", **STUDY), "Run"), finished)
    with Store(path) as store, Store(tmp_path / "elsewhere.db") as other:
        assert numbers(store.results(1)).equals(numbers(other.results(1)))


def store_cells(path):
    with Store(path) as store:
        return store.study(1).cells
