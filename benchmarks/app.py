"""Explore in Chromium: from a slider's move to the redrawn curves, as a multiple of an empty Streamlit page's rerun."""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from typing import Any

from tests.browser.server import chromium, serving

MOVES = 11
PAUSE = 2500  # milliseconds between two moves

EMPTY = """
import streamlit as st
st.write("value", st.slider("value", 0, 100, 50))
"""

# Milliseconds from a key pressed on the slider to the change of what it should change, looked at once a frame.
STOPWATCH = """
([slider, target]) => new Promise((done) => {
  const look = () => { const e = document.querySelector(target); return e && (e.getAttribute('d') || e.textContent); };
  const before = look();
  setTimeout(() => done(null), 5000);
  document.querySelector(slider).focus();
  window.addEventListener('keydown', () => {
    const start = performance.now();
    const frame = () => {
      const now = look();
      if (now && now !== before) done(performance.now() - start);
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }, {once: true, capture: true});
})
"""
CURVES = ".st-key-curves-figure .scatterlayer .js-line"


def report() -> None:
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "empty.py"
        script.write_text(EMPTY)
        with serving(script) as empty, serving() as app:
            base = _median(browser, empty, "input[type=range]", ".stMarkdown")
            print(f"empty page: {1000 * base:.0f} ms from slider to redrawn text (median of {MOVES} moves)")
            for data in ("emotions", "yeast", "scene"):
                for method, slider in (("els", "els.n_labels"), ("grro", "grro.alpha")):
                    address = f"{app}/explore?data={data}&method={method}"
                    knob = f"[class*='st-key-{slider.replace('.', '-')}'] input[type=range]"
                    took = _median(browser, address, knob, CURVES)
                    print(f"{data:9} {method:5} {1000 * took:5.0f} ms, {took / base:4.1f} × the empty page", flush=True)


def _median(browser: Any, address: str, slider: str, target: str) -> float:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    try:
        page.goto(address)
        page.wait_for_selector(target, state="attached", timeout=60_000)
        page.wait_for_selector(slider, state="attached", timeout=60_000)
        page.wait_for_timeout(6000)
        keys = ["ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft"] * MOVES
        found = [_move(page, slider, target, key) for key in keys[:MOVES]]
        return statistics.median([took for took in found if took is not None] or [float("nan")])
    finally:
        page.close()


def _move(page: Any, slider: str, target: str, key: str) -> float | None:
    """Seconds until the target changed; None where this move left it as it was."""
    # Until the repeated splits of the move before are in, so that their bands are not taken for the answer.
    page.wait_for_timeout(PAUSE)
    promise = page.evaluate_handle(f"(args) => ({{found: ({STOPWATCH})(args)}})", [slider, target])
    page.keyboard.press(key)
    took = promise.evaluate("(held) => held.found")
    return None if took is None else took / 1000
