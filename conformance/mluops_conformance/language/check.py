"""Read the fields of a mapping as the table of fields has them."""

from __future__ import annotations

from typing import Any, Sequence

from mluops_conformance.language.fields import fields_of
from mluops_conformance.language.findings import Findings
from mluops_conformance.language.kinds import KINDS, items, mapping
from mluops_conformance.language.nodes import Node

__all__ = ["read_fields", "read_listing"]


def read_fields(
    where: str, entries: dict[str, Node], place: Node, found: Findings, prefix: str = ""
) -> dict[str, Any]:
    """The values of the fields in one mapping, and every field that is unknown, missing or unfit noted.

    Parameters
    ----------
    where : str
        The mapping, as `Field.where` names it.
    place : Node
        Where a missing field is reported.
    prefix : str
        What goes before field names in errors.

    Returns
    -------
    dict
        Without those whose kind is none of `KINDS`: whoever knows their inside reads them.
    """
    fields = fields_of(where)
    values: dict[str, Any] = {}
    for name, node in entries.items():
        field = fields.get(name)
        if field is None:
            found.unknown_key(node, f"field of {where}" if prefix else "field", name, fields)
        elif field.kind in KINDS:
            value = found.read(KINDS[field.kind], prefix + name, node, field.choices)
            if value is not None:
                values[name] = value
    for field in fields.values():
        if field.required and field.name not in entries:
            found.at(place, f"{prefix}{field.name} is missing: {field.help}")
    return values


def read_listing(where: str, key: str, root: Node, found: Findings) -> tuple[dict[str, Any], Sequence[Node]]:
    """The fields of a file whose entries stand under one key, and where these stand."""
    fields = found.read(mapping, f"a file of {key}", root)
    if fields is None:
        return {}, ()
    head = read_fields(where, fields, root, found)
    listed = fields.get(key)
    return head, (found.read(items, key, listed, key) if listed is not None else None) or ()
