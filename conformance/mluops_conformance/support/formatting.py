"""Format numbers and text for messages and reports."""

from __future__ import annotations

import re
from typing import Sequence

WHOLE_BELOW = 1e9
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"))
SIZES = ((1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"), (1, "B"))
_UNFIT = re.compile("[^\t\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""The characters that XML 1.0 forbids: controls, surrogates, U+FFFE, U+FFFF; and those that move a cursor."""


def short(value: float) -> str:
    """A number for people: whole, or four significant digits and a plain exponent ("4096", "1e-5", "nan")."""
    if isinstance(value, int) or (value.is_integer() and abs(value) < WHOLE_BELOW):
        return str(int(value))
    return re.sub(r"e([+-])0*", lambda sign: "e" if sign[1] == "+" else "e-", f"{value:.4g}")


def exact(value: float) -> str:
    """A stored element for people: nine digits tell any two numbers of float32 or float16 apart."""
    return f"{value:.9g}" if isinstance(value, float) else str(value)


def counted(number: int, noun: str) -> str:
    """A number of things, as "1 case" or "3 cases"; for nouns that take a plain s."""
    return f"{number} {noun}" + ("" if number == 1 else "s")


def seconds(value: float) -> str:
    """A duration with four digits in a unit of its size: "12.34 us"."""
    return _scaled(value, UNITS)


def size(nbytes: int) -> str:
    """Bytes with four digits in a unit of their size: "1.5 MiB"."""
    return _scaled(nbytes, SIZES)


def sentences(reason: str) -> list[str]:
    """Split a reason into sentences, which "; " and line breaks part, but within parentheses."""
    found, depth = [""], 0
    for part in re.split(r"([()]|; |\n)", reason):
        depth += {"(": 1, ")": -1}.get(part, 0)
        if part == "\n" or (part == "; " and depth <= 0):
            found.append("")
        else:
            found[-1] += part
    return [sentence for sentence in found if sentence]


def first_sentence(reason: str) -> str:
    """Return the first sentence of a reason, and how many there are more."""
    first, *others = sentences(reason) or [""]
    return f"{first} (and {len(others)} more)" if others else first


def per_cent(part: float) -> str:
    """A part with three digits: "4.27 %"."""
    return f"{100 * part:.3g} %"


def _scaled(value: float, units: Sequence[tuple[float, str]]) -> str:
    factor, unit = next((entry for entry in units if abs(value) >= entry[0]), units[-1])
    return f"{short(value / factor)} {unit}"


def legible(text: str) -> str:
    r"""Write characters that XML, UTF-8 or a terminal cannot take as escapes: `\x1b`, `\ud800`."""
    return _UNFIT.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
