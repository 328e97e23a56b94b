"""docs/add-a-classifier.md, done as it says."""

from __future__ import annotations

import pytest
from sklearn.ensemble import ExtraTreesClassifier

from mlfs import load_dataset, make_selector
from mlfs.metrics import hamming_loss
from tests.docs.pages import blocks

PAGE = blocks("add-a-classifier.md")
[TELL] = (block for block in PAGE if block.language == "sh")
[PROGRAM] = [block for block in PAGE if block.language == "python" and block.file is None]


@pytest.fixture(scope="module")
def author(newcomer):
    return newcomer.follow(PAGE)


def test_the_program_runs(author):
    *_, last = author.session(TELL, PROGRAM).splitlines()
    ds = load_dataset("emotions")
    train, test = ds.split
    chosen = make_selector("els").fit(ds.X[train], ds.Y[train]).ranking_[:20]
    trees = ExtraTreesClassifier(n_estimators=20, random_state=0).fit(ds.X[train][:, chosen], ds.Y[train])
    loss = hamming_loss(ds.Y[test], trees.predict(ds.X[test][:, chosen]))
    assert last.split()[:2] == ["20", f"{loss:.4f}"]


def test_the_command_knows_it(author):
    told = author.session(TELL, then="mlfs curve emotions els --split given --sizes 5 --classifier trees --json")
    assert '"classifier": "trees"' in told
