"""docs/add-a-metric.md, done as it says."""

from __future__ import annotations

import re

import pytest
from sklearn.metrics import fbeta_score

from mlfs import load_dataset, make_selector
from mlfs.classifiers import MLkNN
from tests.docs.pages import blocks

PAGE = blocks("add-a-metric.md")
TELL, USE, TEST = (block for block in PAGE if block.language == "sh")
[PROGRAM] = [block for block in PAGE if block.language == "python" and block.file is None]


@pytest.fixture(scope="module")
def author(newcomer):
    return newcomer.follow(PAGE)


@pytest.fixture(scope="module")
def predicted():
    """True and predicted labels of the test rows of emotions, with the first 20 features by ELS."""
    ds = load_dataset("emotions")
    train, test = ds.split
    chosen = make_selector("els", n_features_to_select=20).fit(ds.X[train], ds.Y[train]).get_support(indices=True)
    return ds.Y[test], MLkNN().fit(ds.X[train][:, chosen], ds.Y[train]).predict(ds.X[test][:, chosen])


def test_the_program_runs(author, predicted):
    lines = author.session(TELL, PROGRAM).splitlines()
    told = [float(line.split()[-1]) for line in lines if line.split()[1] == "20"]
    assert told == pytest.approx([fbeta_score(*predicted, beta=beta, average="micro") for beta in (2, 0.5)], abs=1e-5)


def test_the_command_knows_it_and_which_way_is_better(author, predicted):
    told = author.session(TELL, USE)
    assert "Micro-Fβ" in told
    assert f"{fbeta_score(*predicted, beta=2, average='micro'):.4f}" in told


def test_its_tests_pass(author):
    assert re.search(r"^\d+ passed", author.session(TELL, TEST), flags=re.M)
