"""Figures to take away: HTML always; SVG, PNG and PDF where a browser is installed that draws them."""

from __future__ import annotations

import html
from typing import Any

import plotly.graph_objects as go

from mlfs.checks import checked, number, whole
from mlfs.errors import ExportError, ParameterError, did_you_mean
from mlfs.plots.figure import DARK_GROUND, DARK_INK, INK, TALLEST, alt_text, template

#: What a browser takes; it answers with an image of another size, or none, to more.
WIDEST, MOST_DOTS = 10_000, 10
FORMATS = {"svg": "image/svg+xml", "png": "image/png", "pdf": "application/pdf"}
BEGINNINGS = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF"}
SECONDS = 60  # a browser that takes longer will never answer


@checked
def to_html(figure: go.Figure, *, plotlyjs: bool = True, dark: bool = False) -> str:
    """A page with the figure, which can still be hovered over.

    Parameters
    ----------
    plotlyjs : put Plotly's program into the page (some 5 MB), so that it opens without a network; without it only
        the figure, as a piece of HTML for a page that loads Plotly itself
    dark : light ink on a dark ground
    """
    import plotly.io as pio  # late, for only those who export need it

    figure = repaint(figure, dark)
    words = html.escape(alt_text(figure), quote=True)
    title = html.escape(html.unescape(figure.layout.title.text or "Figure"))
    body = pio.to_html(
        figure,
        include_plotlyjs=plotlyjs,
        full_html=False,
        validate=False,
        config={"displaylogo": False, "responsive": True},
    )
    body = f'<div role="figure" aria-label="{words}">{body}</div>'
    if not plotlyjs:
        return body
    ground = DARK_GROUND if dark else "#ffffff"
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{title}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="description" content="{words}"></head>\n'
        f'<body style="margin: 1rem; background: {ground}">{body}</body>\n</html>\n'
    )


@checked
def to_image(
    figure: go.Figure,
    format: str = "svg",
    *,
    width: int = 800,
    height: int | None = None,
    scale: float = 2,
    dark: bool = False,
) -> bytes:
    """The figure as SVG, PNG or PDF, drawn by Chrome or Chromium through kaleido; nothing is asked of the network.

    Parameters
    ----------
    width, height : pixels; the figure's own height unless given
    scale : how many dots of a PNG a pixel has
    dark : light ink on a dark ground; without it dark ink on a transparent one
    """
    if format not in FORMATS:
        raise ParameterError(f"There is no image format {format!r}: {did_you_mean(format, FORMATS)}")
    width, scale = whole("width", width, 1, WIDEST), number("scale", scale, 0.1, MOST_DOTS)
    height = None if height is None else whole("height", height, 1, TALLEST)
    try:
        # Late, for only those who export need it.
        import kaleido
        from kaleido.errors import ChromeNotFoundError
    except ImportError:
        raise ExportError(
            f"{format.upper()} needs the package kaleido: run pip install kaleido, or take the figure as HTML."
        ) from None
    figure = repaint(figure, dark)
    options = {"format": format, "width": width, "height": height or figure.layout.height or 450, "scale": scale}
    try:
        # Formulas are not written in figures, so MathJax is not fetched.
        image: bytes = kaleido.calc_fig_sync(figure, opts=options, kopts={"mathjax": False, "timeout": SECONDS})
    except ChromeNotFoundError:
        raise ExportError(
            f"{format.upper()} needs Chrome or Chromium, which is not on this machine: install it (on Debian "
            "apt-get install chromium, elsewhere plotly_get_chrome), or take the figure as HTML."
        ) from None
    except Exception as problem:
        raise ExportError(
            f"The browser did not draw the {format.upper()} ({type(problem).__name__}): try again, or take the figure "
            "as HTML."
        ) from problem
    if not image.startswith(BEGINNINGS[format]):
        raise ExportError(
            f"The browser drew no {format.upper()} of {width} × {options['height']} pixels, {scale:g} dots each: ask "
            "for a smaller one, or take the figure as SVG or HTML."
        )
    return image


def can_draw_images() -> bool:
    """Whether `to_image` finds what it needs: the package kaleido and a Chrome or Chromium."""
    try:
        from choreographer.browsers.chromium import Chromium
    except ImportError:
        return False
    return Chromium.find_browser(skip_local=False) is not None


@checked
def enlarged(figure: go.Figure, times: float = 1.5) -> go.Figure:
    """The same figure for a wall: larger type, and room for it. Where there is little room it stays as it is."""
    content: dict[str, Any] = figure.to_plotly_json()
    layout = content["layout"]
    layout["font"] = {**layout.get("font", {}), "size": figure.layout.font.size or template().layout.font.size}
    larger = {**_enlarged_font(layout, times), "height": (layout.get("height") or 450) * times}
    if margin := layout.get("margin"):
        larger["margin"] = {side: pixels * times for side, pixels in margin.items()}
    if notes := layout.get("annotations"):
        larger["annotations"] = [_enlarged_font(note, times) for note in notes]
    if title := (layout.get("legend") or {}).get("title"):
        larger["legend"] = {**layout["legend"], "title": _enlarged_font(title, times)}
    titled = [key for key in layout if key[1:].startswith("axis") and (layout[key] or {}).get("title")]
    larger |= {key: {**layout[key], "title": _enlarged_font(layout[key]["title"], times)} for key in titled}
    meta = layout.get("meta") or {}
    kept = ("height", "font", "margin", "annotations", "legend", *titled)
    same = {key: layout[key] for key in kept if key in layout}
    # The numbers in cells and bars belong to traces, which have no other arrangement: the browser enlarges them.
    larger["meta"] = {**meta, "narrow": {**same, **meta.get("narrow", {})}, "enlarged": times}
    return go.Figure(content["data"], larger, _validate=False)


def _enlarged_font(text: dict[str, Any], times: float) -> dict[str, Any]:
    font = text.get("font") or {}
    return {**text, "font": {**font, "size": font["size"] * times}} if "size" in font else text


def repaint(figure: go.Figure, dark: bool) -> go.Figure:
    """The same figure for a light or a dark ground."""
    content: dict[str, Any] = figure.to_plotly_json()
    content["layout"] = {**content["layout"], "template": template(dark)}
    for trace in content["data"]:
        # The numbers of heat maps: Plotly would choose their ink as if cells were opaque.
        if (trace.get("textfont") or {}).get("color") in (INK, DARK_INK):
            trace["textfont"] = {**trace["textfont"], "color": DARK_INK if dark else INK}
    return go.Figure(content["data"], content["layout"], _validate=False)
