"""The link against the browser: who moves a widget faster than the address follows keeps the move."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts import link
from tests.app.addresses import address


@pytest.fixture
def back(monkeypatch):
    """``back(app, alpha="0.1")``: the browser's back button, to that address."""

    def press(app, **query):
        app.query_params.clear()
        app.query_params.update(query)
        with monkeypatch.context() as patched:
            patched.setattr(link, "went_back_or_forward", lambda: True)
            return app.run()

    return press


def test_a_move_before_the_browser_has_the_new_address_is_kept(open_page):
    app = open_page("significance", alpha="0.1")
    app.select_slider(key="alpha").set_value(0.2).run()
    assert address(app) == {"alpha": "0.2"}
    app.select_slider(key="alpha").set_value(0.5)
    app.query_params["alpha"] = "0.1"
    app.run()
    assert app.select_slider(key="alpha").value == 0.5
    assert address(app) == {"alpha": "0.5"}


def test_a_run_that_nobody_asked_for_changes_nothing(open_page):
    """An estimate that is there, a figure that is drawn: such runs bring the address that the browser had before."""
    app = open_page("significance", alpha="0.1")
    app.select_slider(key="alpha").set_value(0.2).run()
    for _ in range(2):
        app.query_params["alpha"] = "0.1"
        app.run()
        assert app.select_slider(key="alpha").value == 0.2
        assert address(app) == {"alpha": "0.2"}


def test_tags_are_not_sent_back_to_who_has_chosen_them(open_page, back):
    """They would take the place of those that were chosen since, while this run was on its way."""
    app = open_page("explore", repeats="1", metrics="hamming_loss")
    assert app.multiselect(key="metrics").value == ["hamming_loss"]  # they begin as the link says
    assert not app.multiselect(key="metrics").proto.set_value
    app.multiselect(key="metrics").select("one_error").run()
    assert not app.multiselect(key="metrics").proto.set_value
    assert address(app)["metrics"] == "hamming_loss,one_error"
    app.run()
    assert app.multiselect(key="metrics").value == ["hamming_loss", "one_error"]
    assert not app.multiselect(key="metrics").proto.set_value
    back(app, repeats="1", metrics="coverage")
    assert app.multiselect(key="metrics").value == ["coverage"]
    assert app.multiselect(key="metrics").proto.set_value


def test_a_widget_is_not_sent_back_to_who_has_moved_it(open_page, back):
    app = open_page("explore", repeats="1", most="40")

    def most():
        slider = app.slider(key="most")
        return slider.value, slider.proto.set_value

    assert most() == (40, False)
    assert list(app.slider(key="most").proto.default) == [40]
    app.slider(key="most").set_value(30).run()
    assert most() == (30, False)
    app.run()
    assert most() == (30, False)
    back(app, repeats="1", most="40")
    assert most() == (40, True)
    # Moved on, perhaps before the browser had the 40, which then takes the place of this.
    app.slider(key="most").set_value(35).run()
    assert most() == (35, True)
    app.slider(key="repeats").set_value(2).run()
    assert most() == (35, False)
    app.slider(key="most").set_value(36).run()
    assert most() == (36, False)


def test_a_widget_is_set_where_something_else_moves_it(open_page):
    app = open_page("learn")
    before = [slider.value for slider in app.slider]
    app.button(key="preset-independent").click().run()
    assert [slider.value for slider in app.slider] != before
    assert all(slider.proto.set_value for slider in app.slider)
    app.slider[0].set_value(1).run()  # perhaps before the browser had the other value
    assert [slider.proto.set_value for slider in app.slider] == [True, False, False, False]
    app.run()
    assert not any(slider.proto.set_value for slider in app.slider)


def test_a_new_session_does_not_take_up_what_the_browser_has_of_another(open_page):
    """After a lost connection the address rules, and widgets that are still there are put where it says."""
    app = open_page("explore", repeats="1", most="40")
    del app.session_state["link"]
    app.slider(key="most").set_value(30).run()
    assert app.slider(key="most").value == 40
    assert app.slider(key="most").proto.set_value


def widgets_of_each_kind():
    """For an app of its own: widgets whose arguments differ in the second run, as its state says."""
    import streamlit as st

    other, shaped = st.session_state.get("other", 0), st.session_state.get("shaped", 0)
    words = ["a", "b", "c"][: 2 + other]
    how = {"help": f"Help {other}"}
    st.slider("A", 0, 9 + shaped, other, key="slider", **how)
    st.number_input("A", 0, 9 + other, other, key="number_input", **how)
    st.select_slider("A", words, "b" if other else "a", key="select_slider", **how)
    st.selectbox("A", words, other, key="selectbox", **how)
    st.radio("A", words, other, key="radio", **how)
    st.segmented_control("A", words, default="b" if other else "a", key="segmented_control", **how)
    st.multiselect("A", words, ["b"] if other else ["a"], max_selections=2 + shaped, key="multiselect", **how)
    st.toggle("A", bool(other), key="toggle", **how)
    st.text_area("A", str(other), key="text_area", **how)


def test_streamlit_tells_widgets_apart_as_the_link_does():
    """One that is another to Streamlit begins anew; one that is not would ignore its default."""

    def ids():
        return {widget.key: widget.proto.id for widget in app.main.children.values()}

    app = AppTest.from_function(widgets_of_each_kind).run()
    first = ids()
    app.session_state["other"] = 1
    app.run()
    assert ids() == first
    app.session_state["shaped"] = 1
    app.run()
    assert {kind for kind, number in ids().items() if number != first[kind]} == link.IDENTITIES.keys()


def test_tags_that_were_away_for_a_run_are_set_again(open_page):
    """While a study is shown the browser lets them go."""
    app = open_page("pareto", methods="mapd,els")
    app.selectbox(key="source").select("study").run()
    assert "methods" not in [tags.key for tags in app.multiselect]
    app.selectbox(key="source").select("here").run()
    tags = app.multiselect(key="methods")
    assert tags.proto.set_value
    assert list(tags.proto.raw_values) == [tags.format_func(word) for word in tags.value]


def test_the_back_button_brings_the_address_of_before(open_page, back):
    app = open_page("significance", alpha="0.1")
    app.select_slider(key="alpha").set_value(0.2).run()
    back(app, alpha="0.1")
    assert app.select_slider(key="alpha").value == 0.1


def test_a_link_that_was_never_here_rules(open_page):
    app = open_page("significance", alpha="0.1")
    app.select_slider(key="alpha").set_value(0.2)
    app.query_params["alpha"] = "0.01"
    app.run()
    assert app.select_slider(key="alpha").value == 0.01


def test_an_address_that_the_browser_has_left_behind_is_a_link_again(open_page):
    app = open_page("significance", alpha="0.1")
    app.select_slider(key="alpha").set_value(0.2).run()
    app.run()  # now the browser tells the new address
    app.query_params["alpha"] = "0.1"
    assert app.run().select_slider(key="alpha").value == 0.1


@pytest.mark.parametrize(("then", "now"), [("0", "1"), ("1", "0")])
def test_links_on_a_page_carry_what_it_was_opened_with_now(open_page, then, now):
    """Not what it showed before: from a lesson that was opened on a wall the next one left the wall."""
    app = open_page("learn", topic="bound", present=then)
    app.query_params.clear()
    app.query_params.update(topic="bound", present=now)
    app.run()
    [following] = re.findall('<a [^>]*mlfs-next" href="(.*?)"', "".join(part.proto.body for part in app.get("html")))
    assert dict(parse_qsl(urlsplit(unescape(following)).query)) == {"topic": "redundancy"} | (
        {"present": "1"} if now == "1" else {}
    )


def test_a_note_stays_until_something_is_moved(open_page):
    note = "There is no method 'elz': did you mean 'els'? The default is shown instead."
    app = open_page("noise", methods="elz")
    for _ in range(3):
        assert [info.value for info in app.info] == [note]
        app.run()
    app.number_input(key="seed").set_value(1).run()
    assert not app.info


def test_a_run_that_is_cut_off_leaves_the_rest_of_the_link_to_the_next(monkeypatch):
    """The browser says that its first figure is drawn, and the run ends there: a new one follows."""
    state, address = {}, {"size": "7", "band": "wide", "seed": "3"}

    class Query:
        to_dict, from_dict = staticmethod(lambda: dict(address)), staticmethod(lambda new: None)

    monkeypatch.setattr(link.st, "session_state", state)
    monkeypatch.setattr(link.st, "query_params", Query)
    here = link.Link()
    here.open("Page")
    assert here.control("size", 1, int) == 7
    assert here.control("band", "none", link.one_of(["none"], "band")) == "none"
    here.open("Page")
    state["size"] = 8  # moved meanwhile
    assert here.control("size", 1, int) == 8
    assert here.control("band", "none", link.one_of(["none"], "band")) == "none"
    assert here.control("seed", 0, int) == 3
    here.close()
    assert here.written == {"size": "8", "seed": "3"}
    assert here.notes == ["Band cannot be 'wide': choose from none. The default is shown instead."]
