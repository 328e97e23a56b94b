"""One look for every figure: quiet, dense, the same on the screen and on paper.

A figure that is taken away (SVG, HTML, a notebook) has dark ink on a transparent ground. In the app Streamlit
repaints the template's ink and grid in the browser, so that a figure follows the switch between light and dark
without being drawn again; figures therefore set no colour of their own but those of the palette. Its first four
reach a contrast of 3 on white and on near-black; the last three are pale on white (2.3, 2.3 and 1.3), so that lines
in them need a dash or a label too. Where nobody repaints, `template(dark=True)` gives a figure for a dark slide.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import plotly.graph_objects as go

#: Okabe & Ito's colour-blind-safe palette, without black, which a dark page would swallow.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#F0E442")
ACCENT = PALETTE[0]

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif"
INK, DARK_INK = "#333333", "#e6e6e4"
DARK_GROUND = "#161616"
#: Lines and points that belong to no method, and what a figure pushes into the background.
NEUTRAL = "#808080"
FAINT = "rgba(128, 128, 128, 0.45)"
GRID = "rgba(128, 128, 128, 0.25)"
CLEAR = "rgba(0, 0, 0, 0)"


@cache
def template(dark: bool = False) -> go.layout.Template:
    """Return the template of every figure; never change what it returns."""
    ground = DARK_GROUND if dark else CLEAR
    axis = {
        "gridcolor": GRID,
        "linecolor": GRID,
        "tickcolor": GRID,
        "zeroline": False,
        # 5×10⁻⁴, not 500µ: what is measured here has no unit to put a prefix to.
        "exponentformat": "power",
        "automargin": True,
        "title": {"standoff": 8},
    }
    return go.layout.Template(
        layout={
            "colorway": PALETTE,
            "font": {"family": FONT, "size": 12, "color": DARK_INK if dark else INK},
            "paper_bgcolor": ground,
            "plot_bgcolor": ground,
            # Above the legend, however many rows that takes.
            "title": {
                "x": 0,
                "xanchor": "left",
                "y": 1,
                "yanchor": "top",
                "yref": "container",
                "automargin": True,
                "pad": {"t": 6, "b": 6, "l": 4},
                "font": {"size": 14},
            },
            "margin": {"l": 8, "r": 24, "t": 24, "b": 24},
            "xaxis": axis,
            "yaxis": axis,
            "legend": {"orientation": "h", "yanchor": "bottom", "y": 1.02, "x": 0},
            "hoverlabel": {"font": {"family": FONT, "size": 12}},
            "bargap": 0.3,
        }
    )


def config(filename: str) -> dict[str, Any]:
    """Plotly's settings beside a figure: no logo, one button, which saves it as SVG under this name."""
    return {
        "displaylogo": False,
        "modeBarButtons": [["toImage"]],
        "toImageButtonOptions": {"format": "svg", "filename": filename},
    }
