"""The wording that all readers share, so that every complaint names the file, the line and what to do."""

from __future__ import annotations

from mlfs.errors import DatasetError


def problem(file: str, line: int | None, sentence: str) -> DatasetError:
    """An error that starts with where it happened.

    >>> str(problem("a.csv", 3, "write numbers."))
    'a.csv, line 3: write numbers.'
    """
    place = file if line is None else f"{file}, line {line}"
    return DatasetError(f"{place}: {sentence}")


def show(text: str, width: int = 40) -> str:
    """Quote a piece of someone's file, shortened so that it fits into a sentence.

    >>> show("x" * 100, 8)
    "'xxxxxxx…'"
    """
    return repr(_shortened(text, width))


def listing(names: list[str], most: int = 5) -> str:
    """A few names and how many more there are.

    >>> listing(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    shown = ", ".join(_shortened(name, 40) for name in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def _shortened(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def count(number: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> count(1, "row"), count(1200, "row")
    ('1 row', '1,200 rows')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"
