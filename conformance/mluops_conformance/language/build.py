"""From the fields of one expanded case, still YAML nodes, to the `Case` that will be executed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mluops_conformance.language.check import read_fields
from mluops_conformance.language.findings import Findings
from mluops_conformance.language.model import Case, Origin
from mluops_conformance.language.nodes import Node
from mluops_conformance.language.sections import Sections
from mluops_conformance.language.sizes import KNOWN_DEVICES, sized
from mluops_conformance.operators.base import Operator

__all__ = ["build"]

REPEATING_MODES = ("repeat", "perf")


def build(sections: Sections, suffix: str, origin: Origin, found: Findings) -> Case | None:
    """Make a case of its fields; None, and the reasons noted, where anything is wrong.

    Parameters
    ----------
    sections : Sections
        The case's fields.
    suffix : str
        What the expansion adds to the id in the file.
    origin : Origin
        The place of the entry of `cases`.
    """
    before = found.reports
    place, entries = sections.place, sections.entries
    plain = read_fields("case", entries, place, found)
    sections.check_requirements()
    expects = sections.section("expect")
    expected = read_fields("expect", expects, place, found, "expect.")
    call, statuses = plain.get("call", "operator"), expected.get("status", ("SUCCESS",))
    runs = statuses == ("SUCCESS",) and call == "operator"
    compare = expected.get("outputs") != "untouched"
    numbers, limits = sections.dims()
    params = sections.params()
    if runs and compare and ("status" in expected or "status" not in expects):
        sections.check_accepted(numbers, params)
    fields: dict[str, Any] = {
        **plain,
        "dims": numbers,
        "limits": limits,
        "params": params,
        "dtype": sections.dtype(),
        "descriptors": sections.descriptors(runs),
        "pointers": sections.pointers(call),
        "thresholds": sections.thresholds(runs),
        "statuses": statuses,
        "compare": compare,
        "mode": _mode(plain, runs, runs and compare, entries, found),
        "tags": frozenset(plain.get("tags", ())),
    }
    fields["data"], fields["absent"] = sections.data(runs)
    if found.reports > before:
        return None
    operator = sections.names.operator
    fields["id"] = f"{operator.name}/{fields['id']}{suffix}"
    case = Case(operator=operator.name, origin=origin, **fields)
    if limits:
        case = _nominal(case, operator, sections)
    else:
        sections.check_fills(case)
    return case if found.reports == before else None


def _nominal(case: Case, operator: Operator, sections: Sections) -> Case:
    """Return the case with its sizes on the first of the known devices; all are checked up to a problem."""
    cases = {name: sized(case, operator, device) for name, device in KNOWN_DEVICES.items()}
    for name, there in cases.items():
        if not sections.check_limits(case.limits, there.dims, name):
            break
        if not sections.check_fills(there, f" (on {name})"):
            break
    return replace(next(iter(cases.values())), limits=case.limits)


def _mode(
    plain: dict[str, Any], runs: bool, computes: bool, entries: dict[str, Node], found: Findings
) -> str:
    mode: str = plain.get("mode", "check" if runs else "status")
    if (not runs and mode != "status") or (not computes and mode == "repeat"):
        found.at(entries["mode"], f"mode {mode} has no use: nothing is computed in this case")
    if mode == "repeat" and "repeat" not in entries:
        found.at(entries["mode"], "mode repeat wants 'repeat', how many times")
    if "repeat" in entries and mode not in REPEATING_MODES:
        found.at_key(entries["repeat"], f"repeat has no use in mode {mode}")
    return mode
