"""``mlfs benchmark``: the kept numbers, a run that goes on, and where a method stands."""

import pytest

from mlfs.benchmark import leaderboard, read_benchmark

pytestmark = pytest.mark.usefixtures("one_process")


@pytest.fixture
def run(terminal):
    return terminal.json


def test_show_has_the_numbers_of_the_file(run):
    document = run("benchmark show --metric macro_f1 --size 10")
    board = leaderboard(read_benchmark(), metric="macro_f1", size="10")
    assert document["sentence"] == board.sentence()
    assert document["datasets"] == board.datasets
    assert [row["method"] for row in document["methods"]] == list(board.table.index)
    assert [row["average_rank"] for row in document["methods"]] == board.table["average_rank"].tolist()
    assert document["cells"] == read_benchmark().cells
    assert document["processor_seconds"] == read_benchmark().processor_seconds


def test_a_card_says_where_a_method_stands(run):
    document = run("benchmark show grro")
    board = leaderboard(read_benchmark())
    assert document["place"] == list(board.table.index).index("grro") + 1
    assert document["ranks"] == board.ranks["grro"].to_dict()
    assert "@misc{zhang2020grro" in document["bibtex"]


def test_a_run_is_kept_and_shown_elsewhere(run):
    words = "--datasets emotions --methods mfs random els"
    first = run(f"benchmark run {words} --parts default --splits 1")
    assert (first["computed"], first["failed"]) == (9, 0)  # by three classifiers
    assert run(f"benchmark run {words} --parts default --splits 1")["computed"] == 0
    run(f"benchmark keep {words} --folder mine --machine here")
    assert run("benchmark show --folder mine")["datasets"] == ["emotions"]
    added = run("benchmark add scls --folder mine")
    assert added["run"]["computed"] == 3 + 7  # by three classifiers, and how its time grows
    assert list(added["card"]["exponents"]) == ["instances", "features", "labels"]
    assert len(added["leaderboard"]["methods"]) == 4
    assert added["card"]["method"] == "scls"
    assert added["card"]["place"] in (1, 2, 3, 4)


def test_what_is_kept_of_other_data_sets_stays_where_another_joins(run):
    for dataset in ("emotions", "yeast"):
        run(f"benchmark run --datasets {dataset} --methods mfs random --parts default --splits 1 --store {dataset}")
    run("benchmark keep --datasets emotions --methods mfs random --folder mine --store emotions")
    joined = run("benchmark keep --datasets yeast --methods mfs random --folder mine --store yeast --join")
    assert joined["cells"]["done"] == 12
    assert [list(batch["parts"]) for batch in joined["about"]["batches"]] == [["emotions"], ["yeast"]]
    assert run("benchmark show --folder mine")["datasets"] == ["emotions", "yeast"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("show gro", 2, "There is no method 'gro'"),
        ("show --size 7", 2, "There is no size of the benchmark '7'"),
        ("show --folder nowhere", 1, "No benchmark is kept in nowhere"),
        ("keep", 1, "There is no store benchmark.sqlite"),
        ("add els --datasets nowhere", 1, "The kept benchmark has none of these data sets"),
        ("run --methods gro", 1, "There is no method 'gro'"),
        ("run --memory-gib 0", 2, "--memory-gib must be a number above 0, not '0'"),
        ("run --selection-seconds nan", 2, "--selection-seconds must be a number above 0, not 'nan'"),
    ],
)
def test_a_mistake_gets_a_sentence(terminal, words, code, said):
    assert terminal.complaint(f"benchmark {words}", code).startswith(said)
