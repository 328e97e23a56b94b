"""The Significance page: any table, four tests, a sentence of what may be concluded, all of it in the link."""

from __future__ import annotations

import io

import pytest

from mlfs.papers import as_grid
from mlfs.statistics import judge
from mlfs.studies import Plan
from mlfs.tables.table_text import packed, unpacked
from pages.parts import result_tables, studies
from tests.app.addresses import address
from tests.waiting import until as wait_until

OWN = "data;mine;yours;theirs\n" + "".join(f"set {i};0,{10 + i};0,{20 + i};0,{30 + i}\n" for i in range(8))


def said(app) -> str:
    return "\n".join(part.value for part in [*app.markdown, *app.caption, *app.error])


def test_it_opens_with_an_example(open_page):
    app = open_page("significance")
    assert not app.exception
    assert not app.error
    assert "ELS and FIMF rank better than using all features; no other difference is significant." in said(app)
    found = judge(as_grid("lee_kim_2016", "5"))
    ranks, pairs = app.dataframe[0].value, app.dataframe[1].value
    assert ranks["Average rank"].tolist() == found.average_ranks.tolist()
    assert pairs["p (Nemenyi)"].tolist() == found.pairs["p_value"].tolist()
    assert f"**{found.friedman.chi2:.3f}**" in said(app)
    assert "corrected for ties" in said(app)
    assert f"**{found.critical_difference:.4f}**" in said(app)
    assert address(app) == {}


def test_a_pasted_table_goes_into_the_link_and_comes_back(open_page):
    app = open_page("significance")
    app.text_area(key="csv").set_value(OWN).run()
    app.selectbox(key="test").set_value("bonferroni_dunn").run()
    app.selectbox(key="control").set_value("yours").run()
    # Ranks 1, 2, 3 everywhere: one rank apart, and the critical difference of eight data sets is 1.12.
    assert "At α = 0.05 the methods differ (Friedman), but no difference between yours and any other" in said(app)
    assert unpacked(address(app)["csv"]) == OWN
    link = address(app)
    assert link == {"csv": packed(OWN), "test": "bonferroni_dunn", "control": "yours"}
    again = open_page("significance", **link)
    assert not again.error
    assert not again.info
    assert said(again) == said(app)
    assert again.text_area(key="csv").value == OWN


def test_ties_are_not_corrected_for_where_the_papers_numbers_are_asked_for(open_page):
    app = open_page("significance")
    app.toggle(key="ties").set_value(False).run()
    assert address(app) == {"ties": "0"}
    assert f"**{judge(as_grid('lee_kim_2016', '5'), tie_correction=False).friedman.chi2:.3f}**" in said(app)
    assert "not corrected for ties" in said(app)


def test_a_table_too_long_for_a_link_says_so(open_page):
    rows = "".join(f"set{i},{i * 0.1237:.4f},{i * 0.7711 % 3:.5f},{i * 1.37 % 7:.5f}\n" for i in range(300))
    app = open_page("significance")
    app.text_area(key="csv").set_value("data,a,b,c\n" + rows).run()
    assert not app.error
    assert "set299" in app.code[1].value
    word = address(app)["csv"]
    assert word.startswith("table-")
    other = open_page("significance", csv=word)
    assert "An example" in said(other)
    assert [note.value for note in other.info] == [
        f"This link shows a table that is too long for a link (content {word.removeprefix('table-')}): paste or upload "
        "it to see it. The default is shown instead."
    ]


def test_a_wrong_table_gets_a_sentence_and_the_settings_stay(open_page):
    app = open_page("significance", test="bonferroni_dunn", control="fimf", alpha="0.1")
    app.text_area(key="csv").set_value("data,els,fimf\nflags,0.1\n").run()
    assert [error.value for error in app.error] == [
        "Line 2 ('flags') has 2 cells and the header has 3, read with commas between: give every line the same number."
    ]
    assert address(app)["control"] == "fimf"
    app.text_area(key="csv").set_value("data,els,fimf,mfs\nflags,0.1,0.2,\nyeast,0.1,0.2,0.3\nscene,1,2,3\n").run()
    assert [error.value for error in app.error] == [
        "Method 'mfs' has no value on data set 'flags'; fill it in, or drop the row or the column."
    ]
    app.toggle(key="gaps").set_value(True).run()
    assert not app.error
    assert app.selectbox(key="control").value == "fimf"
    assert app.session_state["alpha"] == 0.1
    app.multiselect(key="without").set_value(["mfs"]).run()
    assert "Friedman's test needs at least 3 methods" in app.error[0].value
    app.selectbox(key="test").set_value("wilcoxon_holm").run()
    assert not app.error


def test_a_file_takes_the_place_of_the_text(open_page):
    app = open_page("significance")
    if not hasattr(app, "file_uploader"):
        pytest.skip("this Streamlit's AppTest has no uploads; the browser tests upload")
    app.file_uploader[0].set_value([("mine.csv", io.BytesIO(OWN.encode("latin-1")).getvalue(), "text/csv")]).run()
    assert app.text_area(key="csv").value == OWN


def test_rows_of_several_metrics_bring_their_own_controls(open_page):
    rows = "".join(
        f"d{i},{method},0,{size},{metric},{value + i / 50}\n"
        for i in range(6)
        for method, value in (("els", 0.1), ("mfs", 0.2), ("fimf", 0.3))
        for size in (5, 10)
        for metric in ("hamming_loss", "macro_f1")
    )
    app = open_page("significance", csv=packed("dataset,method,repeat,size,metric,value\n" + rows))
    assert not app.error
    assert app.selectbox(key="metric").value == "hamming_loss"
    assert "ELS" in said(app).split("ranks better than")[0]
    app.selectbox(key="metric").set_value("macro_f1").run()
    # The metric says that higher is better now.
    assert "FIMF" in said(app).split("ranks better than")[0]
    assert "Higher is better" in said(app)
    app.selectbox(key="at").set_value("5").run()
    assert address(app)["at"] == "5"


def test_published_tables(open_page):
    app = open_page("significance", source="published", published="zhang_2020_grro.2", metric="micro_f1")
    assert not app.error
    assert "F(6,&nbsp;114)&nbsp;**77.377**" in said(app)
    app.selectbox(key="published").set_value("zhang_2020_grro.4").run()
    assert "Method 'fimf' has no value on data set 'bibtex'" in app.error[0].value
    assert not app.info


def test_wrong_settings_in_the_link_get_a_note(open_page):
    app = open_page("significance", test="nemeny", alpha="7", control="nobody", without="els,nobody")
    assert not app.error
    notes = " ".join(note.value for note in app.info)
    assert "Test cannot be 'nemeny': did you mean 'nemenyi'?" in notes
    assert "alpha must be" in notes
    assert "Leave out has no 'nobody'" in notes


def test_presenting_shows_only_the_picture(open_page):
    app = open_page("significance", present="1", csv=packed(OWN))
    assert not app.text_area
    assert not app.dataframe
    assert "At α = 0.05" in said(app)
    assert address(app)["csv"] == packed(OWN)


def test_more_methods_than_anybody_reads_are_refused(open_page):
    names = [f"m{i}" for i in range(101)]
    rows = "".join(f"d{i}," + ",".join(str((i * j) % 7) for j in range(101)) + "\n" for i in range(3))
    app = open_page("significance", csv=packed(f"data,{','.join(names)}\n{rows}"), test="wilcoxon_holm")
    assert [error.value for error in app.error] == [
        "The table has 101 methods, and this page tests 100 at most: leave some out, or use mlfs significance."
    ]
    app.multiselect(key="without").set_value(["m7"]).run()
    assert not app.error


def test_a_session_keeps_its_last_long_tables_only(open_page, monkeypatch):
    monkeypatch.setattr(result_tables, "EDITABLE", 20)
    app = open_page("significance")
    for number in range(12):
        app.session_state["csv"] = OWN.replace("mine", f"mine{number}")
        app.run()
        assert not app.error
    assert len(app.session_state["long-tables"]) == 8
    assert address(app)["csv"].startswith("table-")
    assert "mine11" in app.code[1].value


def test_a_link_names_the_study_even_where_it_is_the_newest(open_page, engine):
    plans = [Plan(name, ["synthetic"], ["mfs", "random"], settings={"sizes": [2]}) for name in ("first", "second")]
    for number, plan in enumerate(plans, start=1):
        assert studies.job_queue().submit(plan) == number
        until_done(number)
    app = open_page("significance", source="study")
    assert address(app) == {"source": "study", "study": "2"}
    named = open_page("significance", source="study", study="1")
    assert address(named) == {"source": "study", "study": "1"}
    assert named.selectbox(key="study").value == "1"


def test_a_link_to_a_study_that_is_gone_shows_no_other(open_page, engine):
    for name in ("first", "second"):
        until_done(studies.job_queue().submit(Plan(name, ["synthetic"], ["mfs"], settings={"sizes": [2]})))
    studies.job_queue().remove(2)
    app = open_page("significance", source="study", study="2")
    assert "There is no study 2 here: it was deleted, or belongs to somebody else." in said(app)
    assert "first" not in said(app)
    assert address(app) == {"source": "study", "study": "2"}


def until_done(number):
    wait_until(lambda: studies.job_queue().job(number).state == "done")


def test_nothing_can_be_saved_where_there_is_no_diagram(open_page):
    app = open_page("significance", csv=packed("data,a,b\nx,1,2\n"))
    assert app.error
    assert "Save figure" not in [element.proto.popover.label for element in app.get("popover")]
