"""When a file is refused: how large a data set may be, and the wording that all formats share.

A mistake or a bomb meets a sentence before it meets the memory, and every complaint names the file, the line and what
to do.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

from mlfs.errors import DatasetError
from mlfs.terminal import printable


@dataclass(frozen=True)
class Limits:
    """Sizes beyond which a file is refused; each is checked before the memory is used.

    Parameters
    ----------
    max_bytes : int
        Of one file, uncompressed; for a zip also of all the data files in it together.
    max_rows, max_features, max_labels : int
    max_cells : int
        Rows × columns of a dense file, stored values of a sparse one, and rows × labels.
    max_line_length : int
        Characters in one line.
    """

    max_bytes: int = 2 * 1024**3
    max_rows: int = 5_000_000
    max_features: int = 1_000_000
    max_labels: int = 100_000
    max_cells: int = 100_000_000
    max_line_length: int = 32 * 1024**2

    @property
    def max_lines(self) -> int:
        """Lines that a file of this size can need, with as many again for comments and blank lines."""
        return 2 * (self.max_rows + self.max_features + self.max_labels)


DEFAULT_LIMITS = Limits()

#: What is in memory already may be read again, however large.
NO_LIMITS = Limits(**dict.fromkeys(Limits.__dataclass_fields__, 2**62))


class RowError(Exception):
    """A row cannot be taken; the message says why, and the parser adds file and line."""


def file_error(file: str, line: int | None, sentence: str, unit: str = "line") -> DatasetError:
    """An error that starts with where it happened; a file without lines has rows. It is one line, whatever is named.

    >>> str(file_error("a.csv", 3, "write numbers."))
    'a.csv, line 3: write numbers.'
    """
    place = file if line is None else f"{file}, {unit} {line}"
    return DatasetError(printable(f"{place}: {sentence}"))


def shown_file(name: str, width: int = 80) -> str:
    r"""The name of someone's file in a sentence: in one line, its beginning and its suffix.

    >>> shown_file("a\nb.csv"), shown_file("x" * 100 + ".csv", 12)
    ('a\\nb.csv', 'xxx…xxxx.csv')
    """
    name = printable(name)
    return name if len(name) <= width else f"{name[: width // 3 - 1]}…{name[-(width - width // 3) :]}"


def optional_library(module: str, file: str, what: str) -> Any:
    """Import what only some formats need; a sentence with the command that installs it where it is missing."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise file_error(
            file, None, f"{what} is read with {package}, which is missing; pip install {package}."
        ) from error


def excerpt(text: str, width: int = 40) -> str:
    """Quote a piece of someone's file, shortened so that it fits into a sentence.

    >>> excerpt("x" * 100, 8)
    "'xxxxxxx…'"
    """
    return repr(shortened(text, width))


def listing(names: list[str], most: int = 5) -> str:
    """A few names and how many more there are.

    >>> listing(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    shown = ", ".join(shortened(printable(name), 40) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def shortened(text: str, width: int) -> str:
    """The beginning of a text, where it is longer than a sentence can hold.

    >>> shortened("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= width else text[: width - 1] + "…"


def count(number: int, noun: str) -> str:
    """A number with its noun.

    >>> count(1, "row"), count(1200, "row")
    ('1 row', '1,200 rows')
    """
    return f"{number:,} {noun if number == 1 else noun + 's'}"
