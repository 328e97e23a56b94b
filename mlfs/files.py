"""Files that are written whole or not at all: who reads one, or is interrupted, never meets half of it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

#: How the folders begin in which files are written that are not finished; a kill may leave one behind.
UNFINISHED = ".writing-"


@contextmanager
def replacing(folder: Path) -> Iterator[Path]:
    """A place for files; when all are written they go into the folder, each in the place of the one of its name."""
    # In the same folder, hence on the same file system: only there is a rename atomic.
    with tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=folder) as place:
        yield Path(place)
        for file in sorted(Path(place).iterdir()):
            os.replace(file, folder / file.name)


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file in the place of the one before; an OSError names it, whatever went wrong."""
    data = content if isinstance(content, bytes) else content.encode("utf-8")
    try:
        if path.exists() and not path.is_file():  # a pipe or a terminal, which nothing takes the place of
            path.write_bytes(data)
            return
        target = path.resolve()  # where it is a link, the link stays
        with replacing(target.parent) as place:
            (place / target.name).write_bytes(data)
    except OSError as problem:
        raise OSError(problem.errno, problem.strerror or str(problem), str(path)) from problem
