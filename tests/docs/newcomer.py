"""A copy of the project, in which a newcomer does what a page of the documentation says."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.docs.pages import ROOT, Block
from tests.prepared_python import PreparedPython
from tests.waiting import GUARD

TAKEN = ("app.py", "pyproject.toml", "requirements.txt", "README.md", "LICENSE", "pages", "mlfs", "data", "tests")
# Where mlfs is not installed, its command is made; and "python" is the one that runs the tests.
SHIMS = {"mlfs": ["-m", "mlfs"], "python": []}


def _half_written(folder: str, names: list[str]) -> set[str]:
    """What is compiled already is taken along, for it takes long to make again, but not what another is writing."""
    whole = (".pyc", ".nbi", ".nbc")
    return {name for name in names if Path(folder).name == "__pycache__" and not name.endswith(whole)}


class Newcomer:
    """Writes files, runs programs and commands, all in a copy of the project."""

    def __init__(self, folder: Path, python: PreparedPython) -> None:
        self.folder = folder
        self._python = python
        for name in TAKEN:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, folder / name, ignore=_half_written)
            else:
                shutil.copy2(ROOT / name, folder / name)
        self._shims = folder / "bin"
        self._shims.mkdir()
        for name, words in SHIMS.items():
            command = shlex.join(python.words(*words))
            (self._shims / name).write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
            (self._shims / name).chmod(0o755)

    def write(self, block: Block) -> None:
        """Save a block under the name that the page gives it."""
        assert block.file is not None
        path = self.folder / block.file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")

    def follow(self, page: Sequence[Block]) -> Newcomer:
        """Save every file that a page gives a name."""
        for block in page:
            if block.file:
                self.write(block)
        return self

    def shell(self, text: str) -> str:
        """What the commands print; all of them must succeed."""
        return self._run(["sh", "-ec", text])

    def session(self, *blocks: Block, then: str = "") -> str:
        """What blocks print that are run one after another in one shell, and then one more command."""
        parts = [f"python - <<'END'\n{b.text}END\n" if b.language == "python" else b.text for b in blocks]
        return self.shell("\n".join([*parts, then]))

    def python(self, text: str, **variables: str) -> str:
        """What the program prints."""
        return self._run(self._python.words("-c", text), **variables)

    def replace(self, file: str, old: str, new: str) -> None:
        """Edit a file of the project, as a page says in words."""
        path = self.folder / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, f"{file} has {old!r} {text.count(old)} times"
        path.write_text(text.replace(old, new), encoding="utf-8")

    def insert_after(self, file: str, pattern: str, text: str) -> None:
        """Add lines to a file of the project below the one place that the pattern matches."""
        path = self.folder / file
        content = path.read_text(encoding="utf-8")
        [place] = re.finditer(pattern, content)
        path.write_text(content[: place.end()] + text + content[place.end() :], encoding="utf-8")

    def _run(self, words: list[str], **variables: str) -> str:
        environment = {
            key: value for key, value in os.environ.items() if not key.startswith(("MLFS_", "PYTHON", "PYTEST"))
        }
        environment |= {
            "PATH": f"{self._shims}{os.pathsep}{os.environ['PATH']}",
            "MLFS_CACHE": str(self.folder / "cache"),
            "OMP_NUM_THREADS": "1",
            **variables,
        }
        done = subprocess.run(
            words, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=GUARD, check=False
        )
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        return done.stdout
