"""docs/add-a-method.md, done as it says."""

from __future__ import annotations

import re
import sys
from unittest import mock

import numpy as np
import pandas as pd
import pytest

from mlfs import SELECTORS, load_dataset
from mlfs.evaluation import compare
from tests.docs.pages import blocks

PAGE = blocks("add-a-method.md")
USE, TEST = (block for block in PAGE if block.language == "sh")


@pytest.fixture(scope="module")
def author(newcomer):
    return newcomer.follow(PAGE)


def strongest(feature, Y, k):
    return np.mean(sorted(abs(np.corrcoef(feature, label)[0, 1]) for label in Y.T)[-k:])


def test_the_program_runs(author, capsys, monkeypatch):
    [program] = [block for block in PAGE if block.language == "python" and block.file is None]
    monkeypatch.syspath_prepend(author.folder / "mine")
    names: dict = {}
    with mock.patch.dict(SELECTORS), mock.patch.dict(sys.modules):
        exec(compile(program.text, "add-a-method.md", "exec"), names)
    ds = load_dataset("emotions")
    for k, told in zip((1, 2, 6), capsys.readouterr().out.splitlines(), strict=False):
        scores = [strongest(ds.X[:, j], ds.Y, k) for j in range(ds.X.shape[1])]
        assert told == f"{ {'k': k} } {[ds.feature_names[j] for j in np.argsort(scores)[::-1][:3]]}"
    values = names["table"].query("method == 'br_cc'")["value"].tolist()
    assert names["table"].query("parameters == '{\"k\": 6}'")["value"].tolist() == values
    assert names["table"].query("method == 'strongest' and parameters == '{}'")["value"].tolist() != values
    assert "strongest" not in SELECTORS


def test_commands_and_worker_processes_know_it(author):
    told = author.shell(f"{USE.text}\nmlfs study export 1 mine/results.csv --store mine/studies.sqlite")
    ds = load_dataset("emotions")
    scores = [strongest(ds.X[:, j], ds.Y, 2) for j in range(ds.X.shape[1])]
    best = np.argsort(scores)[::-1][:5]
    listed = re.findall(r"^\d +(\S+) +(\d+) +([\d.]+)$", told, flags=re.M)
    assert [(name, int(j)) for name, j, _ in listed] == [(ds.feature_names[j], j) for j in best]
    assert [float(score) for *_, score in listed] == pytest.approx([scores[j] for j in best], abs=1e-4)
    assert "4: 0 known, 4 computed, 0 failed" in told
    results = pd.read_csv(author.folder / "mine" / "results.csv").query("metric == 'hamming_loss'")
    expected = compare(["emotions"], ["br_cc"], "given", metrics=["hamming_loss"])["value"].tolist()
    assert results.query("method == 'br_cc'")["value"].tolist() == expected
    assert results.query("parameters == '{\"k\": 6}'")["value"].tolist() == expected
    assert len(results.query("method == 'strongest'")) == 3 * len(expected)


def test_its_own_tests_and_those_of_every_method_pass(author):
    [passed] = re.findall(r"^(\d+) passed", author.shell(TEST.text), flags=re.M)
    [own] = [block.text for block in PAGE if block.file == "mine/test_strongest.py"]
    assert int(passed) > own.count("def test_") + 20
