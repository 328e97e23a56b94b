"""The catalogue: every set of the papers is in it, with the sizes of the data and not the papers' slips."""

from __future__ import annotations

import csv
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from mlfs.datasets import CATALOGUE, CatalogueEntry, Dataset, bundled_names, load_bundled
from mlfs.datasets.catalogue import read_catalogue
from mlfs.errors import DatasetError
from tests.datasets.formats.support import SHARED

# (paper, set) → what the paper prints where the data are otherwise; see the notes of the catalogue.
SLIPS = {
    ("wang_2020_elc", "emotions"): {"instances": "539"},
    ("zhang_2020_grro", "yeast"): {"train": "1499", "test": "918"},
    ("zhang_2020_grro", "medical"): {"train": "645", "test": "333"},
    ("lee_kim_2016", "llog"): {"density": "0.001"},
}


def entry(**changes) -> CatalogueEntry:
    return replace(CATALOGUE["emotions"], **changes)


def test_frozen():
    with pytest.raises(FrozenInstanceError):
        CATALOGUE["emotions"].instances = 1
    with pytest.raises(TypeError):
        CATALOGUE["mine"] = CATALOGUE["emotions"]


def test_values():
    assert CATALOGUE["emotions"] == CatalogueEntry(
        name="emotions",
        instances=593,
        features=72,
        labels=6,
        cardinality=1.869,
        density=0.311,
        train=391,
        test=202,
        domain="music",
        papers=("wang_2020_elc", "zhou_2023_mapd", "zhang_2020_grro"),
        openml_id=40589,
        openml_name="emotions",
        note="wang_2020_elc prints 539 instances.",
    )
    assert CATALOGUE["genbase"].features == 1185
    assert CATALOGUE["llog"].openml_name == "langlog"
    assert CATALOGUE["medical"].openml_id is None
    assert CATALOGUE["flags"].papers == ()
    assert CATALOGUE["image"].cardinality is None


def test_two_yahoo_families_are_different_sets():
    small, full = CATALOGUE["arts"], CATALOGUE["arts_full"]
    assert (small.instances, small.features, small.papers) == (5000, 462, ("zhang_2020_grro",))
    assert (full.instances, full.features, full.papers) == (7484, 23146, ("wang_2020_elc",))
    assert small.labels == full.labels == 26


def test_entries_agree_with_themselves():
    for e in CATALOGUE.values():
        if e.cardinality is not None and e.density is not None:
            assert e.cardinality / e.labels == pytest.approx(e.density, abs=0.0006), e.name
        if e.train is not None and e.test is not None:
            assert e.train + e.test == e.instances, e.name
        assert (e.openml_id is None) == (e.openml_name is None), e.name
    ids = [e.openml_id for e in CATALOGUE.values() if e.openml_id]
    assert len(ids) == len(set(ids)) == 9


@pytest.mark.parametrize("name", bundled_names())
def test_bundled_sets_fit(name):
    assert CATALOGUE[name].check(load_bundled(name)) == []


@pytest.mark.skipif(not (SHARED / "papers").is_dir(), reason="needs the published tables of the shared folder")
def test_every_set_of_the_papers_is_listed():
    with open(SHARED / "papers" / "published" / "datasets.csv", encoding="utf-8", newline="") as file:
        published = list(csv.DictReader(file))
    listed = {(paper, e.name) for e in CATALOGUE.values() for paper in e.papers}
    seen = set()
    for row in published:
        paper, printed = row["paper"], row["dataset"]
        name = f"{printed}_full" if paper == "wang_2020_elc" and int(row["features"]) > 20000 else printed
        e = CATALOGUE[name]
        seen.add((paper, name))
        slips = dict(SLIPS.get((paper, printed), {}))
        if name == "genbase":
            slips["features"] = "1186"
        for column, known in (
            ("instances", e.instances),
            ("features", e.features),
            ("labels", e.labels),
            ("cardinality", e.cardinality),
            ("density", e.density),
            ("train", e.train),
            ("test", e.test),
        ):
            if column in slips:
                assert row[column] == slips[column], (paper, name, column)
                assert e.note, "a slip is told in the note"
            elif row[column]:
                assert float(row[column]) == known, (paper, name, column)
        assert row["domain"] == e.domain
    assert seen == listed


def tiny(**changes) -> Dataset:
    made = {
        "X": np.zeros((4, 3)),
        "Y": np.array([[1, 0], [0, 0], [1, 1], [0, 0]]),
        "feature_names": "abc",
        "label_names": "xy",
        "name": "tiny",
    }
    return Dataset(**{**made, **changes})


def test_check_says_each_difference():
    expected = entry(
        name="big", instances=5, features=4, labels=3, cardinality=1.0, density=0.333, train=2, test=3, note=""
    )
    assert expected.check(tiny(split=([0, 1, 2], [3]))) == [
        "tiny has 4 instances, but the catalogue lists 5 for big.",
        "tiny has 3 features, but the catalogue lists 4 for big.",
        "tiny has 2 labels, but the catalogue lists 3 for big.",
        "tiny has 3 training rows, but the catalogue lists 2 for big.",
        "tiny has 1 test rows, but the catalogue lists 3 for big.",
        "tiny has 0.750 labels per instance, but the catalogue lists 1.0 for big.",
        "tiny has a label density of 0.375, but the catalogue lists 0.333 for big.",
    ]


def test_check_passes_over_what_is_not_known():
    fits = entry(instances=4, features=3, labels=2, cardinality=0.75, density=0.375, train=2, test=2)
    assert fits.check(tiny()) == []  # no split to compare
    unknown = replace(fits, cardinality=None, density=None, train=None, test=None)
    assert unknown.check(tiny(Y=np.ones((4, 2)), split=([0], [1]))) == []
    assert replace(fits, cardinality=0.751).check(tiny()) == []  # the last printed digit may be rounded either way
    assert len(replace(fits, cardinality=0.753).check(tiny())) == 1


def test_check_finds_inverted_labels():
    ds = load_bundled("scene")
    assert len(CATALOGUE["scene"].check(replace(ds, Y=1 - ds.Y))) == 2


@pytest.mark.parametrize("content", [None, "name,instances\nx,1\n", "name,instances,features,labels\nx,many,1,1\n"])
def test_damaged_catalogue_is_one_sentence(content, tmp_path):
    path = tmp_path / "catalogue.csv"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(DatasetError, match=r"catalogue\.csv is missing or damaged: install mlfs again\.$"):
        read_catalogue(path)
