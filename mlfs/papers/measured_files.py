"""What kept runs of results and of questions share: the versions that ran, and files written whole or not at all."""

from __future__ import annotations

import os
import platform
import tempfile
from importlib.metadata import version
from pathlib import Path

from mlfs import __version__
from mlfs.errors import DatasetError


def versions() -> dict[str, str]:
    """Of what the numbers depend on, by name."""
    return {
        "mlfs": __version__,
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "scikit-learn": version("scikit-learn"),
    }


def write(path: Path, text: str) -> None:
    """Put a file into the place of the one before; who reads, or is interrupted, never meets half of it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # In the same folder, hence on the same file system: only there is a rename atomic.
        with tempfile.TemporaryDirectory(prefix=".writing-", dir=path.parent) as workshop:
            written = Path(workshop) / path.name
            written.write_text(text, encoding="utf-8", newline="\n")
            os.replace(written, path)
    except OSError:
        raise _cannot_write(path) from None


def check_writable(folder: Path) -> None:
    """Find out before a long run, not after it, that nothing could be kept."""
    nearest = next(path for path in (folder, *folder.absolute().parents) if path.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        raise _cannot_write(folder)


def _cannot_write(path: Path) -> DatasetError:
    return DatasetError(f"{path} cannot be written: give a folder that may be written to and has room.")
