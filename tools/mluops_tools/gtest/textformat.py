"""A reader of protobuf's text format, as far as cases use it, without the schema.

Fields are `name: value`, `name { ... }`, `name: { ... }` and `name: [value, ...]`; a field that comes again
is repeated. Values are numbers, words and quoted strings (neighbours are joined), `#` begins a comment, and
commas or semicolons may stand behind fields. Extensions and `Any` are not read. What a value means is for
whoever knows the field to say: `Scalar` keeps its text.
"""

from __future__ import annotations

import re
from typing import Iterator, Mapping, NamedTuple, TypeVar

__all__ = ["Message", "Scalar", "TextFormatError", "parse"]

T = TypeVar("T")

TOKEN = re.compile(
    r"""(?P<space>\s+|\#[^\n]*)
      | (?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
      | (?P<number>-?(?:0[xX][0-9a-fA-F]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[fF]?)(?![\w.]))
      | (?P<word>-?[A-Za-z_]\w*)
      | (?P<mark>[{}<>\[\]:,;])""",
    re.VERBOSE,
)
DEEPEST = 100
CLOSING = {"{": "}", "<": ">"}
INTEGER = re.compile(r"(?P<sign>-?)(?:0[xX](?P<hex>[0-9a-fA-F]+)|0(?P<octal>[0-7]+)|(?P<decimal>[0-9]+))")
SPECIAL = frozenset({"inf", "-inf", "infinity", "-infinity", "nan", "-nan"})
ESCAPE = re.compile(r"\\(?:x(?P<hex>[0-9a-fA-F]{1,2})|(?P<octal>[0-7]{1,3})|(?P<letter>.))")
LETTERS = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


class TextFormatError(ValueError):
    """The text is not in the format, or a field holds what it cannot; the message begins with the line."""

    def __init__(self, line: int, text: str) -> None:
        super().__init__(f"line {line}: {text}")


class Scalar(NamedTuple):
    """A value that is no message: its text, a string's without quotes and escapes, and its line.

    The methods give the value of a field of their kind, and raise a `TextFormatError` where it is of another.
    """

    text: str
    quoted: bool
    line: int

    def integer(self) -> int:
        match = None if self.quoted else INTEGER.fullmatch(self.text)
        if match is None:
            raise TextFormatError(self.line, f"{self.text!r} is not an integer")
        bases = {"hex": 16, "octal": 8, "decimal": 10}
        size = next(int(match[name], base) for name, base in bases.items() if match[name])
        return -size if match["sign"] else size

    def number(self) -> float:
        text = self.text.lower()
        if self.quoted:
            raise TextFormatError(self.line, f"{self.text!r} is not a number")
        if text in SPECIAL:
            return float(text)
        if text.startswith(("0x", "-0x")):
            return float(self.integer())
        try:
            return float(text.rstrip("f"))
        except ValueError:
            raise TextFormatError(self.line, f"{self.text!r} is not a number") from None

    def word(self, numbered: Mapping[int, str]) -> str:
        """Return a value of an enum by its name, which the text may give as the number that has it."""
        if not self.quoted and self.text[:1].isalpha():
            return self.text
        if self.quoted or not INTEGER.fullmatch(self.text):
            raise TextFormatError(self.line, f"{self.text!r} is no word")
        if self.integer() not in numbered:
            raise TextFormatError(self.line, f"{self.text} is the number of no word")
        return numbered[self.integer()]

    def string(self) -> str:
        if not self.quoted:
            raise TextFormatError(self.line, f"{self.text!r} needs quotes")
        return self.text


class Message:
    """The fields of a message, each a list of what was given for it, in order."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.fields: dict[str, list[Scalar | Message]] = {}

    def scalars(self, name: str) -> list[Scalar]:
        """All values of a repeated field."""
        return self._all(name, Scalar, "a single value")

    def messages(self, name: str) -> list[Message]:
        """All messages of a repeated field."""
        return self._all(name, Message, "a message")

    def scalar(self, name: str) -> Scalar | None:
        """The value of a field that comes at most once; None where it does not come."""
        return self._only(name, self.scalars(name))

    def message(self, name: str) -> Message | None:
        """The same of a message."""
        return self._only(name, self.messages(name))

    def _all(self, name: str, kind: type[T], what: str) -> list[T]:
        values = self.fields.get(name, [])
        for value in values:
            if not isinstance(value, kind):
                raise TextFormatError(value.line, f"{name} needs {what}")
        return [value for value in values if isinstance(value, kind)]

    def _only(self, name: str, values: list[T]) -> T | None:
        if len(values) > 1:
            raise TextFormatError(self.fields[name][1].line, f"{name} comes twice")
        return values[0] if values else None


class _Token(NamedTuple):
    kind: str
    text: str
    line: int


def parse(text: str) -> Message:
    """The message that a text stands for.

    Raises
    ------
    TextFormatError
        It stands for none.
    """
    return _Parser(_tokens(text)).message(1, "")


def _tokens(text: str) -> Iterator[_Token]:
    line, end = 1, 0
    for match in TOKEN.finditer(text):
        if match.start() > end:
            break
        end = match.end()
        if match.lastgroup == "space":
            line += match.group().count("\n")
        else:
            yield _Token(str(match.lastgroup), match.group(), line)
    if end < len(text):
        raise TextFormatError(line, f"nothing begins with {text[end]!r}")
    yield _Token("mark", "", line)


class _Parser:
    def __init__(self, tokens: Iterator[_Token]) -> None:
        self._tokens = tokens
        self._ahead = next(tokens)
        self._depth = 0

    def message(self, line: int, closing: str) -> Message:
        """The fields up to a closing mark, or to the end of the text where that is empty."""
        message = Message(line)
        self._depth += 1
        if self._depth > DEEPEST:
            raise TextFormatError(line, f"nested deeper than {DEEPEST} levels")
        while (self._ahead.kind, self._ahead.text) != ("mark", closing):
            name = self._take()
            if not name.text:
                raise TextFormatError(line, f"no {closing!r} closes what is opened here")
            if name.kind != "word":
                raise TextFormatError(name.line, f"a field's name is missing before {name.text!r}")
            message.fields.setdefault(name.text, []).extend(self._values(name.text))
            self._skip(",;")
        if closing:
            self._take()
        self._depth -= 1
        return message

    def _values(self, name: str) -> list[Scalar | Message]:
        colon = self._skip(":")
        if not self._skip("["):
            return [self._value(name, colon)]
        values = []
        while not self._skip("]"):
            values.append(self._value(name, True))
            self._skip(",")
        return values

    def _value(self, name: str, colon: bool) -> Scalar | Message:
        token = self._take()
        if token.kind == "mark":
            if token.text not in CLOSING:
                raise TextFormatError(token.line, f"{name} has no value before {token.text or 'the end'!r}")
            return self.message(token.line, CLOSING[token.text])
        if not colon:
            raise TextFormatError(token.line, f"a colon is missing between {name} and {token.text}")
        if token.kind != "string":
            return Scalar(token.text, False, token.line)
        parts = [_unquoted(token.text)]
        while self._ahead.kind == "string":
            parts.append(_unquoted(self._take().text))
        return Scalar("".join(parts), True, token.line)

    def _take(self) -> _Token:
        token = self._ahead
        if token.text or token.kind != "mark":
            self._ahead = next(self._tokens)
        return token

    def _skip(self, marks: str) -> bool:
        """Take a mark if it is ahead."""
        if self._ahead.kind == "mark" and self._ahead.text and self._ahead.text in marks:
            self._take()
            return True
        return False


def _unquoted(text: str) -> str:
    return ESCAPE.sub(_unescaped, text[1:-1])


def _unescaped(match: re.Match[str]) -> str:
    for name, base in (("hex", 16), ("octal", 8)):
        if match[name]:
            return chr(int(match[name], base))
    return LETTERS.get(match["letter"], match["letter"])
