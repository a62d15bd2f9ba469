"""Find the places of a C++ source where one small change makes a fault; `KINDS` lists the kinds of changes.

A change replaces a few tokens. Comments, strings, preprocessor lines (macros too), logs and the code that
writes gtest cases stay as they are: a change there changes no result. Binary operators are told from
pointers, references and templates by the spaces around them, as clang-format writes them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import Callable, Iterator, Sequence, Tuple

from mluops_tools.cpu.tokens import Token, closing, following, preceding, text_at, text_of, tokens_of

SHOWN = 60
"""Characters of a text that a line shows."""

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
ARITHMETIC = {
    **{"+": "-", "-": "+", "*": "/", "/": "*", "%": "/"},
    **{"+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="},
}
CONNECTIVES = {"&&": "||", "||": "&&"}
ROUNDINGS = {"_rd": "_rn", "_rn": "_tz", "_tz": "_rn", "_dn": "_rn", "_up": "_dn"}
"""Endings of conversions that name a rounding mode."""
WHOLE = {"floor": "ceil", "ceil": "floor"}

QUIET = re.compile(r"V?LOG(_FIRST_N)?|CNLOG|MLULOG|GEN_CASE_\w+|static_assert|\w*printf")
"""Calls and statements that change no result."""
CASE_WRITER = "MLUOP_GEN_CASE_ON_NEW"
CHECKS = re.compile(r"(?!CHECK_RETURN|KERNEL_CHECK)\w*CHECK\w*")
"""Macros of host code that refuse a call; those that are excepted make a call."""
SYNCHRONIZATION = re.compile(r"__sync\w*|cnrtQueueSync")
COMMUTATIVE = re.compile(r"max|min|__bang_(add|mul|max\w*|min\w*|and|or|eq|ne)|__mluop_(max|min)\w*")
DEFINING = re.compile(r"DEFINE_\w+")
UNCHANGED = re.compile(f"{CHECKS.pattern}|{DEFINING.pattern}")
"""Macros whose arguments have one order in which they compile."""
HEADS = ("if", "for", "while")
NO_CALLS = frozenset([*HEADS, "switch", "return", "sizeof", "catch", "alignof", "decltype", "constexpr"])
NO_OPERANDS = frozenset(["return", "case", "else", "operator", "template", "typename", "new"])
NO_STATEMENTS = frozenset(
    [*HEADS, *("return", "using", "typedef", "goto", "delete", "throw", "switch", "do", "else", "case")]
)
DROPPED_WORDS = frozenset(["break", "continue"])
ASSIGNMENTS = frozenset(["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--"])
INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|[0-9]+)([uUlL]*)")
REAL = re.compile(r"(\d+\.\d*|\.\d+|\d+(?=[eE]))([eE][-+]?\d+)?([fFlL]?)")

Edit = Tuple[int, int, str]
"""The first token, the one behind the last, and the text that takes their place."""
Finder = Callable[[Sequence[Token], int], Iterator[Edit]]


@dataclass(frozen=True)
class Change:
    """One fault.

    Parameters
    ----------
    path : str
        The file, in the checkout.
    line, column : int
        Where it begins, from 1.
    kind : str
        A key of `KINDS`.
    at : int
        Where it begins in the text, from 0.
    old, new : str
    """

    path: str
    line: int
    column: int
    kind: str
    at: int
    old: str
    new: str

    @property
    def place(self) -> str:
        """The file, line and column."""
        return f"{self.path}:{self.line}:{self.column}"

    @property
    def id(self) -> str:
        """Its name: the place, the kind, the old text and the new one."""
        return f"{self.place}: {self.kind}: {shown(self.old)} -> {shown(self.new)}"

    def applied(self, text: str) -> str:
        """Return a text with the change.

        Raises
        ------
        ValueError
            It is not the text in which the change was found.
        """
        end = self.at + len(self.old)
        if text[self.at : end] != self.old:
            raise ValueError(f"{self.place}: the text is another one")
        return text[: self.at] + self.new + text[end:]


def shown(text: str) -> str:
    """Return a text on one short line; "nothing" for spaces."""
    line = " ".join(text.split())
    return (line if len(line) <= SHOWN else f"{line[: SHOWN - 3]}...") or "nothing"


def changes_of(path: str, text: str) -> list[Change]:
    """Return the changes of a source file, in the order of their places.

    Parameters
    ----------
    path : str
        In the checkout.
    text : str
    """
    tokens = tokens_of(text)
    offsets = [0]
    for token in tokens:
        offsets.append(offsets[-1] + len(token.text))
    lines = [0, *(match.end() for match in re.finditer("\n", text))]
    quiet = _quiet(tokens)
    found = []
    for index in range(len(tokens)):
        for kind, (finder, _) in KINDS.items() if not quiet[index] else ():
            for first, end, new in finder(tokens, index):
                at = offsets[first]
                line = bisect_right(lines, at)
                place = (path, line, at - lines[line - 1] + 1)
                found.append(Change(*place, kind, at, text[at : offsets[end]], new))
    return sorted(found, key=lambda change: change.at)


def _quiet(tokens: Sequence[Token]) -> list[bool]:
    """Mark the tokens that stay as they are."""
    quiet = [token.kind in ("space", "string", "char", "directive") for token in tokens]
    for index, token in enumerate(tokens):
        end = index
        if token.text == "#" and _begins_line(tokens, index):
            end = _end_of_directive(tokens, index)
        elif token.kind == "name" and QUIET.fullmatch(token.text):
            end = _end_of_statement(tokens, index)
        elif token.text == "if":
            head = closing(tokens, _opening(tokens, index) or index)
            if CASE_WRITER in (word.text for word in tokens[index:head]):
                end = _end_of_block(tokens, head)
        quiet[index:end] = [True] * (end - index)
    return quiet


def _begins_line(tokens: Sequence[Token], index: int) -> bool:
    return index == 0 or (tokens[index - 1].kind == "space" and "\n" in tokens[index - 1].text)


def _end_of_directive(tokens: Sequence[Token], index: int) -> int:
    while index < len(tokens):
        if tokens[index].kind == "space" and re.search(r"(?<!\\)\n", tokens[index].text):
            break
        index += 1
    return index


def _end_of_statement(tokens: Sequence[Token], index: int) -> int:
    """Return the index of the semicolon that ends the statement of a token; the index itself without one."""
    at = index
    while at < len(tokens) and tokens[at].text not in (";", "}"):
        at = closing(tokens, at) + 1 if tokens[at].text in ("(", "[", "{") else at + 1
    return at if text_at(tokens, at) == ";" else index


def _end_of_block(tokens: Sequence[Token], bracket: int) -> int:
    """Return the index behind the block, or the statement, that follows a closing bracket."""
    first = following(tokens, bracket)
    if text_at(tokens, first) == "{":
        return closing(tokens, first) + 1
    return _end_of_statement(tokens, first) + 1


def _replaced(table: dict[str, str]) -> Finder:
    """Return a finder of binary operators of a table."""

    def find(tokens: Sequence[Token], at: int) -> Iterator[Edit]:
        if tokens[at].text in table and _is_binary(tokens, at):
            yield at, at + 1, table[tokens[at].text]

    return find


def _is_binary(tokens: Sequence[Token], at: int) -> bool:
    if not 0 < at < len(tokens) - 1 or {tokens[at - 1].kind, tokens[at + 1].kind} != {"space"}:
        return False
    before = tokens[preceding(tokens, at)]
    operand = before.kind in ("name", "number", "char") or before.text in (")", "]")
    return operand and before.text not in NO_OPERANDS


def _constants(tokens: Sequence[Token], at: int) -> Iterator[Edit]:
    text = tokens[at].text
    if tokens[at].kind == "number":
        yield from ((at, at + 1, new) for new in _neighbours(text))
    elif tokens[at].kind == "name" and text in ("true", "false"):
        yield at, at + 1, "false" if text == "true" else "true"


def _neighbours(text: str) -> Iterator[str]:
    """Return a number's text with its value one larger and one smaller, not below zero."""
    whole, real = INTEGER.fullmatch(text), REAL.fullmatch(text)
    if whole:
        base = 16 if whole[1][:2] in ("0x", "0X") else 10
        value = int(whole[1], base)
        for other in (value + 1, value - 1)[: 2 if value else 1]:
            yield (hex(other) if base == 16 else str(other)) + whole[2]
    elif real:
        yield repr(float(real[1] + (real[2] or "")) + 1) + real[3]


def _statements(tokens: Sequence[Token], at: int) -> Iterator[Edit]:
    """Drop an assignment, a call, a break or a continue."""
    yield from _dropped(tokens, at, lambda name: not _is_special(name))


def _synchronizations(tokens: Sequence[Token], at: int) -> Iterator[Edit]:
    yield from _dropped(tokens, at, lambda name: bool(SYNCHRONIZATION.fullmatch(name)))


def _checks(tokens: Sequence[Token], at: int) -> Iterator[Edit]:
    """Drop a macro that refuses a call, or an `if` without else whose block returns."""
    yield from _dropped(tokens, at, lambda name: bool(CHECKS.fullmatch(name)))
    if tokens[at].text == "if" and _opening(tokens, at) is not None:
        end = _end_of_block(tokens, closing(tokens, _opening(tokens, at) or 0))
        words = [token.text for token in tokens[at:end]]
        is_last = text_at(tokens, following(tokens, end - 1)) != "else"
        if is_last and "return" in words and CASE_WRITER not in words:
            yield at, end, ";" + "\n" * text_of(tokens[at:end]).count("\n")


def _is_special(name: str) -> bool:
    return bool(SYNCHRONIZATION.fullmatch(name) or CHECKS.fullmatch(name) or DEFINING.fullmatch(name))


def _dropped(tokens: Sequence[Token], at: int, is_wanted: Callable[[str], bool]) -> Iterator[Edit]:
    if not _begins_statement(tokens, at) or not is_wanted(tokens[at].text):
        return
    end = _end_of_statement(tokens, at)
    if end > at and _is_droppable(tokens[at:end]):
        yield at, end, "\n" * text_of(tokens[at:end]).count("\n")


def _begins_statement(tokens: Sequence[Token], at: int) -> bool:
    before = preceding(tokens, at)
    text = text_at(tokens, before)
    if tokens[at].kind != "name" and tokens[at].text not in ("*", "(", "++", "--"):
        return False
    if text == ")":
        return _is_head(tokens, before)
    return text in ("{", "}", "else") or (text == ";" and not _is_in_brackets(tokens, before))


def _is_head(tokens: Sequence[Token], bracket: int) -> bool:
    """Return True if a closing bracket ends the head of an `if` or a loop."""
    depth, at = 0, bracket
    while at >= 0:
        depth += (tokens[at].text == ")") - (tokens[at].text == "(")
        if depth == 0:
            break
        at -= 1
    before = preceding(tokens, at)
    if text_at(tokens, before) == "constexpr":
        before = preceding(tokens, before)
    return text_at(tokens, before) in HEADS


def _is_in_brackets(tokens: Sequence[Token], at: int) -> bool:
    """Return True if a semicolon stands in the head of a loop."""
    depth = 0
    for index in range(at, -1, -1):
        depth += (tokens[index].text == "(") - (tokens[index].text == ")")
        if depth > 0:
            return True
        if tokens[index].text in ("{", "}"):
            return False
    return False


def _is_droppable(statement: Sequence[Token]) -> bool:
    """Return True for an assignment, a call, a break or a continue: not for a declaration or a return."""
    code = [token for token in statement if token.kind != "space"]
    if code[0].text in DROPPED_WORDS or code[0].text in ("__asm__", "asm"):
        return True
    if code[0].text in NO_STATEMENTS or _declares(statement):
        return code[0].text == "return" and len(code) == 1
    return code[-1].text == ")" or any(token.text in ASSIGNMENTS for token in code)


def _declares(part: Sequence[Token]) -> bool:
    """Return True if tokens begin a declaration: two names in a row, with spaces, * or & between them."""
    names = 0
    for token in part:
        if token.kind == "name" or token.text == ">":
            names += 1
            if names == 2 and token.kind == "name":
                return True
        elif token.text in ("=", "(", "[", ".", "->", ";", ",", "::") or token.kind in ("number", "string"):
            names = 0
            if token.text in ("=", "("):
                return False
        elif token.kind != "space" and token.text not in ("*", "&", "<"):
            names = 0
    return False


def _opening(tokens: Sequence[Token], at: int) -> int | None:
    """Return the index of the bracket behind an `if`."""
    index = following(tokens, at)
    index = following(tokens, index) if text_at(tokens, index) == "constexpr" else index
    return index if text_at(tokens, index) == "(" else None


def _branches(tokens: Sequence[Token], at: int) -> Iterator[Edit]:
    """Negate the condition of an `if` or of a ternary operator; exchange "and" and "or"."""
    if tokens[at].text == "if":
        opening = _opening(tokens, at)
        if opening is not None:
            end = closing(tokens, opening) + 1
            yield opening, end, f"(!{text_of(tokens[opening:end])})"
    elif tokens[at].text == "?":
        yield from _exchanged_branches(tokens, at)
    yield from _replaced(CONNECTIVES)(tokens, at)


def _exchanged_branches(tokens: Sequence[Token], at: int) -> Iterator[Edit]:
    colon = _next_of(tokens, at + 1, (":",))
    end = _next_of(tokens, colon + 1, (";", ",", ":", ")", "]", "}"))
    if colon < end < len(tokens):
        first, second = _trimmed(tokens, at + 1, colon), _trimmed(tokens, colon + 1, end)
        yield first[0], second[1], _exchanged(tokens, first, second)


def _next_of(tokens: Sequence[Token], at: int, texts: Sequence[str]) -> int:
    """Return the index of the first of some marks outside of brackets and of inner ternary operators."""
    inner = 0
    while at < len(tokens):
        text = tokens[at].text
        if text in texts and not (text == ":" and inner):
            return at
        inner += (text == "?") - (text == ":")
        if text in (")", "]", "}", ";"):
            break
        at = closing(tokens, at) + 1 if text in ("(", "[", "{") else at + 1
    return len(tokens)


def _trimmed(tokens: Sequence[Token], first: int, end: int) -> tuple[int, int]:
    """Return a range of tokens without spaces at its ends."""
    while first < end and tokens[first].kind == "space":
        first += 1
    while first < end and tokens[end - 1].kind == "space":
        end -= 1
    return first, end


def _exchanged(tokens: Sequence[Token], first: tuple[int, int], second: tuple[int, int]) -> str:
    between = text_of(tokens[first[1] : second[0]])
    return text_of(tokens[slice(*second)]) + between + text_of(tokens[slice(*first)])


def _arguments(tokens: Sequence[Token], at: int) -> Iterator[Edit]:
    """Exchange two arguments of a call that stand next to each other."""
    name = text_at(tokens, preceding(tokens, at))
    if tokens[at].text != "(" or not _is_call(tokens, at) or UNCHANGED.fullmatch(name):
        return
    parts = list(_parts(tokens, at))
    if any(_declares(tokens[slice(*part)]) for part in parts):
        return
    for number, (first, second) in enumerate(zip(parts, parts[1:])):
        texts = [text_of(tokens[slice(*part)]) for part in (first, second)]
        is_free = number == (0 if "__bang" not in name else 1) and COMMUTATIVE.fullmatch(name)
        if texts[0] != texts[1] and "" not in texts and not is_free and '"' not in "".join(texts):
            yield first[0], second[1], _exchanged(tokens, first, second)


def _is_call(tokens: Sequence[Token], at: int) -> bool:
    before = tokens[preceding(tokens, at)] if at else tokens[at]
    is_name = before.kind == "name" and before.text not in NO_CALLS
    return (is_name and tokens[at - 1].kind != "space") or before.text in (">>>", ">")


def _parts(tokens: Sequence[Token], opening: int) -> Iterator[tuple[int, int]]:
    """Return the ranges of tokens between the commas of a pair of brackets."""
    end = closing(tokens, opening)
    first = at = opening + 1
    while at < end:
        if tokens[at].text == ",":
            yield _trimmed(tokens, first, at)
            first = at + 1
        at = closing(tokens, at) + 1 if tokens[at].text in ("(", "[", "{") else at + 1
    yield _trimmed(tokens, first, end)


def _rounding(tokens: Sequence[Token], at: int) -> Iterator[Edit]:
    text = tokens[at].text
    if tokens[at].kind != "name" or text_at(tokens, following(tokens, at)) != "(":
        return
    ending = next((ending for ending in ROUNDINGS if text.endswith(ending) and "2" in text), "")
    if ending:
        yield at, at + 1, text[: -len(ending)] + ROUNDINGS[ending]
    for word, other in WHOLE.items():
        if re.fullmatch(rf"(__bang_|__)?{word}f?", text):
            yield at, at + 1, text.replace(word, other)


KINDS: dict[str, tuple[Finder, str]] = {
    "comparison": (_replaced(COMPARISONS), "< and <=, > and >=, == and != exchanged"),
    "arithmetic": (_replaced(ARITHMETIC), "+ and -, * and / exchanged, also in assignments; % to /"),
    "constant": (_constants, "a number one larger or smaller; true and false exchanged"),
    "statement": (_statements, "an assignment, a call, a break or a continue left out"),
    "check": (_checks, "a check of host code left out, or an if whose block returns"),
    "arguments": (_arguments, "two neighbouring arguments of a call exchanged"),
    "branch": (_branches, "a condition negated, the branches of ?: exchanged, && and || exchanged"),
    "rounding": (_rounding, "another rounding mode of a conversion; floor and ceil exchanged"),
    "synchronization": (_synchronizations, "a wait for copies or for other cores left out"),
}
"""The kinds of changes: what finds them, and what they do."""
