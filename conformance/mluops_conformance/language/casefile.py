"""One case file: its fields, its defaults, its cases."""

from __future__ import annotations

from typing import Dict, Iterator, Mapping

from mluops_conformance.language.build import build
from mluops_conformance.language.check import read_fields
from mluops_conformance.language.expand import expand
from mluops_conformance.language.findings import Findings, unknown
from mluops_conformance.language.kinds import items, mapping
from mluops_conformance.language.model import Case, Origin
from mluops_conformance.language.nodes import Node, origin_of
from mluops_conformance.language.requirements import Requirement
from mluops_conformance.language.sections import Sections
from mluops_conformance.language.vocabulary import Vocabulary
from mluops_conformance.operators.base import Operator

__all__ = ["cases_of"]

Entries = Dict[str, Node]


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
    """What stands under each case: `defaults`, and the file's `source`."""
    defaults = entries.get("defaults")
    below = {"source": entries["source"]} if "source" in entries else {}
    fields = {} if defaults is None else found.read(mapping, "defaults", defaults) or {}
    if "id" in fields:
        found.at_key(fields["id"], "each case has an id of its own")
    return {**below, **fields}


def _takes_id(case: Case, suffix: str, node: Node, seen: dict[str, Origin], found: Findings) -> bool:
    """Whether a case's id, and that of its entry, are free or already its entry's own."""
    for name in (case.id[: len(case.id) - len(suffix)], case.id):
        first = seen.setdefault(name, case.origin)
        if first is not case.origin:
            found.at(node, f"id {name} is taken, by {first}")
            return False
    return True
