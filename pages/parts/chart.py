"""Figures in the browser: drawn in place by Plotly itself, so that a move of a slider changes lines, not the page.

Streamlit's own Plotly element is made anew for every change, and is blank while that lasts.

Figures are kept as the browser gets them, for whoever of all sessions asks for the same: `MEMORY` bytes of them
together, those that nobody asked for longest go first.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import orjson
import plotly.graph_objects as go
import streamlit as st

from mlfs.memo import Budget, Memo
from mlfs.plots import alt_text
from mlfs.plots.figure import config, plain
from pages.parts import browser_scripts

#: Bytes of the figures that are kept, together and of each; a larger one is made at every question. Their number is
#: bounded too, for each has a key.
MEMORY, LARGEST, KEPT = 8 << 20, 200_000, 2000

# Sent along with every figure, and so no more than what fetches figure.js.
LOADER = f"""
const own = document.querySelector('script[src*="/static/js/"]');
const program = window.mlfsFigures ??= import(new URL('../../{browser_scripts.FIGURES}', own.src));
export default function (component) {{
  let end = () => {{}};
  let gone = false;
  program.then(({{ default: draw }}) => {{ if (!gone) end = draw(component); }});
  return () => {{ gone = true; end(); }};
}}
"""
_component = st.components.v2.component("mlfs_figure", js=LOADER, isolate_styles=False)


@dataclass(frozen=True)
class Serialised:
    """A figure as the browser gets it, what it shows in words, and the Plotly that draws it."""

    figure: bytes
    alt: str
    program: str

    def __len__(self) -> int:
        return len(self.figure) + len(self.alt)


_kept = Memo(KEPT, size=len, budget=Budget(MEMORY))


def serialised(figure: go.Figure) -> Serialised:
    spec = figure.to_plotly_json()
    content = orjson.dumps(spec, option=orjson.OPT_SERIALIZE_NUMPY, default=_plain)
    return Serialised(content, alt_text(figure), browser_scripts.plotly_for(spec["data"]))


@dataclass(frozen=True)
class Click:
    """Where somebody clicked in a figure.

    Attributes
    ----------
    x, y : on the axes; None where an axis has no numbers
    row, column : of a heat map
    trace : the name of the line, of the bars
    names : what stands there, by its kind: "method", "feature", "label"
    """

    x: float | None = None
    y: float | None = None
    row: int | None = None
    column: int | None = None
    trace: str = ""
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Moves:
    """What a slider moves in a figure: the axes stay `within` one question, and the curve of before stays as a shadow.

    Attributes
    ----------
    within : as long as this is the same, axes keep their ends, unless a curve needs more room
    setting : what the slider changes; with another one the curves of `method` are those of before
    """

    within: str
    setting: str
    method: str


def draw(
    make: Callable[[], go.Figure],
    name: str,
    key: str,
    of: Hashable = None,
    *,
    on_click: Callable[[Click], None] | None = None,
    marks: bool = False,
    moves: Moves | None = None,
) -> None:
    """Draw a figure.

    Parameters
    ----------
    name : of the file, where somebody saves it
    of : all that the figure depends on; who asks for the same is given the same without its being made again
    on_click : called at the beginning of the run that a click brings about; without it a click marks what stands there
        in all figures of the page, in the browser alone
    marks : a click does both
    """
    content = _kept_or_made(make, of)
    about = {"program": content.program, "alt": content.alt, "config": config(name)}
    if moves is not None:
        about["moves"] = {"within": moves.within, "setting": moves.setting, "method": plain(moves.method)}
    how: dict[str, Any] = {}
    if on_click is not None:
        about["clicks"] = "marks" if marks else True
        how["on_click_change"] = partial(_tell_click, key, on_click)
    # Put together as text: the figure may be large, and is as it was when it was made.
    _component(key=key, data=orjson.dumps(about)[:-1] + b',"figure":' + content.figure + b"}", **how)


def _tell_click(key: str, on_click: Callable[[Click], None]) -> None:
    """What the browser says is checked: anything may come from there."""
    sent = (st.session_state.get(key) or {}).get("click")
    if not isinstance(sent, dict):
        return
    names = sent.get("names")
    names = names if isinstance(names, dict) else {}
    on_click(
        Click(
            *(_number(sent.get(side)) for side in ("x", "y")),
            *(_place(sent.get(side)) for side in ("row", "column")),
            str(sent.get("trace") or ""),
            {str(kind): str(text) for kind, text in names.items()},
        )
    )


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and math.isfinite(value) else None


def _place(value: Any) -> int | None:
    return value if isinstance(value, int) and value >= 0 else None


def _kept_or_made(make: Callable[[], go.Figure], of: Hashable) -> Serialised:
    if of is None:
        return serialised(make())
    return _kept.once(of, lambda: serialised(make()), keep=lambda made: len(made) <= LARGEST)


def _plain(value: object) -> object:
    """What orjson does not know: Plotly's template, sets of pandas, odd arrays."""
    if hasattr(value, "to_plotly_json"):
        return value.to_plotly_json()
    if hasattr(value, "tolist"):
        return value.tolist()
    return json.loads(json.dumps(value, default=str))
