"""docs/add-a-method.md, done as it says."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from mlfs import load_dataset
from mlfs.evaluation import compare
from mlfs.selectors.evidence import Evidence, Information, Raw
from tests.docs.pages import ROOT, blocks

PAGE = blocks("add-a-method.md")
TELL, USE, TEST = (block for block in PAGE if block.language == "sh")
[PROGRAM] = [block for block in PAGE if block.language == "python" and block.file is None]


@pytest.fixture(scope="module")
def author(newcomer):
    return newcomer.follow(PAGE)


def strongest(feature, Y, k):
    return np.mean(sorted(abs(np.corrcoef(feature, label)[0, 1]) for label in Y.T)[-k:])


def test_the_program_runs(author):
    kept = replace(PROGRAM, text=f"{PROGRAM.text}\ntable.to_csv('mine/table.csv')\n")
    told = author.session(TELL, kept)
    ds = load_dataset("emotions")
    for k, line in zip((1, 2, 6), told.splitlines(), strict=False):
        scores = [strongest(ds.X[:, j], ds.Y, k) for j in range(ds.X.shape[1])]
        assert line == f"{ {'k': k} } {[ds.feature_names[j] for j in np.argsort(scores)[::-1][:3]]}"
    table = pd.read_csv(author.folder / "mine" / "table.csv")
    values = table.query("method == 'br_cc'")["value"].tolist()
    assert table.query("parameters == '{\"k\": 6}'")["value"].tolist() == values
    assert table.query("method == 'strongest' and parameters == '{}'")["value"].tolist() != values


def test_commands_and_worker_processes_know_it(author):
    told = author.session(TELL, USE, then="mlfs study export 1 mine/results.csv --store mine/studies.sqlite")
    ds = load_dataset("emotions")
    scores = [strongest(ds.X[:, j], ds.Y, 2) for j in range(ds.X.shape[1])]
    best = np.argsort(scores)[::-1][:5]
    listed = re.findall(r"^\d +(\S+) +(\d+) +([\d.]+)$", told, flags=re.M)
    assert [(name, int(j)) for name, j, _ in listed] == [(ds.feature_names[j], j) for j in best]
    assert [float(score) for *_, score in listed] == pytest.approx([scores[j] for j in best], abs=1e-4)
    assert "4: 0 already done, 4 computed, 0 failed" in told
    results = pd.read_csv(author.folder / "mine" / "results.csv").query("metric == 'hamming_loss'")
    expected = compare(["emotions"], ["br_cc"], "given", metrics=["hamming_loss"])["value"].tolist()
    assert results.query("method == 'br_cc'")["value"].tolist() == expected
    assert results.query("parameters == '{\"k\": 6}'")["value"].tolist() == expected
    assert len(results.query("method == 'strongest'")) == 3 * len(expected)


def test_its_own_tests_and_those_of_every_method_pass(author):
    [passed] = re.findall(r"^(\d+) passed", author.session(TELL, TEST), flags=re.M)
    [own] = [block.text for block in PAGE if block.file == "mine/test_strongest.py"]
    assert int(passed) > own.count("def test_") + 20


def test_the_page_lists_what_each_evidence_offers():
    """Every public name and no other, of an evidence that has been made."""
    text = (ROOT / "docs" / "add-a-method.md").read_text(encoding="utf-8")
    X, Y = np.array([[0.0], [1]]), np.array([[0], [1]])
    made = {
        "any evidence": Evidence(X, Y),
        "`InformationScore` and `InformationSearch`": Information(X, Y, n_bins=2, discretization="equal_width"),
        "`RawScore`": Raw(X, Y),
    }
    for title, evidence in made.items():
        rows = text.partition(f"| of {title} | |\n|---|---|\n")[2].partition("\n\n")[0].splitlines()
        listed = {word for row in rows for word in re.findall(r"`(\w+)(?:\(.*?\))?`", row.split(" | ")[0])}
        public = {name for name in dir(evidence) if not name.startswith("_")}
        inherited = set() if type(evidence) is Evidence else set(dir(made["any evidence"]))
        assert listed == public - inherited - {"feature_names", "preparation"}
