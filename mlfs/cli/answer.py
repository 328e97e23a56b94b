"""What a verb found: one document for programs, one text for people, and what went wrong on the way."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Answer:
    """The result of a verb.

    Attributes
    ----------
    document : numbers, words, lists and mappings, for ``--json``
    text : the same for people
    problems : sentences about parts that failed; with any, the command ends with exit code 1
    """

    document: Any
    text: str
    problems: tuple[str, ...] = ()


def show(answer: Answer, as_json: bool) -> None:
    """Print the answer: results on the standard output, problems on the standard error."""
    print(to_json(answer.document) if as_json else answer.text.rstrip("\n"), flush=True)
    for problem in answer.problems:
        print(problem, file=sys.stderr)


def to_json(document: Any) -> str:
    """One JSON document in full precision; null where a number is not finite, which JSON cannot write.

    >>> to_json({"F": float("inf"), "loss": 0.1 + 0.2})
    '{\\n  "F": null,\\n  "loss": 0.30000000000000004\\n}'
    """
    return json.dumps(plain(document), indent=2, allow_nan=False)


def plain(value: Any) -> Any:
    """The same value in the types JSON knows; NumPy's numbers and arrays become Python's."""
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return str(value)
