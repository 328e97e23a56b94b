"""``mlfs paper`` prints the published numbers, and computes them again."""

import re

import pandas as pd
import pytest

from mlfs.papers import PAPERS, as_grid, published
from mlfs.papers.closeness import Closeness, closeness_counts
from mlfs.papers.stored_runs import stored_rows, stored_runs


def test_list_has_every_paper(terminal):
    assert [paper["id"] for paper in terminal.json("paper list")["papers"]] == list(PAPERS)
    for paper in PAPERS.values():
        assert paper.title in terminal.run("paper list")


def test_every_table_can_be_shown(terminal):
    for paper in PAPERS.values():
        for table in paper.tables:
            told = terminal.run(f"paper show {paper.id} {table.number}")
            assert table.caption in told


def test_numbers_are_the_published(terminal):
    told = terminal.json("paper show lee_kim_2016 5")
    assert [row["value"] for row in told["rows"]] == published("lee_kim_2016", 5)["value"].tolist()
    grid = as_grid("lee_kim_2016", 5, what="text")
    [line] = [line for line in terminal.run("paper show lee_kim_2016 5").splitlines() if line.startswith("yeast")]
    assert [word.rstrip("*") for word in line.split()[1:]] == grid.loc["yeast"].tolist()
    assert line.split()[2] == "0.209*"  # ELS, the best of the row


def test_one_of_several_metrics(terminal):
    told = terminal.run("paper show zhang_2020_grro 2 --metric micro_f1")
    assert "micro_f1" in told
    assert "macro_f1" not in told
    assert terminal.complaint("paper show zhang_2020_grro 2 --metric micro_f").endswith("did you mean 'micro_f1'?")


def test_unknown_names(terminal):
    assert terminal.complaint("paper show lee_kim") == "There is no paper 'lee_kim': did you mean 'lee_kim_2016'?"
    assert (
        terminal.complaint("paper show lee_kim_2016 99")
        == "lee_kim_2016 has no table '99': choose from 2, 3, 4, 5, 6, 7."
    )


def test_a_result_run_again_stands_beside_the_published(terminal, tmp_path, one_process):
    command = "paper run zhou_2023_mapd tableIV --datasets emotions,enron --repeats 1 --workers 1 --keep kept"
    told = terminal.run(command)
    [line] = [line for line in told.splitlines() if line.startswith("emotions  mapd ")]
    rows = pd.read_csv(tmp_path / "kept" / "zhou_2023_mapd.csv").set_index("setting")
    printed = published("zhou_2023_mapd", "IV").set_index(["dataset", "setting"]).loc[("emotions", "mapd")]
    value, std = rows.loc["mapd", ["value", "std"]]
    assert line.split()[2:] == [
        f"{printed['value']:.4f}", "±", f"{printed['std']:.4f}", f"{value:.4f}", "±", f"{std:.4f}",
        f"+{value - printed['value']:.4f}", "5",
    ]  # fmt: skip
    assert "Not on this machine: enron." in told
    assert "Spearman" in told
    # Some rows only, of the cells that are known.
    some = terminal.json(
        "paper run zhou_2023_mapd tableIV --datasets emotions --repeats 1 --methods ami,mapd --workers 1"
    )
    kept = rows.loc[["mapd", "ami"], "value"]
    assert {row["setting"]: row["value"] for row in some["results"][0]["rows"]} == pytest.approx(
        kept.to_dict(), rel=1e-5
    )
    # The same cells serve the others, and `all` takes of the data sets those that a result has.
    document = terminal.json("paper run zhou_2023_mapd all --datasets emotions --repeats 1 --workers 1")
    assert [result["result"] for result in document["results"]] == list(PAPERS["zhou_2023_mapd"].experiments)
    fourth = document["results"][2]
    assert [row["value"] for row in fourth["rows"]] == pytest.approx(rows["value"].tolist(), rel=1e-5)
    assert fourth["beside"]["hamming_loss"][0]["published"] == as_grid("zhou_2023_mapd", "IV").loc["scene"].iloc[0]


def test_who_waits_is_told_how_long_it_will_take(terminal, monkeypatch, one_process):
    """Once: a run that needs nothing says nothing."""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    command = "paper run zhou_2023_mapd tableII --datasets emotions --repeats 1 --methods mapd --workers 1"
    _, told = terminal.both(command, 0)
    assert "Table II: 20 cells to compute, which will take about " in told  # four alphas on five folds
    assert "to compute" not in terminal.both(command, 0)[1]


def test_mistakes_of_a_run_are_told(terminal, tmp_path):
    assert (
        terminal.complaint("paper run lee_kim_2016 table5 --datasets yest")
        == "lee_kim_2016 has no data set 'yest': did you mean 'yeast'?"
    )
    assert (
        terminal.complaint("paper run lee_kim_2016 figure9")
        == "lee_kim_2016 has no result 'figure9': did you mean 'figure8'?"
    )
    assert terminal.complaint("paper run zhang_2020_grro figure3 --datasets emotions") == (
        "Figure 3 of zhang_2020_grro has no data set 'emotions': choose from medical."
    )
    assert terminal.complaint("paper run lee_kim_2016 table5 --methods elss") == (
        "Table 5 of lee_kim_2016 has no method 'elss': did you mean 'els'?"
    )
    assert terminal.complaint("paper run lee_kim_2016 all --methods elss") == (
        "lee_kim_2016 has no method 'elss': did you mean 'els'?"
    )
    assert terminal.complaint("paper run lee_kim_2016 table5 --methods els --keep kept") == (
        "--keep needs every method, so that no row is lost: leave out --methods."
    )
    assert terminal.complaint("paper run lee_kim_2016 table5 --repeats 0") == (
        "--repeats must be a whole number from 1, not '0'."
    )
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "runs.csv").write_text("nothing")
    assert "are damaged" in terminal.complaint("paper run lee_kim_2016 table5 --datasets yeast --keep kept", code=1)


def test_what_is_kept_can_be_shown(terminal):
    for result in PAPERS["lee_kim_2016"].experiments:
        told = terminal.run(f"paper show lee_kim_2016 {result} --measured")
        rows = stored_rows("lee_kim_2016", result)
        if rows.empty:
            assert told.strip().endswith(f"make one with: mlfs paper run lee_kim_2016 {result}")
        else:
            assert stored_runs("lee_kim_2016", result)["command"].iloc[0] in told
    document = terminal.json("paper show lee_kim_2016 table5 --measured")
    assert len(document["rows"]) == len(stored_rows("lee_kim_2016", "table5"))
    assert (
        terminal.complaint("paper show lee_kim_2016 --measured")
        == "--measured needs a table or figure, such as table5 or figure2."
    )


def test_numbers_of_every_paper_are_counted(terminal):
    document = terminal.json("paper numbers")
    told = document["papers"]
    assert [each["paper"] for each in told] == list(PAPERS)
    total = document["total"]
    printed = {line.partition("  ")[0]: line for line in terminal.run("paper numbers").splitlines()}
    line = printed["all papers"]
    for kind, number in total["counts"].items():
        assert number == sum(each["counts"][kind] for each in told)
    assert line.split()[2:] == [*map(str, total["counts"].values()), f"{total['accounted']:.0%}"]
    for each in told:
        counted = closeness_counts(each["paper"])
        assert each["counts"] == {kind.value: number for kind, number in counted.counts.items()}
        line = printed[each["paper"]]
        assert line.split()[1 : 1 + len(Closeness)] == [str(number) for number in each["counts"].values()]


def test_numbers_of_one_paper_are_told_with_what_explains_them(terminal):
    document, told = terminal.json("paper numbers zhang_2020_grro"), terminal.run("paper numbers zhang_2020_grro")
    assert closeness_counts("zhang_2020_grro").sentence in told
    assert closeness_counts("zhang_2020_grro").sentence in terminal.run("paper show zhang_2020_grro")
    apart = [row for row in document["numbers"] if row["closeness"] not in (Closeness.EQUAL, Closeness.NOT_RUN)]
    assert sum(line.startswith(("table2 ", "table5 ")) for line in told.splitlines()) == len(apart)
    explained = [row for row in apart if row["closeness"] == Closeness.EXPLAINED]
    assert sum(each["numbers"] for each in document["explanations"]) == len(explained)
    for each in document["explanations"]:
        for command in each["commands"]:
            assert command.startswith(f"mlfs paper question {each['question']} ")
            assert f"  {command}" in told


def test_what_was_tried_for_the_others_is_told(terminal):
    trial = PAPERS["lee_kim_2016"].tried[-1]
    told, numbers = terminal.run("paper numbers lee_kim_2016"), terminal.json("paper numbers lee_kim_2016")["numbers"]
    about = [row for row in numbers if row["tried"] == trial.text]
    assert {(row["dataset"], row["setting"]) for row in about} >= {("enron", "fimf"), ("llog", "fimf")}
    [mark] = re.findall(rf"(\[\d+\]) {re.escape(trial.text)}", told)
    assert sum(mark in line.split() and line.startswith("table") for line in told.splitlines()) == len(about)


def test_numbers_of_a_paper_of_figures(terminal):
    assert terminal.run("paper numbers sechidis_2014").startswith("It prints no numbers to compare.")
