"""Expand an entry of `cases`: one set of fields for each combination of its `matrix` and `zip`.

`exclude` leaves combinations out.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import chain, product
from math import prod
from typing import Dict, Iterator, NamedTuple, Tuple

from mluops_conformance.language.documents import Findings, UnfitError
from mluops_conformance.language.expressions import parse_expression
from mluops_conformance.language.fields import fields_of, read_fields
from mluops_conformance.language.kinds import items, mapping
from mluops_conformance.language.model import suggestion
from mluops_conformance.language.nodes import Node
from mluops_conformance.operators.base import Operator

__all__ = ["Axis", "Exclusion", "Setting", "Variation", "expand", "merged", "read_variation"]


Entries = Dict[str, Node]

EXPANSION = ("matrix", "zip", "exclude")
Path = Tuple[str, ...]

MOST_CASES = 100_000
"""Cases that one entry may expand to; beyond it stands a mistake."""

LABEL = re.compile(r"[A-Za-z0-9_.+-]+")


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
        found.at(value, f"{key} cannot be set where '{name}' is not a mapping")
        return entries
    return {**entries, name: holder.with_value(_with(holder.value, rest, key, value, found))}


@dataclass(frozen=True)
class Axis:
    """A key of `matrix` or `zip`.

    Parameters
    ----------
    key : str
        As written.
    path : tuple of str
        The names that lead from a case to what varies.
    place : Node
        The values as written.
    points : list of (str, Node)
        The values, each after the label that stands for it in ids.
    """

    key: str
    path: Path
    place: Node
    points: list[tuple[str, Node]]


@dataclass(frozen=True)
class Exclusion:
    """An entry of `exclude`: the labels, by key, that a combination must have to be left out."""

    place: Node
    labels: dict[str, frozenset[str]]

    def matches(self, labels: dict[str, str]) -> bool:
        """Return whether the entry leaves a combination out."""
        return all(labels[key] in wanted for key, wanted in self.labels.items())


class Setting(NamedTuple):
    """One value of one axis."""

    axis: Axis
    label: str
    node: Node


@dataclass(frozen=True)
class Variation:
    """All that varies in one entry of `cases`.

    Parameters
    ----------
    groups : list
        What is chosen independently: for each axis of `matrix` its settings, each alone in a list, and for
        `zip` its rows, each a list with one setting of every axis.
    exclusions : list of Exclusion
    """

    groups: list[list[list[Setting]]]
    exclusions: list[Exclusion]


def read_variation(entries: Entries, own: Entries, operator: Operator, found: Findings) -> Variation | None:
    """Read `matrix`, `zip` and `exclude`; None, and the reasons noted, where they are wrong.

    Parameters
    ----------
    entries : dict of str to Node
        The fields, defaults merged.
    own : dict of str to Node
        What the entry itself says: an axis of the defaults gives way to a field that the case sets.
    """
    before = found.reports
    reader = _Reader(own, operator, found)
    axes, zipped = (reader.axes(section, entries.get(section)) for section in ("matrix", "zip"))
    exclusions = reader.exclusions(entries.get("exclude"), [*axes, *zipped])
    _check_paths([*axes, *zipped], found)
    _check_lengths(zipped, found)
    groups = [[[Setting(axis, *point)] for point in axis.points] for axis in axes]
    if zipped:
        rows = zip(*(axis.points for axis in zipped))
        groups.append([[Setting(axis, *point) for axis, point in zip(zipped, row)] for row in rows])
    _check_groups(groups, found)
    return Variation(groups, exclusions) if found.reports == before else None


class _Reader:
    def __init__(self, own: Entries, operator: Operator, found: Findings) -> None:
        self._own = own
        self._found = found
        self._fields = {name: field for name, field in fields_of("case").items() if field.varies}
        self._plain: dict[str, Path] = {
            **{param.name: ("params", param.name) for param in operator.params},
            **{dim.name: ("dims", dim.name) for dim in operator.dims},
        }

    def axes(self, section: str, node: Node | None) -> list[Axis]:
        """The axes of `matrix` or `zip`."""
        if node is None:
            return []
        own_section = self._own.get(section)
        mine = own_section.value if own_section and isinstance(own_section.value, dict) else {}
        axes = []
        for key, values in (self._found.read(mapping, section, node) or {}).items():
            path = self._found.read(self._path, key, values)
            if path is None or (self._is_set(path) and key not in mine):
                continue
            if self._is_set(path):
                self._found.at_key(values, f"'{key}' is set by the case and by its {section}")
            axes.append(Axis(key, path, values, self._found.read(_points, f"{section}.{key}", values) or []))
        return axes

    def exclusions(self, node: Node | None, axes: list[Axis]) -> list[Exclusion]:
        """The entries of `exclude`; those of the defaults stand back where a key of theirs does not vary."""
        if node is None:
            return []
        by_path = {axis.path: axis for axis in axes}
        entries = self._found.read(items, "exclude", node, "combinations") or []
        exclusions = (self._exclusion(entry, by_path) for entry in entries)
        return [exclusion for exclusion in exclusions if exclusion is not None]

    def _exclusion(self, entry: Node, axes: dict[Path, Axis]) -> Exclusion | None:
        labels: dict[str, frozenset[str]] = {}
        for key, values in (self._found.read(mapping, "exclude", entry) or {}).items():
            axis = axes.get(self._found.read(self._path, key, values) or ())
            if axis is None:
                if "exclude" in self._own:
                    self._found.at_key(values, f"'{key}' is neither a key of matrix nor one of zip")
                return None
            labels[axis.key] = self._excluded(axis, values)
        return Exclusion(entry, labels)

    def _excluded(self, axis: Axis, values: Node) -> frozenset[str]:
        """The labels of one value of an axis, or of a list of values."""
        known = {label for label, _ in axis.points}
        chosen = values.value if isinstance(values.value, list) else [values]
        for value in chosen:
            label = _label(value)
            if label not in known:
                text = f"exclude.{axis.key}: no value {label}{suggestion(label, known)}"
                self._found.at(value, text)
        return frozenset(map(_label, chosen))

    def _path(self, key: str, place: Node) -> Path:
        """Return the names that lead from a case to the field of a key."""
        path = self._plain.get(key, tuple(key.split(".")))
        field = self._fields.get(path[0])
        if field is None or (len(path) > 1 and field.kind != "mapping"):
            known = [*self._fields, *self._plain]
            raise UnfitError((place, f"'{key}' is nothing that varies{suggestion(key, known)}"))
        return path

    def _is_set(self, path: Path) -> bool:
        """Return whether the case itself sets the field at a path; a whole mapping takes further entries."""
        if len(path) == 1 and self._fields[path[0]].kind == "mapping":
            return False
        entries: object = self._own
        for name in path:
            if not isinstance(entries, dict) or name not in entries:
                return False
            entries = entries[name].value
        return True


def _points(name: str, node: Node) -> list[tuple[str, Node]]:
    """The values of an axis: a list of scalars or lists of scalars, or a mapping of labels to any values."""
    if isinstance(node.value, dict):
        points = list(node.value.items())
    else:
        points = [(_label(value), value) for value in items(name, node, "values")]
    for label, value in points:
        if not LABEL.fullmatch(label):
            raise UnfitError((value, f"{name}: name each value, for its id: {{NAME: value, ...}}"))
    if not points:
        raise UnfitError((node, f"{name} has no values"))
    return points


def _label(node: Node) -> str:
    """Return the label of a value in an id; empty if it has none."""
    value = node.value
    if isinstance(value, dict):
        return ""
    if isinstance(value, list):
        return "x".join(map(_label, value))
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    expression = parse_expression(value) if isinstance(value, str) else None
    return expression.label if expression else str(value)


def _check_paths(axes: list[Axis], found: Findings) -> None:
    paths: dict[Path, Axis] = {}
    for axis in axes:
        first = paths.setdefault(axis.path, axis)
        if first is not axis:
            found.at_key(axis.place, f"'{axis.key}' varies twice, the first time as '{first.key}'")


def _check_lengths(zipped: list[Axis], found: Findings) -> None:
    for axis in zipped:
        if len(axis.points) != len(zipped[0].points):
            first = f"{zipped[0].key} has {len(zipped[0].points)}"
            found.at_key(axis.place, f"zip.{axis.key} has {len(axis.points)} values where {first}")


def _check_groups(groups: list[list[list[Setting]]], found: Findings) -> None:
    total = prod(map(len, groups))
    if total > MOST_CASES:
        place = groups[0][0][0].axis.place
        found.at_key(place, f"{total} combinations are too many; {MOST_CASES} are allowed")
    for rows in groups:
        texts = [", ".join(setting.label for setting in row) for row in rows]
        for text, count in Counter(texts).items():
            if count > 1:
                found.at_key(rows[0][0].axis.place, f"{rows[0][0].axis.key} has the values {text} twice")
