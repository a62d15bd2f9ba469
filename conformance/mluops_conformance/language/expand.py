"""From one entry of `cases` to its cases: defaults merged, `matrix` and `zip` expanded, `exclude` applied.

YAML nodes go in and come out; what the fields mean is read afterwards, so that a value of a matrix is checked
just as one that stands in the case, and errors name its own place.
"""

from __future__ import annotations

from itertools import chain, product
from typing import Dict, Iterator

from mluops_conformance.language.axes import Path, Setting, read_variation
from mluops_conformance.language.check import read_fields
from mluops_conformance.language.fields import fields_of
from mluops_conformance.language.findings import Findings
from mluops_conformance.language.nodes import Node
from mluops_conformance.operators.base import Operator

__all__ = ["expand", "merged"]

Entries = Dict[str, Node]

EXPANSION = ("matrix", "zip", "exclude")


def merged(below: Entries, above: Entries) -> Entries:
    """The fields of `above` over those of `below`: mappings entry by entry, tags and checks together."""
    result = dict(below)
    for name, node in above.items():
        lower = below.get(name)
        result[name] = node if lower is None else _merged_field(name, lower, node)
    return result


def _merged_field(name: str, below: Node, above: Node) -> Node:
    field = fields_of("case").get(name)
    kind = field.kind if field else ""
    if (
        kind == "mapping"
        and name != "zip"
        and isinstance(below.value, dict)
        and isinstance(above.value, dict)
    ):
        return above.with_value({**below.value, **above.value})
    if kind == "names" and isinstance(below.value, list) and isinstance(above.value, list):
        return above.with_value([*below.value, *above.value])
    return above


def expand(
    place: Node, own: Entries, defaults: Entries, operator: Operator, found: Findings
) -> Iterator[tuple[str, Entries]]:
    """The points of one entry of `cases`, lazily, each with the suffix of its id.

    Parameters
    ----------
    place : Node
        The entry.
    own, defaults : dict of str to Node
        Its fields and those of the file's `defaults`.
    operator : Operator
        Its dims and params are keys of a matrix by their plain names.
    found : Findings
        Gets what is wrong in `matrix`, `zip` and `exclude`: an entry where they are wrong has no points, so
        that its other fields are read here.
    """
    entries = merged(defaults, own)
    if not any(name in entries for name in EXPANSION):
        yield "", entries
        return
    variation = read_variation(entries, own, operator, found)
    fixed = {name: node for name, node in entries.items() if name not in EXPANSION}
    if variation is None:
        read_fields("case", fixed, place, found)
        return
    used: set[int] = set()
    empty = True
    for rows in product(*variation.groups):
        settings = list(chain.from_iterable(rows))
        labels = {setting.axis.key: setting.label for setting in settings}
        excluding = [exclusion for exclusion in variation.exclusions if exclusion.matches(labels)]
        used.update(id(exclusion) for exclusion in excluding)
        if not excluding:
            empty = False
            yield _suffix(settings), _with_settings(fixed, settings, found)
    if empty:
        found.at_key(entries["exclude"], "no combination is left")
    for exclusion in variation.exclusions:
        if id(exclusion) not in used:
            found.at(exclusion.place, "excludes nothing: no combination has all of these values")


def _suffix(settings: list[Setting]) -> str:
    text = ",".join(f"{axis.key}={label}" for axis, label, _ in settings)
    return f":{text}" if text else ""


def _with_settings(entries: Entries, settings: list[Setting], found: Findings) -> Entries:
    for axis, _, node in settings:
        if len(axis.path) == 1:
            entries = merged(entries, {axis.path[0]: node})
        else:
            entries = _with(entries, axis.path, axis.key, node, found)
    return entries


def _with(entries: Entries, path: Path, key: str, value: Node, found: Findings) -> Entries:
    """The entries with a value set at a path; what was given is not changed."""
    name, rest = path[0], path[1:]
    if not rest:
        return {**entries, name: value}
    holder = entries.get(name, value.with_value({}))
    if not isinstance(holder.value, dict):
        found.at(value, f"{key} cannot be set where '{name}' is no mapping")
        return entries
    return {**entries, name: holder.with_value(_with(holder.value, rest, key, value, found))}
