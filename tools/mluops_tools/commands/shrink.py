"""Make a failing case as small as its failure allows, and print it as a case file.

CASE is a query that selects one case, as for 'run', or an artefact of 'run --save'. Fewer rows, smaller
sizes, plainer scalars and rounder numbers are tried, each in a process that may crash.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Callable

from mluops_conformance import exit_codes
from mluops_conformance.errors import UserError
from mluops_conformance.execution.options import PERF_FLAGS, RunOptions
from mluops_conformance.support.files import say
from mluops_conformance.support.flags import add_flags, real

if TYPE_CHECKING:
    from mluops_conformance.language.model import Case

    from mluops_tools.fuzz.pool import Example, Result, Worker

EPILOG = """\
With --against, the case becomes the smallest one on which two builds differ: in the outcome, or in a bit of
an output. Outputs that are added up atomically may differ between equal calls; of these only the outcome
counts.

Exit code 1: the case fails, and the smallest one found is printed; 0: it passes, or the builds agree.

examples:
  mluops-conformance shrink nms_rotated/network-78 --cases found/found.yaml --backend device --out small.yaml
  mluops-conformance shrink nightly/artefacts/nms_rotated-network-78.npz --backend device
  mluops-conformance shrink failing.npz --library build/lib --against last-good/lib
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("case", metavar="CASE", help="a query that selects one case, or an artefact")
    parser.add_argument("--against", metavar="LIBRARY", help="compare with this libmluops.so, or its folder")
    parser.add_argument(
        "--seconds", type=real, default=60.0, metavar="S", help="time limit of the search (60)"
    )
    parser.add_argument("-o", "--out", type=Path, metavar="FILE", help="write the case to FILE")
    add_flags(RunOptions, parser.add_argument, except_for=PERF_FLAGS)


def run(args: argparse.Namespace) -> int:
    from mluops_conformance.operators import the_operator

    from mluops_tools.fuzz.text import case_file, entry

    options = RunOptions.of(args)
    options.check()
    with tempfile.TemporaryDirectory() as folder:
        case = _case(args.case, options, Path(folder))
        small = _smallest(case, options, args)
    if small is None:
        say(f"{case.id}: {'both libraries agree' if args.against else 'it passes'}; nothing to make small")
        return exit_codes.PASSED
    text = case_file(the_operator(case.operator), [entry(small.case)])
    if args.out:
        args.out.write_text(text, encoding="utf-8")
        say(f"wrote {args.out}")
    else:
        say(text.rstrip("\n"))
    return exit_codes.FAILED


def _smallest(case: Case, options: RunOptions, args: argparse.Namespace) -> Example | None:
    """Return the smallest example found that fails, or on which two libraries differ; None if none does."""
    from mluops_conformance.language.model import sized
    from mluops_conformance.operators import the_operator

    from mluops_tools.fuzz.pool import Example, Task, Worker
    from mluops_tools.fuzz.shrink import shrink

    with ExitStack() as workers:
        worker = workers.enter_context(closing(Worker(Task(options, digests=bool(args.against)))))
        say(worker.place.notice, sys.stderr)
        example = Example(
            sized(case, the_operator(case.operator), worker.place.space.device),
            options.placement,
            options.queues,
        )
        if args.against:
            task = Task(replace(options, library=args.against), digests=True)
            found = _differing(example, worker, workers.enter_context(closing(Worker(task))))
        else:
            found = _failing(example, worker)
        return found and shrink(example, found, time.monotonic() + args.seconds)


def _case(text: str, options: RunOptions, folder: Path) -> Case:
    """Return the one case that is meant: of an artefact, unpacked into a folder, or selected by a query.

    Raises
    ------
    UserError
        There is none, or several.
    """
    if text.endswith(".npz"):
        from mluops_conformance.artefacts.file import load as load_artefact
        from mluops_conformance.artefacts.replay import unpack
        from mluops_conformance.language.load import load

        (case,) = load([unpack(load_artefact(text), folder)])
        return case
    from mluops_conformance.language.load import select

    cases = select(options.cases, [text])
    if len(cases) > 1:
        raise UserError(f"{text} selects {len(cases)} cases, among them {cases[0].id}: name one")
    return cases[0]


def _failing(example: Example, worker: Worker) -> Callable[[Example], bool] | None:
    """Return whether another example fails in the same way; None if this one is good."""
    from mluops_tools.fuzz.campaign import key_of

    first = worker.result(example).record
    if first is None or first.is_good:
        return None
    key = key_of(first, example.case)

    def fails(candidate: Example) -> bool:
        record = worker.result(candidate).record
        return record is not None and key_of(record, candidate.case)[:3] == key[:3]

    return fails


def _differing(example: Example, worker: Worker, other: Worker) -> Callable[[Example], bool] | None:
    """Return whether two libraries differ on another example; None if they agree on this one."""

    def differ(candidate: Example) -> bool:
        return _differ(worker.result(candidate), other.result(candidate))

    return differ if differ(example) else None


def _differ(mine: Result, others: Result) -> bool:
    from mluops_conformance.operators import the_operator
    from mluops_conformance.results.outcomes import OUTCOMES

    from mluops_tools.fuzz.pool import Example

    if mine.outcome not in OUTCOMES or others.outcome not in OUTCOMES:
        return False
    atomic = isinstance(mine.job, Example) and the_operator(mine.job.case.operator).atomic
    return mine.outcome != others.outcome or (not atomic and mine.digest != others.digest)
