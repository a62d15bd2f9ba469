"""Show what cases cover: each statement of the documents with its cases and their last outcomes, and the C
functions, statuses, dtypes, layouts and values that the cases pass.

With a QUERY only the selected cases, and the statements on their operators, count.
"""

from __future__ import annotations

import argparse
from typing import Mapping

from mluops_conformance import exit_codes
from mluops_conformance.execution.options import add_operators
from mluops_conformance.support.files import say

EPILOG = """\
The exit code is 1 if a statement has no case, and no reason for having none.

examples:
  mluops-conformance coverage
  mluops-conformance coverage operator=nms_rotated --run nightly
  mluops-conformance coverage suite=smoke
  mluops-conformance coverage operator=nms_rotated --tried found/tried.csv
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="*", metavar="QUERY", help="which cases count (default: all)")
    parser.add_argument("--run", metavar="DIR", help="a stored run; show its outcomes")
    parser.add_argument(
        "--cases", action="append", default=[], metavar="PATH", help="case file or folder (repeatable)"
    )
    parser.add_argument(
        "--tried", metavar="FILE", help="tried.csv of a search (fuzz --out DIR); show its values too"
    )
    add_operators(parser.add_argument)


def run(args: argparse.Namespace) -> int:
    from mluops_conformance.coverage.facets import read_tried, render, render_tried, statements
    from mluops_conformance.language.load import select
    from mluops_conformance.language.requirements import own_requirements
    from mluops_conformance.operators import the_operator

    outcomes = None if args.run is None else _outcomes(args.run)
    tried = None if args.tried is None else read_tried(args.tried)
    cases = select(args.cases, args.query)
    operators = {name: the_operator(name) for name in sorted({case.operator for case in cases})}
    requirements = [entry for entry in own_requirements().values() if entry.operator in operators]
    if tried is not None:
        say(f"{render_tried(tried, operators)}\n")
    say(render(cases, operators, requirements, outcomes))
    is_open = any(entry.is_open for entry in statements(requirements, cases))
    return exit_codes.FAILED if is_open else exit_codes.PASSED


def _outcomes(directory: str) -> Mapping[str, str]:
    from mluops_conformance.results.reader import load_run

    return {record.id: record.outcome for record in load_run(directory).records}
