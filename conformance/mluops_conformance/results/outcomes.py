"""Outcomes of cases, their causes, and the weight of a run as evidence.

Each case ends with one outcome. The outcomes of a run give its exit code. Cases that go wrong in the same
way have one cause: many failures are mostly few faults. A run on an emulator, on a CPU or with planted
faults is marked.
"""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Mapping

from mluops_conformance import exit_codes
from mluops_conformance.support.formatting import sentences

if TYPE_CHECKING:
    from mluops_conformance.judging.values import OutputVerdict
    from mluops_conformance.results.reader import Run
    from mluops_conformance.results.record import Record


FAULTS = {
    "all zero": "is all zero",
    "constant": "holds one value everywhere",
    "NaN or infinity": "has NaN or infinity at wrong places",
    "values": "has wrong values",
}
"""The fault of an output, by `OutputVerdict.fault`, in words."""

INDEX = re.compile(r"[\[(]-?\d+(?:, ?-?\d+)*,?[\])]")
NUMBER = re.compile(r"(?<![\w.])[-+]?\d[\w.+-]*")
STATUS = re.compile(r"(MLUOP_STATUS_\w+) \(\d+\)")

NOT_HARDWARE = {
    "emulator": ("emulated", "not evidence about hardware"),
    "cpu": ("on a CPU", "evidence about their code, not about hardware"),
}
"""By backend: how its device is marked, and what a run on it is worth. A device stands for itself."""

PLANTED = " with planted faults "


@dataclass(frozen=True)
class Outcome:
    """One way for a case to end.

    Parameters
    ----------
    executed : bool
        Whether the case was run at all; the others always have a reason.
    good : bool
        Whether a run may contain it and still be green.
    """

    name: str
    executed: bool
    good: bool
    help: str


_ALL = (
    Outcome("failed", True, False, "a status, an output or the memory around an output is wrong"),
    Outcome("mistrusted", True, False, "it passed, but its thresholds would accept any wrong value"),
    Outcome("crashed", True, False, "the process ended during the case"),
    Outcome("timeout", True, False, "no answer within the time limit"),
    Outcome("error", True, False, "no verdict: the harness or the case's own data is at fault"),
    Outcome("xpassed", True, False, "a known issue did not show; its entry is out of date"),
    Outcome("xfailed", True, True, "a known issue showed"),
    Outcome("unsupported", False, True, "the library version or the device does not support it"),
    Outcome("skipped", False, True, "not run, for the reason given"),
    Outcome("passed", True, True, "status and outputs are right"),
)

OUTCOMES: dict[str, Outcome] = {outcome.name: outcome for outcome in _ALL}
"""By name, in the order in which reports list them: what needs a look comes first."""


def exit_code(run: Run) -> int:
    """Return the exit code of a run, in pytest's numbers (`mluops_conformance.exit_codes`).

    A run that executed nothing is not green, and neither is one that lacks planned cases.
    """
    if any(not OUTCOMES[name].good for name in run.counts):
        return exit_codes.FAILED
    if not run.executed:
        return exit_codes.NOTHING_EXECUTED
    return exit_codes.INTERRUPTED if run.missing else exit_codes.PASSED


@dataclass(frozen=True)
class Cause:
    """Cases with the same outcome, of the same operator, that are wrong in the same way.

    Parameters
    ----------
    what : str
        What is wrong, and what differs from what was expected; without the numbers of a case.
    records : tuple of Record
        The smallest case first.
    """

    outcome: str
    operator: str
    what: str
    records: tuple[Record, ...]

    def __str__(self) -> str:
        return f"{self.operator}: {self.what}" if self.what else self.operator

    @property
    def smallest(self) -> Record:
        return self.records[0]


def causes(records: Iterable[Record]) -> tuple[Cause, ...]:
    """Group the cases that need a look: by outcome in the order of `OUTCOMES`, then by operator and text."""
    found: dict[tuple[str, str, str], list[Record]] = {}
    for record in records:
        if not record.is_good:
            found.setdefault((record.outcome, record.operator, cause_of(record)), []).append(record)
    order = list(OUTCOMES)
    keys = sorted(found, key=lambda key: (order.index(key[0]), *key[1:]))
    return tuple(Cause(*key, tuple(sorted(found[key], key=by_size))) for key in keys)


def by_size(record: Record) -> tuple[int, str]:
    """Order cases by size, the smallest first, then by id."""
    return record.size, record.id


def cause_of(record: Record) -> str:
    """Return what is wrong with a case, without the numbers that set it apart; empty for a good one."""
    return "" if record.is_good else "; ".join(dict.fromkeys(_signs(record)))


def _signs(record: Record) -> Iterator[str]:
    failed = [verdict for verdict in record.outputs if verdict.outcome == record.outcome]
    names = tuple(f"{verdict.name}: " for verdict in failed)
    for sentence in sentences(record.reason):
        if not names or not sentence.startswith(names):
            yield _without_numbers(sentence)
    for verdict in failed:
        yield f"`{verdict.name}` {_fault(verdict)}"
    if record.causes:
        yield f"explained by {' and '.join(record.causes)}"


def _fault(verdict: OutputVerdict) -> str:
    if verdict.outcome != "failed":
        return " and ".join(dict.fromkeys(map(_without_numbers, verdict.reasons)))
    special = "NaN or infinity" if verdict.mismatched else "values"
    return FAULTS[verdict.fault or special]


def _without_numbers(sentence: str) -> str:
    plain = STATUS.sub(r"\1", sentence)
    return NUMBER.sub("…", INDEX.sub("(…)", plain))


def marked(device: str, backend: str) -> str:
    """Return a device's name for tables: "MLU370 (emulated)", "MLU590-H8 (on a CPU)"."""
    return f"{device} ({NOT_HARDWARE[backend][0]})" if backend in NOT_HARDWARE else device


def how_it_ended(exit_code: int) -> str:
    """Return the end of a process in words; a negative code is a signal."""
    if exit_code < 0:
        return f"its process was ended by {signal.Signals(-exit_code).name}"
    return f"its process exited with {exit_code}"


CPU_PREFIX = "MLUOPS_CPU_"
"""Begins the variables that change what a library for the CPU does, as the order of its tasks."""
CPU_MODEL = CPU_PREFIX + "MODEL"
"""Words that switch assumptions of a library for the CPU about behaviour that no document defines."""
CPU_SEED = CPU_PREFIX + "SEED"
"""The seed of a library for the CPU: the order of tasks and cores; an odd seed makes copies late."""


def cpu_settings(variables: Mapping[str, str]) -> dict[str, str]:
    """Return those of the environment variables that a library for the CPU reads."""
    names = sorted(name for name in variables if name.startswith(CPU_PREFIX))
    return {name: variables[name] for name in names if variables[name]}


def compiled(source: str, variables: Mapping[str, str]) -> str:
    """Return what kernels on a CPU are: "kernels compiled for the CPU from mlu-ops v1.11.1".

    Parameters
    ----------
    source : str
        The commit or release.
    variables : mapping
        Environment variables; those that the library reads are named.
    """
    settings = ", ".join(f"{name}={value}" for name, value in cpu_settings(variables).items())
    told = f"kernels compiled for the CPU from mlu-ops {source or 'of an unknown commit'}"
    return f"{told} with {settings}" if settings else told


def caution(backend: str, device: str, environment: Mapping[str, Any]) -> str:
    """Return a line on what the run is evidence about; empty for a run on a device.

    Parameters
    ----------
    backend, device : str
    environment : mapping
        As in environment.json: it names the sources of kernels that are compiled for the CPU.
    """
    if backend == "emulator":
        return f"emulated on {device}: not evidence about hardware"
    if backend == "cpu":
        source = environment.get("library", {}).get("source") or ""
        told = compiled(source, environment.get("variables", {}))
        return f"{told}, as {device}: {NOT_HARDWARE[backend][1]}"
    return ""


def with_faults(device: str, faults: Iterable[str]) -> str:
    """The name of a device with faults: "MLU370 with planted faults (a/b, c/d)"."""
    return f"{device}{PLANTED}({', '.join(sorted(faults))})"


def planted_faults(device: str) -> str:
    """The faults in a device's name, as "a/b, c/d"; empty without any."""
    return device.partition(PLANTED)[2].strip("()")
