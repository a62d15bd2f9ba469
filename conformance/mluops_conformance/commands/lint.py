"""Check case files without running anything: every problem of every file at once, as file:line:column.

Beside the cases: that what they check is required, and that what is required has a case.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Sequence

from mluops_conformance import exit_codes
from mluops_conformance.options import case_paths

if TYPE_CHECKING:
    from pathlib import Path

    from mluops_conformance.language.model import Case
    from mluops_conformance.language.problems import Problem


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path", nargs="*", metavar="PATH", help="case file or folder (default: the built-in cases)"
    )


def run(args: argparse.Namespace) -> int:
    from mluops_conformance.language.problems import CaseFileError

    cases, problems = _read(case_paths(args.path))
    if problems:
        raise CaseFileError(problems)
    print(f"{len(cases)} cases, nothing wrong")
    return exit_codes.PASSED


def _read(paths: Sequence[Path]) -> tuple[list[Case], list[Problem]]:
    from mluops_conformance.language.load import read
    from mluops_conformance.language.requirements import (
        own_requirements,
        problems_with,
        read_requirements,
        requirement_files,
    )

    cases, problems = read(paths)
    requirements, more = read_requirements(requirement_files(paths))
    problems += more
    if not problems:  # what is wrong in itself cannot be compared
        problems += problems_with(cases, {**own_requirements(), **requirements}, requirements)
    return cases, problems
