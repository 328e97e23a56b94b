"""Disks that are full or may not be written to, for whoever runs the tests; and files that are no store of theirs."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from mlfs.studies import Store

KIB = 1024


class Disk:
    """A disk of a mebibyte, as a superuser can make one."""

    def __init__(self, folder: Path) -> None:
        command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
        subprocess.run(command, check=True, capture_output=True)
        self.folder, self.filler = folder, folder / "filler"

    def fill(self, left: int = 0) -> None:
        """Leave only so many bytes."""
        with self.filler.open("wb", buffering=0) as file:
            with contextlib.suppress(OSError):
                while file.write(bytes(4 * KIB)):
                    pass
            file.truncate(max(self.filler.stat().st_size - left, 0))

    def fill_alone(self, left: int = 0) -> None:
        """The same, and files elsewhere have room."""
        self.fill(left)

    def free(self) -> None:
        self.filler.unlink()

    def protect(self) -> None:
        """Nothing may be written there any more."""
        subprocess.run(["mount", "-o", "remount,ro", str(self.folder)], check=True, capture_output=True)

    def close(self) -> None:
        subprocess.run(["umount", "--lazy", str(self.folder)], check=True)


class LimitedFolder(Disk):
    """The same for others: no file of this process may grow beyond what is left, and the folder has no rights."""

    def __init__(self, folder: Path) -> None:
        import resource

        self.folder, self._resource = folder, resource
        self._before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def fill(self, left: int = 0) -> None:
        # pytest's own files of what was printed need a little.
        self._resource.setrlimit(self._resource.RLIMIT_FSIZE, (max(left, 4 * KIB), self._before[1]))

    def fill_alone(self, left: int = 0) -> None:
        pytest.skip("limits are those of all files: only a superuser can make a small disk")

    def free(self) -> None:
        self._resource.setrlimit(self._resource.RLIMIT_FSIZE, self._before)

    def protect(self) -> None:
        for path in [*self.folder.rglob("*"), self.folder]:
            path.chmod(0o555 if path.is_dir() else 0o444)
        if os.access(self.folder, os.W_OK):
            pytest.skip("whoever may write everywhere, and mount nothing, has no folder that is protected")

    def close(self) -> None:
        self.free()
        self.folder.chmod(0o755)
        for path in self.folder.rglob("*"):
            path.chmod(0o755)


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[Disk]:
    """A disk of its own where that may be made, else the limits that everybody has."""
    folder.mkdir()
    try:
        disk: Disk = Disk(folder)
    except (OSError, subprocess.CalledProcessError):
        try:
            disk = LimitedFolder(folder)
        except ImportError:
            pytest.skip("this system has neither disks in memory nor limits of files")
    try:
        yield disk
    finally:
        disk.close()


# Files that are no store, and must stay as they are: how each is made, and what is said of it.


def _newer(path: Path) -> None:
    Store(path).close()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")


def _of_another_program(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE bookmarks (address TEXT)")


def _no_database(path: Path) -> None:
    path.write_text("Notes of somebody, in the wrong place.\n" * 100, encoding="utf-8")


NO_STORES = {
    "newer": (_newer, "was written by a newer mlfs: update mlfs, or name another file."),
    "of another program": (_of_another_program, "is a database, but not a store of studies: name another file."),
    "no database": (_no_database, "is not a database of mlfs, or is damaged: name another file."),
}
