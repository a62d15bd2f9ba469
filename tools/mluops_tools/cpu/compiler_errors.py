"""The errors of a failed build: for each folder of kernels the first, and the intrinsic that it misses."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Iterable, Iterator, NamedTuple

from mluops_tools.cpu.checkout import Unit
from mluops_tools.cpu.project import parts_of

FAILED = re.compile(r"^FAILED: (?:\[code=\d+\] )?CMakeFiles/(\w+)\.dir/")
ERROR = re.compile(r"^(?P<file>[^\s:][^:]*):(?P<line>\d+):(?:\d+:)? (?:fatal )?error: (?P<text>.*)")
UNKNOWN = (
    re.compile(r"'(?P<name>[^'(<]+)(?:[(<][^']*)?' (?:was not|has not been) declared"),
    re.compile(r"'(?P<name>[^']+)' does not name a type"),
    re.compile(r"there are no arguments to '(?P<name>[^']+)' that depend on a template parameter"),
    re.compile(r"use of undeclared identifier '(?P<name>[^']+)'"),
    re.compile(r"no matching function for call to '(?P<name>__\w+)\("),
    re.compile(r"(?P<name>\S+): No such file or directory"),
)
MODELLED = ("__", "cnnl")
"""The names of intrinsics, and of CNNL's types and functions, begin so."""
OBJECT = re.compile(r"CMakeFiles/(?P<target>\w+)\.dir/")
UNDEFINED = re.compile(r"(?:(?P<place>/[^:\s]*:\d+): )?undefined reference to `(?P<symbol>[^']+)'")


class Problem(NamedTuple):
    """The reason for which a unit is not built.

    Parameters
    ----------
    reason : str
    place : str
        file:line, below the checkout where it is in there.
    missing : str
        A name that is not declared; empty for another error.
    """

    reason: str
    place: str
    missing: str


def problems(output: str, units: Iterable[Unit], root: Path) -> dict[str, Problem]:
    """Return the first problem of each unit that did not compile, by its name."""
    owners = {f"{unit.target}_{part}": unit.name for unit in units for part in parts_of(unit)}
    found: dict[str, Problem] = {}
    for target, lines in _failures(output):
        name = owners.get(target)
        if name and name not in found:
            found[name] = _first_problem(lines, root)
    return found


def unresolved(output: str, units: Iterable[Unit], root: Path) -> dict[str, Problem]:
    """Return the units that the linker misses a function for, by their names.

    The linker names an object once, and below it the lines of sources that need a function.
    """
    owners = {f"{unit.target}_{part}": unit.name for unit in units for part in parts_of(unit)}
    found: dict[str, Problem] = {}
    name = None
    for line in output.splitlines():
        named, undefined = OBJECT.search(line), UNDEFINED.search(line)
        name = owners.get(named["target"]) if named else name
        if name and undefined:
            symbol = undefined["symbol"].split("(")[0]
            reason = f"{symbol} is in none of the folders that are built"
            found.setdefault(name, Problem(reason, _below(undefined["place"] or "", root), symbol))
    return found


def core_problem(output: str, root: Path) -> Problem:
    """Return the first error of what every library needs."""
    return _first_problem(output.splitlines(), root)


def _failures(output: str) -> Iterator[tuple[str, list[str]]]:
    target = ""
    lines: list[str] = []
    for line in output.splitlines():
        failed = FAILED.match(line)
        if failed or re.match(r"^\[\d+/\d+\] ", line):
            if target:
                yield target, lines
            target, lines = failed[1] if failed else "", []
        else:
            lines.append(line)
    if target:
        yield target, lines


def _first_problem(lines: Iterable[str], root: Path) -> Problem:
    for line in lines:
        error = ERROR.match(line)
        if error:
            missing = next(
                (m["name"] for m in (unknown.search(error["text"]) for unknown in UNKNOWN) if m), ""
            )
            reason = f"{missing} is not modelled" if missing.startswith(MODELLED) else error["text"]
            return Problem(reason, _below(f"{error['file']}:{error['line']}", root), missing)
    rest = [line for line in lines if line.strip()]
    return Problem(rest[-1] if rest else "the compiler failed without a message", "", "")


def _below(place: str, root: Path) -> str:
    return place[len(str(root)) + 1 :] if place.startswith(f"{root}/") else place
