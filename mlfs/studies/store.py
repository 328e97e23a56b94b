"""Where results are kept: one SQLite file, written cell by cell, shared by studies and by processes."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from mlfs.errors import StudyError
from mlfs.evaluation.cell_result import COLUMNS, CellResult, results_table
from mlfs.files import write_file
from mlfs.spreadsheet import csv_text
from mlfs.studies.cell import Cell
from mlfs.studies.database import Database
from mlfs.studies.plan import Plan

RESULT_COLUMNS = [*COLUMNS, "seed", "n_selected"]
# A run tells every second that it is alive; one silent for this long is taken for dead.
SILENT_SECONDS = 10.0
# A server tells every few seconds that the owners of studies may still come back; it may be slow when it is busy.
HELD_SECONDS = 60.0


@dataclass(frozen=True)
class Study:
    """A study of the store.

    Attributes
    ----------
    state : "done", "running" (here or in another process), "cancelled" or "interrupted"
    cells, done, failed : how many there are, have a result, and have a reason instead of one
    asker : who asked for it first, where that is known: theirs to remove
    """

    id: int
    plan: Plan
    owner: str | None
    created: float
    cells: int
    done: int
    failed: int
    state: str
    asker: str | None = None

    def may_delete(self, asker: str) -> bool:
        """Whether this is who asked for it first, or nobody knows who did: it came from the command line."""
        return self.asker in (None, asker)


def study_number(word: str) -> int | None:
    """The id of a study that a word of a link or a command may be; None where it is no number.

    >>> study_number("12"), study_number("²"), study_number("9" * 5000)
    (12, None, None)
    """
    return int(word) if re.fullmatch("[0-9]{1,18}", word) else None


class Store:
    """Cells and studies in one file. Safe for threads and for several processes.

    Parameters
    ----------
    path : made where it is not there
    clock : seconds since the epoch
    """

    def __init__(self, path: str | Path, clock: Callable[[], float] = time.time) -> None:
        self.path = Path(path)
        self._clock = clock
        self._opened = clock()
        self._database = Database(self.path)

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    # cells

    def put(self, result: CellResult) -> None:
        """Keep a cell's result, in one transaction; a failure never replaces a result."""
        row = (
            result.key,
            result.fingerprint,
            result.method,
            json.dumps(list(result.sizes)),
            json.dumps(list(result.metrics)),
            np.asarray(result.values, dtype="<f8").tobytes(),
            np.asarray(result.ranking, dtype="<i4").tobytes(),
            result.n_selected,
            result.seconds,
            result.prepare_seconds,
            result.wall_seconds,
            result.error,
            int(result.again),
            result.peak_bytes,
        )
        kept = "" if result.error == "" else " WHERE cells.error != ''"
        with self._database.write() as connection:
            connection.execute(
                f"INSERT INTO cells VALUES ({', '.join('?' * len(row))}) ON CONFLICT (key) DO UPDATE SET "
                + ", ".join(f"{name} = excluded.{name}" for name in _CELL[1:])
                + kept,
                row,
            )

    def finished(self, keys: Iterable[str]) -> set[str]:
        """Those of the keys that need no computing: they have a result, or have failed by their own doing."""
        return {key for key, again in self._select(("key", "again"), keys) if not again}

    def errors(self, keys: Iterable[str]) -> dict[str, str]:
        """Key → reason, of those that gave nothing."""
        return {key: error for key, error in self._select(("key", "error"), keys) if error}

    def cell_results(self, cells: Iterable[Cell]) -> dict[str, CellResult]:
        """Key → result, of those that there are, failed ones included."""
        return {row[0]: _result(row) for row in self._select(_CELL, {cell.key for cell in cells})}

    def total_seconds(self, cells: Iterable[Cell]) -> float:
        """What these cells took together, those that there are."""
        return sum(seconds for _, seconds in self._select(("key", "wall_seconds"), {cell.key for cell in cells}))

    def past_seconds(self, fingerprint: str, method: str) -> tuple[float, float] | None:
        """Median seconds of the preparation and of a cell after it, from past cells of a method on a data set."""
        with self._database.read() as connection:
            rows = connection.execute(
                "SELECT prepare_seconds, wall_seconds FROM cells WHERE fingerprint = ? AND method = ? AND error = ''",
                (fingerprint, method),
            ).fetchall()
        return tuple(np.median(rows, axis=0)) if rows else None

    # studies

    def note_cells(
        self,
        plan: Plan,
        cells: Iterable[Cell],
        owner: str | None = None,
        asker: str | None = None,
        listed: bool = True,
    ) -> int:
        """Note a study and its cells; the same plan of the same owner is the same study. Returns its id.

        Parameters
        ----------
        asker : who asks for it; of a study that is there already and was not removed, the first one counts
        listed : whether `studies` tells of it; else it is found by its number alone, until somebody lists it
        """
        with self._database.write() as connection:
            connection.execute(
                "INSERT INTO studies (plan_id, plan, owner, created, asker, listed) VALUES (?, ?, ?, ?, ?, ?) "
                "ON CONFLICT (plan_id, owner) DO UPDATE SET removed = 0, listed = max(listed, excluded.listed), "
                "asker = CASE WHEN removed THEN excluded.asker ELSE asker END",
                (plan.id, json.dumps(plan.to_dict()), owner or "", self._clock(), asker or "", int(listed)),
            )
            study = self._find(connection, plan, owner)
            connection.execute("DELETE FROM study_cells WHERE study = ?", (study,))
            connection.executemany(
                "INSERT INTO study_cells VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    (study, i, c.key, c.dataset, c.method, _json(c.parameters), c.repeat, c.seed)
                    for i, c in enumerate(cells)
                ),
            )
        return study

    def studies(self, owner: str | None = None) -> list[Study]:
        """The studies of everybody, and those of the owner; the newest last."""
        with self._database.read() as connection:
            rows = connection.execute(_STUDIES, (owner or "",)).fetchall()
        return [self._study(row) for row in rows]

    def study(self, study: int) -> Study:
        """One study by its id."""
        row = None
        if -_LARGEST_NUMBER <= study <= _LARGEST_NUMBER:
            with self._database.read() as connection:
                row = connection.execute(_ONE_STUDY, (study,)).fetchone()
        if row is None:
            raise StudyError(f"There is no study {study} in {self.path}.")
        return self._study(row)

    def remove_study(self, study: int) -> None:
        """Remove a study. Its cells stay, for other studies may share them; those of an owner's own data are erased.

        A number is never given twice, so that a link to a study that is gone shows no other one.
        """
        self._remove("id = ?", (study,))

    def restore_study(self, study: int) -> None:
        """Bring back a study that was removed, unless it was of an owner's own data."""
        with self._database.write() as connection:
            connection.execute("UPDATE studies SET removed = 0 WHERE id = ? AND plan != ''", (study,))

    def remove_owned(self) -> None:
        """Forget the studies of owners from before this store was opened: their sessions, and their data, are gone.

        One that runs, or that is held, is somebody's in another process.
        """
        now = self._clock()
        which = "owner != '' AND created < ? AND heartbeat < ? AND held < ?"
        self._remove(which, (self._opened, now - SILENT_SECONDS, now - HELD_SECONDS))

    def hold(self, studies: Iterable[int]) -> None:
        """The owners of these studies may still come back: for a while, no other process forgets them."""
        self._note_held(studies, self._clock())

    def let_go(self, studies: Iterable[int]) -> None:
        """Nobody comes back to these."""
        self._note_held(studies, 0.0)

    def _note_held(self, studies: Iterable[int], when: float) -> None:
        if not (studies := list(studies)):
            return
        with self._database.write() as connection:
            connection.executemany("UPDATE studies SET held = ? WHERE id = ?", [(when, study) for study in studies])

    def remove_unused(self, cells: Iterable[Cell]) -> None:
        """Forget the results of those cells that no study has."""
        with self._database.write() as connection:
            _remove_unused(connection, {cell.key for cell in cells})
        self._database.wipe()

    def _remove(self, which: str, values: tuple[Any, ...]) -> None:
        owned = f"SELECT id FROM studies WHERE owner != '' AND {which}"
        with self._database.write() as connection:
            keys = {
                key for (key,) in connection.execute(f"SELECT key FROM study_cells WHERE study IN ({owned})", values)
            }
            connection.execute(f"DELETE FROM study_cells WHERE study IN ({owned})", values)
            connection.execute(f"UPDATE studies SET removed = 1 WHERE {which}", values)
            # Of an owner's own nothing is left but the number.
            connection.execute(
                f"UPDATE studies SET plan_id = 'removed ' || id, plan = '', owner = '', asker = '' "
                f"WHERE owner != '' AND {which}",
                values,
            )
            _remove_unused(connection, keys)
        if keys:
            self._database.wipe()

    def begin(self, study: int) -> None:
        """A run of the study begins: an old wish to stop it is forgotten."""
        with self._database.write() as connection:
            connection.execute("UPDATE studies SET stop = 0, heartbeat = ? WHERE id = ?", (self._clock(), study))

    def beat(self, study: int) -> bool:
        """The run of the study is alive; whether somebody, in whatever process, wishes it to stop."""
        with self._database.write() as connection:
            connection.execute("UPDATE studies SET heartbeat = ? WHERE id = ?", (self._clock(), study))
            row = connection.execute("SELECT stop FROM studies WHERE id = ?", (study,)).fetchone()
        return row is None or bool(row[0])

    def end(self, study: int) -> None:
        """The run of the study has ended."""
        with self._database.write() as connection:
            connection.execute("UPDATE studies SET heartbeat = 0 WHERE id = ?", (study,))

    def cancel(self, study: int) -> None:
        """Ask the run of a study to stop, in whatever process it is."""
        self.study(study)
        with self._database.write() as connection:
            connection.execute("UPDATE studies SET stop = 1 WHERE id = ?", (study,))

    # tables

    def results(self, study: int | Plan | Sequence[Cell], owner: str | None = None) -> pd.DataFrame:
        """What is there of a study, by its id, plan or cells: one row per cell, size and metric, in the plan's order.

        The columns are those of `compare`, then seed and n_selected. A cell that failed has one row with its reason.
        """
        return results_table(self._joined(study, owner), RESULT_COLUMNS)

    def rankings(self, study: int | Plan | Sequence[Cell], owner: str | None = None) -> pd.DataFrame:
        """One row per cell with a result: dataset, method, parameters, repeat, seed, n_selected and ranking."""
        rows = [
            {**about, "n_selected": result.n_selected, "ranking": result.ranking}
            for about, result in self._joined(study, owner)
            if not result.error
        ]
        return pd.DataFrame(rows, columns=[*_ABOUT, "n_selected", "ranking"])

    def export_csv(self, study: int | Plan, path: str | Path, owner: str | None = None) -> Path:
        """Write the results of a study as CSV, numbers in full; no name in it is a formula to a spreadsheet."""
        table = self.results(study, owner)
        return _written(Path(path), csv_text(table).encode())

    def export_parquet(self, study: int | Plan, path: str | Path, owner: str | None = None) -> Path:
        """Write the results of a study as Parquet."""
        if find_spec("pyarrow") is None:  # Streamlit brings it, but the library alone does not need it
            raise StudyError("Parquet needs the package pyarrow: install it, or export as CSV.")
        table = self.results(study, owner)
        return _written(Path(path), table.to_parquet(index=False, engine="pyarrow"))

    def _joined(
        self, study: int | Plan | Sequence[Cell], owner: str | None
    ) -> Iterator[tuple[dict[str, Any], CellResult]]:
        if not isinstance(study, int | Plan):
            yield from self._of_cells(study)
            return
        with self._database.read() as connection:
            number = self._find(connection, study, owner) if isinstance(study, Plan) else self.study(study).id
            rows = connection.execute(_RESULTS, (number,)).fetchall()
        for row in rows:
            yield dict(zip(_ABOUT, row, strict=False)), _result(row[len(_ABOUT) :])

    def _of_cells(self, cells: Sequence[Cell]) -> Iterator[tuple[dict[str, Any], CellResult]]:
        """The same for cells that need not be those of a study that was noted."""
        results = self.cell_results(cells)
        for cell in cells:
            if cell.key in results:
                about = (cell.dataset, cell.method, _json(cell.parameters), cell.repeat, cell.seed)
                yield dict(zip(_ABOUT, about, strict=True)), results[cell.key]

    def _select(self, columns: Sequence[str], keys: Iterable[str]) -> Iterator[tuple[Any, ...]]:
        """These columns of the cells with these keys."""
        for batch in _batches(list(keys)):
            marks = ", ".join("?" * len(batch))
            with self._database.read() as connection:
                yield from connection.execute(f"SELECT {', '.join(columns)} FROM cells WHERE key IN ({marks})", batch)

    def _find(self, connection: Any, plan: Plan, owner: str | None) -> int:
        row = connection.execute(
            "SELECT id FROM studies WHERE plan_id = ? AND owner = ? AND NOT removed", (plan.id, owner or "")
        ).fetchone()
        if row is None:
            raise StudyError(f"The study {plan.name!r} is not in {self.path}: run it first.")
        return int(row[0])

    def _study(self, row: tuple[Any, ...]) -> Study:
        number, plan, owner, created, heartbeat, stop, asker, cells, done, failed = row
        if done == cells:
            state = "done"
        elif heartbeat > self._clock() - SILENT_SECONDS:
            state = "running"
        else:
            state = "cancelled" if stop else "interrupted"
        counts = (cells, done, failed)
        return Study(number, Plan.from_dict(json.loads(plan)), owner or None, created, *counts, state, asker or None)


_CELL = (
    "key",
    "fingerprint",
    "method",
    "sizes",
    "metrics",
    "measured",
    "ranking",
    "n_selected",
    "seconds",
    "prepare_seconds",
    "wall_seconds",
    "error",
    "again",
    "peak_bytes",
)
_ABOUT = ("dataset", "method", "parameters", "repeat", "seed")
_SELECT_STUDY = """
SELECT s.id, s.plan, s.owner, s.created, s.heartbeat, s.stop, s.asker,
       count(c.position), count(cells.key), coalesce(sum(cells.error != ''), 0)
FROM studies s
LEFT JOIN study_cells c ON c.study = s.id
LEFT JOIN cells ON cells.key = c.key
"""
_STUDIES = _SELECT_STUDY + "WHERE s.owner IN ('', ?) AND s.listed AND NOT s.removed GROUP BY s.id ORDER BY s.id"
# SQLite has no larger ones.
_LARGEST_NUMBER = 2**63 - 1
_ONE_STUDY = _SELECT_STUDY + "WHERE s.id = ? AND NOT s.removed GROUP BY s.id"
_RESULTS = f"""
SELECT {", ".join(f"c.{name}" for name in _ABOUT)}, {", ".join(f"cells.{name}" for name in _CELL)}
FROM study_cells c JOIN cells ON cells.key = c.key WHERE c.study = ? ORDER BY c.position
"""


def _remove_unused(connection: Any, keys: Iterable[str]) -> None:
    for batch in _batches(sorted(keys)):
        marks = ", ".join("?" * len(batch))
        connection.execute(
            f"DELETE FROM cells WHERE key IN ({marks}) AND key NOT IN (SELECT key FROM study_cells)", batch
        )


def _result(row: tuple[Any, ...]) -> CellResult:
    columns = dict(zip(_CELL, row, strict=True))
    sizes, metrics = tuple(json.loads(columns.pop("sizes"))), tuple(json.loads(columns.pop("metrics")))
    values = np.frombuffer(columns.pop("measured"), dtype="<f8").reshape(len(sizes), len(metrics))
    ranking = np.frombuffer(columns.pop("ranking"), dtype="<i4").astype(np.int32)
    seconds = columns.pop("seconds")
    columns["again"] = bool(columns["again"])
    return CellResult(
        sizes=sizes,
        metrics=metrics,
        values=values,
        ranking=ranking,
        seconds=float("nan") if seconds is None else seconds,  # SQLite has no NaN
        **columns,
    )


def _json(parameters: Mapping[str, Any]) -> str:
    return json.dumps(dict(parameters), sort_keys=True)


def _batches(keys: list[str], size: int = 500) -> Iterator[list[str]]:
    for start in range(0, len(keys), size):
        yield keys[start : start + size]


def _written(path: Path, content: bytes) -> Path:
    try:
        write_file(path, content)
    except OSError:
        raise StudyError(
            f"The results cannot be written to {path}: check that its folder exists, may be written to and has room."
        ) from None
    return path
