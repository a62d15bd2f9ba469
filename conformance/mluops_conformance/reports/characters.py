"""Text that any reader of a report survives."""

from __future__ import annotations

import re

_UNFIT = re.compile("[^\t\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML 1.0 forbids: control characters, surrogates, U+FFFE, U+FFFF; and what moves a cursor."""


def legible(text: str) -> str:
    r"""Write characters that XML, UTF-8 or a terminal cannot take as escapes: `\x1b`, `\ud800`."""
    return _UNFIT.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
