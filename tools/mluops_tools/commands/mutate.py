"""Plant single faults into mlu-ops' own sources, and show which of them no case catches.

BUILD is a folder of 'build-cpu'. Each fault is one small change of a copy of a source file. A QUERY selects
the cases, as for 'run' (default: suite=full); those of the changed folder's operators run, the cheapest
first, until one catches the fault. Cases that do not pass on the unchanged sources are not tried.

With --search, faults meet the examples of 'fuzz' instead, and a QUERY selects operators and examples. An
example that fails counts only if it passes on the unchanged sources.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Iterable, Sequence

from mluops_conformance import exit_codes
from mluops_conformance.errors import UserError
from mluops_conformance.execution.options import PERF_FLAGS, RunOptions
from mluops_conformance.support.files import ended_by_sigterm, say
from mluops_conformance.support.flags import add_flags, whole
from mluops_conformance.support.formatting import counted

if TYPE_CHECKING:
    from mluops_tools.mutation.campaign import Setting, Target
    from mluops_tools.mutation.changes import Change
    from mluops_tools.mutation.store import Result, Store, Suite

NOT_HERE = ("backend", "library", "cnrt", "emulated-device", "fault", "operators", "seed")

DRAWN = ("cases", "placement", "queues")
"""Options of cases, which an example of a search has of its own."""

EPILOG = """\
Comments, strings, preprocessor lines (macros too), logs and the code that writes gtest cases stay as they
are: a change there changes no result. A change that does not compile is not counted, and neither is one
whose machine code is that of the unchanged sources.

Results go to DIR/mutation.jsonl. The same command continues there; it tries again what survived other cases,
or a shorter search.

Exit code 0: every fault was caught; 1: one was not.

examples:
  mluops-conformance mutate build --list --operators nms_rotated
  mluops-conformance mutate build --operators box_iou_rotated --limit 50
  mluops-conformance mutate build --kind synchronization --kind rounding --limit 1000 -n 2 --out found
  mluops-conformance mutate build --at nms_utils.h:120
  mluops-conformance mutate build --search 120 --limit 200 --out searched
"""


def configure(parser: argparse.ArgumentParser) -> None:
    from mluops_tools.mutation.changes import KINDS

    add = parser.add_argument
    add("build", type=Path, metavar="BUILD", help="a folder of build-cpu")
    add("query", nargs="*", metavar="QUERY", help="which cases (default: suite=full)")
    names = "operators, or folders of kernels/ (default: all that cases call)"
    # Not `operators`, where other commands keep folders of operators outside of the package.
    add("--operators", dest="kernels", nargs="+", default=[], metavar="NAME", help=names)
    add("--kind", action="append", default=[], choices=sorted(KINDS), help="only this kind (repeatable)")
    add("--at", action="append", default=[], metavar="TEXT", help="only faults whose name contains TEXT")
    add("--limit", type=whole(1), default=100, metavar="N", help="number of faults (default: 100)")
    add("--seed", type=int, default=0, metavar="N", help="another seed chooses other faults")
    add(
        "--search",
        type=whole(1),
        default=0,
        metavar="SECONDS",
        help="try drawn examples instead of cases, for SECONDS of processor time an operator",
    )
    add("-n", "--workers", type=whole(1), metavar="N", help="worker processes (default: one a core)")
    add("-o", "--out", type=Path, default=Path("mutation"), metavar="DIR", help="results (default: mutation)")
    add("--list", action="store_true", help="list the faults, and do nothing")
    add_flags(RunOptions, add, except_for=(*NOT_HERE, *PERF_FLAGS))


def run(args: argparse.Namespace) -> int:
    from mluops_conformance.results.writer import claim

    from mluops_tools.cpu.toolchain import find_toolchain
    from mluops_tools.mutation.campaign import suites
    from mluops_tools.mutation.store import Store

    setting = _setting(args)
    plan, count = _plan(args, setting)
    if args.list:
        print("\n".join([change.id for _, change in plan] + [f"{len(plan)} of {counted(count, 'fault')}"]))
        return exit_codes.PASSED
    find_toolchain()
    claim(args.out, resume=True)
    store = Store(args.out)
    workers = args.workers or os.cpu_count() or 1
    first = "" if args.search else "; first the cases without a fault"
    say(f"{len(plan)} of {counted(count, 'fault')}{first}", sys.stderr)
    found = list({target.unit.name: target for target, _ in plan}.values())
    by_unit = suites(store, setting, found, workers)
    for suite in () if args.search else by_unit.values():
        say(_measured(suite), sys.stderr)
    work = [(target, change, by_unit[target.unit.name]) for target, change in plan]
    return _try_all(store, setting, work, workers)


def _setting(args: argparse.Namespace) -> Setting:
    from mluops_tools.mutation.campaign import Setting

    args.seed, seed = RunOptions().seed, args.seed  # of the faults, not of the data
    options = RunOptions.of(args)
    args.seed = seed
    options.check()
    for name in DRAWN if args.search else ():
        if getattr(options, name) != getattr(RunOptions(), name):
            raise UserError(f"--{name} has no effect with --search, which draws its examples: leave it out")
    base = args.build.resolve()
    queries = tuple(args.query) if args.search or args.query else ("suite=full",)
    return Setting(base, args.out.resolve() / "headers", options, queries, args.search)


def _plan(args: argparse.Namespace, setting: Setting) -> tuple[list[tuple[Target, Change]], int]:
    """Return the faults that are to be tried, and how many there are to choose from."""
    from mluops_tools.mutation.campaign import is_idle, planned, targets

    found = targets(setting.base, args.kernels)
    idle = [target.unit.name for target in found if is_idle(target.unit, setting)]
    if args.kernels and idle:
        raise UserError(f"none of these cases calls {idle[0]}: choose other cases, or other --operators")
    owners = {
        change: target for target in found if target.unit.name not in idle for change in target.changes()
    }
    wanted = [change for change in owners if _is_wanted(change, args.kind, args.at)]
    if not wanted:
        raise UserError("no fault is of this --kind, --at and --operators; --list names the faults")
    order = planned(wanted, args.seed)[: args.limit]
    return [(owners[change], change) for change in order], len(wanted)


def _is_wanted(change: Change, kinds: Sequence[str], texts: Iterable[str]) -> bool:
    return (not kinds or change.kind in kinds) and all(text in change.id for text in texts)


def _measured(suite: Suite) -> str:
    left_out = f", {len(suite.left_out)} left out" if suite.left_out else ""
    return (
        f"{suite.unit}: {counted(len(suite.seconds), 'case')}, {sum(suite.seconds.values()):.1f} s{left_out}"
    )


def _try_all(
    store: Store, setting: Setting, work: Sequence[tuple[Target, Change, Suite]], workers: int
) -> int:
    from mluops_tools.mutation.campaign import campaign
    from mluops_tools.mutation.store import SURVIVED, report

    status = exit_codes.PASSED
    try:
        with ended_by_sigterm():
            for result in campaign(store, setting, work, workers):
                say(_line(result), sys.stderr)
    except KeyboardInterrupt:
        status = exit_codes.INTERRUPTED
    results = list(filter(None, (store.result(change.id, suite) for _, change, suite in work)))
    say(report(results))
    if status == exit_codes.PASSED and any(result.verdict == SURVIVED for result in results):
        status = exit_codes.FAILED
    return status


def _line(result: Result) -> str:
    by = f" by {result.case} ({result.how})" if result.case else ""
    return f"{result.verdict}{by}: {result.id}"
