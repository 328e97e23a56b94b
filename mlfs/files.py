"""Files that are written whole or not at all: who reads one, or is interrupted, never meets half of it."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# How the places of half-done work begin.
UNFINISHED = ".mlfs-writing-"


@contextmanager
def replacing(folder: Path) -> Iterator[Path]:
    """A place for files; when all are written they go into the folder, each in the place of the one of its name."""
    # In the same folder, hence on the same file system: only there is a rename atomic.
    with unfinished(folder) as place:
        yield place
        files = sorted(place.iterdir())
        for file in files:
            _prepare_to_replace(folder / file.name, file)
        for file in files:
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


@contextmanager
def unfinished(folder: Path) -> Iterator[Path]:
    """A place in the folder for half-done work, gone afterwards; those that killed processes have left go before."""
    for left in folder.glob(f"{UNFINISHED}*"):
        with _locked(left) as is_ours:
            if is_ours:
                shutil.rmtree(left, ignore_errors=True)
    while True:
        place = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=folder))
        with _locked(place) as is_ours:
            # Another process that came between may have taken it for one that was left.
            if is_ours is False or not place.exists():
                continue
            try:
                yield place
            finally:
                shutil.rmtree(place, ignore_errors=True)
            return


@contextmanager
def _locked(place: Path) -> Iterator[bool | None]:
    """Whether nobody else writes there; a lock ends with its process, however it ends. None where no locks are."""
    try:
        import fcntl

        opened = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except ImportError:
        yield None
        return
    except OSError:
        yield False
        return
    try:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        except OSError:
            yield None
        else:
            yield True
    finally:
        os.close(opened)


def _prepare_to_replace(before: Path, after: Path) -> None:
    """Refuse what writing into the file would refuse; who may read it stays as it was."""
    if before.is_dir():
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR), str(before))
    if before.exists():
        if not os.access(before, os.W_OK):
            raise OSError(errno.EACCES, os.strerror(errno.EACCES), str(before))
        with contextlib.suppress(OSError):
            shutil.copymode(before, after)
