"""A method keeps its colour, dash, marker and short name on every figure; labels and data sets keep their colour.

There are more methods than colours that readers with any colour vision tell apart. Up to six methods of a figure have a
colour each: of two that share their home colour, the one with the earlier place keeps it, and the other takes a colour
that nobody else of the figure has. Beyond six, the dash of the line and the symbol of the marker tell those of one
colour apart. What a method looks like depends on which methods are shown, not on their order, so that all figures of
the same methods agree.
"""

from __future__ import annotations

import zlib
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from mlfs.checks import checked
from mlfs.plots.figure import NEUTRAL, PALETTE
from mlfs.results import setting_title

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "star")
# For methods only, of which there are more: names that are no method keep to the six above, as ever.
MORE_DASHES = (*DASHES, "2px,2px", "12px,3px,3px,3px,3px,3px", "18px,6px")
MORE_SYMBOLS = (*SYMBOLS, "x", "hexagon", "triangle-down")
COLOURS = PALETTE

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


@checked
def style_of(method: Hashable) -> Style:
    """The look of one method; a name that is no method of the registry has a look of its own too, always the same.

    >>> style_of("els")
    Style(name='ELS', colour='#0072B2', dash='solid', symbol='circle')
    >>> style_of("my method") == style_of("my method")
    True
    """
    return styles_of([method])[method]


@checked
def styles_of(methods: Iterable[Hashable]) -> dict[Hashable, Style]:
    """The looks of the methods of one figure: no two alike, and up to six in a colour of its own each.

    >>> shown = styles_of(["mdmr", "els"])  # both have the home colour of ELS
    >>> shown["els"].colour, shown["mdmr"].colour, style_of("mdmr").colour
    ('#0072B2', '#D55E00', '#0072B2')
    """
    methods = list(dict.fromkeys(methods))
    homes = {method: _home(method) for method in methods}
    waiting = sorted(methods, key=lambda method: homes[method].rank)
    looks: dict[Hashable, tuple[str, str, str]] = {}
    for method in [method for method in waiting if homes[method].colour == NEUTRAL]:
        looks[method] = homes[method].look(NEUTRAL, looks.values())
    waiting = [method for method in waiting if method not in looks]
    while waiting:
        # In each round a colour is given once: first to those whose home it is, then to those who found theirs taken.
        free = list(COLOURS)
        for at_home in (True, False):
            for method in waiting:
                home = homes[method]
                if free and method not in looks and (not at_home or home.colour in free):
                    colour = min(free, key=home.distance)
                    free.remove(colour)
                    looks[method] = home.look(colour, looks.values())
        waiting = [method for method in waiting if method not in looks]
    return {method: Style(setting_title(method), *looks[method]) for method in methods}


@dataclass(frozen=True)
class _Home:
    """The colour a name has where it is alone, and the place that gives its dash and symbol; lower ranks keep theirs.

    >>> _Home((0, 0, 1), "#D55E00", 0).distance("#D55E00")
    0
    """

    rank: tuple[Any, ...]
    colour: str
    place: int

    def distance(self, colour: str) -> int:
        return (COLOURS.index(colour) - COLOURS.index(self.colour)) % len(COLOURS)

    def look(self, colour: str, taken: Iterable[tuple[str, str, str]]) -> tuple[str, str, str]:
        """Colour, dash and symbol: those of the place, or the next that no other name of this colour has."""
        lines, looks = {look[:2] for look in taken}, set(taken)
        number = len(MORE_DASHES)
        shifted = [
            (colour, MORE_DASHES[place % number], MORE_SYMBOLS[(place + place // number) % number])
            for place in range(self.place, self.place + number * number)
        ]
        unlike = [look for look in shifted if look not in looks]
        return next((look for look in unlike if look[:2] not in lines), next(iter(unlike), shifted[0]))


def _home(method: Hashable) -> _Home:
    places = _places()
    if method in places:
        return places[method]
    base, sign, _ = str(method).partition(":")
    if sign and base in places:  # a setting of a method, beside which it stands back
        return _Home((1, *places[base].rank, str(method)), places[base].colour, places[base].place)
    # Not hash(), which changes from one start of Python to the next.
    number = zlib.crc32(str(method).encode()) % (len(COLOURS) * len(DASHES))
    return _Home((2, number, str(method)), COLOURS[number % len(COLOURS)], number // len(COLOURS))


@cache
def _places() -> dict[Hashable, _Home]:
    homes: dict[Hashable, _Home] = {
        method: _Home((0, place, column), colour, place)
        for column, (colour, methods) in enumerate(PLACES.items())
        for place, method in enumerate(methods)
    }
    # What every method must beat stays in the background.
    return {**homes, "all_features": _Home((0, -1), NEUTRAL, 1), "random": _Home((0, -1), NEUTRAL, 2)}


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
