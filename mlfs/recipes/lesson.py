"""Learn again: the numbers that stand on the board for one topic."""

from __future__ import annotations

import shlex

from mlfs.recipes.writing import Recipe


def lesson(names: str, lines: str) -> Recipe:
    """The lines of LaTeX, printed. A toy is no work for `mlfs` itself, so the command calls Python.

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
    return Recipe(python, shlex.join(["python", "-c", program]))
