"""What a verb found: one document for programs, one text for people, and what both are made of.

Without pandas, whose import takes longer than most quick verbs.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mlfs.files import write_file
from mlfs.terminal import printable, text_table, width

if TYPE_CHECKING:
    import pandas as pd


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
        print(printable(problem), file=sys.stderr)


def written(path: Path, content: str | bytes) -> tuple[str, ...]:
    """Write a file that was asked for; a problem where that fails, so that what was computed is shown all the same."""
    try:
        write_file(path, content)
    except OSError as problem:
        return (f"{path} cannot be written ({problem.strerror}): check the folder, its room and your permissions.",)
    return ()


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


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a table, for JSON."""
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def failures(rows: pd.DataFrame) -> tuple[str, ...]:
    """A sentence for each method that failed on a data set, once for each reason."""
    failed = rows[rows["error"] != ""]
    return tuple(dict.fromkeys(f"{row.method} on {row.dataset}: {row.error}" for row in failed.itertuples()))


def table(header: Sequence[str], rows: Sequence[Sequence[str]], left: int = 1) -> str:
    """A table for a terminal, the first `left` columns flush left, the others flush right."""
    return text_table(header, rows, [place >= left for place in range(len(header))])


def facts(pairs: Sequence[tuple[str, str]]) -> str:
    """One fact a line, names and values aligned.

    >>> print(facts([("rows", "593"), ("cardinality", "1.87")]))
    rows         593
    cardinality  1.87
    """
    widest = max((width(name) for name, _ in pairs), default=0)
    return "\n".join(f"{name}{' ' * (widest - width(name))}  {printable(value)}".rstrip() for name, value in pairs)


def loss(value: float) -> str:
    """A loss or score with four decimals, as papers print it; a dash where there is none.

    >>> loss(0.21342), loss(float("nan"))
    ('0.2134', '–')
    """
    return f"{value:.4f}" if math.isfinite(value) else "–"


def figure(value: float) -> str:
    """A number of any magnitude with four digits.

    >>> figure(0.00123456), figure(12.0), figure(float("nan")), figure(float("inf"))
    ('0.001235', '12', '–', '∞')
    """
    return "–" if math.isnan(value) else f"{value:.4g}".replace("inf", "∞")


def notes(sentences: Sequence[str]) -> list[str]:
    """Remarks to stand under a table, as one paragraph; none where there are none.

    >>> notes(["Two rows are alike."]), notes([])
    (['note: Two rows are alike.'], [])
    """
    return ["\n".join(f"note: {printable(sentence)}" for sentence in sentences)] if sentences else []
