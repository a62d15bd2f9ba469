"""Parse YAML into nodes that know their line and column, and write scalars that YAML reads back as equal."""

from __future__ import annotations

import math
import re
from functools import lru_cache, partial
from typing import Any, Callable, Dict, List, NamedTuple, Protocol, Union

import yaml
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    StreamEndEvent,
)

from mluops_conformance.language.model import Origin, Problem

__all__ = ["START", "Node", "Scalar", "compose", "mark_behind", "number_hint", "origin_of", "resolve"]


DEEPEST = 50

FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
"""The characters that no YAML file may hold."""

Event = Any  # PyYAML's events have no common type that names what is read of them

Parser: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml's parser where PyYAML was built with it. Only its events are used: nothing is constructed."""

Scalar = Union[None, bool, int, float, str]

NAMED: dict[str, Scalar] = {
    "": None,
    "~": None,
    "null": None,
    "true": True,
    "false": False,
    ".nan": math.nan,
    ".inf": math.inf,
    "-.inf": -math.inf,
}

INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
LOOKS_LIKE_NUMBER = re.compile(
    r"[-+]?(?:0[xXoObB][0-9a-fA-F_]+|(?:\.[0-9]+|[0-9][0-9_]*\.?[0-9_]*)(?:[eE][-+]?[0-9]+)?)"
)
LONGEST_NUMBER = 60
NOT_JSON = re.compile(r"[-+]?\.?(nan|inf(?:inity)?)", re.IGNORECASE)


class Mark(Protocol):
    """A place as PyYAML gives it: lines and columns count from 0."""

    @property
    def line(self) -> int: ...

    @property
    def column(self) -> int: ...


class _Mark(NamedTuple):
    line: int
    column: int


START: Mark = _Mark(0, 0)


class Node:
    """A value and its place.

    Attributes
    ----------
    value : scalar, list of Node or dict of str to Node
    mark : Mark
        Where the value starts.
    key : Mark
        Where the key starts that it stands under; the value itself where it stands under none.
    """

    __slots__ = ("key", "mark", "value")

    def __init__(self, value: Value, mark: Mark, key: Mark | None = None) -> None:
        self.value = value
        self.mark = mark
        self.key = key or mark

    def with_value(self, value: Value) -> Node:
        """The same place with another value."""
        return Node(value, self.mark, self.key)


Value = Union[Scalar, List[Node], Dict[str, Node]]


def compose(text: str, file: str) -> tuple[Node | None, list[Problem]]:
    """The document's root, an empty mapping where there is none, and all that is wrong with it.

    Of what is not YAML there is no root.
    """
    forbidden = FORBIDDEN.search(text)
    if forbidden:
        mark = mark_behind(text[: forbidden.start()])
        return None, [Problem(origin_of(mark, file), f"the character {forbidden.group()!r} is not allowed")]
    composer = _Composer(text, file)
    try:
        return composer.document(), composer.problems
    except yaml.MarkedYAMLError as error:
        composer.report(error.problem_mark or START, _one_line(error))
    except _TooDeepError as error:
        composer.report(error.args[0], f"nested deeper than {DEEPEST} levels")
    return None, composer.problems


def mark_behind(text: str) -> Mark:
    """The place behind the beginning of a file."""
    return _Mark(text.count("\n"), len(text) - text.rfind("\n") - 1)


def origin_of(mark: Mark, file: str) -> Origin:
    """A place in a file, counted from 1."""
    return Origin(file, mark.line + 1, mark.column + 1)


class _TooDeepError(Exception):
    """Raised with the mark of the value that is nested too deep."""


class _Composer:
    def __init__(self, text: str, file: str) -> None:
        self._next: Callable[[], Event] = Parser(text).get_event
        self._file = file
        self._depth = 0
        self.problems: list[Problem] = []

    def report(self, mark: Any, text: str) -> None:
        self.problems.append(Problem(origin_of(mark, self._file), text))

    def document(self) -> Node:
        self._next()  # the stream's start
        event = self._next()
        if isinstance(event, StreamEndEvent):
            return Node({}, START)
        root = self._node(self._next())
        event = self._next()
        while isinstance(event, DocumentEndEvent):
            event = self._next()
        if not isinstance(event, StreamEndEvent):
            self.report(event.start_mark, "a second document; a case file holds one")
        return root

    def _node(self, event: Event) -> Node:
        kind = type(event)
        mark = event.start_mark
        if kind is AliasEvent:
            self.report(
                mark, f"alias *{event.anchor}: aliases are not supported; share by defaults or matrix"
            )
            return Node(None, mark)
        if event.anchor is not None:
            self.report(
                mark, f"anchor &{event.anchor}: anchors are not supported; share by defaults or matrix"
            )
        if event.tag is not None:
            self.report(mark, f"tag {event.tag}: tags are not supported")
        if kind is ScalarEvent:
            return Node(self._scalar(event), mark)
        self._depth += 1
        if self._depth > DEEPEST:
            raise _TooDeepError(mark)
        value = self._mapping() if kind is MappingStartEvent else self._sequence()
        self._depth -= 1
        return Node(value, mark)

    def _scalar(self, event: Any) -> Scalar:
        if not event.implicit[0]:
            return str(event.value)
        value, complaint = resolve(event.value)
        if complaint:
            self.report(event.start_mark, complaint)
        return value

    def _sequence(self) -> list[Node]:
        items: list[Node] = []
        event = self._next()
        while type(event) is not SequenceEndEvent:
            items.append(self._node(event))
            event = self._next()
        return items

    def _mapping(self) -> dict[str, Node]:
        entries: dict[str, Node] = {}
        event = self._next()
        while type(event) is not MappingEndEvent:
            key = self._key(event)
            child = self._node(self._next())
            child.key = event.start_mark
            first = entries.setdefault(key, child)
            if first is not child:
                line = first.key.line + 1
                self.report(event.start_mark, f"duplicate key '{key}'; the first is in line {line}")
            event = self._next()
        return entries

    def _key(self, event: Any) -> str:
        if type(event) is not ScalarEvent:
            self.report(event.start_mark, "a key must be text")
            self._node(event)
            return ""
        if event.value == "<<" and event.implicit[0]:
            self.report(event.start_mark, "merge keys are not supported; share by defaults or matrix")
        if event.anchor is not None or event.tag is not None:
            self.report(event.start_mark, "a key has no anchor and no tag")
        return str(event.value)


def _one_line(error: yaml.MarkedYAMLError) -> str:
    """Return the error in one line, with the place where its part began if that is on an earlier line."""
    begun, found = error.context_mark, error.problem_mark
    since = f" that begins in line {begun.line + 1}," if begun and found and begun.line < found.line else ""
    context = f"{error.context}{since}" if error.context else ""
    return " ".join(part for part in (context, error.problem) if part)


@lru_cache(maxsize=1 << 14)
def resolve(text: str) -> tuple[Scalar, str | None]:
    """The value of a plain scalar, and what is wrong with it.

    Text that other YAML readers would take for a number while JSON does not (`010`, `0x10`, `+5`, `.5`) is an
    error: it must be written as JSON has it, or quoted. `yes`, `no`, `on`, `off` and `nan` are text.
    """
    if text in NAMED:
        return NAMED[text], None
    if not LOOKS_LIKE_NUMBER.fullmatch(text):
        return text, None
    if len(text) > LONGEST_NUMBER or not NUMBER.fullmatch(text):
        meant = _meant(text[:LONGEST_NUMBER])
        return (
            meant,
            f"{text[:LONGEST_NUMBER]} is not a number in JSON; write {meant}, or quote it if it is text",
        )
    if INTEGER.fullmatch(text):
        return int(text), None
    value = float(text)
    if math.isinf(value):
        return value, f"{text!r} is beyond double precision; write .inf if it is meant"
    return value, None


def _meant(text: str) -> Scalar:
    for read in (partial(int, base=0), int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


def number_hint(value: Scalar) -> str:
    """Return the hint for text that was probably meant as a number: "; write .nan", or nothing."""
    match = NOT_JSON.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return ""
    sign = "-" if str(value).startswith("-") else ""
    return "; write .nan" if match.group(1).lower() == "nan" else f"; write {sign}.inf"
