"""Reads a run's folder, whatever state it was left in."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Iterator, Mapping

from mluops_conformance.errors import UserError
from mluops_conformance.results.basis import changed_cases
from mluops_conformance.results.fields import text_or_none
from mluops_conformance.results.outcomes import OUTCOMES, Cause, causes, caution
from mluops_conformance.results.record import (
    INTERRUPTED,
    SCHEMA_VERSION,
    Record,
    RunHeader,
    Started,
    Stopped,
    from_event,
)
from mluops_conformance.support.files import LARGEST, gc_paused, regular_file

RESULTS = "results.jsonl"
ENVIRONMENT = "environment.json"
JUNIT = "junit.xml"

ASKED = {"library": ("version", "sha256"), "host": ("name",)}
"""The facts that reports take from the environment."""

LONGEST_LINE = 1 << 24
"""Bytes; the largest records have a hundredth of it, and what is longer is no record."""

CRASHED = "its process ended before the case did"
CUT_OFF = "truncated, as when a process ends while it writes; ignored"


class RunError(UserError):
    """The folder holds no run that can be read; the message says what is wrong."""


@dataclass(frozen=True)
class Run:
    """A stored run.

    Parameters
    ----------
    records : tuple of Record
        One for each case that was begun, in the order of their beginnings.
    environment : dict
        What `results.environment.describe` gave when the run began.
    problems : tuple of str
        What is wrong with the stored run itself; empty for a run that came to its end.
    missing : int
        Planned cases of which nothing is stored.
    unfinished : frozenset of str
        Cases that were begun and have no end of their own.
    """

    directory: Path
    header: RunHeader
    records: tuple[Record, ...]
    environment: Mapping[str, Any] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    missing: int = 0
    unfinished: frozenset[str] = frozenset()

    @cached_property
    def counts(self) -> dict[str, int]:
        """The number of cases by outcome, in the order of `OUTCOMES`, those that occur; they add up."""
        found = Counter(record.outcome for record in self.records)
        return {name: found[name] for name in OUTCOMES if found[name]}

    @property
    def executed(self) -> int:
        """The number of cases that were run."""
        return sum(count for name, count in self.counts.items() if OUTCOMES[name].executed)

    @property
    def bad(self) -> tuple[Record, ...]:
        """The cases that need a look, by outcome in the order of `OUTCOMES`, then by id, as in any run."""
        order = list(OUTCOMES)
        bad = (record for record in self.records if not record.is_good)
        return tuple(sorted(bad, key=lambda record: (order.index(record.outcome), record.id)))

    @cached_property
    def causes(self) -> tuple[Cause, ...]:
        """The cases that need a look, by what is wrong with them."""
        return causes(self.records)

    @cached_property
    def devices(self) -> tuple[str, ...]:
        """The names of the devices that executed cases, else of the one that was to."""
        names = {record.device for record in self.records if OUTCOMES[record.outcome].executed}
        return tuple(sorted(names)) or (self.header.device,)

    @property
    def emulated(self) -> bool:
        return self.header.backend == "emulator"

    @property
    def caution(self) -> str:
        """A warning about the limits of the run's evidence; empty for a run on a device."""
        return caution(self.header.backend, self.header.device, self.environment)

    @property
    def build(self) -> str:
        """The SHA-256 of the library's file; empty where there is none, as of the emulator."""
        return self.environment.get("library", {}).get("sha256") or ""


def load_run(directory: str | Path) -> Run:
    """Read a run.

    A case that was started and has no end has crashed. Where a case stands there twice, its later word
    counts. A last line that was cut off, and any other that is no event, is left out and named in
    `problems`.

    Raises
    ------
    RunError
        There are no results, or they are of a later schema version than this reader's.
    """
    folder = Path(directory)
    problems: list[str] = []
    reading = _Reading()
    with gc_paused():
        for number, text in _lines(folder / RESULTS):
            problem = reading.take(text)
            if problem:
                problems.append(f"{folder / RESULTS}:{number}: {problem}")
    environment = _environment(folder / ENVIRONMENT, problems)
    header = reading.header(folder.name, problems)
    missing = max(header.planned - len(reading.since_header), 0)
    if missing:
        problems.append(f"{missing} of {header.planned} planned cases have no record: the run was cut short")
    return Run(folder, header, reading.records(), environment, tuple(problems), missing, reading.unfinished())


class _Reading:
    """The state of the cases after the lines so far."""

    def __init__(self) -> None:
        self._headers: list[RunHeader] = []
        self._cases: dict[str, Started] = {}
        self.since_header: dict[str, None] = {}

    def take(self, line: bytes) -> str:
        """Take a line; what is wrong with it, if anything is."""
        try:
            values = json.loads(line)
            if not isinstance(values, dict):
                return "no event; left out"
            _check_schema(values)
            entry = from_event(values)
        except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
            return "not JSON; left out" if line.endswith(b"\n") else CUT_OFF
        except ValueError as error:
            return f"{error}; left out"
        if isinstance(entry, RunHeader):
            self._supersede(entry)
            self._headers.append(entry)
            self.since_header = {}
        elif isinstance(entry, Stopped):
            self._stop()
        else:
            self._cases[entry.id] = entry
            self.since_header[entry.id] = None
        return ""

    def _supersede(self, header: RunHeader) -> None:
        """Drop the cases that have changed since, as a resumed run is to execute them again."""
        if self._headers:
            for name in changed_cases(self._headers[-1].basis, header.basis):
                self._cases.pop(name, None)

    def _stop(self) -> None:
        """Skip the cases in hand: they did not end by themselves, and say nothing about the operator."""
        for name, case in self._cases.items():
            if not isinstance(case, Record):
                self._cases[name] = case.finished("skipped", INTERRUPTED)

    def header(self, name: str, problems: list[str]) -> RunHeader:
        """The last header; one made up from the cases where none could be read."""
        if self._headers:
            return self._headers[-1]
        problems.append(f"{RESULTS} has no event of the run's beginning")
        some = next(iter(self._cases.values()), None)
        return RunHeader(name, (), "", 0, some.backend if some else "", some.device if some else "")

    def unfinished(self) -> frozenset[str]:
        return frozenset(case.id for case in self._cases.values() if not isinstance(case, Record))

    def records(self) -> tuple[Record, ...]:
        return tuple(
            case if isinstance(case, Record) else case.finished("crashed", CRASHED)
            for case in self._cases.values()
        )


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with regular_file(path).open("rb") as file:
            yield from enumerate(iter(lambda: file.readline(LONGEST_LINE), b""), start=1)
    except OSError as error:
        raise RunError(f"{path}: no run is stored here ({error.strerror})") from None


def _check_schema(values: Mapping[str, Any]) -> None:
    version = values.get("schema", SCHEMA_VERSION)
    if not isinstance(version, int) or version > SCHEMA_VERSION:
        raise RunError(f"schema version {version}, and this program reads {SCHEMA_VERSION}: use a newer one")


def _environment(path: Path, problems: list[str]) -> dict[str, Any]:
    try:
        values = json.loads(regular_file(path, LARGEST).read_text(encoding="utf-8"))
        _check_environment(values)
    except OSError as error:
        problems.append(f"{path}: {error.strerror}")
    except (ValueError, RecursionError) as error:
        problems.append(f"{path}: {error}")
    else:
        return dict(values)
    return {}


def _check_environment(values: Any) -> None:
    """Refuse an environment in which a fact that reports ask for is not text; it may be missing."""
    for section, names in ASKED.items():
        facts = values.get(section, {}) if isinstance(values, dict) else None
        if not isinstance(facts, dict):
            raise ValueError(f"not written by a run: it has no {section}")
        for name in names:
            text_or_none(facts.get(name))
