"""What only a browser shows of the looks: tags, names, legends clear of headings, no sideways scrolling, the wall."""

import pytest

from tests.browser.conftest import rests_at, settle

TAGS = """() => [...document.querySelectorAll('.st-key-methods .react-aria-ComboBox [data-tag] > span[title]')]
  .map((name) => [getComputedStyle(name, '::before').content, name.getBoundingClientRect().width])"""
# Pixels between the legend of a figure and the heading below it.
BETWEEN = """() => {
  const box = (selector) => document.querySelector(`.st-key-curves-figure ${selector}`).getBoundingClientRect();
  return box('.annotation').top - box('.legend .traces:last-of-type').bottom;
}"""


def test_a_chosen_method_is_called_by_its_name_while_the_menu_tells_all_of_it(walk):
    page = walk("/noise?methods=fimf,els")
    shown = page.evaluate(TAGS)
    assert [name for name, _ in shown] == ['"FIMF"', '"ELS"']
    assert max(width for _, width in shown) < 60
    page.locator(".st-key-methods input").fill("global rel")
    option = page.get_by_role("option", name="GRRO · global relevance & redundancy · 2020")
    option.click()
    page.wait_for_url("**grro**")
    settle(page)
    assert [name for name, _ in page.evaluate(TAGS)] == ['"FIMF"', '"ELS"', '"GRRO"']


TOO_WIDE = """() => [...document.querySelectorAll('.stDataFrame .dvn-scroller')]
  .filter((table) => table.scrollWidth > table.clientWidth + 1).length"""


@pytest.mark.parametrize("name", ["noise", "pareto", "methods"])
def test_tables_fit_a_screen_of_1280(walk, name):
    page = walk(f"/{name}")
    page.locator(".stDataFrame .dvn-scroller").last.wait_for(state="attached")
    settle(page)
    rests_at(page, 0, TOO_WIDE)


def test_the_tables_of_a_question_fit_a_screen_of_1280(walk):
    page = walk("/papers?paper=zhou_2023_mapd")
    page.locator(".stDataFrame .dvn-scroller").last.wait_for(state="attached")
    settle(page)
    rests_at(page, 0, TOO_WIDE)


def test_on_a_wall_a_legend_keeps_clear_of_the_headings_in_any_window(walk):
    page = walk("/explore?repeats=2&present=1")
    assert page.get_by_text("Save figure").count() == 0  # nobody saves files on a wall
    for width, height in (1280, 800), (820, 1100), (1280, 720), (1280, 800), (1600, 900):
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        rests_at(page, True, f"({BETWEEN})() > 0")


def test_with_other_data_the_names_are_those_of_the_other_data(visit):
    page = visit("/data")
    feature = page.locator(".st-key-feature input")
    assert feature.input_value() == "Mean_Acc1298_Mean_Mem40_Centroid"
    page.evaluate("document.querySelector('.stDataFrame').old = true")
    page.locator(".st-key-data input").click()
    page.get_by_role("option", name="yeast").click()
    page.wait_for_url("**data=yeast**")
    settle(page)
    assert feature.input_value() == "Att1"
    # The one of before would keep the widths of its columns, and cut longer names.
    assert page.evaluate("document.querySelector('.stDataFrame').old === undefined")


def test_on_a_wall_lines_and_points_are_thicker(walk):
    def thickness(page):
        line = page.locator(".st-key-curves-figure .scatterlayer path.js-line").last
        point = page.locator(".st-key-curves-figure .legend path.scatterpts").first
        return float(line.evaluate("(line) => parseFloat(getComputedStyle(line).strokeWidth)")), point.bounding_box()

    line, point = thickness(walk("/explore?repeats=1"))
    thick_line, thick_point = thickness(walk("/explore?repeats=1&present=1"))
    assert (thick_line, thick_point["width"] > point["width"]) == (1.5 * line, True)


def test_what_opens_the_sidebar_of_a_telephone_says_so(visit):
    def name(path):
        button = visit(path, width=390).locator("[data-testid=stExpandSidebarButton]")
        return button.evaluate("(button) => getComputedStyle(button, '::after').content")

    assert name("/explore?repeats=1") == '"Menu and controls"'
    assert name("/") == '"Menu"'
