"""The basis of a run's verdicts beside library and device: program, cases, known issues, thresholds.

A stored run names them by digests, and is held to them by whoever continues, joins or compares it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Mapping, Sequence

from mluops_conformance.errors import UserError

SHOWN = 5
"""Cases that a message names."""


@dataclass(frozen=True)
class Basis:
    """The facts that decide a verdict, by digests; empty if a run was stored without them.

    Parameters
    ----------
    program : str
        The version of this program.
    cases : dict of str to str
        Every case of the selection, before it was split into parts, by id.
    known_issues : str
        All known issues, in their order.
    thresholds : str
        The operators' criteria, the defaults, and what the command line says.
    """

    program: str = ""
    cases: dict[str, str] = field(default_factory=dict)
    known_issues: str = ""
    thresholds: str = ""


RULES = {"program": "version of this program", "known_issues": "known issues", "thresholds": "thresholds"}
"""Fields of a basis that every verdict of a run depends on, in words."""


def changed_rules(begun: Basis, now: Basis) -> list[str]:
    """Return the names of the rules that differ, in words."""
    return [words for name, words in RULES.items() if getattr(begun, name) != getattr(now, name)]


def changed_cases(begun: Basis, now: Basis) -> list[str]:
    """Return the ids of the cases that differ, in order: other ones, and those that only one basis has."""
    names = {*begun.cases, *now.cases}
    return sorted(name for name in names if begun.cases.get(name) != now.cases.get(name))


def edited_cases(begun: Basis, now: Basis) -> list[str]:
    """Return the ids of the cases that both have and that are not the same, in order."""
    both = begun.cases.keys() & now.cases.keys()
    return sorted(name for name in both if begun.cases[name] != now.cases[name])


def demand_continued(directory: str, begun: Basis, now: Basis, again: bool) -> list[str]:
    """Return the cases that changed since a run began, which are to run again.

    Parameters
    ----------
    directory : str
        The run's folder.
    again : bool
        Whether changed cases may run again.

    Raises
    ------
    UserError
        Program, known issues or thresholds are others; or cases are, and they may not run again.
    """
    rules = changed_rules(begun, now)
    if rules:
        raise UserError(
            f"--resume {directory}: judged with another {' and other '.join(rules)}; "
            "the remaining cases would be judged differently: start a new run with another --out"
        )
    changed = changed_cases(begun, now)
    if changed and not again:
        raise UserError(
            f"--resume {directory}: {told(changed)} changed since the run began; "
            "--rerun-changed runs what changed again"
        )
    return changed


def refuse_other_bases(bases: Mapping[str, Basis]) -> None:
    """Refuse parts that were not judged by the same rules, or not split from the same cases.

    Parameters
    ----------
    bases : mapping of str to Basis
        By the part's folder.

    Raises
    ------
    UserError
    """
    first, *others = bases.items()
    for place, basis in others:
        differing = changed_rules(first[1], basis)
        differing += [f"cases ({told(changed)})" for changed in [changed_cases(first[1], basis)] if changed]
        if differing:
            raise UserError(
                f"these are not parts of one run: {first[0]} and {place} differ in {', '.join(differing)}"
            )


def told(cases: Sequence[str]) -> str:
    """Name the first of some cases, and say how many more there are."""
    more = f" and {len(cases) - SHOWN} more" if len(cases) > SHOWN else ""
    return f"{', '.join(cases[:SHOWN])}{more}"
