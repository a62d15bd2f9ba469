"""What a case says of one tensor: its data, its descriptor."""

from __future__ import annotations

from typing import Any, Mapping

from mluops_conformance.fills.registry import Fill
from mluops_conformance.language.check import read_fields
from mluops_conformance.language.findings import Findings, unknown, wanted
from mluops_conformance.language.kinds import KINDS, mapping
from mluops_conformance.language.model import DescriptorOverride, FillSpec
from mluops_conformance.language.nodes import Node

__all__ = ["read_descriptor", "read_fill"]


def read_fill(name: str, node: Node, fills: Mapping[str, Fill], found: Findings) -> FillSpec | None:
    """The fill of an input, its options checked one by one; None, and the reasons noted, where it is wrong.

    A list is short for `{fill: values, values: ...}`.
    """
    if isinstance(node.value, list):
        values = found.read(KINDS["list"], name, node, ())
        return None if values is None else FillSpec("values", {"values": values})
    if not isinstance(node.value, dict):
        found.note(wanted(node, name, "{fill: NAME, ...}, nested lists of values, or null"))
        return None
    options = dict(node.value)
    named = options.pop("fill", None)
    if named is None:
        found.at(node, f"{name} names no fill")
        return None
    fill_name = found.read(KINDS["text"], f"{name}.fill", named, ())
    fill = fills.get(fill_name or "")
    if fill is None:
        if fill_name:
            found.note(unknown(named, "fill", fill_name, fills))
        return None
    return _read_options(name, node, fill, options, found)


def _read_options(
    name: str, node: Node, fill: Fill, given: dict[str, Node], found: Findings
) -> FillSpec | None:
    before = found.reports
    known = {option.name: option for option in fill.options}
    options: dict[str, Any] = {}
    for key, value in given.items():
        option = known.get(key)
        if option is None:
            found.unknown_key(value, f"option of fill {fill.name}", key, known)
        else:
            options[key] = found.read(KINDS[option.kind], f"{name}.{key}", value, option.choices)
    for option in fill.options:
        if option.default is None and option.name not in given:
            found.at(node, f"{name}: fill {fill.name} wants '{option.name}', {option.help}")
    return FillSpec(fill.name, options) if found.reports == before else None


def read_descriptor(name: str, node: Node, found: Findings) -> DescriptorOverride | None:
    """What a case changes in a descriptor; None, and the reasons noted, where it is wrong."""
    if node.value is None:
        return DescriptorOverride(null=True)
    before = found.reports
    values = read_fields("descriptors", found.read(mapping, name, node) or {}, node, found, f"{name}.")
    return DescriptorOverride(**values) if found.reports == before else None
