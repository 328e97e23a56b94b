"""Pinned runs: what the link says of them, and which results are theirs."""

import pytest

from pages.parts import pins
from tests.app.addresses import address


def test_results_are_parted_by_run_and_failed_ones_left_out():
    assert pins.parted([], 2, ["a", "b"]) == ([], {})
    assert pins.parted([1], 2, ["a", "b"]) == ([1], {})
    assert pins.parted([1, 2, 3], 2, ["a", "b"]) == ([1, 2], {"a": [3]})
    assert pins.parted([1, 2, None, None, 5, 6], 2, ["a", "b"]) == ([1, 2], {"b": [5, 6]})


def test_a_pinned_run_is_told_from_the_one_that_is_shown():
    assert pins.setting("grro", "els") == "grro"
    assert pins.setting("grro", "grro") == "grro:defaults"
    assert pins.setting("grro:alpha=10", "grro") == "grro:alpha=10"


def test_pins_are_part_of_the_link(open_page):
    app = open_page("explore", repeats="1", pins="grro:alpha=10,els")
    assert not app.exception
    assert app.session_state["pins"] == ["grro:alpha=10", "els"]
    app.multiselect(key="pins").set_value(["grro:alpha=10"]).run()
    assert address(app)["pins"] == "grro:alpha=10"


@pytest.mark.parametrize("wrong", ["els:n_labels=7", "nonsense", "els,grro,elc,mapd,scls"])
def test_pins_that_cannot_be_give_way_with_a_note(open_page, wrong):
    app = open_page("explore", repeats="1", pins=wrong)
    assert not app.exception
    assert app.session_state["pins"] == []
    assert any("The default is shown instead" in note.value for note in app.info)
