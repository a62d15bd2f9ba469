"""The events of results.jsonl, schema version 1: one JSON object a line, in the order in which things happen.

    {"event": "run", "schema": 1, "run", "command": [...], "started", "planned", "backend", "device",
     "contradictions": {id of a requirement: {"document", "library"}},
     "basis": {"program", "cases": {id: digest}, "known_issues", "thresholds"}}
    {"event": "started", "id", "operator", "backend", "device", "origin": "file:line", "seed", "repro",
     "requirements": [...], "sizes": {...}, "size"}
    {"event": "finished", ...what "started" has..., "outcome", "reason", "card", "failures": [...],
     "causes": [...], "changed": [...], "issue", "log", "artefact", "left_out", "outputs": [...],
     "seconds": {...}, "notes": {...}, "samples": {"hardware": [1e-3, ...]}, "performance": {...} or null}

    {"event": "stopped", "reason"}

An output is {"name", "outcome", "reasons", "measures": {"diff1": 1e-8}, "thresholds": {"diff1": {"value",
"from"}}, "worst": [{"index", "actual", "expected", "error"}], "mismatches": [like worst], "mismatched",
"elements", "resolution", "matched", "distribution": {"shape", "equal", "histogram": [...], "map": [...]},
"gtest": {"passed", "errors": {"diff1": 1e-8}, "limits": {"diff1": 1e-5}, "reason"}}; see
`judging.values.OutputVerdict`. `seconds` are wall times by what was done, and add up to the case's. `notes`
are figures of the reference, such as how close an IoU came to the threshold.
`samples` are seconds that the same call took again and again, by what was timed, in the mode perf, and
`performance` what follows from them: see `performance.times.Performance`; numbers with an origin are
{"value", "from"}.

Numbers that JSON lacks are strings: "nan", "inf", "-inf". Fields may be added within a schema version, none
change their meaning.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from typing import Any, Mapping, Union

from mluops_conformance.judging.values import OutputVerdict, Threshold
from mluops_conformance.performance.times import Performance, Quantity
from mluops_conformance.results.basis import Basis
from mluops_conformance.results.fields import read
from mluops_conformance.results.outcomes import OUTCOMES

SCHEMA_VERSION = 1
INTERRUPTED = "the run was interrupted meanwhile"


@dataclass(frozen=True)
class RunHeader:
    """The event that opens a run: its command, its place and its plan.

    Parameters
    ----------
    run : str
        The run's name.
    command : tuple of str
        The command line.
    started : str
        ISO 8601, with the time zone.
    planned : int
        How many cases were selected.
    backend, device : str
        "device" or "emulator"; the card's name, or the name the emulator answers as.
    contradictions : dict
        Requirements of its cases in which the library contradicts the document, by id: what "document" and
        "library" say. Cases judge by the library.
    basis : Basis
        What the verdicts rest on beside library and device.
    """

    run: str
    command: tuple[str, ...]
    started: str
    planned: int
    backend: str
    device: str
    contradictions: dict[str, dict[str, str]] = field(default_factory=dict)
    basis: Basis = field(default_factory=Basis)


@dataclass(frozen=True)
class Started:
    """A case that begins.

    Parameters
    ----------
    origin : str
        "file:line" of the case.
    repro : str
        The command that repeats the case.
    requirements : tuple of str
        Ids of the statements that the case checks.
    sizes : dict of str to int
        Dimensions that follow from the device, which the id names by their limits.
    size : int
        The product of all dimensions, by which cases are ordered.
    """

    id: str
    operator: str
    backend: str
    device: str
    origin: str
    seed: int
    repro: str
    requirements: tuple[str, ...] = ()
    sizes: dict[str, int] = field(default_factory=dict)
    size: int = 0

    def finished(self, outcome: str, reason: str = "", **results: Any) -> Record:
        """The record of this case; `results` are the other fields of `Record`."""
        return Record(**vars(self), outcome=outcome, reason=reason, **results)


@dataclass(frozen=True)
class Record(Started):
    """A case that ended.

    Parameters
    ----------
    outcome : str
        A name in `OUTCOMES`.
    reason : str
        Why, in sentences.
    card : int
        Which of the visible devices executed it.
    failures : tuple of str
        What was wrong: "values" of outputs, "status", "repetition" (outputs that differ), "memory" (all else
        about the call).
    causes : tuple of str
        Names of known weaknesses of the operator that explain all wrong values; none where one is left over.
    log : str
        The end of what native code wrote to standard error, for a case that is not good.
    artefact, left_out : str
        The file with the case's data, from the run's folder; or why there is none, where one was wanted.
    changed : tuple of str
        Of a case whose status was not as expected: the arguments that the case changes.
    issue : str
        The known issue that the case stands under, if any.

    Raises
    ------
    ValueError
        The outcome is none of `OUTCOMES`, or one that needs a reason and has none.
    """

    outcome: str = ""
    reason: str = ""
    card: int = 0
    failures: tuple[str, ...] = ()
    causes: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    issue: str = ""
    log: str = ""
    artefact: str = ""
    left_out: str = ""
    outputs: tuple[OutputVerdict, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    notes: dict[str, float] = field(default_factory=dict)
    samples: dict[str, tuple[float, ...]] = field(default_factory=dict)
    performance: Performance | None = None

    def __post_init__(self) -> None:
        if self.outcome not in OUTCOMES:
            raise ValueError(
                f"{self.id}: {self.outcome!r} is not an outcome; there are {', '.join(OUTCOMES)}"
            )
        if not self.reason and not OUTCOMES[self.outcome].executed:
            raise ValueError(f"{self.id}: {self.outcome} without a reason")

    @property
    def is_good(self) -> bool:
        """Return whether a run with this record may still be green."""
        return OUTCOMES[self.outcome].good

    @property
    def total_seconds(self) -> float:
        return sum(self.seconds.values())


@dataclass(frozen=True)
class Stopped:
    """The end of a run that was interrupted or given up: the cases in hand did not end by themselves.

    Parameters
    ----------
    reason : str
        Why the run ended.
    """

    reason: str


Event = Union[RunHeader, Started, Record, Stopped]
KINDS = {"run": RunHeader, "started": Started, "finished": Record, "stopped": Stopped}
"""Events by their names."""


def event(entry: Event) -> dict[str, Any]:
    """The entry as plain JSON values."""
    if isinstance(entry, RunHeader):
        return {"event": "run", "schema": SCHEMA_VERSION, **_plain(vars(entry))}
    (name,) = (name for name, kind in KINDS.items() if kind is type(entry))
    return {"event": name, **_plain(vars(entry))}


def to_line(entry: Event) -> bytes:
    """The entry as a line of results.jsonl, in ASCII."""
    return json.dumps(event(entry), allow_nan=False).encode("ascii") + b"\n"


def from_event(values: Mapping[str, Any]) -> Event:
    """The inverse of `event`; fields that this version does not know are left out.

    Raises
    ------
    ValueError
        The event is of no known kind, or lacks a field, or holds what no record may hold.
    """
    name = values.get("event")
    kind: Any = KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise ValueError(f"unknown event {name!r}")
    try:
        return read(kind, values)  # type: ignore[no-any-return]
    except ValueError as error:
        raise ValueError(f"an event of kind {name!r} is damaged: {error}") from None


def from_line(line: bytes) -> Event:
    """The inverse of `to_line`; it raises ValueError as `from_event` does."""
    return from_event(json.loads(line))


_JSON = frozenset({str, int, bool, type(None)})
"""Types of values that stand for themselves: most of a record's, and so never handed to `_plain`."""


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, dict):
        return {key: entry if type(entry) in _JSON else _plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [entry if type(entry) in _JSON else _plain(entry) for entry in value]
    if isinstance(value, (Threshold, Quantity)):
        return {"value": _plain(value.value), "from": value.origin}
    if value is None or isinstance(value, (str, int)):
        return value
    return _plain(vars(value))
