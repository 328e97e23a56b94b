"""``mlfs paper`` prints the published numbers."""

from mlfs.papers import PAPERS, as_grid, published


def test_list_has_every_paper(terminal):
    assert [paper["id"] for paper in terminal.json("paper list")["papers"]] == list(PAPERS)
    for paper in PAPERS.values():
        assert paper.title in terminal.run("paper list")


def test_every_table_can_be_shown(terminal):
    for paper in PAPERS.values():
        for table in paper.tables:
            told = terminal.run(f"paper show {paper.id} {table.table}")
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
