"""What the tests of the command line share: running a command in this process, and what every answer must keep to."""

from __future__ import annotations

import json
import shlex
from typing import Any

from mlfs.cli import main


class Terminal:
    """Runs commands and keeps what they print."""

    def __init__(self, capsys: Any) -> None:
        self.capsys = capsys

    def run(self, command: str, code: int = 0) -> str:
        """The standard output of a command that must end with this exit code."""
        return self.both(command, code)[0]

    def json(self, command: str) -> Any:
        """The document of a command, with ``--json`` added."""
        return json.loads(self.run(f"{command} --json"), parse_constant=_no_constant)

    def complaint(self, command: str, code: int = 2) -> str:
        """The sentence with which a command fails: one line, on the standard error, and nothing else anywhere."""
        out, err = self.both(command, code)
        assert out == ""
        assert err.endswith((".\n", "?\n"))
        assert err.count("\n") == 1
        return err.strip()

    def both(self, command: str, code: int) -> tuple[str, str]:
        self.capsys.readouterr()
        exit_code = main(shlex.split(command))
        out, err = self.capsys.readouterr()
        assert exit_code == code, f"mlfs {command} ended with {exit_code}: {err}"
        assert "Traceback" not in err
        return out, err


def _no_constant(word: str) -> None:
    raise AssertionError(f"{word} is not JSON")
