"""Check case files without running anything: every problem of every file at once, as file:line:column.

It also checks that every checked requirement exists, that every tested requirement has a case, that known
issues cover a case and have not expired, and that figures of other devices have a case. Without a PATH it
also lists the missing pieces of each operator, and the marks left from its skeleton.
"""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Iterator, Sequence

from mluops_conformance import exit_codes
from mluops_conformance.execution.options import add_operators
from mluops_conformance.support.files import cases_root
from mluops_conformance.support.formatting import counted

if TYPE_CHECKING:
    from mluops_conformance.language.model import Case, Problem


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path", nargs="*", metavar="PATH", help="case file or folder (default: the built-in cases)"
    )
    parser.add_argument(
        "--known-issues",
        action="append",
        default=[],
        metavar="FILE",
        help="known issues of these cases (repeatable)",
    )
    add_operators(parser.add_argument)


def run(args: argparse.Namespace) -> int:
    from mluops_conformance.language.load import case_paths
    from mluops_conformance.language.model import CaseFileError

    cases, problems = _read(case_paths(args.path), [Path(file) for file in args.known_issues])
    if not args.path:
        problems += _missing(cases)
    if problems:
        raise CaseFileError(problems)
    print(f"{counted(len(cases), 'case')}, nothing wrong")
    return exit_codes.PASSED


def _missing(cases: Sequence[Case]) -> Iterator[Problem]:
    """Return the pieces that operators lack, where all their files can be read."""
    from mluops_conformance.coverage.pieces import pieces_missing
    from mluops_conformance.language import requirements
    from mluops_conformance.operators import case_folders, operator_names

    stated, _ = requirements.read_requirements(requirements.requirement_files(case_folders()))
    return pieces_missing(operator_names(), cases, stated)


def _excesses(cases: Sequence[Case]) -> Iterator[Problem]:
    """The cases whose data ask for more work than is tested, which a run would not execute."""
    from mluops_conformance.execution.inputs import decisive_input, excess
    from mluops_conformance.language.model import Problem
    from mluops_conformance.operators import the_operator

    for call in (call for case in cases for call in case.calls):
        operator = the_operator(call.operator)
        why = excess(call, operator, decisive_input(call, operator))
        if why:
            yield Problem(call.origin, why)


def _read(paths: Sequence[Path], issue_files: Sequence[Path]) -> tuple[list[Case], list[Problem]]:
    from mluops_conformance.language import competitors, known_issues, requirements
    from mluops_conformance.language.load import read

    if cases_root() in (path.resolve() for path in paths):
        issue_files = [*issue_files, known_issues.own_file()]
    required, more = requirements.read_requirements(requirements.requirement_files(paths))
    cases, problems = read(paths, stated=None if more else {**requirements.own_requirements(), **required})
    issues, still_more = known_issues.read_known_issues(issue_files)
    figures, yet_more = competitors.read_competitors(competitors.competitor_files(paths))
    problems += more + still_more + yet_more
    if not problems:  # what is wrong in itself cannot be compared
        problems += requirements.problems_with(cases, required)
        problems += known_issues.problems_with(issues, cases, date.today())
        problems += competitors.problems_with(figures, cases)
        problems += _excesses(cases)
    return cases, problems
