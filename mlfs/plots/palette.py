"""A method keeps its colour, dash, marker and short name on every figure; labels and data sets keep their colour.

Colours are Okabe & Ito's, which readers with any colour vision tell apart. There are fewer of them than methods, so
the dash of a line and the symbol of a marker tell methods of one colour apart. Methods that the papers compare with
each other differ in colour, relatives (GRRO and GRRO-LS) in dash only.
"""

from __future__ import annotations

import zlib
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from mlfs.plots.figure import NEUTRAL, PALETTE
from mlfs.results import setting_title

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "star")
# For methods only, of which there are more: names that are no method keep to the six above, as ever.
MORE_DASHES = (*DASHES, "2px,2px", "12px,3px,3px,3px,3px,3px", "18px,6px")
MORE_SYMBOLS = (*SYMBOLS, "x", "hexagon", "triangle-down")
# Without yellow, which hardly shows as a line on white.
COLOURS = PALETTE[:6]

#: Colour → methods, each with the dash and symbol of its place. A new method goes to the end of a line.
PLACES = dict(
    zip(
        COLOURS,
        (
            ("els", "mdmr", "mifs", "mim_br", "ami", "mrmr_br", "mgfs", "csfs", "ssfs"),
            ("grro", "grro_ls", "ela_chi", "jmi_br", "parfs", "rfs", "bmfs", "mdfs", "scmfs"),
            ("elc", "pmu", "br_cc", "jmi_lp", "ppt_mi", "d2f", "lrfs", "rfsfs", "srfs"),
            ("mapd", "mico", "br_or", "cmi_br", "cmfs", "ppt_chi", "pmfs", "f_br", "mrdm"),
            ("fimf", "llsf", "mim_lp", "ppt_rf", "spfs", "mrmr_lp", "forest", "scnmf"),
            ("scls", "mfs", "cmi_lp", "relieff_ml", "igmf", "mfs_mcdm", "chi2_br", "l1_logistic"),
        ),
        strict=True,
    )
)


@dataclass(frozen=True)
class Style:
    """How a method looks. The name is plain text: `figure.plain` makes it safe for a figure."""

    name: str
    colour: str
    dash: str
    symbol: str

    def line(self, width: float = 2) -> dict[str, Any]:
        return {"color": self.colour, "dash": self.dash, "width": width}

    def marker(self, size: float = 7) -> dict[str, Any]:
        return {"color": self.colour, "symbol": self.symbol, "size": size}

    def wash(self, opacity: float = 0.15) -> str:
        """The colour for an area behind lines."""
        return wash(self.colour, opacity)


def style_of(method: Hashable) -> Style:
    """The look of one method; a name that is no method of the registry has a look of its own too, always the same.

    >>> style_of("els")
    Style(name='ELS', colour='#0072B2', dash='solid', symbol='circle')
    >>> style_of("my method") == style_of("my method")
    True
    """
    return styles_of([method])[method]


def styles_of(methods: Iterable[Hashable]) -> dict[Hashable, Style]:
    """The looks of the methods of one figure: no two alike, up to as many as there are looks.

    Methods of the registry have their own; other names take the one their letters lead to, or the next that is free.
    """
    methods = list(dict.fromkeys(methods))
    styles = {method: _fixed_styles()[method] for method in methods if method in _fixed_styles()}
    looks = [(colour, dash, symbol) for dash, symbol in zip(DASHES, SYMBOLS, strict=True) for colour in COLOURS]
    free = [look for look in looks if look not in {(s.colour, s.dash, s.symbol) for s in styles.values()}]
    for method in methods:
        if method in styles:
            continue
        free = free or list(looks)
        # Not hash(), which changes from one start of Python to the next.
        first = zlib.crc32(str(method).encode()) % len(looks)
        look = min(free, key=lambda candidate: (looks.index(candidate) - first) % len(looks))
        free.remove(look)
        styles[method] = Style(setting_title(method), *look)
    return {method: styles[method] for method in methods}


@cache
def _fixed_styles() -> dict[Hashable, Style]:
    def style(method: str, colour: str, place: int) -> Style:
        return Style(setting_title(method), colour, MORE_DASHES[place], MORE_SYMBOLS[place])

    styles: dict[Hashable, Style] = {
        m: style(m, colour, place) for colour, methods in PLACES.items() for place, m in enumerate(methods)
    }
    # What every method must beat stays in the background.
    return {**styles, "all_features": style("all_features", NEUTRAL, 1), "random": style("random", NEUTRAL, 2)}


def colour_at(position: int) -> str:
    """The colour of the label, feature or data set at this position of its own list.

    >>> colour_at(0) == colour_at(6)
    True
    """
    return COLOURS[position % len(COLOURS)]


def dash_at(position: int) -> str:
    """The dash that goes with `colour_at`, so that the seventh line is not the first again."""
    return DASHES[position // len(COLOURS) % len(DASHES)]


def wash(colour: str, opacity: float) -> str:
    """
    >>> wash("#0072B2", 0.2)
    'rgba(0, 114, 178, 0.2)'
    """
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity:g})"
