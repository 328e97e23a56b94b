"""Text and lines can be seen on the grounds of both themes, by readers with any colour vision."""

from __future__ import annotations

import re
import tomllib
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from mlfs.plots.figure import BOX, BOX_INK, DARK_INK, INK, NEUTRAL, PALETTE, template
from mlfs.plots.heatmaps import DIVERGING, PALE

THEME = tomllib.loads((Path(__file__).parents[2] / ".streamlit/config.toml").read_text(encoding="utf-8"))["theme"]
GROUNDS = {name: THEME[name]["backgroundColor"] for name in ("light", "dark")}
# What a complete lack of one kind of cone makes of linear RGB (Machado, Oliveira & Fernandes 2009).
VISIONS = {
    "normal": np.eye(3),
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}
# To Oklab, in which distances are those that people see.
CONES = [[0.412221, 0.536333, 0.051446], [0.211903, 0.6807, 0.107397], [0.088302, 0.281719, 0.629979]]
OKLAB = [[0.210454, 0.793618, -0.004072], [1.977998, -2.428592, 0.450594], [0.025904, 0.782772, -0.808676]]


def rgb(colour: str, ground: str = "#ffffff") -> np.ndarray:
    """0 to 1; a transparent colour as it is on its ground."""
    if colour.startswith("#"):
        return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    red, green, blue, opacity = map(float, re.findall(r"[\d.]+", colour))
    return opacity * np.array([red, green, blue]) / 255 + (1 - opacity) * rgb(ground)


def linear(values: np.ndarray) -> np.ndarray:
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str, ground: str = "#ffffff") -> float:
    """Of WCAG 2: 1 for equal colours, 21 for black on white."""
    low, high = sorted(float(linear(rgb(colour, ground)) @ [0.2126, 0.7152, 0.0722]) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)


def test_the_measure_is_that_of_the_standard():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)  # the grey that just fails as text
    assert contrast("rgba(0, 0, 0, 0.5)", "#808080") == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize("theme", GROUNDS)
@pytest.mark.parametrize("colour", [*PALETTE, NEUTRAL])
def test_lines_stand_out(theme, colour):
    assert contrast(colour, GROUNDS[theme]) >= 3


def test_text_can_be_read():
    for theme, ink in (("light", INK), ("dark", DARK_INK)):
        for words in (ink, THEME[theme]["textColor"], THEME[theme]["primaryColor"]):
            for ground in ("backgroundColor", "secondaryBackgroundColor"):
                assert contrast(words, THEME[theme][ground]) >= 4.5
        # What the rows of a table are about, as Streamlit writes it.
        red, green, blue = (round(255 * part) for part in rgb(THEME[theme]["textColor"]))
        ground = THEME[theme]["backgroundColor"]
        assert contrast(f"rgba({red}, {green}, {blue}, 0.6)", ground, ground) >= 4.5
    label = template().layout.hoverlabel
    assert (label.bgcolor, label.font.color) == (BOX, BOX_INK)
    assert contrast(BOX, BOX_INK) >= 4.5


@pytest.mark.parametrize("theme", GROUNDS)
@pytest.mark.parametrize("scale", [PALE, DIVERGING], ids=["pale", "diverging"])
def test_numbers_in_cells_can_be_read(theme, scale):
    for _, cell in scale:
        assert contrast(THEME[theme]["textColor"], cell, GROUNDS[theme]) >= 4.5


def test_readers_with_any_colour_vision_tell_the_colours_apart():
    """By at least 0.07 in Oklab, about what the closest two of Okabe & Ito's colours differ by."""
    light = np.array([linear(rgb(colour)) for colour in PALETTE])
    for kind in VISIONS.values():
        cones = np.clip(light @ np.transpose(kind), 0, 1) @ np.transpose(CONES)
        for one, other in combinations(np.cbrt(cones) @ np.transpose(OKLAB), 2):
            assert np.linalg.norm(one - other) >= 0.07


@pytest.mark.parametrize("theme", GROUNDS)
def test_the_first_column_of_a_table_can_be_read(theme):
    """Streamlit writes it in 60 % of the ink, on a canvas, where no test in a browser sees it."""
    ink = ", ".join(str(int(part * 255)) for part in rgb(THEME[theme]["textColor"]))
    assert contrast(f"rgba({ink}, 0.6)", GROUNDS[theme], GROUNDS[theme]) >= 4.5
