"""Figures in the browser: drawn in place by Plotly itself, so that a move of a slider changes lines, not the page.

Streamlit's own Plotly element is made anew for every change, and is blank while that lasts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from pathlib import Path

import orjson
import plotly.graph_objects as go
import streamlit as st

from mlfs.memo import Memo
from mlfs.plots import alt_text
from mlfs.plots.figure import config
from pages.parts import browser_scripts

# Figures kept ready for whoever asks next, of all sessions together: this many, each of at most so many bytes.
KEPT, LARGEST = 400, 200_000

_component = st.components.v2.component(
    "mlfs_figure", js=Path(__file__).with_name("figure.js").read_text(encoding="utf-8"), isolate_styles=False
)
_kept = Memo(KEPT)


@dataclass(frozen=True)
class Serialised:
    """A figure as the browser gets it, and what it shows in words."""

    figure: bytes
    alt: str


def serialised(figure: go.Figure) -> Serialised:
    content = orjson.dumps(figure.to_plotly_json(), option=orjson.OPT_SERIALIZE_NUMPY, default=_plain)
    return Serialised(content, alt_text(figure))


def draw(make: Callable[[], go.Figure], name: str, key: str, of: Hashable = None) -> None:
    """Draw a figure.

    Parameters
    ----------
    name : of the file, where somebody saves it
    of : all that the figure depends on; who asks for the same is given the same without its being made again
    """
    content = _kept_or_made(make, of)
    settings = orjson.dumps({"program": browser_scripts.PLOTLY, "alt": content.alt, "config": config(name)})
    # Put together as text: the figure may be large, and is as it was when it was made.
    _component(key=key, data=settings[:-1] + b',"figure":' + content.figure + b"}")


def _kept_or_made(make: Callable[[], go.Figure], of: Hashable) -> Serialised:
    if of is None:
        return serialised(make())
    return _kept.once(of, lambda: serialised(make()), keep=lambda made: len(made.figure) <= LARGEST)


def _plain(value: object) -> object:
    """What orjson does not know: Plotly's template, sets of pandas, odd arrays."""
    if hasattr(value, "to_plotly_json"):
        return value.to_plotly_json()
    if hasattr(value, "tolist"):
        return value.tolist()
    return json.loads(json.dumps(value, default=str))
