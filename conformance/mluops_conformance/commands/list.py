"""List the cases that a query selects, one id a line."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from mluops_conformance import exit_codes
from mluops_conformance.execution.options import add_device, add_operators
from mluops_conformance.support.files import say
from mluops_conformance.support.formatting import counted

if TYPE_CHECKING:
    from mluops_conformance.language.model import Case
    from mluops_conformance.operators.limits import Device

EPILOG = """\
examples:
  mluops-conformance list tag=network
  mluops-conformance list 'operator=masked_im2col_forward status!=SUCCESS' --long
  mluops-conformance list '*/*channel-slice*' --emulated-device MLU590
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="*", metavar="QUERY", help="which cases (default: all)")
    parser.add_argument("--long", action="store_true", help="with dtype, expected status, tags and place")
    parser.add_argument(
        "--cases", action="append", default=[], metavar="PATH", help="case file or folder (repeatable)"
    )
    add_operators(parser.add_argument)
    add_device(parser.add_argument, None, "show the sizes that follow from this device")


def run(args: argparse.Namespace) -> int:
    from mluops_conformance.language.load import select
    from mluops_conformance.language.model import KNOWN_DEVICES

    cases = select(args.cases, args.query)
    device = KNOWN_DEVICES[args.emulated_device] if args.emulated_device else None
    print(_table(cases, device) if args.long else "\n".join(_line(case, device) for case in cases))
    say(counted(len(cases), "case"), sys.stderr)
    return exit_codes.PASSED if cases else exit_codes.NOTHING_EXECUTED


def _line(case: Case, device: Device | None) -> str:
    return f"{case.id} {_sizes(case, device)}".rstrip() if device else case.id


def _sizes(case: Case, device: Device | None) -> str:
    """The sizes that follow from the device: as they are written, or what they are on one."""
    from mluops_conformance.language.model import sized
    from mluops_conformance.operators import the_operator

    if device is None:
        return " ".join(f"{name}={expression.label}" for name, expression in case.limits.items())
    dims = sized(case, the_operator(case.operator), device).dims
    return " ".join(f"{name}={dims[name]}" for name in case.limits)


def _table(cases: list[Case], device: Device | None) -> str:
    from tabulate import tabulate

    headers = ("case", "dtype", "expected", "sizes", "tags", "place")
    rows = [
        (
            case.id,
            case.dtype,
            case.expected_status,
            _sizes(case, device),
            " ".join(sorted(case.tags)),
            case.origin,
        )
        for case in cases
    ]
    return str(tabulate(rows, headers=headers, tablefmt="plain"))
