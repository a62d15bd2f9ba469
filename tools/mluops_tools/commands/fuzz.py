"""Run random ordinary cases of operators, drawn from their definitions, and show what they found.

Each OPERATOR is a name; without one all are tried. Cases are judged as in `run`. Failing cases are grouped by
their fault, and each group shows its smallest case, which `run --cases` repeats.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Sequence

from mluops_conformance import exit_codes
from mluops_conformance.errors import UserError
from mluops_conformance.execution.options import PERF_FLAGS, RunOptions
from mluops_conformance.support.files import say
from mluops_conformance.support.flags import add_flags, whole

if TYPE_CHECKING:
    from mluops_conformance.operators.base import Operator

NOT_HERE = ("cases", "seed", "placement", "timeout")

EPILOG = """\
Exit code 0: every case is good; 1: a case is bad.

examples:
  mluops-conformance fuzz -n 200
  mluops-conformance fuzz roiaware_pool3d_backward --dtype float16 -n 2000 --backend device --out found
  mluops-conformance run --cases found
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("operator", nargs="*", metavar="OPERATOR", help="which operators (default: all)")
    parser.add_argument(
        "-n", "--count", type=whole(1), default=100, metavar="N", help="cases an operator and dtype (100)"
    )
    parser.add_argument("--dtype", metavar="DTYPE", help="only this dtype")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another seed draws other cases")
    parser.add_argument(
        "--most-elements",
        type=whole(16),
        default=1 << 15,
        metavar="N",
        help="limit for all tensors of a case together (32768)",
    )
    parser.add_argument(
        "-o", "--out", type=Path, metavar="DIR", help="write the cases found as DIR/<operator>.yaml"
    )
    add_flags(RunOptions, parser.add_argument, except_for=(*NOT_HERE, *PERF_FLAGS))


def run(args: argparse.Namespace) -> int:
    from mluops_conformance.execution.session import Session

    from mluops_tools.fuzz import text
    from mluops_tools.fuzz.campaign import run_trial

    # The data follow from a case's id, so that `run` makes the same without a seed.
    options = replace(RunOptions.of(args), seed=RunOptions().seed)
    options.check()
    session, trials = Session(options), []
    say(session.backend.notice(), sys.stderr)
    for operator in _operators(args.operator):
        for dtype in operator.dtypes:
            if args.dtype in (None, dtype):
                trials.append(run_trial(operator, dtype, args.seed, args.count, session, args.most_elements))
                for finding in text.findings(trials[-1]):
                    say(finding)
    session.close()
    if not trials:
        raise UserError(f"--dtype {args.dtype}: none of these operators takes it")
    say(text.summary(trials))
    if args.out:
        for file in text.write_found(args.out, trials):
            say(f"wrote {file}")
    return exit_codes.FAILED if any(trial.findings for trial in trials) else exit_codes.PASSED


def _operators(names: Sequence[str]) -> list[Operator]:
    from mluops_conformance.language.model import suggestion
    from mluops_conformance.operators import operators

    known = operators()
    for name in names:
        if name not in known:
            raise UserError(f"unknown operator {name}{suggestion(name, known)}")
    return [known[name] for name in names or known]
