"""Write a case as YAML again, and name the fields in which it departs from the ordinary case."""

from __future__ import annotations

import json
import math
import re
from typing import Any, Iterator, Mapping

from mluops_conformance.language.model import Case, DescriptorOverride, FillSpec, Step
from mluops_conformance.language.nodes import resolve

PROSE = frozenset({"source", "note", "tags", "checks"})
"""Fields that say something of a case and change nothing in its execution."""

PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./+-]*")


def to_yaml(case: Case) -> str:
    """A file with this one case, without defaults and matrix, which loads to the same case.

    Only the origin differs: the first line tells it.
    """
    fields = {name: value for name, value in _fields(case).items() if value not in ({}, [], "", None)}
    lines = [f"    {name}: {_flow(value)}" for name, value in fields.items()]
    lines[0] = lines[0].replace("    id", "  - id")
    return "\n".join([f"# from {case.origin}", f"operator: {case.operator}", "cases:", *lines, ""])


def judged_fields(case: Case) -> dict[str, Any]:
    """Return what decides the execution of a case and its verdict, as a case file writes it."""
    return {name: value for name, value in _fields(case).items() if name not in PROSE}


def override_text(override: DescriptorOverride) -> str:
    """Return what a case changes in a descriptor, as a case file writes it, without braces."""
    return "NULL" if override.null else _flow(_descriptor(override)).strip("{}")


def _fields(case: Case) -> dict[str, Any]:
    return {
        "id": case.id.partition("/")[2],
        "source": case.source,
        "note": case.note,
        "tags": sorted(case.tags),
        "checks": list(case.checks),
        "requires": sorted(case.requires),
        "library": case.library,
        "series": sorted(case.series),
        "clusters": case.clusters,
        "timeout": case.timeout,
        "dims": _dims(case),
        "params": dict(case.params),
        "dtype": case.dtype,
        "data": _data(case),
        "after": {step.name: _step(step) for step in case.after},
        "descriptors": {name: _descriptor(override) for name, override in case.descriptors.items()},
        "pointers": dict.fromkeys(sorted(case.pointers)),
        "call": case.call,
        "expect": {"status": _statuses(case), "outputs": "computed" if case.compare else "untouched"},
        "thresholds": dict(case.thresholds),
        "mode": case.mode,
        "repeat": case.repeat if case.repeat > 1 else None,
    }


def _dims(case: Case) -> dict[str, Any]:
    return {**case.dims, **{name: str(limit) for name, limit in case.limits.items()}}


def _data(case: Case) -> dict[str, Any]:
    return {
        **{name: _fill(spec) for name, spec in case.data.items()},
        **{name: {"from": str(link)} for name, link in case.links.items()},
        **dict.fromkeys(sorted(case.absent)),
    }


def _step(step: Step) -> dict[str, Any]:
    """Return a step without the dimensions that the case gives it."""
    call = step.case
    fields = {
        "operator": call.operator,
        "dims": {name: size for name, size in _dims(call).items() if name not in step.shared},
        "params": dict(call.params),
        "dtype": call.dtype,
        "data": _data(call),
    }
    return {name: value for name, value in fields.items() if value}


def _statuses(case: Case) -> Any:
    return list(case.statuses) if len(case.statuses) > 1 else case.statuses[0]


def _fill(spec: FillSpec) -> Any:
    return {"fill": spec.name, **spec.options}


def _descriptor(override: DescriptorOverride) -> Any:
    return None if override.null else override.changes


def _flow(value: Any) -> str:
    """YAML on one line, scalars as JSON has them."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_flow(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_flow, value)) + "]"
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, str):
        return value if PLAIN.fullmatch(value) and resolve(value) == (value, None) else _quoted(value)
    return json.dumps(value)


def _quoted(text: str) -> str:
    """Double-quoted, with YAML's escapes for what JSON would leave bare though YAML forbids it."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(sign if sign.isprintable() else f"\\U{ord(sign):08x}" for sign in quoted)


def _number(value: float) -> str:
    if math.isnan(value):
        return ".nan"
    if math.isinf(value):
        return ".inf" if value > 0 else "-.inf"
    return repr(value)


def departures(case: Case) -> tuple[str, ...]:
    """Name each argument that a case changes, or the sizes and scalars of one that changes none.

    Parameters
    ----------
    case : Case
        With its dimensions resolved.
    """
    return tuple(_changed(case)) or tuple(_numbers(case))


def _changed(case: Case) -> Iterator[str]:
    for name in sorted(case.absent):
        yield f"`{name}`: descriptor and pointer NULL"
    for name, override in case.descriptors.items():
        yield f"descriptor of `{name}`: {override_text(override)}"
    for name in sorted(case.pointers):
        yield f"`{name}`: pointer NULL"
    for name, value in case.changed_scalars.items():
        yield f"{name}: {value}, where the shapes have {case.dims[name]}"
    if case.clusters is not None:
        yield f"clusters: {case.clusters}"


def _numbers(case: Case) -> Iterator[str]:
    numbers = {**case.dims, **case.params}
    yield ", ".join(f"{name} {value}" for name, value in numbers.items())
