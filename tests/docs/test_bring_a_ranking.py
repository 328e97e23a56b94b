"""docs/bring-a-ranking.md, done as it says."""

from __future__ import annotations

import re

import numpy as np
import pytest

from mlfs import load_dataset
from mlfs.evaluation import get_protocol, loss_curve
from tests.docs.pages import blocks

PAGE = blocks("bring-a-ranking.md")
ROWS, BESIDE, JOINED = (block.text for block in PAGE if block.language == "sh")
PROGRAM = next(block.text for block in PAGE if block.language == "python" and block.file is None)


@pytest.fixture(scope="module")
def author(newcomer):
    newcomer.follow(PAGE)
    newcomer.shell(ROWS)
    return newcomer


@pytest.fixture(scope="module")
def compared(author):
    return author.shell(BESIDE)


def test_the_ranking_is_judged_on_the_rows_it_did_not_see(author, compared):
    ds, protocol = load_dataset("emotions"), get_protocol("quick", repeats=3)
    losses = []
    for train, test in protocol.splits(ds, 0):
        correlations = [[np.corrcoef(x, y)[0, 1] for y in ds.Y[train].T] for x in ds.X[train].T]
        order = np.argsort(-np.abs(correlations).sum(axis=1), kind="stable")
        curve = loss_curve(ds.X[train], ds.Y[train], ds.X[test], ds.Y[test], order, [10])
        losses.append(curve["hamming_loss"].iloc[0])
    assert f"{np.mean(losses):.4f} ± {np.std(losses, ddof=1):.4f}" in compared
    assert "saw test rows" not in compared
    assert "3 rankings, one for each split." in compared


def test_python_gives_the_same(author, compared):
    printed = author.python(PROGRAM)
    [mean] = re.findall(r"^ +10 +([\d.]+) ", printed.partition("mine")[2], flags=re.M)
    assert mean in compared
    assert "counted from 1" in printed


def test_results_join(author):
    printed = author.shell(JOINED)
    assert "Theirs" in printed.splitlines()[2]
    assert "0.2417" in printed
