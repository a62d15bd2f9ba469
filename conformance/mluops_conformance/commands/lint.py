"""Check case files without running anything: every problem of every file at once, as file:line:column."""

from __future__ import annotations

import argparse

from mluops_conformance import exit_codes
from mluops_conformance.options import RunOptions, case_paths


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path", nargs="*", metavar="PATH", help="case file or folder (default: the built-in cases)"
    )


def run(args: argparse.Namespace) -> int:
    from mluops_conformance.selection import select

    cases = select(RunOptions(cases=tuple(map(str, case_paths(args.path)))), [])
    print(f"{len(cases)} cases, nothing wrong")
    return exit_codes.PASSED
