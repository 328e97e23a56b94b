"""The SQLite file under a store: opened with care, every trouble told in a sentence."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mlfs.errors import StudyError

# "mlfs" in ASCII, so that another program's database is never taken for ours.
APPLICATION = 0x6D6C6673
VERSION = 4
# Another process may be writing; its transactions take milliseconds.
PATIENCE_SECONDS = 30

SCHEMA = """
CREATE TABLE cells (
    key TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    method TEXT NOT NULL,
    sizes TEXT NOT NULL,
    metrics TEXT NOT NULL,
    measured BLOB NOT NULL,
    ranking BLOB NOT NULL,
    n_selected INTEGER NOT NULL,
    seconds REAL,
    prepare_seconds REAL NOT NULL,
    wall_seconds REAL NOT NULL,
    error TEXT NOT NULL,
    again INTEGER NOT NULL,
    peak_bytes INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX cells_by_method ON cells (fingerprint, method);
CREATE TABLE studies (
    id INTEGER PRIMARY KEY,
    plan_id TEXT NOT NULL,
    plan TEXT NOT NULL,
    owner TEXT NOT NULL,
    created REAL NOT NULL,
    heartbeat REAL NOT NULL DEFAULT 0,
    stop INTEGER NOT NULL DEFAULT 0,
    asker TEXT NOT NULL DEFAULT '',
    listed INTEGER NOT NULL DEFAULT 1,
    removed INTEGER NOT NULL DEFAULT 0,
    held REAL NOT NULL DEFAULT 0,
    UNIQUE (plan_id, owner)
);
CREATE TABLE study_cells (
    study INTEGER NOT NULL REFERENCES studies (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    key TEXT NOT NULL,
    dataset TEXT NOT NULL,
    method TEXT NOT NULL,
    parameters TEXT NOT NULL,
    repeat INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    PRIMARY KEY (study, position)
) WITHOUT ROWID;
"""


# What makes a file of each earlier version one of the next.
CHANGES = {
    1: "ALTER TABLE cells ADD COLUMN peak_bytes INTEGER NOT NULL DEFAULT 0;",
    2: """
ALTER TABLE studies ADD COLUMN asker TEXT NOT NULL DEFAULT '';
ALTER TABLE studies ADD COLUMN listed INTEGER NOT NULL DEFAULT 1;
ALTER TABLE studies ADD COLUMN removed INTEGER NOT NULL DEFAULT 0;
""",
    3: "ALTER TABLE studies ADD COLUMN held REAL NOT NULL DEFAULT 0;",
}


class Database:
    """One connection, used by one thread at a time; other processes may have their own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        with self._in_sentences():
            self._connection = sqlite3.connect(
                path, timeout=PATIENCE_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._open()

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it, or nothing."""
        with self._lock, self._in_sentences():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._in_sentences():
            yield self._connection

    def wipe(self) -> None:
        """Take what was deleted out of the log beside the file too, as far as other readers allow."""
        with self._lock, self._in_sentences():
            self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _open(self) -> None:
        run = self._connection.execute
        version, application = (run(f"PRAGMA {name}").fetchone()[0] for name in ("user_version", "application_id"))
        known = run("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if known and application != APPLICATION:
            raise StudyError(f"{self.path} is a database, but not a store of studies: name another file.")
        if version > VERSION:
            raise StudyError(f"{self.path} was written by a newer mlfs: update mlfs, or name another file.")
        # Readers and one writer do not wait for each other; after a kill the log is simply read again.
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = NORMAL")
        run("PRAGMA foreign_keys = ON")
        # Deleted means gone: names and results of an upload must not be left in unused parts of the file.
        run("PRAGMA secure_delete = ON")
        if version < VERSION:
            self._bring_up_to_date()

    def _bring_up_to_date(self) -> None:
        """Make the tables, or change those of an earlier version."""
        with self.write() as connection:
            # Another process may have been first.
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            steps = [CHANGES[step] for step in range(version, VERSION)] if version else [SCHEMA]
            for statement in filter(str.strip, ";".join(steps).split(";")):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {VERSION}")

    @contextmanager
    def _in_sentences(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as problem:
            raise StudyError(_sentence(self.path, problem)) from problem


def _sentence(path: Path, problem: sqlite3.Error) -> str:
    text = str(problem).lower()
    if "full" in text:
        return f"The disk is full, so results cannot be kept in {path}: free some space and run the study again."
    if "unable to open" in text or "readonly" in text or "read-only" in text:
        return f"{path} cannot be opened for writing: check that its folder exists and may be written to."
    if "not a database" in text or "malformed" in text:
        return f"{path} is not a database of mlfs, or is damaged: name another file."
    if "disk i/o" in text:
        return f"{path} cannot be read or written, because its disk is full or failing: free some space and try again."
    if "locked" in text or "busy" in text:
        return f"{path} is in use by another program: close it and try again."
    return f"{path} cannot be used: {problem}."
