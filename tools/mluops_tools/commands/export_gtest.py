"""Write cases as .prototxt files that mlu-ops' own gtest reads, floats exactly.

A CASE is a query, as `list` takes it. Each case becomes DIR/<operator>/<name>.prototxt, long data in raw
files beside it. gtest checks only results: cases of refusals, NULL pointers and the like have no
counterpart there. The command lists them.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from mluops_conformance import exit_codes
from mluops_conformance.execution.options import EMULATED_DEVICES, add_device
from mluops_conformance.support.files import say
from mluops_conformance.support.formatting import counted

EPILOG = """\
Exit code 0: every selected case was written; 1: one was not; 5: none was.

example:
  mluops-conformance export-gtest nms_rotated/network-34 -o zoo
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="+", metavar="CASE", help="which cases")
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        default=Path("gtest-cases"),
        metavar="DIR",
        help="output folder (gtest-cases)",
    )
    parser.add_argument(
        "--cases", action="append", default=[], metavar="PATH", help="case file or folder (repeatable)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="as the run's")
    add_device(
        parser.add_argument,
        EMULATED_DEVICES[0],
        f"device for sizes that follow from the device ({EMULATED_DEVICES[0]})",
    )


def run(args: argparse.Namespace) -> int:
    from mluops_conformance.language.load import select
    from mluops_conformance.language.model import KNOWN_DEVICES

    from mluops_tools.gtest.export_folder import export_into

    cases = select(args.cases, args.query)
    done = export_into(cases, args.out, KNOWN_DEVICES[args.emulated_device], args.seed)
    for case, file in done.written.items():
        print(f"{case} -> {file}")
    for case, reason in done.refused.items():
        print(f"{case}: not exported: {reason}")
    say(f"{counted(len(done.written), 'case')} exported, {len(done.refused)} not", sys.stderr)
    if not done.written:
        return exit_codes.NOTHING_EXECUTED
    return exit_codes.FAILED if done.refused else exit_codes.PASSED
