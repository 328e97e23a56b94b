"""The link against the browser: who moves a widget faster than the address follows keeps the move."""

from __future__ import annotations

from tests.app.addresses import address


def test_a_move_before_the_browser_has_the_new_address_is_kept(open_page):
    app = open_page("significance", alpha="0.1")
    app.select_slider(key="alpha").set_value(0.2).run()
    assert address(app) == {"alpha": "0.2"}
    app.select_slider(key="alpha").set_value(0.5)
    app.query_params["alpha"] = "0.1"
    app.run()
    assert app.select_slider(key="alpha").value == 0.5
    assert address(app) == {"alpha": "0.5"}


def test_the_back_button_brings_the_address_of_before(open_page):
    app = open_page("significance", alpha="0.1")
    app.select_slider(key="alpha").set_value(0.2).run()
    app.query_params["alpha"] = "0.1"
    app.run()
    assert app.select_slider(key="alpha").value == 0.1


def test_a_link_that_was_never_here_rules(open_page):
    app = open_page("significance", alpha="0.1")
    app.select_slider(key="alpha").set_value(0.2)
    app.query_params["alpha"] = "0.01"
    app.run()
    assert app.select_slider(key="alpha").value == 0.01
