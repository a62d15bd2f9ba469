"""Import cases of mlu-ops' own gtest: .prototxt files, and .pb files by their schema.

Each becomes DIR/<operator>/<name>.yaml: random data as the fill that makes the same numbers, other data in
the case or in .npy files beside it. Cases without a counterpart are listed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from mluops_conformance import exit_codes
from mluops_conformance.support.files import say

EPILOG = """\
Exit code 0: every case of a tested operator was imported; 1: one was not; 5: none was.

examples:
  mluops-conformance import-gtest zoo/nms_rotated/test_case -o cases-of-gtest
  mluops-conformance import-gtest gen_case/ -o dumped && mluops-conformance run --cases dumped
  mluops-conformance import-gtest case.pb --proto mlu-ops-proto/mlu_op_test.proto
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path", nargs="+", type=Path, metavar="FILE-OR-DIR", help="gtest case, or a folder of them"
    )
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        default=Path("gtest-cases"),
        metavar="DIR",
        help="output folder (gtest-cases)",
    )
    parser.add_argument("--proto", type=Path, metavar="FILE", help="mlu_op_test.proto, needed for .pb files")


def run(args: argparse.Namespace) -> int:
    from mluops_tools.gtest.import_folder import import_into

    done = import_into(args.path, args.out, args.proto)
    print("\n".join([*done.successes(), *done.refusals()]))
    say(done.count(), sys.stderr)
    if not done.written:
        return exit_codes.NOTHING_EXECUTED
    return exit_codes.FAILED if done.refused else exit_codes.PASSED
