"""The table of mlu_op.h's functions: what a header of a further release changes in it, and its text."""

from __future__ import annotations

from dataclasses import replace
from typing import Iterable, Mapping

from mluops.signatures.function import Function

from mluops_tools.abi.drift import release_of
from mluops_tools.abi.header import Header, spelling

HEAD = '''"""Every public function of mlu_op.h {release}, one a line, alphabetically.

A line has the name, the release that brought this form, the result and the parameters. Written by
`python -m mluops_tools.abi.generate HEADER`.
"""

from __future__ import annotations

from mluops.signatures.function import Function

# fmt: off
FUNCTIONS: tuple[Function, ...] = (
'''
TAIL = ")\n# fmt: on\n"

Table = Mapping[str, Function]


def printed_release(header: Header) -> str:
    """Return the release of a header as the table has it, "v1.11.1".

    Raises
    ------
    LookupError
        The header does not say it.
    """
    release = release_of(header)
    if release is None:
        raise LookupError("the header does not define its release, as mlu_op.h does by MLUOP_MAJOR")
    return "v" + ".".join(map(str, release))


def advanced(known: Table, header: Header) -> dict[str, Function]:
    """Return the table after a release: what is new, what has another form, and what is gone.

    Parameters
    ----------
    known : mapping of str to Function
        The table of the releases up to this one.
    header : Header
        Of a release that is not older than those.
    """
    release = printed_release(header)
    table = {name: _declared(known.get(name), here, release) for name, here in header.functions.items()}
    for name, ours in known.items():
        if name not in table:
            table[name] = replace(ours, until=ours.until or release)
    return table


def from_headers(headers: Iterable[Header]) -> dict[str, Function]:
    """Return the table that headers alone give, oldest first: `since` is the first that has the form."""
    table: dict[str, Function] = {}
    for header in headers:
        table = advanced(table, header)
    return table


def text_of(table: Table, release: str) -> str:
    """Return the text of `signatures/mluop.py`."""
    lines = [_line(table[name]) for name in sorted(table, key=lambda name: (name.lower(), name))]
    return HEAD.format(release=release) + "".join(lines) + TAIL


def _declared(ours: Function | None, here: Function, release: str) -> Function:
    if ours is None:
        return replace(here, since=release)
    if _form(ours) == _form(here):
        return replace(ours, parameters=here.parameters, result=here.result, until=None)
    older = ours.older_form_since or ours.since
    return replace(here, since=release, older_form_since=older, absent_in=ours.absent_in)


def _form(function: Function) -> tuple[str, ...]:
    return tuple(map(spelling, (function.result, *function.parameter_types)))


def _line(function: Function) -> str:
    fields = [function.name, function.since, function.result, function.parameters]
    texts = [f'"{field}"' for field in fields]
    if function.until:
        texts.append(f'until="{function.until}"')
    if function.absent_in:
        texts.append(f"absent_in=({', '.join(map(_quoted, function.absent_in))},)")
    if function.older_form_since:
        texts.append(f'older_form_since="{function.older_form_since}"')
    return f"    Function({', '.join(texts)}),\n"


def _quoted(text: str) -> str:
    return f'"{text}"'
