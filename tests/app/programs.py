"""The recipes of a lesson or a step: two programs, the second inside a command."""

from __future__ import annotations

import contextlib
import io
import shlex

from streamlit.testing.v1 import AppTest


def printed_by_recipes(app: AppTest, name: str) -> list[list[str]]:
    """The lines that each of the two prints; `name` is for tracebacks."""
    python, command = (block.value for block in app.code)
    caller, option, program = shlex.split(command)
    assert (caller, option) == ("python", "-c")
    return [_printed(text, name) for text in (python, program)]


def _printed(program: str, name: str) -> list[str]:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(program, name, "exec"), {})
    return printed.getvalue().splitlines()
