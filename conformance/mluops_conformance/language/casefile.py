"""Read one case file: its defaults, its entries, and the `Case` that each expanded entry becomes."""

from __future__ import annotations

from typing import Any, Dict, Iterator, Mapping

from mluops_conformance.language.documents import Findings, unknown
from mluops_conformance.language.expand import expand
from mluops_conformance.language.fields import read_fields
from mluops_conformance.language.kinds import items, mapping
from mluops_conformance.language.model import KNOWN_DEVICES, Case, Origin, sized
from mluops_conformance.language.nodes import Node, origin_of
from mluops_conformance.language.requirements import Requirement
from mluops_conformance.language.sections import Sections, Vocabulary
from mluops_conformance.language.steps import StepReader, with_limits
from mluops_conformance.operators.base import Operator

__all__ = ["build", "cases_of"]


Entries = Dict[str, Node]

REPEATING_MODES = ("repeat", "perf")


def cases_of(
    root: Node,
    operators: Mapping[str, Operator],
    seen: dict[str, Origin],
    found: Findings,
    stated: Mapping[str, Requirement] | None = None,
) -> Iterator[Case]:
    """The cases of a file, lazily; `found` gets what is wrong with it.

    Parameters
    ----------
    root : Node
        The file's document.
    operators : mapping of str to Operator
        The operators that there are.
    seen : dict of str to Origin
        The ids that are taken, and by whom; those of this file are added.
    stated : mapping of str to Requirement, optional
        The requirements that cases may check, by id; any by default.
    """
    entries = found.read(mapping, "a case file", root)
    if entries is None:
        return
    read_fields("file", entries, root, found)
    operator = _operator(entries.get("operator"), operators, found)
    cases = found.read(items, "cases", entries["cases"], "cases") if "cases" in entries else None
    if cases is not None and not cases:
        found.at(entries["cases"], "cases has no entry")
    if operator is None or cases is None:
        return
    names, defaults = Vocabulary(operator, stated), _defaults(entries, found)
    for place in cases:
        own = found.read(mapping, "a case", place)
        if own is None:
            continue
        origin = origin_of(place.mark, found.file)
        for suffix, fields in expand(place, own, defaults, operator, found):
            case = build(Sections(place, fields, defaults, names, found), suffix, origin, found)
            if case is not None and _takes_id(case, suffix, fields["id"], seen, found):
                yield case


def _operator(node: Node | None, operators: Mapping[str, Operator], found: Findings) -> Operator | None:
    if node is None or not isinstance(node.value, str):
        return None
    if node.value not in operators:
        found.note(unknown(node, "operator", node.value, operators))
        return None
    return operators[node.value]


def _defaults(entries: Entries, found: Findings) -> Entries:
    """Return the fields that each case inherits: `defaults`, and the `source` of the file."""
    defaults = entries.get("defaults")
    below = {"source": entries["source"]} if "source" in entries else {}
    fields = {} if defaults is None else found.read(mapping, "defaults", defaults) or {}
    if "id" in fields:
        found.at_key(fields["id"], "each case has an id of its own")
    return {**below, **fields}


def _takes_id(case: Case, suffix: str, node: Node, seen: dict[str, Origin], found: Findings) -> bool:
    """Return whether the ids of a case and its entry are free, or belong to this entry already."""
    for name in (case.id[: len(case.id) - len(suffix)], case.id):
        first = seen.setdefault(name, case.origin)
        if first is not case.origin:
            found.at(node, f"id {name} is taken, by {first}")
            return False
    return True


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
        "descriptors": sections.descriptors(runs, numbers),
        "pointers": sections.pointers(call),
        "thresholds": sections.thresholds(runs),
        "statuses": statuses,
        "compare": compare,
        "mode": _mode(plain, runs, runs and compare, entries, found),
        "tags": frozenset(plain.get("tags", ())),
    }
    fields["data"], fields["links"], fields["absent"] = sections.data(runs)
    if found.reports > before:
        return None
    operator = sections.names.operator
    fields["id"] = f"{operator.name}/{fields['id']}{suffix}"
    steps = StepReader(sections, found)
    case = steps.added_to(Case(operator=operator.name, origin=origin, **fields), runs and compare)
    if found.reports == before:
        case = _checked(case, operator, sections, steps)
    return case if found.reports == before else None


def _checked(case: Case, operator: Operator, sections: Sections, steps: StepReader) -> Case:
    """Return the case with its sizes on the first of the known devices; all are checked up to a problem."""
    if not case.follows_device:
        _ = sections.check_fills(case) and steps.check(case)
        return case
    cases = {name: sized(case, operator, device) for name, device in KNOWN_DEVICES.items()}
    for name, there in cases.items():
        if not sections.check_limits(case.limits, there.dims, name) or not steps.check_limits(
            case, there, name
        ):
            break
        if not sections.check_fills(there, f" (on {name})") or not steps.check(there, f" (on {name})"):
            break
    return with_limits(next(iter(cases.values())), case)


def _mode(
    plain: dict[str, Any], runs: bool, computes: bool, entries: dict[str, Node], found: Findings
) -> str:
    mode: str = plain.get("mode", "check" if runs else "status")
    if (not runs and mode != "status") or (not computes and mode == "repeat"):
        found.at(entries["mode"], f"mode {mode} has no effect: this case computes nothing")
    if mode == "status" and computes:
        found.at(
            entries["mode"], "mode status is for calls that compute nothing: they get a few bytes of memory"
        )
    if mode == "repeat" and "repeat" not in entries:
        found.at(entries["mode"], "mode repeat needs 'repeat', how many times")
    if "repeat" in entries and mode not in REPEATING_MODES:
        found.at_key(entries["repeat"], f"repeat has no effect in mode {mode}")
    return mode
