"""The errors mlfs raises on purpose: each is one sentence that says what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class MlfsError(Exception):
    """Any problem mlfs foresees; its message is written for the person at the screen."""


class DatasetError(MlfsError, ValueError):
    """A data set cannot be read; the message names file, line and remedy."""


class ParameterError(MlfsError, ValueError):
    """A parameter is unknown or outside its declared range."""


class RankingError(MlfsError, ValueError):
    """A ranking from elsewhere cannot be read, or does not fit the data; the message says what to change."""


class StatisticsError(MlfsError, ValueError):
    """A table of results cannot be tested; the message names the cell, row or column and the remedy."""


class TooLargeError(MlfsError, ValueError):
    """A method would need more memory than it may take; the message says how much, and what to do instead."""


class StudyError(MlfsError, RuntimeError):
    """A study cannot be planned, run or kept; the message says what to change."""


class ExtensionError(MlfsError, ImportError):
    """A method, metric or classifier from outside cannot be taken in; the message says what to correct."""


class ExportError(MlfsError, RuntimeError):
    """A figure cannot become an image here; the message says what to install."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a hint such as ``"did you mean 'els'?"``, or the known words where none is near.

    >>> did_you_mean("grr", ["els", "grro"])
    "did you mean 'grro'?"
    >>> did_you_mean("zzz", ["els", "grro"])
    'choose from els, grro.'
    """
    known = list(known)
    near = difflib.get_close_matches(word, known, n=1) or difflib.get_close_matches(word.lower(), known, n=1)
    return f"did you mean {near[0]!r}?" if near else f"choose from {', '.join(known)}."
