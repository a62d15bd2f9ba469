"""The declaration of one C function, as data."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

_PARAMETER = re.compile(r"(?P<type>.+?)\s*\b(?P<name>\w+)\s*(?P<array>(?:\[\w*\])*)")


@dataclass(frozen=True)
class Function:
    """One C function; nothing of its text is parsed before it is asked for.

    Parameters
    ----------
    name : str
        The exported symbol.
    since : str
        The first release with this form of it, as "v0.5.0": of mlu-ops, or of CNRT for cnrt* functions.
    result : str
        The C spelling of the result type.
    parameters : str
        The C parameter list, without its parentheses; "" for `(void)`.
    until : str, optional
        The first release without it.
    absent_in : tuple of str
        Releases from `since` on that left it out.
    older_form_since : str, optional
        The release that brought the same name with other parameters. A library between that release and
        `since` exports the symbol, but a call of this form would corrupt its stack frame.
    """

    name: str
    since: str
    result: str
    parameters: str
    until: str | None = None
    absent_in: tuple[str, ...] = ()
    older_form_since: str | None = None

    @cached_property
    def _parsed(self) -> tuple[tuple[str, str], ...]:
        return tuple(_split(text.strip()) for text in self.parameters.split(",") if text.strip())

    @cached_property
    def parameter_types(self) -> tuple[str, ...]:
        """The C spelling of each parameter's type, `const` included: "const void*", "const int[]"."""
        return tuple(spelling for spelling, _ in self._parsed)

    @cached_property
    def parameter_names(self) -> tuple[str, ...]:
        """The header's parameter names, in order."""
        return tuple(name for _, name in self._parsed)

    def __str__(self) -> str:
        return f"{self.name}({self.parameters}) -> {self.result}"


def _split(text: str) -> tuple[str, str]:
    match = _PARAMETER.fullmatch(text)
    if match is None:
        raise ValueError(f"not a C parameter with a name: {text!r}")
    return match["type"] + match["array"], match["name"]
