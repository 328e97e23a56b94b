"""The page Methods: the numbers of the kept file, its link, the card, advice, and what can be taken away."""

import json

from mlfs.benchmark import advise, card, describe, leaderboard, overlaps, read_benchmark, stabilities
from mlfs.benchmark.kept import coverage
from mlfs.benchmark.leaderboard import board_table
from mlfs.benchmark.rank_correlations import rank_correlations
from mlfs.datasets import load_dataset
from mlfs.plots import alt_text, rank_intervals
from tests.app.addresses import address
from tests.app.figures import figures
from tests.recipes.running import run_command, run_python


def texts(app):
    return [each.value for each in app.markdown]


def test_the_numbers_are_those_of_the_file(open_page):
    app = open_page("methods", method="grro", metric="macro_f1", size="10", kind="few_labels")
    assert not app.exception
    assert not app.error
    kept = read_benchmark()
    board = leaderboard(kept, metric="macro_f1", size="10", sets="few_labels")
    assert f"**{board.sentence()}**" in texts(app)
    expected = rank_intervals(board.table.head(15), methods=len(board.table), marked="grro")
    assert alt_text(expected) == figures(app)[0].alt
    [shown] = [frame.value for frame in app.dataframe if "Place" in frame.value]
    assert shown["Average rank"].tolist() == board_table(board)["Average rank"].tolist()
    known = card(kept, "grro", board, overlaps(kept), stabilities(kept))
    assert any(known.standing(board) in text for text in texts(app))
    assert any(known.wins_and_losses() in text for text in texts(app))


def test_what_is_asked_is_in_the_link(open_page):
    app = open_page("methods")
    assert address(app) == {}
    app.selectbox(key="size").set_value("10%").run()
    app.selectbox(key="method").set_value("els").run()
    assert address(app) == {"size": "10%", "method": "els"}
    assert any(text.startswith("**ELS is number") for text in texts(app))


def test_a_wrong_link_gets_a_note(open_page):
    app = open_page("methods", kind="odd")
    assert not app.exception
    assert ["Data sets cannot be 'odd'" in note.value for note in app.info] == [True]


def test_advice_is_that_of_the_library(open_page):
    app = open_page("methods", data="yeast")
    kept = read_benchmark()
    advice = advise(kept, describe(load_dataset("yeast"), "yeast"), leaderboard(kept))
    assert any(advice.sentence() in text for text in texts(app))
    assert any(advice.evidence() == each.value for each in app.caption)


def test_every_method_has_a_card(open_page):
    for method in ("random", "mapd", "forest"):
        app = open_page("methods", method=method)
        assert not app.exception
        assert not app.error


def test_the_agreement_with_the_papers_is_that_of_the_file(open_page):
    app = open_page("methods")
    assert not [frame for frame in app.dataframe if "Spearman" in frame.value]  # closed, it costs nothing
    app.session_state["agreement-box"] = True
    app.run()
    assert not app.exception
    [shown] = [frame.value for frame in app.dataframe if "Spearman" in frame.value]
    assert shown["Spearman"].tolist() == rank_correlations(read_benchmark())["spearman"].tolist()


def test_what_was_run_is_told_as_the_file_has_it(open_page):
    app = open_page("methods")
    kept = read_benchmark()
    said = [each.value for each in app.caption]
    assert kept.provenance() in said
    assert any(f"Limits: {kept.limits.text}." in each for each in said)
    [shown] = [frame.value for frame in app.dataframe if "Over a limit" in frame.value]
    assert shown.equals(coverage(kept))


def test_the_recipes_say_the_same(open_page, tmp_path):
    app = open_page("methods", metric="macro_f1", method="els")
    program, command = (code.value for code in app.code if "import" in code.value or code.value.startswith("mlfs"))
    board = leaderboard(read_benchmark(), metric="macro_f1")
    assert board.sentence() in run_python(program, tmp_path)
    assert board.sentence() in run_command(command.splitlines()[0], tmp_path)


def test_names_stay_where_the_leaderboard_is_wider_than_the_screen(open_page):
    app = open_page("methods")
    [columns] = [json.loads(frame.proto.columns) for frame in app.dataframe if "Place" in frame.value]
    assert {name for name, how in columns.items() if how.get("pinned")} == {"Place", "Method"}
