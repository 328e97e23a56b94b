"""Learn again: the numbers on the board for one topic, or one step of a tour.

A toy is no work for `mlfs` itself, so the commands call Python.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from mlfs.checks import checked
from mlfs.recipes.writing import Recipe


@checked
def lesson(names: str, lines: str) -> Recipe:
    """The lines of LaTeX, printed.

    Parameters
    ----------
    names : what to import from mlfs.learn
    lines : the expression that makes the lines

    >>> print(lesson("Table", "Table(1, 1, 0, 2).worked()").python)
    from mlfs.learn import Table
    <BLANKLINE>
    for line in Table(1, 1, 0, 2).worked():
        print(line)
    <BLANKLINE>
    """
    python = f"from mlfs.learn import {names}\n\nfor line in {lines}:\n    print(line)\n"
    program = f"from mlfs.learn import {names}; print(*{lines}, sep=chr(10))"
    return Recipe(python, _python_command(program))


@checked
def tour_step(paper: str, step: int, data: str | None, settings: Mapping[str, Any]) -> Recipe:
    """The step's sentence and the description of its figure, printed.

    Parameters
    ----------
    data : the bundled set, or None for a toy
    settings : the step's knobs by name

    >>> print(tour_step("sechidis_2014", 2, None, {"copied": 50}).python)
    from mlfs.papers.tour import take_step
    from mlfs.plots import alt_text
    <BLANKLINE>
    view = take_step('sechidis_2014', 2, copied=50)
    print(view.sentence)
    print(alt_text(view.figure))  # view.figure.show() draws it
    <BLANKLINE>
    """
    words = [repr(paper), str(step), *([] if data is None else [repr(data)])]
    words += [f"{name}={value!r}" for name, value in settings.items()]
    call = f"take_step({', '.join(words)})"
    python = f"""\
from mlfs.papers.tour import take_step
from mlfs.plots import alt_text

view = {call}
print(view.sentence)
print(alt_text(view.figure))  # view.figure.show() draws it
"""
    program = (
        "from mlfs.papers.tour import take_step; from mlfs.plots import alt_text; "
        f"view = {call}; print(view.sentence, alt_text(view.figure), sep=chr(10))"
    )
    return Recipe(python, _python_command(program))


def _python_command(program: str) -> str:
    return shlex.join(["python", "-c", program])
