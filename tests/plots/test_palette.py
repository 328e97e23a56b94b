"""A method keeps its look, and no two of a figure look alike."""

import random
from collections import Counter

import pytest

from mlfs.plots.figure import NEUTRAL
from mlfs.plots.palette import COLOURS, PLACES, Style, colour_at, dash_at, style_of, styles_of
from mlfs.selectors import SELECTORS

BASELINES = {"all_features", "random"}


def look(style: Style) -> tuple[str, str, str]:
    return style.colour, style.dash, style.symbol


def test_every_method_of_the_registry_has_a_place_of_its_own():
    placed = [method for methods in PLACES.values() for method in methods]
    assert len(placed) == len(set(placed))
    missing = set(SELECTORS) - set(placed) - BASELINES
    assert not missing, f"give {missing} a place in mlfs/plots/palette.py"
    assert len({look(style_of(method)) for method in placed}) == len(placed)


def test_name_is_the_registry_s():
    assert {style_of(method).name for method in SELECTORS} == {cls.name for cls in SELECTORS.values()}


def test_looks_are_pinned():
    """They stand in slides and papers by now: a change here is a change there."""
    assert look(style_of("els")) == ("#0072B2", "solid", "circle")
    assert look(style_of("grro")) == ("#D55E00", "solid", "circle")
    assert look(style_of("grro_ls")) == ("#D55E00", "dash", "square")
    assert style_of("all_features").colour == style_of("random").colour == NEUTRAL


@pytest.mark.parametrize(
    "together",
    [
        ("els", "br_cc", "br_or", "ela_chi", "fimf", "mfs"),
        ("elc", "llsf", "mifs", "cmfs"),
        ("grro", "fimf", "mdmr", "mico", "pmu", "scls"),
        ("mapd", "parfs", "ami", "scls"),
        ("mim_br", "mim_lp", "jmi_br", "jmi_lp", "cmi_br", "cmi_lp"),
    ],
    ids=["lee_kim_2016", "wang_2020_elc", "zhang_2020_grro", "zhou_2023_mapd", "sechidis_2014"],
)
def test_methods_that_a_paper_compares_differ_in_colour(together):
    assert len({style_of(method).colour for method in together}) == len(together)


@pytest.mark.parametrize("seed", range(20))
def test_methods_shown_together_have_a_colour_each_as_long_as_there_are_colours(seed):
    rng = random.Random(seed)
    known = sorted(set(SELECTORS) - BASELINES)
    shown = rng.sample([*known, "grro:alpha=10", "grro:alpha=2", "mine", "theirs"], len(COLOURS))
    styles = styles_of(shown)
    assert len({style.colour for style in styles.values()}) == len(COLOURS)
    assert styles_of(shown[::-1]) == styles  # whatever their order
    # Who shares its home colour with nobody of the figure is at home.
    homes = Counter(style_of(method).colour for method in shown)
    for method in shown:
        if homes[style_of(method).colour] == 1:
            assert styles[method].colour == style_of(method).colour
        assert styles[method].dash == style_of(method).dash


def test_all_methods_together_are_told_apart_by_colour_and_dash_and_no_colour_is_worn_out():
    styles = styles_of(SELECTORS)
    lines = [(style.colour, style.dash) for style in styles.values()]
    assert len(set(lines)) == len(lines)
    used = Counter(colour for colour, _ in lines if colour != NEUTRAL)
    assert max(used.values()) - min(used.values()) <= 1


def test_company_does_not_change_a_method_that_comes_first():
    assert styles_of(["a", "els", "b", "mdmr"])["els"] == style_of("els")


def test_a_setting_has_the_colour_of_its_method_unless_that_is_there_too():
    assert look(style_of("grro:alpha=10")) == look(style_of("grro"))
    assert look(styles_of(["grro:alpha=10", "grro"])["grro"]) == look(style_of("grro"))


def test_unknown_names_differ_from_each_other_and_from_the_known():
    names = [f"method {i}" for i in range(30)] + ["els", "grro", "random"]
    assert len({look(style) for style in styles_of(names).values()}) == len(names)
    assert list(styles_of(names)) == names


def test_unknown_name_looks_the_same_in_every_process():
    assert look(style_of("my method")) == ("#CC79A7", "dashdot", "triangle-up")


def test_more_names_than_looks_still_have_one_each():
    assert len(styles_of(range(100))) == 100


def test_names_are_plain_text():
    assert style_of("<b>").name == "<b>"


def test_positions_repeat_a_colour_only_with_another_dash():
    assert len({(colour_at(i), dash_at(i)) for i in range(36)}) == 36
