"""List the cases that a query selects, one id a line."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from mluops_conformance import exit_codes
from mluops_conformance.options import RunOptions
from mluops_conformance.wording import counted

if TYPE_CHECKING:
    from mluops_conformance.language.model import Case

EPILOG = """\
examples:
  mluops-conformance list tag=network
  mluops-conformance list 'operator=masked_im2col_forward status!=SUCCESS' --long
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="*", metavar="QUERY", help="which cases (default: all)")
    parser.add_argument("--long", action="store_true", help="with dtype, expected status, tags and place")
    parser.add_argument(
        "--cases", action="append", default=[], metavar="PATH", help="case file or folder (repeatable)"
    )


def run(args: argparse.Namespace) -> int:
    from mluops_conformance.selection import select

    cases = select(RunOptions(cases=tuple(args.cases)), args.query)
    print(_table(cases) if args.long else "\n".join(case.id for case in cases))
    print(counted(len(cases), "case"), file=sys.stderr)
    return exit_codes.PASSED if cases else exit_codes.NOTHING_EXECUTED


def _table(cases: list[Case]) -> str:
    from tabulate import tabulate

    rows = [(case.id, case.dtype, case.status, " ".join(sorted(case.tags)), case.origin) for case in cases]
    return str(tabulate(rows, headers=("case", "dtype", "expected", "tags", "place"), tablefmt="plain"))
