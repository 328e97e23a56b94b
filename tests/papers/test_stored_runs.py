"""Kept runs: written rounded and in order, replaced in part, read back; and they agree with a run made now."""

from __future__ import annotations

import os
from datetime import date
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from mlfs import __version__
from mlfs.errors import DatasetError
from mlfs.evaluation import compare, get_protocol
from mlfs.papers import PAPERS, get_experiment
from mlfs.papers.experiment import COLUMNS, ExperimentResult
from mlfs.papers.stored_runs import (
    RUN_COLUMNS,
    check_rows_folder,
    check_writable,
    store_rows,
    stored_rows,
    stored_runs,
    versions,
    write,
)
from mlfs.papers.wang_2020_elc.experiments import METRICS
from mlfs.papers.zhang_2020_grro.experiments import COMPUTED_BY, OTHERS
from mlfs.selectors.specification import parse_method

TODAY = date(2026, 11, 16)


def ran(experiment, values):
    """A run that gave ELS these values by data set."""
    rows = pd.DataFrame(
        [{"dataset": name, "setting": "els", "metric": "hamming_loss", "value": value, "std": 0.1, "n": 3}
         for name, value in values.items()]
    )  # fmt: skip
    rows = rows.assign(paper=experiment.paper, result=experiment.result, chosen="n_labels=3").reindex(columns=COLUMNS)
    return ExperimentResult(rows, tuple(values), (), (), (), 1.0)


def test_rows_come_back_rounded_with_the_run_beside_them(tmp_path):
    table5 = get_experiment("lee_kim_2016", 5)
    store_rows(table5, ran(table5, {"yeast": 0.123456789}), tmp_path, repeats=3, asked=["yeast"], today=TODAY)
    [row] = stored_rows("lee_kim_2016", "table5", tmp_path).to_dict("records")
    assert row["value"] == 0.123457
    assert np.isnan(row["size"])
    assert {name: row[name] for name in ("dataset", "setting", "chosen", "n")} == {
        "dataset": "yeast", "setting": "els", "chosen": "n_labels=3", "n": 3,
    }  # fmt: skip
    [run] = stored_runs("lee_kim_2016", 5, tmp_path).to_dict("records")
    assert list(run) == RUN_COLUMNS
    assert (run["date"], run["mlfs"], run["datasets"], run["repeats"]) == ("2026-11-16", __version__, "yeast", "3")
    assert run["command"] == "mlfs paper run lee_kim_2016 table5 --datasets yeast --repeats 3"


def test_a_file_is_read_once_until_it_changes_and_nobody_changes_what_others_read(tmp_path, monkeypatch):
    reads = []
    monkeypatch.setattr(
        pd, "read_csv", lambda path, read=pd.read_csv, **how: (reads.append(path), read(path, **how))[1]
    )
    table5 = get_experiment("lee_kim_2016", 5)
    store_rows(table5, ran(table5, {"yeast": 0.25}), tmp_path)
    reads.clear()
    rows = stored_rows("lee_kim_2016", 5, tmp_path)
    rows["value"] = 0.0
    assert list(stored_rows("lee_kim_2016", 5, tmp_path)["value"]) == [0.25]
    assert len(reads) == 1
    store_rows(table5, ran(table5, {"yeast": 0.75}), tmp_path)
    assert list(stored_rows("lee_kim_2016", 5, tmp_path)["value"]) == [0.75]


def test_only_rows_of_the_same_result_and_data_sets_are_replaced(tmp_path):
    table5, table6 = (get_experiment("lee_kim_2016", number) for number in (5, 6))
    store_rows(table6, ran(table6, {"yeast": 0.6}), tmp_path)
    store_rows(table5, ran(table5, {"yeast": 0.1, "enron": 0.2}), tmp_path)
    store_rows(table5, ran(table5, {"enron": 0.3, "bibtex": 0.4}), tmp_path, repeats=2)
    rows = pd.read_csv(tmp_path / "lee_kim_2016.csv")
    # In the order of the paper.
    assert list(zip(rows["result"], rows["dataset"], rows["value"], strict=True)) == [
        ("table5", "bibtex", 0.4),
        ("table5", "enron", 0.3),
        ("table5", "yeast", 0.1),
        ("table6", "yeast", 0.6),
    ]
    runs = stored_runs("lee_kim_2016", 5, tmp_path)
    assert runs[["datasets", "repeats"]].to_numpy().tolist() == [["yeast", "10"], ["enron bibtex", "2"]]
    assert len(stored_runs("lee_kim_2016", 6, tmp_path)) == 1


def test_a_statistic_replaces_the_one_before(tmp_path):
    table7 = get_experiment("lee_kim_2016", 7)
    for F, sets in ((4.0, ("enron", "yeast")), (5.0, ("llog", "yeast"))):
        found = ran(table7, {"": F})
        store_rows(table7, ExperimentResult(found.rows, sets, (), (), (), 1.0), tmp_path)
    assert stored_rows("lee_kim_2016", 7, tmp_path)["value"].tolist() == [5.0]
    assert stored_runs("lee_kim_2016", 7, tmp_path)["datasets"].tolist() == ["llog yeast"]


def test_what_gave_nothing_leaves_nothing(tmp_path):
    table5 = get_experiment("lee_kim_2016", 5)
    store_rows(table5, ExperimentResult(pd.DataFrame(columns=COLUMNS), (), ("yeast",), (), (), 0.0), tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert stored_rows("lee_kim_2016", 5, tmp_path).empty
    assert stored_runs("lee_kim_2016", 5, tmp_path).empty


@pytest.mark.parametrize(
    "content", ["", "paper,result\nx,y\n", "\x00\xff", ",".join(COLUMNS) + "\na,b,c,d,e,f,g,h,i,j\n"]
)
def test_damage_is_told_in_a_sentence(tmp_path, content):
    path = tmp_path / "lee_kim_2016.csv"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(DatasetError) as caught:
        stored_rows("lee_kim_2016", 5, tmp_path)
    assert str(caught.value) == f"The kept runs in {path} are damaged: install mlfs again, or run them anew."


def test_a_folder_that_cannot_be_is_told_before_the_run(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(DatasetError, match="cannot be written: give a folder that may be written to and has room"):
        check_rows_folder(get_experiment("lee_kim_2016", 5), tmp_path / "file")


@pytest.mark.parametrize("paper", PAPERS)
def test_what_is_kept_is_in_order(paper):
    for name, experiment in PAPERS[paper].experiments.items():
        rows, runs = stored_rows(paper, name), stored_runs(paper, name)
        assert rows.empty == runs.empty
        assert set(rows["dataset"]) <= {"", *experiment.datasets}
        assert not rows.duplicated(["dataset", "setting", "metric", "size"]).any()
        told = [dataset for text in runs["datasets"] for dataset in text.split()]
        assert len(told) == len(set(told))
        if experiment.kind != "statistics":
            assert set(told) == set(rows["dataset"])
        for run in runs.itertuples():
            assert run.command.startswith(f"mlfs paper run {paper} {name}")
            date.fromisoformat(run.date)


def some(paper, result, dataset, **having):
    """Kept rows of one data set."""
    rows = stored_rows(paper, result)
    rows = rows[rows["dataset"] == dataset]
    for name, values in having.items():
        rows = rows[rows[name].isin(values)]
    assert len(rows), f"No run of {result} of {paper} on {dataset} is kept."
    return rows


def agree(rows, expected):
    """`expected`: setting → values over all splits (and sizes), of which the kept ones are mean and deviation."""
    assert len(rows)
    for row in rows.itertuples():
        values = expected[row.setting]
        assert row.value == pytest.approx(np.mean(values), rel=1e-5), row.setting
        if len(values) > 1:
            assert row.std == pytest.approx(np.std(values, ddof=1), rel=1e-4, abs=1e-9), row.setting


def again(rows, protocol, choices):
    """Setting → the values of a plain comparison made now."""
    dataset, metric = rows["dataset"].iloc[0], rows["metric"].iloc[0]
    found = {}
    for setting, choice in choices.items():
        table = compare([dataset], [choice], protocol, metrics=[metric])
        found[setting] = table["value"].to_numpy()
    return found


def test_zhang_runs_as_kept():
    rows = some("zhang_2020_grro", "table2", "emotions", metric=["macro_f1"])
    computed = {setting.partition(":")[0]: setting for setting in OTHERS}
    computed |= {printed: computed[method] for printed, method in COMPUTED_BY.items()}
    choices = {
        row.setting: parse_method(computed.get(row.setting) or f"{row.setting}:{row.chosen},variant=authors")
        for row in rows.itertuples()
    }
    agree(rows, again(rows, get_protocol("zhang_2020_grro"), choices))


def test_zhou_runs_as_kept():
    rows = some("zhou_2023_mapd", "tableII", "emotions")
    protocol = get_protocol("zhou_2023_mapd", repeats=int(rows["n"].iloc[0]) // 5)
    agree(rows, again(rows, protocol, {setting: parse_method(setting) for setting in rows["setting"]}))


def test_wang_runs_as_kept():
    rows = some("wang_2020_elc", "table2c", "emotions", setting=["elc"])
    [chosen] = rows["chosen"]
    protocol = get_protocol("wang_2020_elc", repeats=int(rows["n"].iloc[0]) // 5, metrics=METRICS, scaling="none")
    agree(rows, again(rows, protocol, {"elc": parse_method(f"elc:{chosen}")}))


def test_lee_kim_runs_as_kept():
    rows = some("lee_kim_2016", "figure2", "yeast", setting=["els:n_labels=1"], size=[10])
    # BRLR starts from the coefficients of the smaller size, of which the smallest has none.
    protocol = get_protocol("lee_kim_2016", repeats=int(rows["n"].iloc[0]), sizes=(10,))
    agree(rows, again(rows, protocol, {"els:n_labels=1": ("els", {"n_labels": 1})}))


def test_sechidis_runs_as_kept():
    rows = some("sechidis_2014", "figure4", "yeast", setting=["mim_br"], size=[5], metric=["hamming_loss"])
    protocol = get_protocol("sechidis_2014", repeats=int(rows["n"].iloc[0]), every_size=False, sizes=(5,))
    agree(rows, again(rows, protocol, {"mim_br": "mim_br"}))


def test_the_files_are_small():
    folder = Path(__file__).resolve().parents[2] / "mlfs" / "papers"
    sizes = [path.stat().st_size for path in folder.glob("*/measured/*.csv")]
    assert len(sizes) == 2 * len(PAPERS)
    assert sum(sizes) < 3_000_000


# Files, whole or as before


def test_what_ran_is_named_with_its_version():
    assert list(versions()) == ["mlfs", "python", "numpy", "scikit-learn"]
    assert (versions()["mlfs"], versions()["numpy"]) == (__version__, np.__version__)


def test_a_write_that_fails_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    path = tmp_path / "new" / "runs.csv"
    write(path, "a\n1\n")
    write(path, "a\n2\n")

    def full(*_):
        raise OSError("no space left")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(DatasetError) as caught:
        write(path, "a\n3\n")
    assert str(caught.value) == f"{path} cannot be written: give a folder that may be written to and has room."
    assert [(file.name, file.read_text()) for file in path.parent.iterdir()] == [("runs.csv", "a\n2\n")]


def test_a_folder_that_cannot_be_is_told(tmp_path):
    check_writable(tmp_path / "not" / "yet")
    (tmp_path / "file").write_text("")
    with pytest.raises(DatasetError, match="cannot be written: give a folder that may be written to and has room"):
        check_writable(tmp_path / "file" / "folder")
