"""Search for failures: run random cases, drawn from the operators' definitions, and show the smallest ones.

A QUERY selects operators and drawn cases, as for 'run'; without one, all are tried. Legal calls are judged
as in 'run'. Calls with one or two wrong arguments must be refused, and leave their outputs alone. Cases have
the tag ordinary, special or illegal.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Iterator, Sequence

from mluops_conformance import exit_codes
from mluops_conformance.execution.options import PERF_FLAGS, RunOptions
from mluops_conformance.support.files import ended_by_sigterm, say
from mluops_conformance.support.flags import add_flags, real, size, whole

if TYPE_CHECKING:
    from mluops_conformance.operators.base import Operator

    from mluops_tools.fuzz.campaign import Findings
    from mluops_tools.fuzz.pool import Job, Pool
    from mluops_tools.fuzz.text import Found

NOT_HERE = ("cases", "seed", "placement", "queues")
COUNT = 100

EPILOG = """\
Failures are grouped by operator and by what is wrong. Each is made as small as possible within a time limit.
DIR/found.yaml receives the smallest case of each; a search of several operators writes
DIR/OPERATOR/found.yaml. Cases that lie there already are tried first. DIR/tried.csv counts the examples with
each value of a dimension or scalar. DIR/run is a stored run, for 'report' in any format, and has junit.xml.
Ctrl-C ends the search and keeps what was found. Known issues are counted apart.

Exit code 0: nothing new was found; 1: something was; 5: nothing was executed.

examples:
  mluops-conformance fuzz -n 200
  mluops-conformance fuzz operator=nms_rotated --seconds 600 --out found
  mluops-conformance fuzz nms_rotated tag=illegal -n 2000 --seed 3
  mluops-conformance run --cases found/found.yaml
  mluops-conformance report found/run --format html -o found.html
  mluops-conformance coverage operator=nms_rotated --tried found/tried.csv
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="*", metavar="QUERY", help="which operators and cases (default: all)")
    ends = parser.add_mutually_exclusive_group()
    ends.add_argument(
        "-n", "--count", type=whole(1), metavar="N", help=f"examples an operator and dtype ({COUNT})"
    )
    ends.add_argument("--seconds", type=real, metavar="S", help="search for S seconds instead")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another seed draws other cases")
    parser.add_argument(
        "-w",
        "--workers",
        type=whole(1),
        metavar="N",
        help="worker processes (default: all cores, or devices)",
    )
    parser.add_argument(
        "--max-bytes",
        type=size,
        default=1 << 21,
        metavar="SIZE",
        help="limit for all tensors of a case (2M)",
    )
    parser.add_argument(
        "--shrink-seconds", type=real, default=20.0, metavar="S", help="time to make a failure small (20)"
    )
    parser.add_argument("-o", "--out", type=Path, metavar="DIR", help="write what was found to DIR")
    add_flags(RunOptions, parser.add_argument, except_for=(*NOT_HERE, *PERF_FLAGS))


def run(args: argparse.Namespace) -> int:
    from mluops_tools.fuzz import text
    from mluops_tools.fuzz.campaign import Findings, pairs_of
    from mluops_tools.fuzz.pool import Pool, Task

    # The data follow from a case's id, so that `run` makes the same without a seed.
    plain = RunOptions()
    options = replace(RunOptions.of(args), seed=plain.seed, placement=plain.placement, queues=plain.queues)
    options.check()
    pairs = pairs_of(args.query)
    found = text.Found(args.out, (operator.name for operator, _ in pairs)) if args.out else None
    pool, findings = Pool(Task(options, args.max_bytes, tuple(args.query)), args.workers), Findings()
    say(pool.place.notice, sys.stderr)
    try:
        with ended_by_sigterm():
            _search(args, pool, findings, pairs, found)
    except KeyboardInterrupt:
        say("interrupted: what was found so far is kept", sys.stderr)
    finally:
        pool.close()
    for failure in findings.sorted():
        say(text.headline(failure))
        say(text.entry(failure.example.case))
    for line in text.known(findings):
        say(line)
    say(text.summary(findings))
    for line in text.tried(findings):
        say(line)
    if found:
        from mluops_tools.fuzz.stored import store

        files = [*found.write(findings, options, pool.place.backend), found.write_tried(findings)]
        for file in (*files, store(found, findings, options, pool.place, sys.argv, args.seed)):
            say(f"wrote {file}")
    if findings.failures:
        return exit_codes.FAILED
    return exit_codes.PASSED if findings.executed else exit_codes.NOTHING_EXECUTED


def _search(
    args: argparse.Namespace,
    pool: Pool,
    findings: Findings,
    pairs: Sequence[tuple[Operator, str]],
    found: Found | None,
) -> None:
    from mluops_tools.fuzz import text
    from mluops_tools.fuzz.campaign import make_small, numbers, search

    def jobs() -> Iterator[Job]:
        yield from found.earlier if found else ()
        yield from numbers(pairs, args.seed, None if args.seconds else args.count or COUNT)

    for failure in search(pool, jobs(), findings, args.seconds):
        say(f"found: {text.headline(failure)}", sys.stderr)
        if found:
            found.write(findings, pool.options, pool.place.backend)
    for failure in findings.sorted():
        make_small(pool, failure, args.shrink_seconds)
        findings.replace(failure)
