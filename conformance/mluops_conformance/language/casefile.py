"""One case file: its fields, its defaults, its cases."""

from __future__ import annotations

from typing import Dict, Iterator, List, Mapping, Optional

from mluops_conformance.language.build import build
from mluops_conformance.language.check import read_fields
from mluops_conformance.language.expand import expand
from mluops_conformance.language.findings import Findings, unknown, wanted
from mluops_conformance.language.kinds import mapping
from mluops_conformance.language.model import Case, Origin
from mluops_conformance.language.nodes import Node, compose
from mluops_conformance.language.sections import Sections
from mluops_conformance.language.vocabulary import Vocabulary
from mluops_conformance.operators.base import Operator

__all__ = ["read_text"]

Entries = Dict[str, Node]


def read_text(
    text: str, operators: Mapping[str, Operator], seen: Dict[str, Origin], found: Findings
) -> Iterator[Case]:
    """The cases of a file's text, lazily; `found` gets what is wrong with it.

    Parameters
    ----------
    text : str
        YAML.
    operators : mapping of str to Operator
        The operators that there are.
    seen : dict of str to Origin
        The ids that are taken, and by whom; those of this file are added.
    found : Findings
        Named after the file.
    """
    root, problems = compose(text, found.file)
    found.extend(problems)
    if root is None:
        if problems:
            return
        root = Node({}, 1, 1)
    entries = found.read(mapping, "a case file", root)
    if entries is None:
        return
    read_fields("file", entries, root, found)
    operator = _operator(entries.get("operator"), operators, found)
    items = _items(entries.get("cases"), found)
    if operator is None:
        return
    names, defaults = Vocabulary(operator), _defaults(entries, found)
    for place in items:
        own = found.read(mapping, "a case", place) or {}
        for suffix, fields in expand(own, defaults, operator, found):
            case = build(Sections(place, fields, defaults, names, found), f"{operator.name}/", suffix, found)
            if case is not None and _is_new(case, own["id"], seen, found):
                yield case


def _operator(node: Optional[Node], operators: Mapping[str, Operator], found: Findings) -> Optional[Operator]:
    if node is None or not isinstance(node.value, str):
        return None
    if node.value not in operators:
        found.note(unknown(node, "operator", node.value, operators))
        return None
    return operators[node.value]


def _items(node: Optional[Node], found: Findings) -> List[Node]:
    if node is None:
        return []
    if not isinstance(node.value, list) or not node.value:
        found.note(wanted(node, "cases", "a list of cases"))
        return []
    return node.value


def _defaults(entries: Entries, found: Findings) -> Entries:
    """What stands under each case: `defaults`, and the file's `source`."""
    defaults = entries.get("defaults")
    below = {"source": entries["source"]} if "source" in entries else {}
    fields = {} if defaults is None else found.read(mapping, "defaults", defaults) or {}
    if "id" in fields:
        found.at_key(fields["id"], "each case has an id of its own")
    return {**below, **fields}


def _is_new(case: Case, node: Node, seen: Dict[str, Origin], found: Findings) -> bool:
    first = seen.setdefault(case.id, case.origin)
    if first is not case.origin:
        found.at(node, f"id {case.id} is taken, by {first}")
    return first is case.origin
