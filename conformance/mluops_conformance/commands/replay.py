"""Execute a case again on the inputs of an artefact, on any back end, in this process.

FILE was kept by `run --save` or written by `show CASE --data`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from textwrap import indent

from mluops_conformance import exit_codes
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.support.files import say
from mluops_conformance.support.flags import add_flags

EPILOG = """\
The exit codes are those of `run`. With --unpack nothing is executed: DIR receives case.yaml and an .npy file
for each input, which `run --cases DIR` executes.

examples:
  mluops-conformance replay nightly/artefacts/nms_rotated-equal-scores.npz
  mluops-conformance replay failing.npz --backend device --out again.npz
  mluops-conformance replay failing.npz --unpack my-case
"""
_NOT_OURS = ("cases", "known-issues", "seed", "timeout")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="an artefact")
    parser.add_argument("--out", metavar="FILE", help="write inputs and outputs of this execution to FILE")
    parser.add_argument("--unpack", metavar="DIR", help="only write the case and its inputs to DIR")
    add_flags(RunOptions, parser.add_argument, except_for=_NOT_OURS)


def run(args: argparse.Namespace) -> int:
    from mluops_conformance.artefacts.file import load

    artefact = load(args.file)
    if args.unpack:
        from mluops_conformance.artefacts.replay import unpack

        say(str(unpack(artefact, Path(args.unpack))))
        return exit_codes.PASSED

    from mluops_conformance.artefacts.difference import changes, summary, told, told_text
    from mluops_conformance.artefacts.replay import execute_again
    from mluops_conformance.reports import destination, text
    from mluops_conformance.results.outcomes import OUTCOMES

    options = RunOptions.of(args)
    options.check()
    record, again = execute_again(artefact, args.file, options)
    say(text.headed_block(record, destination.is_wanted(sys.stdout)))
    words = told(again, artefact, "the stored ones")
    if words is not None:
        say(indent(told_text(words), "  "))
    else:
        for change in changes(again.outputs, artefact.outputs, "the stored one", shown=1):
            say(f"  {summary(change)}")
    if args.out:
        again.save(args.out)
    if not OUTCOMES[record.outcome].executed:
        return exit_codes.NOTHING_EXECUTED
    return exit_codes.PASSED if record.is_good else exit_codes.FAILED
