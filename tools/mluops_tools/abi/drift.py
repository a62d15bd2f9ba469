"""The differences between a header, or a library, and the binding's tables."""

from __future__ import annotations

from enum import IntEnum
from typing import Iterable, Iterator, Mapping, NamedTuple, Tuple

from mluops import constants, types
from mluops.signatures import MLUOP, Function

from mluops_tools.abi.header import Header, spelling

__all__ = ["Drift", "drifts", "is_in", "release_of"]

LIMITS = {"MLUOP_DIM_MAX": constants.MLUOP_DIM_MAX}
RELEASE_MACROS = ("MLUOP_MAJOR", "MLUOP_MINOR", "MLUOP_PATCHLEVEL")

ENUMS: dict[str, dict[str, int]] = {
    name: {key: int(member) for key, member in value.__members__.items()}
    for name, value in vars(constants).items()
    if name.startswith("mluOp") and issubclass(value, IntEnum)
}
HANDLES = frozenset(name for name in vars(types) if name.startswith("mluOp"))

Release = Tuple[int, ...]


class Drift(NamedTuple):
    """One difference: the line of the header, 0 for what it lacks, and what differs there."""

    line: int
    text: str

    def at(self, path: object) -> str:
        """The difference as a line that begins with its place."""
        return f"{path}:{self.line}: {self.text}" if self.line else f"{path}: {self.text}"


def release_of(header: Header) -> Release | None:
    """The release that a header says it is of; None where it does not say."""
    numbers = [header.macros.get(name, "") for name in RELEASE_MACROS]
    return tuple(map(int, numbers)) if all(number.isdigit() for number in numbers) else None


def is_in(function: Function, release: Release | None) -> bool:
    """Return True if a release of mlu-ops has a function in the form that the binding declares."""
    if release is None:
        return True
    printed = "v" + ".".join(map(str, release))
    return _numbers(function.since) <= release and printed not in function.absent_in


def drifts(header: Header) -> Iterator[Drift]:
    """Every difference between a header and the binding, in both directions, what the header lacks last.

    Functions of the binding that came after the header's own release are no difference.
    """
    found = [
        *_macro_drifts(header),
        *_names(header, "type", HANDLES, header.types),
        *_enum_drifts(header),
        *_function_drifts(header),
        *((text, f"not understood: {text}") for text in header.unread),
    ]
    placed = [Drift(header.lines.get(subject, 0), text) for subject, text in found]
    yield from sorted(placed, key=lambda drift: drift.line == 0)


def _macro_drifts(header: Header) -> Iterator[tuple[str, str]]:
    for name, value in LIMITS.items():
        here = header.macros.get(name, "missing")
        if here != str(value):
            yield name, f"{name} is {here}, in the binding {value}"


def _names(
    header: Header, kind: str, ours: Iterable[str], theirs: Iterable[str]
) -> Iterator[tuple[str, str]]:
    """Yield a finding for each name that only one side has."""
    for name in sorted({*theirs} - {*ours}):
        yield name, f"{name}: {kind} unknown to the binding"
    for name in sorted({*ours} - {*theirs}):
        yield name, f"{name}: {kind} of the binding that the header does not declare"


def _enum_drifts(header: Header) -> Iterator[tuple[str, str]]:
    yield from _names(header, "enum", ENUMS, header.enums)
    for name in sorted({*ENUMS} & {*header.enums}):
        yield from _value_drifts(name, ENUMS[name], header.enums[name])


def _value_drifts(enum: str, ours: Mapping[str, int], theirs: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    for name, value in theirs.items():
        if name not in ours:
            yield name, f"{enum}: {name} = {value} unknown to the binding"
        elif value != ours[name]:
            yield name, f"{enum}: {name} is {value}, in the binding {ours[name]}"
    for name in ours:
        if name not in theirs:
            yield enum, f"{enum}: lacks {name}, in the binding {ours[name]}"


def _function_drifts(header: Header) -> Iterator[tuple[str, str]]:
    release = release_of(header)
    ours = {name: function for name, function in MLUOP.items() if is_in(function, release)}
    theirs = {name for name in header.functions if name in ours or name not in MLUOP}
    yield from _names(header, "function", ours, theirs)
    for name in sorted({*ours} & theirs):
        for text in _differences(header.functions[name], ours[name]):
            yield name, f"{name}: {text}"


def _differences(here: Function, ours: Function) -> Iterator[str]:
    if here.result != spelling(ours.result):
        yield f"returns {here.result}, in the binding {ours.result}"
    if len(here.parameter_names) != len(ours.parameter_names):
        yield (
            f"takes {len(here.parameter_names)} parameters ({', '.join(here.parameter_names)}), "
            f"in the binding {len(ours.parameter_names)} ({', '.join(ours.parameter_names)})"
        )
        return
    for number, name in enumerate(here.parameter_names):
        types = [function.parameter_types[number] for function in (here, ours)]
        if spelling(types[0]) != spelling(types[1]):
            yield f"parameter {number + 1} ({name}) is {types[0]}, in the binding {types[1]}"
        if name != ours.parameter_names[number]:
            yield f"parameter {number + 1} is called {name}, in the binding {ours.parameter_names[number]}"


def _numbers(release: str) -> Release:
    return tuple(map(int, release.lstrip("v").split(".")))
