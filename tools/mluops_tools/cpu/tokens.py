"""C++ source as tokens whose texts join to the source again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Iterable, Sequence

PATTERN = re.compile(
    r"""
    (?P<space>  (?: \s | \\\n | //(?:[^\\\n]|\\.|\\\n)* | /\*.*?\*/ )+ )
  | (?P<string> (?:u8|[uUL])?"(?:[^"\\\n]|\\.|\\\n)*" )
  | (?P<char>   '(?:[^'\\\n]|\\.)+' )
  | (?P<name>   [A-Za-z_]\w* )
  | (?P<number> \.?\d(?:[eEpP][+-]|[\w.'])* )
  | (?P<mark>   <<<|>>>|::|->|\#\#|\+\+|--|<<|[-+*/%&|^=!<>]=|&&|\|\||. )
    """,
    re.VERBOSE | re.DOTALL,
)
OPENING = {"(": ")", "[": "]", "{": "}"}
DIRECTIVES_KEPT = ("include", "if", "ifdef", "ifndef", "elif", "pragma", "error", "undef", "line")


@dataclass(frozen=True)
class Token:
    """A piece of source.

    Parameters
    ----------
    kind : str
        space, string, char, name, number, mark, or directive: a preprocessor line that stays as it is.
    text : str
    line : int
        Where it begins, from 1.
    """

    kind: str
    text: str
    line: int


def tokens_of(source: str) -> list[Token]:
    """Split C++ source; comments count as space."""
    tokens: list[Token] = []
    at, line = 0, 1
    while at < len(source):
        kind, text = _next(source, at)
        tokens.append(Token(kind, text, line))
        at += len(text)
        line += text.count("\n")
    return tokens


def text_of(tokens: Iterable[Token]) -> str:
    """Return the source that tokens stand for."""
    return "".join(token.text for token in tokens)


def closing(tokens: Sequence[Token], opening: int) -> int:
    """Return the index of the bracket that closes the one at `opening`; the last index where none does."""
    depth = 0
    for index in range(opening, len(tokens)):
        if tokens[index].kind == "mark":
            depth += (tokens[index].text in OPENING) - (tokens[index].text in OPENING.values())
            if depth == 0:
                return index
    return len(tokens) - 1


def following(tokens: Sequence[Token], index: int) -> int:
    """Return the index of the next token behind `index` that is no space; the length where there is none."""
    index += 1
    while index < len(tokens) and tokens[index].kind == "space":
        index += 1
    return index


def preceding(tokens: Sequence[Token], index: int) -> int:
    """Return the index of the last token before `index` that is no space; -1 where there is none."""
    index -= 1
    while index >= 0 and tokens[index].kind == "space":
        index -= 1
    return index


def text_at(tokens: Sequence[Token], index: int) -> str:
    """Return a token's text; empty outside of the source."""
    return tokens[index].text if 0 <= index < len(tokens) else ""


def split(tokens: Sequence[Token], separator: str) -> list[list[Token]]:
    """Split tokens at a mark that is in no bracket."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        if token.kind == "mark":
            depth += (token.text in OPENING) - (token.text in OPENING.values())
        if depth == 0 and token.kind == "mark" and token.text == separator:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _next(source: str, at: int) -> tuple[str, str]:
    directive = _directive(source, at)
    if directive:
        return "directive", directive
    match = PATTERN.match(source, at)
    if match is None or match.lastgroup is None:
        raise AssertionError("every character is a mark at least")
    return match.lastgroup, match.group()


def _directive(source: str, at: int) -> str:
    """Return the line for the preprocessor that begins here and stays as it is, if one does."""
    if source[at] != "#" or source[source.rfind("\n", 0, at) + 1 : at].strip():
        return ""
    match = re.compile(r"#\s*(\w+)(?:[^\\\n]|\\.|\\\n)*", re.DOTALL).match(source, at)
    return match.group() if match and match.group(1) in DIRECTIVES_KEPT else ""
