"""A reader of mlu_op.h.

The header is regular: comments, macros, `typedef enum`, opaque `typedef struct X *name_t`, and functions
whose parameters all have names. That much of C is read, from the text and without a compiler. A statement
that is anything else is kept aside (`Header.unread`), so that nothing is missed in silence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Iterator

from mluops.signatures.function import Function

__all__ = ["Header", "read_header", "spelling"]

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
CPLUSPLUS = re.compile(r"^[ \t]*#[ \t]*if[^\n]*__cplusplus.*?#[ \t]*endif[^\n]*", re.DOTALL | re.MULTILINE)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.MULTILINE)
CALLING_CONVENTION = re.compile(r"\bMLUOP_WIN_API\b")

MACRO = re.compile(r"\s*#\s*define\s+(?P<name>\w+)\s+(?P<value>-?\w+)\s*")
ENUM = re.compile(r"(?:typedef\s+)?enum\s*(?P<tag>\w*)\s*\{(?P<body>.*)\}\s*(?P<name>\w*)", re.DOTALL)
ENUMERATOR = re.compile(r"\s*(?P<name>\w+)\s*(?:=\s*\(?\s*(?P<value>[^()]+?)\s*\)?)?\s*")
NUMBER = re.compile(r"(?P<number>-?(?:0[xX][0-9a-fA-F]+|0|[1-9]\d*))[uUlL]*(?:\s*<<\s*(?P<shift>\d+))?")
TYPE = re.compile(r"typedef\s.+?\b(?P<name>\w+)", re.DOTALL)
FUNCTION = re.compile(r"(?P<result>[\w\s*]+?)\b(?P<name>\w+)\s*\((?P<parameters>[^()]*)\)", re.DOTALL)
DECLARED_TAG = re.compile(r"(?:struct|union|enum)\s+\w+")


@dataclass
class Header:
    """The declarations of a header, each by its name.

    Attributes
    ----------
    functions : dict of str to Function
        Of which only name, result and parameters are known.
    enums : dict of str to dict of str to int
        The enumerators' values.
    types : set of str
        The names of all other typedefs.
    macros : dict of str to str
        Those that stand for one word.
    unread : list of str
        Statements that are none of these.
    lines : dict of str to int
        The line on which each of them begins, counted from 1; enumerators too.
    """

    functions: dict[str, Function] = field(default_factory=dict)
    enums: dict[str, dict[str, int]] = field(default_factory=dict)
    types: set[str] = field(default_factory=set)
    macros: dict[str, str] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    lines: dict[str, int] = field(default_factory=dict)


def read_header(text: str) -> Header:
    """Read the text of a header.

    Parameters
    ----------
    text : str
        Everything in it is read, whichever branch of `#if` it stands in, but what only C++ sees.
    """
    reader = _Reader(_without(CPLUSPLUS, _without(COMMENT, text)))
    reader.take_macros()
    for start, statement in _statements(reader.text):
        reader.take(start, statement)
    return reader.header


def spelling(c_type: str) -> str:
    """One spelling for all of a type: single blanks, none around `*`, and arrays as the pointers they are."""
    plain = re.sub(r"\[\w*\]", "*", " ".join(c_type.split()))
    return re.sub(r" ?\* ?", "*", plain)


class _Reader:
    def __init__(self, text: str) -> None:
        self.header = Header()
        self._directives = list(DIRECTIVE.finditer(text))
        self.text = _without(CALLING_CONVENTION, _without(DIRECTIVE, text))

    def take_macros(self) -> None:
        for directive in self._directives:
            macro = MACRO.fullmatch(directive.group())
            if macro:
                self.header.macros[macro["name"]] = macro["value"]
                self._note_line(macro["name"], directive.start())

    def take(self, start: int, statement: str) -> None:
        """Take the statement that begins at an offset of the text."""
        readers = (self._take_enum, self._take_type, self._take_function)
        if DECLARED_TAG.fullmatch(statement) or any(read(start, statement) for read in readers):
            return
        text = " ".join(statement.split())
        self.header.unread.append(text)
        self._note_line(text, start)

    def _take_enum(self, start: int, statement: str) -> bool:
        enum = ENUM.fullmatch(statement)
        name = (enum["name"] or enum["tag"]) if enum else ""
        values = _enumerators(enum["body"]) if enum else None
        if enum is None or not name or values is None:
            return False
        self.header.enums[name] = {key: value for key, value, _ in values}
        self._note_line(name, start)
        for key, _, offset in values:
            self._note_line(key, start + enum.start("body") + offset)
        return True

    def _take_type(self, start: int, statement: str) -> bool:
        found = TYPE.fullmatch(statement)
        if found is None or statement.startswith("typedef enum"):
            return False
        self.header.types.add(found["name"])
        self._note_line(found["name"], start)
        return True

    def _take_function(self, start: int, statement: str) -> bool:
        found = FUNCTION.fullmatch(statement)
        if found is None:
            return False
        parameters = "" if found["parameters"].strip() == "void" else _one_line(found["parameters"])
        function = Function(found["name"], "", spelling(found["result"]).strip(), parameters)
        if not _has_names(function):
            return False
        self.header.functions[function.name] = function
        self._note_line(function.name, start)
        return True

    def _note_line(self, name: str, offset: int) -> None:
        self.header.lines[name] = self.text.count("\n", 0, offset) + 1


def _without(pattern: re.Pattern[str], text: str) -> str:
    """The text with blanks for what matches, so that all else keeps its place."""
    return pattern.sub(lambda match: "\n".join(" " * len(line) for line in match.group().split("\n")), text)


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """The statements of a text and where each begins; a semicolon between braces ends none."""
    depth = start = 0
    for mark in re.finditer(r"[{};]", text):
        depth += {"{": 1, "}": -1, ";": 0}[mark.group()]
        if mark.group() == ";" and depth == 0:
            yield _trimmed(start, text[start : mark.start()])
            start = mark.end()
    if text[start:].strip():
        yield _trimmed(start, text[start:])


def _trimmed(start: int, statement: str) -> tuple[int, str]:
    return start + len(statement) - len(statement.lstrip()), statement.strip()


def _enumerators(body: str) -> list[tuple[str, int, int]] | None:
    """Name, value and offset of each; None where one has a value that is not read."""
    known: dict[str, int] = {}
    found = []
    value, offset = -1, 0
    for entry in body.split(","):
        if entry.strip():
            match = ENUMERATOR.fullmatch(entry)
            given = match and _value(match["value"], value + 1, known)
            if match is None or given is None:
                return None
            value = known[match["name"]] = given
            found.append((match["name"], value, offset + match.start("name")))
        offset += len(entry) + 1
    return found


def _value(text: str | None, following: int, known: dict[str, int]) -> int | None:
    if text is None:
        return following
    number = NUMBER.fullmatch(text)
    if number is None:
        return known.get(text)
    return int(number["number"], 0) << int(number["shift"] or 0)


def _has_names(function: Function) -> bool:
    try:
        return all(function.parameter_names)
    except ValueError:
        return False


def _one_line(parameters: str) -> str:
    return re.sub(r" ?(\*+) ?", r"\1 ", " ".join(parameters.split()))
