"""Figures that answer: a click chooses, opens or marks what stands there; what was before stays in sight."""

from mlfs.benchmark import leaderboard, read_benchmark
from mlfs.results import setting_title
from tests.browser.conftest import FRAMES, WATCH_RUNS, run_study, settle
from tests.browser.test_explore import ONE_SPLIT, curves, move, query, wait_for_change
from tests.waiting import GUARD

# Where a point of a figure is on the screen, once it is scrolled into view.
POINT = """([figure, trace, point]) => {
  const place = document.querySelector(`.st-key-${figure}-figure .mlfs-figure`);
  place.scrollIntoView({ block: 'center' });
  const { x, y } = place._fullData[trace];
  const { xaxis, yaxis } = place._fullLayout;
  const box = place.getBoundingClientRect();
  return [box.left + xaxis._offset + xaxis.d2p(x[point]), box.top + yaxis._offset + yaxis.d2p(y[point])];
}"""
FIGURE = ".st-key-curves-figure .mlfs-figure"


def click(page, figure, trace, point):
    x, y = page.evaluate(POINT, [figure, trace, point])
    page.mouse.move(x + 2, y)
    page.mouse.move(x, y)
    page.wait_for_selector(f".st-key-{figure}-figure .hoverlayer > *", state="attached")
    page.mouse.click(x, y)


def trace_of(page, name, figure=FIGURE):
    return page.evaluate(f"document.querySelector('{figure}')._fullData.findIndex((t) => t.name === '{name}')")


def ends(page):
    return page.evaluate(f"document.querySelector('{FIGURE}')._fullLayout.yaxis.range")


def test_a_run_is_pinned_moved_away_from_and_a_number_of_features_chosen_by_hand(visit):
    page = visit(f"{ONE_SPLIT}&method=grro")
    first, before = curves(page), ends(page)
    page.get_by_role("button", name="Pin this run").click()
    page.wait_for_url("**pins=grro*")
    settle(page)
    move(page, "grro-alpha", "ArrowLeft")
    wait_for_change(page, first)
    page.wait_for_function(f"document.querySelector('{FIGURE}').data.some((t) => t.name === 'GRRO (defaults)')")
    settle(page)
    move(page, "grro-alpha", "ArrowLeft")
    page.wait_for_selector(".mlfs-before path", state="attached")  # the curves of the setting before
    now = ends(page)
    assert now[0] <= before[0]
    assert now[1] >= before[1]  # the axis grew, or stayed
    settle(page)

    click(page, "curves", trace_of(page, "GRRO"), 3)
    page.wait_for_url("**keep=number*")
    settle(page)
    assert query(page)["number"] == "15"
    assert page.locator(".st-key-keep input").input_value() == "Number"
    page.wait_for_function(f"document.querySelector('{FIGURE}').data.some((t) => t.name === 'chosen: 15')")

    page.get_by_role("button", name="Remove GRRO").click()
    page.wait_for_url(lambda address: "pins" not in address)
    page.wait_for_function(f"!document.querySelector('{FIGURE}').data.some((t) => t.name === 'GRRO (defaults)')")


def test_a_feature_is_marked_in_all_figures_of_a_page_and_no_longer(walk):
    page = walk("/pareto", wait=".st-key-lines-figure .main-svg")
    marks = "[...document.querySelectorAll('.mlfs-figure')].filter((f) => f.querySelector('.mlfs-marks > *')).length"
    click(page, "front", 1, 0)
    page.wait_for_function(f"{marks} >= 2")
    assert page.locator(".st-key-front-figure .mlfs-marks circle").count() == 1
    assert page.locator(".st-key-lines-figure .mlfs-marks path").count() == 1
    page.keyboard.press("Escape")
    page.wait_for_function(f"{marks} === 0")


def test_a_finger_marks_once(browser, address):
    """Plotly tells of a touch twice; marked twice would be unmarked."""
    context = browser.new_context(has_touch=True, viewport={"width": 390, "height": 800})
    context.add_init_script(WATCH_RUNS)
    context.set_default_timeout(1000 * GUARD)
    page = context.new_page()
    page.goto(f"{address}/noise?methods=els,grro")
    noise = ".st-key-noise-figure .mlfs-figure"
    page.wait_for_selector(f"{noise} .js-line", state="attached")
    settle(page)
    x, y = page.evaluate(POINT, ["noise", trace_of(page, "GRRO", noise), 3])
    page.evaluate("document.addEventListener('click', () => { window.clicked = true; }, { capture: true })")
    page.touchscreen.tap(x, y)
    page.wait_for_function("Object.keys(window.mlfsMarked ?? {}).length === 1")
    page.wait_for_function("window.clicked")  # the mouse that the browser makes of a touch follows it
    page.evaluate(FRAMES, 5)
    assert page.evaluate("window.mlfsMarked") == {"method": "GRRO"}
    context.close()


def test_a_point_of_a_sweep_opens_its_setting_in_explore(walk):
    page = walk("/sensitivity?data=synthetic&method=els&repeats=1")
    lines = ".st-key-sweep-lines-figure .mlfs-figure"
    run_study(page, page.get_by_text("all done."))
    settle(page)
    page.wait_for_function(f"document.querySelector('{lines}')?._fullData?.[0]?.x.length > 3")
    value = page.evaluate(f"document.querySelector('{lines}')._fullData[0].x[2]")
    click(page, "sweep-lines", 0, 2)
    page.wait_for_url("**/explore*")
    page.wait_for_selector(FIGURE)
    settle(page)
    assert query(page).get("method", "els") == "els"  # the default is left out
    assert query(page)["els.n_labels"] == f"{value:g}"


def test_a_method_of_the_leaderboard_opens_its_card(walk):
    page = walk("/methods", wait=".st-key-map-figure .main-svg")
    settle(page)
    fourth = leaderboard(read_benchmark()).table.index[3]
    click(page, "ranks", 1, 3)
    page.wait_for_url(f"**method={fourth}*")
    page.get_by_role("heading", name=f"Card: {setting_title(fourth)}", exact=True).wait_for()
