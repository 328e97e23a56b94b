"""What is said of the papers follows from the kept numbers, and every sentence has its numbers."""

from __future__ import annotations

from datetime import date

import pandas as pd
import pytest

from mlfs.datasets import bundled_names
from mlfs.evaluation import compare
from mlfs.papers import PAPERS, get_experiment
from mlfs.papers.agreement import Agreement
from mlfs.papers.experiment import COLUMNS, ExperimentResult
from mlfs.papers.findings import findings
from mlfs.papers.paper import declared_in
from mlfs.papers.stored_runs import store_rows
from tests.datasets.formats.support import SHARED, needs_data


def stored(folder, paper, result, rows, n=1):
    table = pd.DataFrame(rows).reindex(columns=COLUMNS).assign(paper=paper, result=result, n=n, chosen="")
    found = ExperimentResult(table, tuple(table["dataset"].unique()), (), (), (), 1.0)
    store_rows(get_experiment(paper, result), found, folder, today=date(2026, 11, 16))


def curve(dataset, metric, values):
    """Setting → size → value, as rows."""
    return [
        {"dataset": dataset, "metric": metric, "setting": setting, "size": size, "value": value}
        for setting, own in values.items()
        for size, value in own.items()
    ]


@pytest.mark.parametrize("paper", PAPERS)
def test_every_sentence_has_its_numbers(paper):
    told = findings(paper)
    assert len(told) == len(declared_in(PAPERS[paper].package, "findings"))
    for finding in told:
        assert finding.evidence.endswith(".")
        assert "nan" not in finding.evidence.lower().replace("finance", "")
        assert not finding.claim.endswith(".")
        assert len(finding.claim) < 80
        assert finding.results
        assert set(finding.results) <= set(PAPERS[paper].results)


@pytest.mark.parametrize(
    ("paper", "dataset", "method", "metric", "told"),
    [
        ("wang_2020_elc", "emotions", "elc", "average_precision", "with z-scores it is {:.4f}"),
        pytest.param(
            *("zhang_2020_grro", "medical", "grro", "macro_f1", "with the split as distributed it is {:.3f}"),
            marks=needs_data,
        ),
    ],
)
def test_numbers_with_a_command_beside_them_come_out_by_it(monkeypatch, paper, dataset, method, metric, told):
    if dataset not in bundled_names():
        monkeypatch.setenv("MLFS_DATA", str(SHARED / "data"))
    value = compare([dataset], [method], paper, metrics=[metric])["value"].mean()
    assert any(told.format(value) in finding.evidence for finding in findings(paper))


def test_nothing_is_said_of_what_was_not_kept(tmp_path):
    assert findings("sechidis_2014", tmp_path) == []
    stored(tmp_path, "sechidis_2014", "figure3", curve("yeast", "hamming_loss", {"cmi_br": {1: 0.3}}))
    assert findings("sechidis_2014", tmp_path) == []  # what it is compared with is missing


def test_the_numbers_are_those_of_the_rows(tmp_path):
    better, worse = {1: 0.30, 2: 0.20}, {1: 0.32, 2: 0.19}
    rows = curve("yeast", "hamming_loss", {"cmi_br": better, "cmi_lp": worse})
    rows += curve("yeast", "ranking_loss", {"cmi_br": better, "cmi_lp": {1: 0.4, 2: 0.3}})
    stored(tmp_path, "sechidis_2014", "figure3", rows)
    finding, *_ = findings("sechidis_2014", tmp_path)
    assert "by 0.0050 in Hamming loss, lower at 50% of the sizes" in finding.evidence
    assert "by 0.1000 in ranking loss, lower at 100% of the sizes" in finding.evidence
    assert finding.verdict is Agreement.AGREES  # lower at three of four sizes


def test_a_claim_holds_by_its_numbers(tmp_path):
    def seconds(**of):
        rows = [
            {"dataset": "enron", "metric": "seconds", "setting": name, "size": 900, "value": of[name]} for name in of
        ]
        stored(tmp_path, "wang_2020_elc", "figure3", rows)
        [finding] = findings("wang_2020_elc", tmp_path)
        return finding.verdict

    assert seconds(elc=2.8, cmfs=4.0, llsf=7.5, mifs=10.0) is Agreement.AGREES
    assert seconds(elc=2.8, cmfs=6.0, llsf=7.5, mifs=10.0) is Agreement.IN_PART
    assert seconds(elc=2.8, cmfs=6.0, llsf=12.0, mifs=10.0) is Agreement.DIFFERS


def test_ratios_are_measured_by_printed(tmp_path):
    rows = [
        {"dataset": name, "setting": "mapd", "metric": "hamming_loss", "value": value}
        for name, value in (("scene", 0.0008), ("yeast", 0.068))
    ]
    stored(tmp_path, "zhou_2023_mapd", "tableIV", rows)
    birds = [{"dataset": "birds", "setting": "mapd:alpha=0.6", "metric": "hamming_loss", "value": 0.0544}]
    stored(tmp_path, "zhou_2023_mapd", "tableII", birds)
    first = findings("zhou_2023_mapd", tmp_path)[0].evidence
    assert "every α of Table II is within 0.0010" in first
    assert first.endswith("for MAPD in Table IV: scene 2, yeast 10.")
