"""Compare a run with an earlier one: new failures, lost accuracy, slower cases.

BASE and NEW are folders that `run --out DIR` wrote. A regression is a case that is newly failing or no longer
executed, a measure that grew though the case passes, or a time that grew beyond the noise of its repeats.
"""

from __future__ import annotations

import argparse
import sys

from mluops_conformance.comparison.changes import TIME_RULES, Limits
from mluops_conformance.comparison.formats import FORMATS
from mluops_conformance.reports.destination import add_output_option, deliver
from mluops_conformance.support.files import say
from mluops_conformance.support.flags import real

DEFAULT = Limits()
LIMITS = (
    ("drift", "FACTOR", "a measure has drifted when it is more than FACTOR times what it was"),
    ("drift_floor", "PART", "and more than PART of its threshold"),
    ("slower", "PART", "by which part a median must change"),
    ("significance", "P", "the largest p of the rank test; 0.01 takes 5 times in each run"),
    ("noise", "N", "a median must change by N times the spread of the times"),
)
"""Fields of `Limits` that are numbers: each an option, with its metavariable and help."""

EPILOG = """\
exit codes:
  0  nothing got worse
  1  something did
  4  the runs may not be compared, or cannot be read
  5  no case was executed in both runs

time rules:
{rules}

examples:
  mluops-conformance compare last-good tonight
  mluops-conformance compare last-good tonight --format markdown -o summary.md
  mluops-conformance compare base-1 new-1 --more-base base-2 base-3 --more-new new-2 new-3
""".format(rules="\n".join(f"  {name:7} {help}" for name, help in TIME_RULES.items()))


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("base", metavar="BASE", help="the folder of the earlier run")
    parser.add_argument("new", metavar="NEW", help="the folder of the run in question")
    parser.add_argument("--format", choices=FORMATS, default="text", help="default: %(default)s")
    add_output_option(parser)
    for which in ("base", "new"):
        parser.add_argument(
            f"--more-{which}",
            nargs="+",
            default=[],
            metavar="DIR",
            help=f"further runs of the same build as {which.upper()}, for more times",
        )
    parser.add_argument("--time-rule", choices=TIME_RULES, default=DEFAULT.time_rule, help="see below")
    for limit, metavar, text in LIMITS:
        parser.add_argument(
            "--" + limit.replace("_", "-"),
            type=real,
            default=getattr(DEFAULT, limit),
            metavar=metavar,
            help=f"{text} (default: %(default)g)",
        )
    parser.add_argument(
        "--only-common", action="store_true", help="leave out cases that only one of the runs executed"
    )
    parser.add_argument(
        "--mixed", action="store_true", help="compare runs of different backends or device series anyway"
    )


def run(args: argparse.Namespace) -> int:
    from dataclasses import fields

    from mluops_conformance.comparison.compare import compare, refuse_mixture
    from mluops_conformance.comparison.formats import render, verdict
    from mluops_conformance.results.reader import load_run

    base, new = load_run(args.base), load_run(args.new)
    more_base, more_new = (list(map(load_run, paths)) for paths in (args.more_base, args.more_new))
    if not args.mixed:
        for other in (new, *more_base, *more_new):
            refuse_mixture(base, other)
    limits = Limits(**{field.name: getattr(args, field.name) for field in fields(Limits)})
    comparison = compare(base, new, limits, more_base, more_new)
    deliver(lambda colour: render(comparison, args.format, colour), args.output)
    if args.output:
        say(verdict(comparison), sys.stderr)
    return comparison.exit_code
