"""The index of stored runs, an SQLite file: what became of each case in each run, and its measures.

The runs' folders stay what they are; the index can be made again from them at any time.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterator, Sequence

from mluops_conformance.artefacts.keeper import FOLDER as ARTEFACTS
from mluops_conformance.comparison.changes import closeness
from mluops_conformance.errors import UserError
from mluops_conformance.nativelog import FOLDER as LOGS
from mluops_conformance.results.outcomes import exit_code
from mluops_conformance.results.reader import ENVIRONMENT, JUNIT, RESULTS, Run
from mluops_conformance.results.record import Record
from mluops_conformance.results.writer import LOCK
from mluops_conformance.support.formatting import legible

SCHEMA_VERSION = 2
PATIENCE = 60.0
"""Seconds to wait for another process that writes to the same index."""

SCHEMA = """
CREATE TABLE runs (id INTEGER PRIMARY KEY, folder TEXT UNIQUE, name TEXT, started TEXT, backend TEXT,
    device TEXT, library TEXT, digest TEXT, exit_code INTEGER, counts TEXT);
CREATE TABLE cases (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
CREATE TABLE results (run INTEGER REFERENCES runs ON DELETE CASCADE, "case" INTEGER REFERENCES cases,
    outcome TEXT, seconds REAL, closeness REAL, hardware REAL, PRIMARY KEY ("case", run)) WITHOUT ROWID;
CREATE TABLE measures (run INTEGER REFERENCES runs ON DELETE CASCADE, "case" INTEGER REFERENCES cases,
    output TEXT, measure TEXT, value REAL, threshold REAL,
    PRIMARY KEY ("case", run, output, measure)) WITHOUT ROWID;
CREATE INDEX results_by_run ON results (run);
CREATE INDEX measures_by_run ON measures (run);
"""
SINCE_VERSION_1 = "ALTER TABLE results ADD COLUMN hardware REAL;"

RUNS = "SELECT * FROM runs ORDER BY started, id"
RESULTS_OF_RUN = """SELECT name, outcome, closeness FROM results JOIN cases ON cases.id = results."case"
    WHERE run = ?"""
RESULTS_OF_CASE = """SELECT run, outcome, seconds, closeness, hardware FROM results
    JOIN cases ON cases.id = results."case" WHERE cases.name = ?"""
MEASURES_OF_CASE = """SELECT run, output, measure, value, threshold FROM measures
    JOIN cases ON cases.id = measures."case" WHERE cases.name = ? ORDER BY output, measure"""
INSERT_RUN = """INSERT INTO runs (folder, name, started, backend, device, library, digest, exit_code, counts)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""

FILES = (RESULTS, ENVIRONMENT, JUNIT, LOCK)
FOLDERS = (ARTEFACTS, LOGS)


@dataclass(frozen=True)
class IndexedRun:
    """A run in the index.

    Parameters
    ----------
    folder : str
        Seen from the index's own folder where it lies below, absolute otherwise.
    started : str
        ISO 8601; runs are ordered by it.
    library, digest : str
        Version and SHA-256 of libmluops; empty where they are not known.
    """

    id: int
    folder: str
    name: str
    started: str
    backend: str
    device: str
    library: str
    digest: str
    exit_code: int
    counts: dict[str, int]

    @property
    def build(self) -> str:
        """The library by its version, and by its digest where that is known."""
        return " ".join(filter(None, (self.library, self.digest[:8])))


@dataclass(frozen=True)
class Point:
    """A case in a run.

    Parameters
    ----------
    closeness : float, optional
        `results.record.closeness`.
    hardware : float, optional
        The median of its hardware time in seconds, where it was measured.
    measures : dict of (output, measure) to (value, threshold)
        Those that were judged.
    """

    run: int
    outcome: str
    seconds: float
    closeness: float | None
    hardware: float | None
    measures: dict[tuple[str, str], tuple[float, float]]


class Index:
    """An index file.

    Parameters
    ----------
    path : path-like
    create : bool
        Whether to make one where there is none.

    Raises
    ------
    UserError
        From every method: there is no file, it is no index, of a later version, or cannot be read or written.
    """

    def __init__(self, path: str | Path, create: bool = False) -> None:
        self._path = Path(path)
        if not create and not self._path.exists():
            raise UserError(f"{path}: there is no index; `history add DIR` makes one")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(str(self._path), timeout=PATIENCE)
        except (OSError, sqlite3.Error) as error:
            raise UserError(f"{path}: {error}") from None
        self._connection.row_factory = sqlite3.Row
        try:
            self._prepare()
        except sqlite3.Error as error:
            self._connection.close()
            raise UserError(
                f"{path}: {error}; `history add DIR` makes a new index where there is no file"
            ) from None

    def __enter__(self) -> Index:
        return self

    def __exit__(self, *exception: object) -> None:
        self._connection.close()

    def add(self, run: Run) -> None:
        """Add a run, in place of what the index held of its folder."""
        folder = self._shown(run.directory)
        library = run.environment.get("library", {})
        row = (
            folder,
            run.header.run,
            run.header.started,
            run.header.backend,
            run.header.device,
            library.get("version") or "",
            library.get("sha256") or "",
            exit_code(run),
            json.dumps(run.counts),
        )
        with self._changing() as connection:
            connection.execute("DELETE FROM runs WHERE folder = ?", (folder,))
            cursor = connection.execute(INSERT_RUN, row)
            self._add_records(connection, int(cursor.lastrowid or 0), run.records)

    def runs(self) -> list[IndexedRun]:
        """All runs, the oldest first."""
        rows = map(dict, self._rows(RUNS))
        try:
            return [IndexedRun(**{**row, "counts": json.loads(row["counts"])}) for row in rows]
        except (TypeError, ValueError) as error:
            remedy = "remove it, and index the runs again by `history add`"
            raise UserError(f"{self._path} is damaged ({error}): {remedy}") from None

    def cases(self) -> list[str]:
        """The ids of all cases."""
        return [name for (name,) in self._rows("SELECT name FROM cases ORDER BY name")]

    def points(self, case: str) -> dict[int, Point]:
        """A case in every run that has it, by the run's id."""
        measures: dict[int, dict[tuple[str, str], tuple[float, float]]] = {}
        for run, output, measure, value, threshold in self._rows(MEASURES_OF_CASE, (case,)):
            measures.setdefault(run, {})[output, measure] = value, threshold
        rows = map(dict, self._rows(RESULTS_OF_CASE, (case,)))
        return {row["run"]: Point(**row, measures=measures.get(row["run"], {})) for row in rows}

    def outcomes(self, runs: Sequence[int]) -> dict[str, dict[int, tuple[str, float | None]]]:
        """(outcome, closeness) of every case in some runs, by case and run."""
        found: dict[str, dict[int, tuple[str, float | None]]] = {}
        for run in runs:
            for name, outcome, ratio in self._rows(RESULTS_OF_RUN, (run,)):
                found.setdefault(name, {})[run] = outcome, ratio
        return found

    def remove(self, runs: Sequence[int]) -> None:
        """Forget runs; their folders stay."""
        with self._changing() as connection:
            connection.executemany("DELETE FROM runs WHERE id = ?", [(run,) for run in runs])
            connection.execute('DELETE FROM cases WHERE id NOT IN (SELECT "case" FROM results)')

    def directory(self, run: IndexedRun) -> Path:
        """The folder of a run."""
        return self._path.parent / run.folder

    def _prepare(self) -> None:
        self._connection.execute("PRAGMA foreign_keys = ON")
        if self._version() != SCHEMA_VERSION:
            with self._alone():
                self._upgrade(self._version())

    def _version(self) -> int:
        return int(self._connection.execute("PRAGMA user_version").fetchone()[0])

    def _upgrade(self, version: int) -> None:
        """Make the tables of this version, unless another process has meanwhile."""
        if version > SCHEMA_VERSION:
            raise sqlite3.DatabaseError(f"an index of version {version}; this program reads {SCHEMA_VERSION}")
        if version < SCHEMA_VERSION:
            script = SINCE_VERSION_1 if version else SCHEMA
            for statement in f"{script} PRAGMA user_version = {SCHEMA_VERSION}".split(";"):
                self._connection.execute(statement)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Make a transaction that waits for other writers at its beginning, where it can wait."""
        with self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            yield

    def _add_records(self, connection: sqlite3.Connection, run: int, records: Sequence[Record]) -> None:
        names = [(record.id,) for record in records]
        connection.executemany("INSERT OR IGNORE INTO cases (name) VALUES (?)", names)
        places = dict(connection.execute("SELECT name, id FROM cases"))
        connection.executemany(
            "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?)",
            [(run, places[r.id], r.outcome, r.total_seconds, closeness(r), _hardware(r)) for r in records],
        )
        connection.executemany(
            "INSERT INTO measures VALUES (?, ?, ?, ?, ?, ?)",
            [(run, places[record.id], *row) for record in records for row in _judged(record)],
        )

    def _shown(self, directory: Path) -> str:
        absolute, own = directory.resolve(), self._path.parent.resolve()
        below = own == absolute or own in absolute.parents
        return os.path.relpath(absolute, own) if below else str(absolute)

    def _rows(self, query: str, parameters: Sequence[Any] = ()) -> list[sqlite3.Row]:
        try:
            with closing(self._connection.execute(query, parameters)) as cursor:
                return cursor.fetchall()
        except sqlite3.Error as error:
            raise UserError(f"{self._path}: {error}") from None

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is stored, or nothing."""
        try:
            with self._alone():
                yield self._connection
        except sqlite3.Error as error:
            raise UserError(f"{self._path}: {error}") from None
        except UnicodeEncodeError as error:
            name = legible(error.object)
            raise UserError(f"{self._path} takes only names that are UTF-8; rename {name}") from None


def _hardware(record: Record) -> float | None:
    return None if record.performance is None else record.performance.hardware.median


def _judged(record: Record) -> Iterator[tuple[str, str, float, float]]:
    for output in record.outputs:
        for name, threshold in output.thresholds.items():
            if name in output.measures:
                yield output.name, name, output.measures[name], threshold.value


def delete_run(directory: Path) -> bool:
    """Delete what a run wrote.

    Returns
    -------
    bool
        Whether nothing else was there, and so the folder itself is gone.
    """
    if not (directory / RESULTS).is_file():
        return False
    for name in FOLDERS:
        shutil.rmtree(directory / name, ignore_errors=True)
    for name in FILES:
        with suppress(FileNotFoundError):
            (directory / name).unlink()
    with suppress(OSError):
        directory.rmdir()
    return not directory.exists()
