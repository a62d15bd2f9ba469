"""BANG C to C++: the few constructs of kernels that no header can give a meaning to.

Launches, variables in on-chip memory, casts of floats to integers (which saturate on a device and are
undefined in C++), assembly statements, `static` where C++ forbids it, and parameters with the name of an
on-chip variable. Lines keep their numbers.
"""

from __future__ import annotations

import json
from typing import Callable, Sequence

from mluops_tools.cpu.tokens import (
    Token,
    closing,
    following,
    preceding,
    split,
    text_at,
    text_of,
    tokens_of,
)

MEMORIES = {"__nram__": "kNram", "__wram__": "kWram", "__mlu_shared__": "kSram"}
FUNCTION_WORDS = ("__mlu_func__", "__mlu_device__")
INTEGER_TYPES = (
    "int unsigned long short size_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t"
)
INTEGERS = frozenset(INTEGER_TYPES.split())
OPERATORS = "return case = + - * / % ( , ? : < > && || [ { ; & | ! ~ << >> += -= *= /= == != <= >="
BEFORE_CAST = frozenset(["", *OPERATORS.split()])
"""The tokens that may precede a cast. After any other, a type in brackets is a parameter or a sizeof."""

Rule = Callable[[Sequence[Token], int], "tuple[str, int] | None"]


def converted(source: str, path: str) -> str:
    """Return the C++ of a source file of a kernel.

    Parameters
    ----------
    source : str
    path : str
        Where it stands: messages of the compiler and debuggers name it.
    """
    tokens = _rewritten(_without_hiding(tokens_of(source)), _Scopes(path))
    return f"#line 1 {json.dumps(path)}\n{text_of(tokens)}"


def _without_hiding(tokens: Sequence[Token]) -> list[Token]:
    """Rename the parameters of functions that hide an on-chip variable, which is a macro in C++."""
    renamed = list(tokens)
    for name in _names_on_chip(tokens):
        for at, token in enumerate(tokens):
            if token.text == name and _is_parameter(tokens, at):
                for index in range(at, _end_of_function(tokens, at)):
                    if tokens[index].text == name:
                        renamed[index] = Token("name", f"{name}_parameter", tokens[index].line)
    return renamed


def _names_on_chip(tokens: Sequence[Token]) -> set[str]:
    """Return the names of on-chip arrays."""
    names = set()
    for at, token in enumerate(tokens):
        if token.text in MEMORIES:
            bracket = next((i for i in range(at, len(tokens)) if tokens[i].text in ("[", ";")), len(tokens))
            names.add(text_at(tokens, preceding(tokens, bracket)))
    return names


def _is_parameter(tokens: Sequence[Token], at: int) -> bool:
    """Return True for the name in ``T *name,``; an array cannot be the factor of a product."""
    star = preceding(tokens, at)
    before = preceding(tokens, star)
    behind = text_at(tokens, following(tokens, at))
    return text_at(tokens, star) == "*" and tokens[before].kind == "name" and behind in (",", ")")


def _end_of_function(tokens: Sequence[Token], at: int) -> int:
    """Return the index behind the function, or the declaration of one, that has a parameter at `at`."""
    depth, opening = 1, at
    while depth and opening > 0:
        opening -= 1
        depth += (tokens[opening].text == ")") - (tokens[opening].text == "(")
    end = closing(tokens, opening)
    body = following(tokens, end)
    return (closing(tokens, body) if text_at(tokens, body) == "{" else end) + 1


class _Scopes:
    """The open braces at the present position of the conversion in a file."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.braces: list[str] = []  # the word that each belongs to: namespace, struct, class; or none

    @property
    def in_function(self) -> bool:
        return any(word != "namespace" for word in self.braces)

    @property
    def in_class(self) -> bool:
        return bool(self.braces) and self.braces[-1] in ("struct", "class")

    def pass_over(self, tokens: Sequence[Token], index: int) -> None:
        if tokens[index].text == "{":
            self.braces.append(_opened(tokens, index))
        elif tokens[index].text == "}" and self.braces:
            self.braces.pop()


def _opened(tokens: Sequence[Token], index: int) -> str:
    """Return the word that an opening brace belongs to; empty for a function's and others."""
    before = preceding(tokens, index)
    words = (text_at(tokens, before), text_at(tokens, preceding(tokens, before)))
    if "namespace" in words or words == ('"C"', "extern"):
        return "namespace"
    return next((word for word in ("struct", "class") if word in words), "")


def _rewritten(tokens: Sequence[Token], scopes: _Scopes) -> list[Token]:
    rules: tuple[Rule, ...] = (
        lambda all_tokens, at: _variable(all_tokens, at, scopes),
        _assembly,
        _specialization,
        lambda all_tokens, at: _function_word(all_tokens, at, scopes),
        _launch,
        _declared_integer,
        _static_cast,
        _function_cast,
        _prefix_cast,
    )
    result: list[Token] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        replaced = (
            next(filter(None, (rule(tokens, index) for rule in rules)), None) if _may_change(token) else None
        )
        if replaced is None:
            scopes.pass_over(tokens, index)
            result.append(token)
            index += 1
        else:
            text, end = replaced
            result.append(Token("mark", text + _lost_lines(tokens[index:end], text), token.line))
            index = end
    return result


def _may_change(token: Token) -> bool:
    return token.kind == "name" or token.text == "("


def _lost_lines(replaced: Sequence[Token], text: str) -> str:
    """Return the line breaks that a replacement left out, as they stood: continued within a macro."""
    source = text_of(replaced)
    breaks = ["\\\n" if source[at - 1 : at] == "\\" else "\n" for at, c in enumerate(source) if c == "\n"]
    return "".join(breaks[text.count("\n") :])


def _inner(tokens: Sequence[Token]) -> str:
    """Convert what stands within a construct that is converted."""
    return text_of(_rewritten(tokens, _Scopes(""))).strip()


def _launch(tokens: Sequence[Token], at: int) -> tuple[str, int] | None:
    """Convert ``kernel<T><<<dim, type, queue>>>(arguments)``."""
    opening = _behind_kernel_name(tokens, at)
    if opening is None:
        return None
    end = next((i for i in range(opening, len(tokens)) if tokens[i].text == ">>>"), None)
    if end is None:
        return None
    bracket = following(tokens, end)
    if text_at(tokens, bracket) != "(":
        return None
    name = " ".join(text_of(tokens[at:opening]).replace("\\\n", " ").split())
    where = " ".join(_inner(tokens[opening + 1 : end]).replace("\\\n", " ").split())
    last = following(tokens, bracket) == closing(tokens, bracket)
    body = f"[](auto... xs) {{ {name}(xs...); }}"
    text = f"mlucpu::launch(mlucpu::this_unit, {where}, MLU_TEXT({name}), {body}" + ("" if last else ", ")
    return text, bracket + 1


def _behind_kernel_name(tokens: Sequence[Token], at: int) -> int | None:
    """Return the index of ``<<<`` if a kernel's name, with template arguments or not, stands before it."""
    if tokens[at].kind != "name":
        return None
    index = at
    while text_at(tokens, following(tokens, index)) in ("::", "##"):
        index = following(tokens, following(tokens, index))
    index = following(tokens, index)
    if text_at(tokens, index) == "<":
        index = following(tokens, _closing_angle(tokens, index))
    return index if text_at(tokens, index) == "<<<" else None


def _closing_angle(tokens: Sequence[Token], opening: int) -> int:
    depth = 0
    for index in range(opening, len(tokens)):
        text = tokens[index].text
        depth += (text == "<") - (text == ">") - 2 * (text == ">>")
        if depth <= 0 or text in (";", "{", "}", "<<<"):
            return index
    return len(tokens) - 1


def _variable(tokens: Sequence[Token], at: int, scopes: _Scopes) -> tuple[str, int] | None:
    """Convert the declaration of an on-chip variable."""
    word = tokens[at].text
    qualifier = following(tokens, at) if word == "extern" else at
    memory = MEMORIES.get(text_at(tokens, qualifier))
    if memory is None:
        return None
    end = next((i for i in range(at, len(tokens)) if tokens[i].text == ";"), None)
    if end is None:
        return None
    if word == "extern":
        return "", end + 1
    declaration, *image = split(tokens[qualifier + 1 : end], "=")
    bracket = next((i for i, token in enumerate(declaration) if token.text == "["), len(declaration))
    name_at = preceding(declaration, bracket)
    name, size = declaration[name_at].text, text_of(declaration[bracket:]).strip()
    element = " ".join(
        token.text for token in declaration[:name_at] if token.kind != "space" and token.text != "static"
    )
    return _storage(
        scopes, memory, name, f"{element}", size, _inner(image[0]) if image else "", tokens[end]
    ), end + 1


def _storage(scopes: _Scopes, memory: str, name: str, element: str, size: str, image: str, end: Token) -> str:
    static = "static " if scopes.in_function else "namespace { "
    words = [static + f"const {element} {name}_image{size} = {image};" if image else ""]
    if image and not scopes.in_function:
        words.append("}")
    arguments = f'mlucpu::this_unit, mlucpu::{memory}, "{name}"' + (f", &{name}_image" if image else "")
    words.append(f"{static}mlucpu::OnChip<{element}{size}> {name}_on_chip({arguments});")
    if scopes.in_function:
        return " ".join([*words, f"auto &{name} = {name}_on_chip.here();"])
    line = f"#line {end.line + 1} {json.dumps(scopes.path)}"
    return " ".join([*words, "}"]) + f"\n#define {name} ({name}_on_chip.here())\n{line}"


def _static_cast(tokens: Sequence[Token], at: int) -> tuple[str, int] | None:
    """Convert ``static_cast<int>(value)``."""
    if tokens[at].text != "static_cast":
        return None
    angle = following(tokens, at)
    kind = following(tokens, angle)
    bracket = following(tokens, following(tokens, kind))
    if text_at(tokens, kind) not in INTEGERS or text_at(tokens, bracket) != "(":
        return None
    end = closing(tokens, bracket)
    return f"mlucpu::to_integer<{tokens[kind].text}>({_inner(tokens[bracket + 1 : end])})", end + 1


def _function_cast(tokens: Sequence[Token], at: int) -> tuple[str, int] | None:
    """Convert ``int(value)``."""
    bracket = following(tokens, at)
    if tokens[at].text not in INTEGERS or text_at(tokens, bracket) != "(":
        return None
    before = text_at(tokens, preceding(tokens, at))
    if before not in BEFORE_CAST or text_at(tokens, following(tokens, bracket)) in ("*", "&", ")"):
        return None
    end = closing(tokens, bracket)
    return f"mlucpu::to_integer<{tokens[at].text}>({_inner(tokens[bracket + 1 : end])})", end + 1


def _prefix_cast(tokens: Sequence[Token], at: int) -> tuple[str, int] | None:
    """Convert ``(int)value``."""
    if tokens[at].text != "(":
        return None
    kind = following(tokens, at)
    bracket = following(tokens, kind)
    before = preceding(tokens, at)
    is_cast = text_at(tokens, kind) in INTEGERS and text_at(tokens, bracket) == ")"
    if not is_cast or not (text_at(tokens, before) in BEFORE_CAST or text_at(tokens, before) == ")"):
        return None
    end = _operand(tokens, following(tokens, bracket))
    if end is None:
        return None
    return f"mlucpu::to_integer<{tokens[kind].text}>({_inner(tokens[bracket + 1 : end])})", end


def _operand(tokens: Sequence[Token], at: int) -> int | None:
    """Return the index behind the operand of a cast that begins at `at`; None where none begins."""
    while text_at(tokens, at) in ("-", "+", "!", "~", "*", "&"):
        at = following(tokens, at)
    if text_at(tokens, at) == "(":
        end = closing(tokens, at) + 1
        if text_at(tokens, following(tokens, at)) in INTEGERS | {"float", "half", "T"} and closing(
            tokens, at
        ) == following(tokens, following(tokens, at)):
            return _operand(tokens, following(tokens, end - 1))  # a cast before the operand
    elif at < len(tokens) and tokens[at].kind in ("name", "number", "char"):
        end = at + 1
    else:
        return None
    return _behind_postfixes(tokens, end)


def _behind_postfixes(tokens: Sequence[Token], end: int) -> int:
    while True:
        at = following(tokens, end - 1)
        text = text_at(tokens, at)
        if text in ("(", "["):
            end = closing(tokens, at) + 1
        elif text in ("::", ".", "->"):
            end = following(tokens, at) + 1
        elif text in ("++", "--"):
            end = at + 1
        elif text == "<" and _is_template(tokens, at):
            end = _closing_angle(tokens, at) + 1
        else:
            return end


def _is_template(tokens: Sequence[Token], at: int) -> bool:
    end = _closing_angle(tokens, at)
    return text_at(tokens, end) == ">" and text_at(tokens, following(tokens, end)) in ("(", "::")


def _declared_integer(tokens: Sequence[Token], at: int) -> tuple[str, int] | None:
    """Convert ``int name = value``, whose value may be a float."""
    if tokens[at].text not in INTEGERS:
        return None
    name = following(tokens, at)
    equals = following(tokens, name)
    value = following(tokens, equals)
    if text_at(tokens, equals) != "=" or tokens[name].kind != "name" or text_at(tokens, value) in ("{", ""):
        return None
    end = _end_of_initializer(tokens, value)
    if end is None or (tokens[value].kind == "number" and value + 1 == end):
        return None
    kind = tokens[at].text
    return f"{kind} {tokens[name].text} = mlucpu::to_integer<{kind}>({_inner(tokens[value:end])})", end


def _end_of_initializer(tokens: Sequence[Token], at: int) -> int | None:
    """Return the index of the ``;`` behind an initializer; None where something else ends it."""
    while at < len(tokens):
        text = tokens[at].text
        if text == ";":
            return at
        if text in (",", ")", "}", ":") or tokens[at].kind == "directive":
            return None
        at = closing(tokens, at) + 1 if text in ("(", "[", "{") else at + 1
    return None


def _specialization(tokens: Sequence[Token], at: int) -> tuple[str, int] | None:
    """Convert ``template <> __mlu_func__``: a specialization may not be static."""
    if tokens[at].text != "template":
        return None
    angle = following(tokens, at)
    end = following(tokens, angle)
    word = following(tokens, end)
    if (text_at(tokens, angle), text_at(tokens, end)) != ("<", ">") or not text_at(tokens, word).startswith(
        "__mlu_"
    ):
        return None
    return "template <> inline", word + 1


def _function_word(tokens: Sequence[Token], at: int, scopes: _Scopes) -> tuple[str, int] | None:
    """Leave out ``__mlu_func__``, which is static in C++, beside ``static`` and for members of a class."""
    if tokens[at].text not in FUNCTION_WORDS:
        return None
    beside = (text_at(tokens, preceding(tokens, at)), text_at(tokens, following(tokens, at)))
    return ("", at + 1) if scopes.in_class or "static" in beside else None


def _assembly(tokens: Sequence[Token], at: int) -> tuple[str, int] | None:
    """Convert an assembly statement into a call with its text and operands."""
    if tokens[at].text not in ("asm", "__asm__"):
        return None
    bracket = following(tokens, at)
    if text_at(tokens, bracket) == "volatile":
        bracket = following(tokens, bracket)
    if text_at(tokens, bracket) != "(":
        return None
    end = closing(tokens, bracket)
    text, targets, operands = _assembly_parts(tokens[bracket + 1 : end])
    if "index.vvr.f32" in text:
        step = text.rsplit(",", 1)[1].strip(' ;"').replace("\\n", "").replace("\\t", "").strip(" ;")
        return f"mlucpu::assembly_index({targets[0][1]}, {operands[0][1]}, {step})", end + 1
    outs = ", ".join(f'{{"{name}", &({value})}}' for name, value in targets)
    ins = ", ".join(f'{{"{name}", {value}}}' for name, value in operands)
    return f"mlucpu::assembly({text}, {{{outs}}}, {{{ins}}})", end + 1


def _assembly_parts(tokens: Sequence[Token]) -> tuple[str, list[tuple[str, str]], list[tuple[str, str]]]:
    """Return the text of a statement, what it writes and what it reads."""
    colons = [
        colon
        for token in tokens
        for colon in ([Token("mark", ":", token.line)] * 2 if token.text == "::" else [token])
    ]
    text, *sections = split(colons, ":")
    targets, operands = [*map(_assembly_operands, sections), [], []][:2]
    return " ".join(token.text for token in text if token.kind == "string"), targets, operands


def _assembly_operands(tokens: Sequence[Token]) -> list[tuple[str, str]]:
    """Return names and values of ``[name] "r"(value), ...``."""
    operands = []
    for part in split(tokens, ","):
        words = [index for index, token in enumerate(part) if token.kind != "space"]
        if len(words) >= 5:
            bracket = words[4]
            operands.append((part[words[1]].text, _inner(part[bracket + 1 : closing(part, bracket)])))
    return operands
