"""Plant faults into the emulator, one after the other, and show which cases catch each.

A QUERY selects the cases, as for 'run'; without one, they are those of the suite 'full'. All cases first run
without a fault. Then each fault runs against its operator's cases, small ones first, until a few catch it.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING, Sequence

from mluops_conformance import exit_codes
from mluops_conformance.errors import UserError
from mluops_conformance.execution.options import PERF_FLAGS, RunOptions
from mluops_conformance.support.files import say
from mluops_conformance.support.flags import add_flags, whole

if TYPE_CHECKING:
    from mluops_emulator.faults import Fault

NOT_HERE = ("backend", "library", "cnrt", "fault", "threshold", "known-issues", "timeout")

EPILOG = """\
The command fails if an operator's cases miss a fault that concerns it, or if a case fails without a fault.
Such a case is not tried with faults. 'mluops-conformance mutate' plants faults into mlu-ops' own sources.

examples:
  mluops-conformance selftest
  mluops-conformance selftest operator=nms_rotated -n 4
  mluops-conformance selftest --fault any/past-output --fault any/input-changed
  mluops-conformance selftest --list
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="*", metavar="QUERY", help="which cases (default: suite=full)")
    parser.add_argument(
        "--fault", action="append", default=[], metavar="NAME", help="only this fault (repeatable)"
    )
    parser.add_argument("--list", action="store_true", help="list the faults, and do nothing")
    parser.add_argument(
        "-n", "--workers", type=whole(1), metavar="N", help="worker processes (default: one a core)"
    )
    add_flags(RunOptions, parser.add_argument, except_for=(*NOT_HERE, *PERF_FLAGS))


def run(args: argparse.Namespace) -> int:
    from mluops_conformance.engine.plan import idle
    from mluops_conformance.selftest.campaign import Suite, campaign, listing, matrix, summary

    faults = _faults(args.fault)
    if args.list:
        print(listing(faults))
        return exit_codes.PASSED
    options = RunOptions(
        backend="emulator", emulated_device=args.emulated_device, cases=tuple(args.cases), seed=args.seed
    )
    suite = Suite(options, tuple(args.query or ["suite=full"]))
    if not suite.cases():
        say("the emulator has no kernel of the operators of these cases", sys.stderr)
        return exit_codes.NOTHING_EXECUTED
    useless = idle(faults, suite.cases())
    if useless and (args.fault or len(useless) == len(faults)):
        names = ", ".join(fault.name for fault in useless)
        raise UserError(f"none of these cases calls what {names} breaks")
    faults = [fault for fault in faults if fault not in useless]
    trials = []
    for trial in campaign(suite, faults, args.workers or os.cpu_count() or 1):
        trials.append(trial)
        say(f"{trial.fault or 'without a fault'}: {len(trial.catches)} of {trial.tried}", sys.stderr)
    order = [fault.name for fault in faults]
    planted = sorted((trial for trial in trials if trial.fault), key=lambda trial: order.index(trial.fault))
    without = [trial for trial in trials if not trial.fault]
    say(matrix(planted))
    say(summary(planted, without))
    is_good = all(trial.is_caught for trial in planted) and not any(trial.catches for trial in without)
    return exit_codes.PASSED if is_good else exit_codes.FAILED


def _faults(names: Sequence[str]) -> Sequence[Fault]:
    from mluops_emulator.faults import FAULTS, UnknownFault, faults_named

    try:
        return faults_named(names or FAULTS)
    except UnknownFault as error:
        raise UserError(f"--fault: {error}") from None
