"""The app in Chromium: opening a page, and moving a slider, as multiples of the least that Streamlit itself takes."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.serving import verdict
from tests.browser.server import chromium, serving

MOVES, REPEATS = 11, 5
PAUSE = 2500  # milliseconds between two moves
SETTLED = 4000  # milliseconds after which a page that has been opened is left alone by everybody

EMPTY = """
import streamlit as st
st.write("value", st.slider("value", 0, 100, 50))
"""
ONE_FIGURE = """
import plotly.graph_objects as go
import streamlit as st
st.header("One figure")
st.plotly_chart(go.Figure([go.Scatter(y=[i * 3 % 7 for i in range(50)]), go.Scatter(y=[i * 3 % 5 for i in range(50)])]))
"""

PAGES = ("explore", "compare", "noise", "pareto", "significance", "papers", "learn")
# How often the one-figure page's time each way of opening may take.
BOUNDS = {"reload": 2.0, "fresh browser": 1.5, "first visitor": 2.5}
SLIDER_BOUND = 3.0

# When what is seen first, looked at once a frame. Papers answers with a table, which is drawn on a canvas.
WATCH = """
(() => {
  const seen = window.mlfsSeen = {};
  const parts = {
    heading: '.stMain h1, .stMain h2',
    menu: '.st-key-menu a',
    answer: '.js-plotly-plot .main-svg .infolayer text, .js-plotly-plot .xtick text, [data-testid=stDataFrame] canvas',
  };
  const look = () => {
    for (const [name, selector] of Object.entries(parts))
      if (!(name in seen) && document.querySelector(selector)) seen[name] = performance.now();
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()
"""

# Megabytes that came over the network.
FETCHED = "performance.getEntriesByType('resource').reduce((sum, entry) => sum + entry.transferSize, 0) / 1e6"

# Milliseconds from a key pressed on the slider to the change of what it should change, looked at once a frame; and
# for how many frames there was nothing to see.
STOPWATCH = """
([slider, target]) => new Promise((done) => {
  const look = () => { const e = document.querySelector(target); return e && (e.getAttribute('d') || e.textContent); };
  const before = look();
  let blank = 0;
  setTimeout(() => done(null), 5000);
  document.querySelector(slider).focus();
  window.addEventListener('keydown', () => {
    const start = performance.now();
    const frame = () => {
      const now = look();
      if (now && now !== before) done({took: performance.now() - start, blank});
      else { if (!now) blank += 1; requestAnimationFrame(frame); }
    };
    requestAnimationFrame(frame);
  }, {once: true, capture: true});
})
"""
CURVES = ".st-key-curves-figure .scatterlayer .js-line"


def report() -> None:
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        empty, one = Path(folder) / "empty.py", Path(folder) / "one_figure.py"
        empty.write_text(EMPTY)
        one.write_text(ONE_FIGURE)
        _openings(browser, one)
        with serving(empty) as quiet, serving() as app:
            _moves(browser, quiet, app)


def _openings(browser: Any, one: Path) -> None:
    """Each page beside the page with one figure, in one run."""
    print("opening: seconds to the first figure or table (to the menu, to the heading), × the page with one figure")
    worst = dict.fromkeys(BOUNDS, 0.0)
    late = 0.0
    for page in PAGES:
        base, _ = _opened(browser, one, "")
        took, parts = _opened(browser, None, page)
        for way, seconds in took.items():
            ratio = seconds / base[way]
            worst[way] = max(worst[way], ratio)
            heading, menu = parts[way]
            late = max(late, menu - heading)
            told = f"{seconds:5.2f} s (menu {menu:.2f}, heading {heading:.2f})"
            print(f"{page:12} {way:13} {told}, {ratio:4.1f} × {base[way]:.2f} s", flush=True)
    for way, bound in BOUNDS.items():
        verdict(f"{way} at most {bound:g} × the page with one figure", worst[way] <= bound, f"worst {worst[way]:.1f}")
    verdict("the menu is there with the heading", late < 0.1, f"at most {late:.2f} s after it")


def _opened(browser: Any, script: Path | None, page: str) -> tuple[dict[str, float], dict[str, tuple[float, float]]]:
    """Way of opening → seconds to the answer, and to heading and menu: medians, but for the first visitor."""
    found: dict[str, list[dict[str, float]]] = {way: [] for way in BOUNDS}
    with serving(*([script] if script else [])) as server:
        address = f"{server}/{page}"
        with visitor(browser) as tab:
            found["first visitor"].append(seen_parts(tab, address))
        for _ in range(2):
            with visitor(browser) as tab:
                found["fresh browser"].append(seen_parts(tab, address) | {"fetched": tab.evaluate(FETCHED)})
                for _ in range(REPEATS):
                    found["reload"].append(seen_parts(tab, None))
    if page:
        print(f"{page:12} fresh browser fetched {found['fresh browser'][-1]['fetched']:.1f} MB")
    took = {way: statistics.median(each["answer"] for each in seen) for way, seen in found.items()}
    parts = {
        way: tuple(statistics.median(each.get(part, 0.0) for each in seen) for part in ("heading", "menu"))
        for way, seen in found.items()
    }
    return took, parts  # type: ignore[return-value]


@contextmanager
def visitor(browser: Any) -> Iterator[Any]:
    """A browser that has never been here: a context has a cache of its own."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(WATCH)
    try:
        yield context.new_page()
    finally:
        context.close()


def seen_parts(tab: Any, address: str | None) -> dict[str, float]:
    """Seconds from asking for the address (None: for the same again) to each part."""
    tab.reload() if address is None else tab.goto(address)
    tab.wait_for_function("() => window.mlfsSeen?.answer", timeout=120_000)
    tab.wait_for_timeout(SETTLED)
    return {part: at / 1000 for part, at in tab.evaluate("window.mlfsSeen").items()}


def _moves(browser: Any, quiet: str, app: str) -> None:
    print(f"moving a slider: medians of {MOVES} moves, in turn with the empty page")
    worst, blanks = 0.0, 0
    for data in ("emotions", "yeast", "scene"):
        for method, slider in (("els", "els.n_labels"), ("grro", "grro.alpha")):
            address = f"{app}/explore?data={data}&method={method}"
            knob = f"[class*='st-key-{slider.replace('.', '-')}'] input[type=range]"
            base, took, blank = _medians(browser, (quiet, "input[type=range]", ".stMarkdown"), (address, knob, CURVES))
            worst, blanks = max(worst, took / base), blanks + blank
            told = f"{1000 * took:5.0f} ms, {took / base:4.1f} × {1000 * base:.0f} ms of the empty page"
            print(f"{data:9} {method:5} {told}, {blank} frames without curves", flush=True)
    verdict(
        f"a move at most {SLIDER_BOUND:g} × the empty page, the curves never blank",
        worst <= SLIDER_BOUND and not blanks,
        f"worst {worst:.1f}, {blanks} blank frames",
    )


def _medians(browser: Any, *pages: tuple[str, str, str]) -> tuple[float, float, int]:
    """Seconds of a move on each of two pages (address, slider, what it changes), one here and one there in turn.

    The last is the number of frames in which there was nothing to see.
    """
    tabs = []
    try:
        for address, slider, target in pages:
            tabs.append(page := browser.new_page(viewport={"width": 1280, "height": 800}))
            page.goto(address)
            page.wait_for_selector(target, state="attached", timeout=60_000)
            page.wait_for_selector(slider, state="attached", timeout=60_000)
            page.wait_for_timeout(6000)
        keys = ["ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft"] * MOVES
        found: list[list[dict[str, float]]] = [[] for _ in pages]
        for key in keys[:MOVES]:
            for tab, (_, slider, target), moves in zip(tabs, pages, found, strict=True):
                tab.bring_to_front()
                if (move := _move(tab, slider, target, key)) is not None:
                    moves.append(move)
        base, took = (statistics.median([move["took"] / 1000 for move in moves] or [float("nan")]) for moves in found)
        return base, took, int(sum(move["blank"] for moves in found for move in moves))
    finally:
        for tab in tabs:
            tab.close()


def _move(page: Any, slider: str, target: str, key: str) -> dict[str, float] | None:
    """Milliseconds until the target changed, and frames without it; None where this move left it as it was."""
    # Until the repeated splits of the move before are in, so that their bands are not taken for the answer.
    page.wait_for_timeout(PAUSE)
    promise = page.evaluate_handle(f"(args) => ({{found: ({STOPWATCH})(args)}})", [slider, target])
    page.keyboard.press(key)
    moved: dict[str, float] | None = promise.evaluate("(held) => held.found")
    return moved
