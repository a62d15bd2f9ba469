"""The tables of docs/case-language.md, made of the tables that the checker is driven by.

    python -m mluops_conformance.language.page docs/case-language.md

brings them up to date; the text around them is written by hand.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any, Iterable, Iterator, Mapping, Sequence

from mluops_conformance.fills.registry import GENERIC, Fill, Option
from mluops_conformance.language.fields import FIELDS, fields_of
from mluops_conformance.operators import operators
from mluops_conformance.operators.limits import TASKS, Limit

__all__ = ["fill_table", "limit_table", "refreshed", "table", "tables"]

BLOCK = re.compile(r"(?<=<!-- table: )(?P<name>.+?) -->\n.*?(?=<!-- end -->)", re.DOTALL)

HOLDS = {
    "text": "text",
    "id": "id",
    "names": "list of words",
    "choice": "one of",
    "operator": "name of an operator",
    "choices": "list out of",
    "truth": "true or false",
    "number": "number",
    "integer": "whole number",
    "count": "whole number, 2 or more",
    "clusters": "whole number, 0 to 63",
    "seconds": "number above 0",
    "bounds": "[number, number]",
    "pair": "[low, high]",
    "list": "nested lists of numbers",
    "sizes": "list of whole numbers",
    "versions": "range of versions",
    "series": "list of names",
    "day": "year-month-day",
    "links": "list of links",
    "queries": "list of queries",
    "statuses": "status, or list of statuses",
    "layout": "layout",
    "dtype": "dtype",
    "any dtype": "dtype",
    "mapping": "mapping",
    "entries": "list of mappings",
}
"""The content of each kind of field or option, in words."""

DATA = {"f": "floating data", "i": "signed integers", "iu": "integers", "fiu": "any data"}
"""The data that a fill makes, by `Fill.dtype_kinds`."""


def refreshed(page: str) -> str:
    """The page with every table between `<!-- table: NAME -->` and `<!-- end -->` as it must be now.

    Raises
    ------
    KeyError
        If there is no table of a name.
    """
    known = tables()
    return BLOCK.sub(lambda block: f"{block['name']} -->\n{known[block['name']]}\n", page)


def tables() -> dict[str, str]:
    """Every table in Markdown, by name: "fields of case", "generic fills"; those of operators, one by one."""
    wheres = dict.fromkeys(field.where for field in FIELDS)
    made = {name: operator.fills.values() for name, operator in operators().items() if operator.fills}
    limited = {name: operator.own_limits for name, operator in operators().items() if operator.own_limits}
    return {
        **{f"fields of {where}": _fields(where) for where in wheres},
        "generic fills": fill_table(GENERIC.values()),
        "fills of operators": _of_each({name: fill_table(fills) for name, fills in made.items()}),
        "limits of every operator": limit_table(TASKS),
        "limits of operators": _of_each({name: limit_table(limits) for name, limits in limited.items()}),
    }


def _of_each(by_operator: Mapping[str, str]) -> str:
    return "\n\n".join(f"{name}\n\n{table}" for name, table in by_operator.items())


def limit_table(limits: Iterable[Limit]) -> str:
    """Return limits as a table in Markdown."""
    rows = [(f"`{limit.name}`", limit.help, limit.formula, limit.source) for limit in limits]
    return table(("limit", "meaning", "formula", "source"), rows)


def _fields(where: str) -> str:
    rows = [
        (
            f"`{field.name}`{', required' if field.required else ''}",
            _holds(field.kind, field.choices),
            field.help,
            "yes" if field.varies else "",
        )
        for field in fields_of(where).values()
    ]
    heads = ("field", "holds", "meaning", "can vary")
    return (
        table(heads, rows) if any(row[-1] for row in rows) else table(heads[:-1], [row[:-1] for row in rows])
    )


def fill_table(fills: Iterable[Fill]) -> str:
    """Return fills and their options as a table in Markdown."""
    return table(
        ("fill", "option", "holds", "default", "meaning"), [row for fill in fills for row in _fill(fill)]
    )


def _fill(fill: Fill) -> Iterator[Sequence[str]]:
    yield f"`{fill.name}`", "", DATA[fill.dtype_kinds], "", fill.help
    for option in fill.options:
        yield "", f"`{option.name}`", _holds(option.kind, option.choices), _default(option), option.help


def _default(option: Option) -> str:
    return "must be given" if option.default is None else f"`{_shown(option.default)}`"


def _holds(kind: str, choices: Sequence[str]) -> str:
    words = ", ".join(f"`{choice}`" for choice in choices)
    return f"list out of {words}" if words and kind == "list" else f"{HOLDS[kind]} {words}".strip()


def _shown(value: Any) -> str:
    return f"[{', '.join(map(str, value))}]" if isinstance(value, tuple) else str(value)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        file = Path(name)
        file.write_text(refreshed(file.read_text(encoding="utf-8")), encoding="utf-8")
