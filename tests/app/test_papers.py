"""The Papers page: every table of every paper with its numbers, slips, ranks and links, and no dead ends."""

from __future__ import annotations

import shlex
from functools import partial

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from mlfs.cli.entry import main
from mlfs.papers import PAPERS, named_grid


@pytest.fixture
def opened(open_page):
    return partial(open_page, "papers")


def said(app: AppTest) -> str:
    parts = [*app.header, *app.subheader, *app.markdown, *app.caption, *app.info]
    return "\n".join(part.value for part in parts)


def links(app: AppTest) -> list[tuple[str, str]]:
    found = [element.proto for element in app.get("page_link")]
    return [(link.page, link.query_string) for link in found]


def test_it_opens_with_the_main_table_of_the_first_paper(opened):
    app = opened()
    assert not app.exception
    assert not app.error
    assert app.selectbox(key="paper").value == "lee_kim_2016"
    assert app.selectbox(key="table").value == "5"
    shown = app.dataframe[0].value
    assert shown.loc["yeast", ["All", "ELS"]].tolist() == [0.216, 0.209]
    text = said(app)
    assert "Hamming loss: lower is better, and the best of each row is in bold." in text
    assert "Friedman's F_F of the printed values is 5.735, and the paper prints 5.506" in text
    assert "Numbers measured here by the same protocol follow in a later version" in text
    assert "density of 0.001 for llog" in text
    assert not app.button


@pytest.mark.parametrize("paper", PAPERS.values(), ids=PAPERS)
def test_every_table_of_every_paper(opened, paper):
    app = opened(paper=paper.id)
    for table in paper.tables:
        app.selectbox(key="table").set_value(table.table).run()
        for metric in table.metrics if len(table.metrics) > 1 and not table.is_of_statistics else (None,):
            if metric is not None:
                app.selectbox(key="metric").set_value(metric).run()
            assert not app.exception
            assert not app.error
            expected = named_grid(paper.id, table.table, metric, bounds=True)
            pd.testing.assert_frame_equal(app.dataframe[0].value, expected, check_dtype=False)
            assert table.caption in said(app)
            assert ("Average ranks of these numbers" in said(app)) == (table.rank_test is not None)
    for slip in paper.slips:
        assert slip in said(app)


def test_a_paper_of_figures_says_so(opened):
    app = opened(paper="sechidis_2014")
    assert "This paper prints its results as figures only." in said(app)
    assert not [box for box in app.selectbox if box.key == "table"]
    ours = "protocol=sechidis_2014&sets=yeast%2Cscene&methods=cmi_br%2Cjmi_br%2Cmim_br"
    assert ("compare", ours) in links(app)


def test_data_sets_stand_beside_ours(opened):
    app = opened(paper="wang_2020_elc")
    words = app.dataframe[1].value
    assert words.loc["emotions", ["instances", "here"]].tolist() == ["539", "593 instances"]
    assert words.loc["enron", "here"] == "not measured"


def test_going_to_another_paper_is_no_mistake(opened):
    app = opened()
    app.selectbox(key="paper").set_value("zhou_2023_mapd").run()
    assert app.selectbox(key="table").value == "II"
    assert not app.info
    assert app.query_params == {"paper": "zhou_2023_mapd"}


def test_the_link_opens_the_same_table_and_a_wrong_one_gets_a_note(opened):
    app = opened(paper="zhang_2020_grro", table="2", metric="micro_f1")
    assert app.selectbox(key="metric").value == "micro_f1"
    assert "77.377, and the paper prints 77.3768" in said(app)
    wrong = opened(paper="zhang_2020_grro", table="9")
    assert wrong.selectbox(key="table").value == "2"
    assert [note.value for note in wrong.info] == [
        "Table cannot be '9': choose from 2, 3, 4, 5. The default is shown instead."
    ]


def test_python_and_command_print_the_numbers(opened, capsys):
    app = opened(paper="zhang_2020_grro", metric="micro_f1")
    python, command = (block.value for block in app.code)
    exec(compile(python, "page", "exec"), {})
    out = capsys.readouterr().out
    assert "0.6014 ± 0.0616" in out
    assert "77.3768" in out
    assert command == "mlfs paper show zhang_2020_grro 2 --metric micro_f1"
    assert main(shlex.split(command)[1:]) == 0
    assert "0.6014 ± 0.0616" in capsys.readouterr().out


SMALL = """@relation 'enron: -C 1'
@attribute spam {0,1}
@attribute length numeric
@data
0,1.5
1,2.5
0,3.5
"""


def test_sets_of_ones_own_are_measured_when_asked_for(opened, monkeypatch, tmp_path):
    (tmp_path / "enron.arff").write_text(SMALL, encoding="utf-8")
    (tmp_path / "llog.arff").write_text("@relation broken", encoding="utf-8")
    monkeypatch.setenv("MLFS_DATA", str(tmp_path))
    app = opened()
    assert app.dataframe[1].value.loc["enron", ["instances", "here"]].tolist() == ["1702", "not measured"]
    app.toggle(key="measure").set_value(True).run()
    here = app.dataframe[1].value.loc["enron", "here"]
    assert here == "3 instances, 1 features, 1 labels, 0.333 density"
    assert not app.exception
    # A set that cannot be read gets its sentence, and the page goes on.
    assert len(app.warning) == 1
    assert "llog" in app.warning[0].value
    assert app.query_params == {"measure": "1"}


def test_presenting_shows_the_table_and_its_ranks_only(opened):
    app = opened(present="1")
    assert len(app.dataframe) == 1
    assert [head.value for head in app.subheader] == [
        "Table 5. Hamming loss with 50 features, and with all.",
        "Average ranks of these numbers",
    ]
