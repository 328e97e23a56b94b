"""Rankings from elsewhere in the app: uploaded, seen beside methods, in the link, this session's alone."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from mlfs import load_dataset
from mlfs.evaluation import Explorer, compare, explore_all, get_protocol, noise_table, read_ranking
from mlfs.recipes import comparison, exploration, noise, pareto
from mlfs.recipes.writing import RankingFile
from mlfs.tables import summary
from pages.parts import rankings
from tests.app.addresses import address
from tests.app.job_queue import finished, press, said, until

QUICK = {"repeats": "2", "most": "10"}
PROTOCOL = get_protocol("quick", repeats=2, sizes=(1, 2, 3, 4, 5, 6, 7, 8, 9, 10))
DS = load_dataset("synthetic")
WHOLE = "\n".join(str(index) for index in range(50, 0, -1)).encode()
SAW_TEST_ROWS = (
    "one ranking for all rows, selected with the test rows included, so its results look better than they are."
)


@pytest.fixture
def opened(open_page, engine):
    def page(name: str, **query: str) -> AppTest:
        app = open_page(name, **query)
        app.session_state["ranking-box"] = app.session_state["join-box"] = True
        return app.run()

    return page


def per_split() -> bytes:
    """What els ranks on the training rows of both splits, one a column."""
    explorer = Explorer(DS)
    orders = [explorer.fit("els", PROTOCOL, repeat=repeat)[0].ranking_ for repeat in range(2)]
    return "\n".join(",".join(map(str, pair)) for pair in zip(*orders, strict=True)).encode()


def give(app: AppTest, file: str, content: bytes, **choices: str) -> AppTest:
    """Hand a file to the uploader of the box and use it; `choices` by the labels' first words."""
    [uploader] = [each for each in app.file_uploader if each.label == "A ranking"]
    app = uploader.set_value([(file, content, "text/csv")]).run()
    for box in app.selectbox:
        for word, value in choices.items():
            if box.label.startswith(word):
                box.set_value(value)
    return press(app.run(), "Use this ranking")


def fine(app: AppTest) -> AppTest:
    assert not app.exception
    assert not app.error, [error.value for error in app.error]
    return app


def test_compare_shows_it_beside_the_methods(opened, engine):
    app = opened("compare", sets="synthetic", methods="els", **QUICK)
    app = fine(give(app, "theirs.csv", per_split()))
    assert app.multiselect(key="rankings").value[0].startswith("ranking-")
    app = fine(give(app, "my_rank.csv", WHOLE))
    app = until(press(app, "Run"), finished)
    table = app.table[0].value
    assert list(table.index) == ["ELS", "theirs", "my_rank (saw test rows)"]
    assert table.loc["theirs"].tolist() == table.loc["ELS"].tolist()
    expected = compare([DS], rankings={"my_rank": range(49, -1, -1)}, protocol=PROTOCOL)
    mean = summary(expected, "hamming_loss").mean.iloc[0, 0]
    assert table.loc["my_rank (saw test rows)", "Hamming loss ↓"] == mean
    assert f"my_rank: {SAW_TEST_ROWS}" in said(app)
    assert "theirs: one ranking for each split, taken to be of the training rows of these splits (seed 0)" in said(app)
    files = [RankingFile("theirs", "synthetic", "theirs.csv"), RankingFile("my_rank", "synthetic", "my_rank.csv")]
    recipe = comparison(["synthetic"], [("els", {})], PROTOCOL, (0,), None, rankings=files)
    assert [code.value for code in app.code] == [recipe.python.strip("\n"), recipe.command]


def test_its_study_is_this_sessions_alone(opened, open_page, engine):
    app = opened("compare", sets="synthetic", methods="els", **QUICK)
    app = until(press(give(app, "mine.csv", WHOLE), "Run"), finished)
    link = address(app)
    assert link["rankings"].startswith("ranking-")
    stranger = open_page("compare", **link)
    assert stranger.info[0].value.startswith("This link shows a ranking (content ")
    assert "upload the same file in the box" in stranger.info[0].value
    assert "mine" not in said(stranger)
    assert len(stranger.get("selectbox")) == len([box for box in stranger.selectbox if box.key != "study"])
    # The same content, whatever its name, is the same link; its cells are known.
    computed = len(engine.computed)
    stranger.session_state["ranking-box"] = True
    again = until(fine(give(stranger.run(), "other name.csv", WHOLE)), finished)
    assert address(again) == link
    assert len(engine.computed) == computed
    changed = fine(give(again, "changed.csv", WHOLE.replace(b"50\n49", b"49\n50")))
    assert not finished(changed)


def test_explore_takes_it_in_the_place_of_a_method(opened):
    app = opened("explore", data="synthetic", **QUICK)
    app = fine(give(app, "theirs.csv", per_split()))
    app = until(app, lambda app: len(app.dataframe) > 0 and "2 splits" in said(app))
    runs = explore_all(DS, "els", get_protocol("quick", repeats=2, sizes=PROTOCOL.sizes))
    shown = app.dataframe[0].value
    first = [run.curve["hamming_loss"].to_numpy() for run in runs]
    assert shown["hamming_loss"].tolist() == pytest.approx(((first[0] + first[1]) / 2).tolist(), rel=1e-15)
    assert "theirs on synthetic: 2 splits into" in said(app)
    assert "The selection took" not in said(app)
    recipe = exploration("synthetic", RankingFile("theirs", "synthetic", "theirs.csv"), PROTOCOL, 0)
    assert [code.value for code in app.code] == [recipe.python.strip("\n"), recipe.command]
    app = fine(app.selectbox(key="ranking").set_value("").run())
    assert "ELS on synthetic" in said(app)


def test_noise_shows_it_too(opened):
    app = opened("noise", data="synthetic", methods="els")
    app = fine(give(app, "mine.csv", WHOLE))
    app = until(app, lambda app: len(app.dataframe) == 2 and app.dataframe[0].value.shape[1] == 2)
    assert list(app.dataframe[0].value.columns) == ["ELS", "mine (saw test rows)"]
    table = noise_table(DS, [rankings.parse_ranking("mine.csv", WHOLE, DS)])
    assert app.dataframe[0].value.iloc[:, 1].tolist() == table["redundancy"].tolist()
    assert f"mine: {SAW_TEST_ROWS}" in said(app)
    recipe = noise(
        "synthetic", [("els", {})], get_protocol("quick"), 0, rankings=[RankingFile("mine", "x", "mine.csv")]
    )
    assert [code.value for code in app.code] == [recipe.python.strip("\n"), recipe.command]


def test_pareto_has_its_runs_without_a_time(opened):
    app = opened("pareto", data="synthetic", methods="els")
    app = fine(give(app, "mine.csv", WHOLE))
    app = until(app, lambda app: "the time is not known" in said(app))
    assert f"mine: {SAW_TEST_ROWS}" in said(app)
    protocol = get_protocol("quick", metrics=("hamming_loss",))
    mine = RankingFile("mine", "synthetic", "mine.csv")
    asked = (DS.label_names[:2], {"alpha": 0.7}, [("els", {})], protocol, 0)
    recipe = pareto("synthetic", *asked, pmfs={}, rankings=[mine])
    assert [code.value for code in app.code] == [recipe.python.strip("\n"), recipe.command]
    assert "mlfs curve synthetic --ranking mine=mine.csv" in recipe.command


def test_a_refused_file_says_why_and_can_be_corrected(opened):
    app = opened("compare", sets="synthetic", methods="els", **QUICK)
    app = give(app, "few.csv", b"3\n4\n")
    assert app.error[0].value.startswith("few.csv holds neither 0 nor 50")
    app = fine(give(app, "few.csv", b"3\n4\n", Features="1, as in MATLAB and R"))
    (kept,) = app.session_state["rankings-kept"].values()
    assert kept.ranking.orders == ((2, 3),)
    assert kept.file == RankingFile("few", "synthetic", "few.csv", base=1)
    assert "It ranks the first 2 of 50 features" in said(app)
    app = give(app, "few.csv", b"7\n4\n", Features="1, as in MATLAB and R")
    assert app.error[0].value == "There is a ranking called 'few' of these data: give this one another name."


def test_more_splits_than_rankings_leave_it_out_with_a_sentence(opened):
    app = opened("compare", sets="synthetic", methods="els", **QUICK)
    app = fine(give(app, "theirs.csv", per_split()))
    app.slider(key="repeats").set_value(3)
    app = app.run()
    assert "theirs has 2 rankings of training rows for 3 splits" in app.warning[0].value
    assert "theirs" not in "".join(caption.value for caption in app.caption if "runs" in caption.value)


def test_rankings_are_bounded_and_can_be_removed(opened, monkeypatch):
    monkeypatch.setattr(rankings, "MOST_RANKINGS", 1)
    app = opened("noise", data="synthetic", methods="els")
    app = fine(give(app, "mine.csv", WHOLE))
    app = give(app, "second.csv", per_split())
    assert [error.value for error in app.error] == ["This session keeps 1 rankings at most: remove one first."]
    app = press(app, "Remove")
    assert not app.session_state["rankings-kept"]
    assert "rankings" not in address(app)


def test_another_data_set_has_none_of_them(opened):
    app = opened("noise", data="synthetic", methods="els")
    app = fine(give(app, "mine.csv", WHOLE))
    app = fine(app.selectbox(key="data").set_value("emotions").run())
    assert "rankings" not in address(app)
    assert not [box for box in app.multiselect if box.key == "rankings"]
    assert not app.info


def test_the_rows_of_the_splits_are_offered(opened):
    app = opened("compare", sets="synthetic", methods="els", **QUICK)
    offered = [button.label for button in app.get("download_button")]
    assert "Rows of synthetic, from 1" in offered
    assert "Rows of synthetic, from 0" in offered
    text = rankings._rows_file(Explorer(DS), PROTOCOL, 0, 1)
    train, _ = next(PROTOCOL.splits(DS, 0))
    lines = [line.split(",") for line in text.splitlines()]
    assert lines[0] == ["row_from_1", "split_1_train", "split_2_train"]
    assert [int(row) - 1 for row, first, _ in lines[1:] if first == "1"] == train.tolist()


def test_results_of_another_program_join_the_tables_of_compare(opened, engine):
    app = until(press(opened("compare", sets="synthetic", methods="els,random", **QUICK), "Run"), finished)
    [uploader] = [each for each in app.file_uploader if each.label == "A table of results"]
    table = b"dataset,method,metric,value\nsynthetic,Theirs,hamming_loss,0.125\n"
    app = fine(uploader.set_value([("other.csv", table, "text/csv")]).run())
    assert app.table[0].value.loc["Theirs", "Hamming loss ↓"] == 0.125
    assert "From another program: Theirs. They stand without marks." in said(app)
    assert "join" in address(app)
    assert "--join path/to/your-results.csv" in app.code[1].value
    linked = opened("compare", **address(app))
    assert linked.table[0].value.loc["Theirs", "Hamming loss ↓"] == 0.125
    linked = press(linked, "Remove these results")
    assert "Theirs" not in linked.table[0].value.index


def test_results_of_another_program_join_a_test(opened):
    app = opened("significance")
    before = list(app.dataframe[0].value["Method"])
    data_sets = load_example_names(app)
    [uploader] = [each for each in app.file_uploader if each.label == "A table of results"]
    text = "data,Theirs\n" + "".join(f"{name},0.9\n" for name in data_sets)
    app = fine(uploader.set_value([("other.csv", text.encode(), "text/csv")]).run())
    ranks = app.dataframe[0].value.set_index("Method")["Average rank"]
    assert set(ranks.index) == {*before, "Theirs"}
    assert ranks["Theirs"] == len(before) + 1  # the worst on every set
    assert "From another program: Theirs." in said(app)
    uploader = next(each for each in app.file_uploader if each.label == "A table of results")
    app = uploader.set_value([("wrong.csv", b"data,Theirs\nnowhere,1\n", "text/csv")]).run()
    assert "spell the data sets alike" in app.error[0].value


def load_example_names(app: AppTest) -> list[str]:
    return [line.partition(",")[0] for line in app.text_area(key="csv").value.splitlines()[1:]]


def test_recipes_read_the_persons_file(tmp_path):
    from tests.recipes.running import run_command, run_python

    (tmp_path / "mine.csv").write_bytes(WHOLE)
    (tmp_path / "few.csv").write_bytes(b"3\n4\n")
    protocol = get_protocol("quick", repeats=2, sizes=(1, 2))
    files = [RankingFile("mine", "synthetic", "mine.csv"), RankingFile("few", "synthetic", "few.csv", base=1)]
    given = {"mine": read_ranking(tmp_path / "mine.csv", DS), "few": read_ranking(tmp_path / "few.csv", DS, base=1)}
    results = compare([DS], ["els"], protocol, rankings=given)
    values = [f"{value:.4f}" for value in summary(results, "hamming_loss").mean.iloc[0]]
    recipe = comparison(["synthetic"], [("els", {})], protocol, (0,), None, rankings=files)
    printed = run_python(recipe.python, tmp_path)
    assert all(value in printed for value in values)
    # A command has one base for all: the whole ranking is counted from 1 as well.
    command = run_command(recipe.command, tmp_path)
    assert all(value in command for value in values)
    alone = noise("synthetic", [], get_protocol("quick", repeats=2), 0, rankings=files[:1])
    assert "mine (saw test rows)" in run_python(alone.python, tmp_path)
    assert "mine (saw test rows)" in run_command(alone.command, tmp_path)
    one = exploration("synthetic", files[0], protocol, 0)
    assert run_python(one.python, tmp_path)
    assert "mine (saw test rows) on synthetic" in run_command(one.command, tmp_path)
