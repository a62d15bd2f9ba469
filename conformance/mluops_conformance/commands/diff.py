"""Show where the outputs in an artefact differ from what they should be, or from those in another one.

FILE was kept by `run --save` or written by `replay --out`.
"""

from __future__ import annotations

import argparse

from mluops_conformance import exit_codes
from mluops_conformance.support.flags import whole

EPILOG = """\
exit codes:
  0  nothing differs
  1  something does; how much of it is accepted is for `run` and `replay` to say
  5  there is nothing to compare

examples:
  mluops-conformance diff nightly/artefacts/nms_rotated-equal-scores.npz
  mluops-conformance diff device.npz emulated.npz
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="an artefact")
    parser.add_argument(
        "other", metavar="OTHER", nargs="?", help="another artefact; use its outputs instead of FILE's"
    )
    parser.add_argument(
        "--top", type=whole(1), default=10, metavar="N", help="worst elements (default: %(default)s)"
    )


def run(args: argparse.Namespace) -> int:
    from mluops_conformance.artefacts.difference import changes, difference_text, differences, told, told_text
    from mluops_conformance.artefacts.file import load

    artefact = load(args.file)
    other = None if args.other is None else load(args.other)
    words = told(artefact) if other is None else told(other, artefact, args.file)
    if words is not None:
        print(told_text(words))
        return exit_codes.FAILED if words.sentences else exit_codes.PASSED
    if other is None:
        found = list(differences(artefact, args.top))
    else:
        found = list(changes(other.outputs, artefact.outputs, args.file, args.top))
    if not found:
        print("no outputs that could be compared")
        return exit_codes.NOTHING_EXECUTED
    print("\n\n".join(map(difference_text, found)))
    return exit_codes.FAILED if any(entry.differing for entry in found) else exit_codes.PASSED
