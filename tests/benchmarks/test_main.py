"""Which parts `make bench` knows, and what it does with the rows of one."""

import pytest

from benchmarks import methods
from benchmarks.__main__ import main
from benchmarks.measure import fit_in_process


def test_an_unknown_part_is_told_with_those_there_are(capsys):
    assert main(["nothing"]) == 2
    told = capsys.readouterr().err
    assert "'nothing'" in told
    assert "class, " in told
    assert "soak" in told
    assert "class_" not in told
    assert "sessions" not in told


def test_rows_of_a_part_that_is_run_whole_are_refused(capsys):
    assert main(["class:30"]) == 2
    assert "class is run whole: write class, not class:30" in capsys.readouterr().err


def test_some_rows_of_a_part(capsys, monkeypatch):
    fits = []

    def fit(dataset, method, threads):
        fits.append((dataset, method))
        if (dataset, method) == ("yeast", "grro"):
            raise RuntimeError("grro on yeast: killed")
        return {"processor": 61.0 if dataset == "scene" else 0.5, "peak": 0.25}

    monkeypatch.setattr(methods, "fit_in_process", fit)
    monkeypatch.setattr(methods, "shared_folder", lambda: None)
    assert main(["methods:grro,els"]) == 0
    assert fits == [(dataset, method) for method in ("grro", "els") for dataset in ("emotions", "yeast", "scene")]
    printed = capsys.readouterr().out.splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in printed if line.startswith("|")]
    assert [row[0] for row in rows] == ["method", "-" * 14, "grro", "els"]
    assert rows[2][1:] == ["0.50    0.25", "failed", "61.00    0.25"]
    assert "  grro on yeast: killed" in printed
    assert "  els on scene: over 60 s" in printed


def test_rows_that_are_not_there_are_told_before_anything_is_measured(capsys, monkeypatch):
    monkeypatch.setattr(methods, "fit_in_process", lambda *_, **__: pytest.fail("measured"))
    assert main(["methods:els,grrro"]) == 2
    assert "There is no method 'grrro': did you mean 'grro'" in capsys.readouterr().err
    assert main(["large:long,short"]) == 2
    assert "There is no set 'short'" in capsys.readouterr().err


def test_a_fit_in_a_process_of_its_own():
    first, second = (fit_in_process("emotions", "els", {"n_labels": 2}, threads=1) for _ in range(2))
    assert 0 < first["before"] <= first["peak"]
    assert second["before"] < 1.1 * first["before"]  # what one fit took the next does not start with
    assert first["processor"] > 0
    with pytest.raises(RuntimeError, match="els on emotions: n_labels must be"):
        fit_in_process("emotions", "els", {"n_labels": -1}, threads=1)
    with pytest.raises(RuntimeError, match="els on nothing: There is no data set"):
        fit_in_process("nothing", "els", threads=1)
