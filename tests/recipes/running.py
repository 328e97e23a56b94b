"""Recipes run as they stand: the program by Python, the command by a shell that finds `mlfs`.

Either takes seconds to start, so most tests run both in their own process; one test of each kind starts the real ones.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import os
import shlex
import subprocess
import sys
from pathlib import Path

from mlfs.cli import main
from mlfs.datasets import Dataset, write_dataset

ROOT = Path(__file__).resolve().parents[2]


def run_python(text: str, folder: Path) -> str:
    """What the program prints."""
    printed = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(printed):
        exec(compile(text, "recipe", "exec"), {"__name__": "__main__"})
    return printed.getvalue()


def run_command(text: str, folder: Path) -> str:
    """What the commands print: of `mlfs`, one on each line, quoted as for a shell, or of `cat` with a file to write."""
    printed, lines = io.StringIO(), iter(text.splitlines())
    with contextlib.chdir(folder), contextlib.redirect_stdout(printed):
        for line in lines:
            caller, *words = shlex.split(line)
            if caller == "cat":
                arrow, name, end = words
                assert (arrow, end) == (">", "<<END")
                Path(name).write_text("\n".join(itertools.takewhile(lambda row: row != "END", lines)), encoding="utf-8")
            else:
                assert caller == "mlfs"
                assert main(words) == 0, line
    return printed.getvalue()


def start_python(text: str, folder: Path) -> str:
    """What the program prints in a Python of its own."""
    return _run([sys.executable, "-c", text], folder, os.environ["PATH"])


def start_shell(text: str, folder: Path) -> str:
    """What the commands print in a shell."""
    shim = folder / "bin" / "mlfs"
    shim.parent.mkdir(exist_ok=True)
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m mlfs "$@"\n', encoding="utf-8")
    shim.chmod(0o755)
    return _run(["sh", "-ec", text], folder, f"{shim.parent}{os.pathsep}{os.environ['PATH']}")


def put_csv(ds: Dataset, folder: Path, name: str = "your-file") -> None:
    """A file that does not tell its labels, where a recipe looks for it."""
    place = folder / "path" / "to"
    place.mkdir(parents=True, exist_ok=True)
    write_dataset(ds, folder / "mine.csv")
    (folder / "mine.csv").rename(place / name)


def _run(words: list[str], folder: Path, path: str) -> str:
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
