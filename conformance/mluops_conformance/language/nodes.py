"""YAML text -> plain values that know their place, by a subset of YAML in which a text has one meaning.

A document is made of mappings with text keys, sequences and scalars (see `scalars`). Anchors, aliases, merge
keys, tags, further documents, duplicate keys and nesting beyond `DEEPEST` levels are errors: cases share by
`defaults` and `matrix`, so that each value has exactly one place that errors can name, and no file grows
beyond what it shows.
"""

from __future__ import annotations

from typing import Any, Callable, Dict, List, Optional, Tuple, Union

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

from mluops_conformance.language.model import Origin
from mluops_conformance.language.problems import Problem
from mluops_conformance.language.scalars import Scalar, resolve

__all__ = ["Node", "compose", "plain"]

DEEPEST = 50

Event = Any  # PyYAML's events have no common type that names what is read of them

Parser: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""libyaml's parser where PyYAML was built with it. Only its events are used: nothing is constructed."""


class Node:
    """A value and its place.

    Attributes
    ----------
    value : scalar, list of Node or dict of str to Node
    line, column : int
        From 1.
    key : (int, int), optional
        The line and column of the key that the value stands under.
    """

    __slots__ = ("column", "key", "line", "value")

    def __init__(self, value: Value, line: int, column: int, key: Optional[Tuple[int, int]] = None) -> None:
        self.value = value
        self.line = line
        self.column = column
        self.key = key

    def with_value(self, value: Value) -> Node:
        """The same place with another value."""
        return Node(value, self.line, self.column, self.key)


Value = Union[Scalar, List[Node], Dict[str, Node]]


def compose(text: str, file: str) -> Tuple[Optional[Node], List[Problem]]:
    """The document's root, None where it is empty or not YAML, and all that is wrong with it."""
    composer = _Composer(text, file)
    try:
        return composer.document(), composer.problems
    except yaml.MarkedYAMLError as error:
        composer.report(error.problem_mark or error.context_mark, _one_line(error))
    except yaml.reader.ReaderError as error:
        before = text.encode("utf-8", "surrogatepass")[: error.position]
        origin = Origin(file, before.count(b"\n") + 1, len(before) - before.rfind(b"\n"))
        composer.problems.append(Problem(origin, f"the character #x{error.character:02x} is not allowed"))
    except _TooDeepError as error:
        composer.report(error.args[0], f"nested deeper than {DEEPEST} levels")
    return None, composer.problems


def plain(node: Node) -> Any:
    """The value without places."""
    if isinstance(node.value, dict):
        return {key: plain(child) for key, child in node.value.items()}
    if isinstance(node.value, list):
        return tuple(plain(child) for child in node.value)
    return node.value


class _TooDeepError(Exception):
    """Raised with the mark of the value that is nested too deep."""


class _Composer:
    def __init__(self, text: str, file: str) -> None:
        self._next: Callable[[], Event] = Parser(text).get_event
        self._file = file
        self._depth = 0
        self.problems: List[Problem] = []

    def report(self, mark: Any, text: str) -> None:
        self.problems.append(Problem(Origin(self._file, mark.line + 1, mark.column + 1), text))

    def document(self) -> Optional[Node]:
        self._next()  # the stream's start
        event = self._next()
        if isinstance(event, StreamEndEvent):
            return None
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
            return Node(None, mark.line + 1, mark.column + 1)
        if event.anchor is not None:
            self.report(
                mark, f"anchor &{event.anchor}: anchors are not supported; share by defaults or matrix"
            )
        if event.tag is not None:
            self.report(mark, f"tag {event.tag}: tags are not supported")
        if kind is ScalarEvent:
            return Node(self._scalar(event), mark.line + 1, mark.column + 1)
        self._depth += 1
        if self._depth > DEEPEST:
            raise _TooDeepError(mark)
        value = self._mapping() if kind is MappingStartEvent else self._sequence()
        self._depth -= 1
        return Node(value, mark.line + 1, mark.column + 1)

    def _scalar(self, event: Any) -> Scalar:
        if not event.implicit[0]:
            return str(event.value)
        value, complaint = resolve(event.value)
        if complaint:
            self.report(event.start_mark, complaint)
        return value

    def _sequence(self) -> List[Node]:
        items: List[Node] = []
        event = self._next()
        while type(event) is not SequenceEndEvent:
            items.append(self._node(event))
            event = self._next()
        return items

    def _mapping(self) -> Dict[str, Node]:
        entries: Dict[str, Node] = {}
        event = self._next()
        while type(event) is not MappingEndEvent:
            key = self._key(event)
            child = self._node(self._next())
            child.key = (event.start_mark.line + 1, event.start_mark.column + 1)
            first = entries.setdefault(key, child)
            if first is not child and first.key:
                self.report(event.start_mark, f"duplicate key '{key}'; the first is in line {first.key[0]}")
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
    return " ".join(part for part in (error.context, error.problem) if part)
