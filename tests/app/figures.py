"""The figures of a page, as the browser gets them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from streamlit.testing.v1 import AppTest


@dataclass(frozen=True)
class Shown:
    """One figure: its key on the page, what it shows in words, its traces and layout."""

    key: str
    alt: str
    data: list[dict[str, Any]]
    layout: dict[str, Any]


def figures(app: AppTest) -> list[Shown]:
    """In the order in which they stand on the page."""
    found = [element.proto for element in app.get("bidi_component")]
    return [_shown(proto) for proto in found if proto.component_name == "mlfs_figure"]


def _shown(proto: Any) -> Shown:
    content = json.loads(proto.bytes)
    # Streamlit's ids end in the key.
    key = proto.id.split("-", 2)[-1].split("-", 1)[-1]
    return Shown(key, content["alt"], content["figure"]["data"], content["figure"]["layout"])
