"""Measure what the project's own code costs: references, judging, fills, the harness, the binding.

Each PATTERN is a benchmark's name, with * and ?, or a group of them. Without one, all run except those that
take minutes. Everything is measured in one thread.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Sequence

from mluops_conformance import exit_codes
from mluops_conformance.errors import UserError
from mluops_conformance.support.files import say
from mluops_conformance.support.flags import real, whole

if TYPE_CHECKING:
    from mluops_tools.bench.benchmark import Benchmark
    from mluops_tools.bench.results import Result

EPILOG = """\
examples:
  mluops-conformance bench --list
  mluops-conformance bench reference judging --json before.json
  mluops-conformance bench reference judging --against before.json
  mluops-conformance bench 'reference/nms*' --against ../a-checkout-of-last-week
  mluops-conformance bench growth
  mluops-conformance bench --profile nightly
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("pattern", nargs="*", metavar="PATTERN", help="which benchmarks")
    parser.add_argument("--list", action="store_true", help="name the benchmarks, and measure nothing")
    parser.add_argument(
        "--repeats", type=whole(1), default=9, metavar="N", help="samples of each (default: 9)"
    )
    parser.add_argument(
        "--seconds",
        type=real,
        default=20.0,
        metavar="S",
        help="time limit of a benchmark's samples (default: 20)",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="store the samples")
    parser.add_argument(
        "--against",
        type=Path,
        metavar="PATH",
        help="compare with stored samples, or with a checkout (both are measured in turn)",
    )
    parser.add_argument("--profile", type=Path, metavar="DIR", help="profile the ten slowest cases of a run")


def run(args: argparse.Namespace) -> int:
    from mluops_tools.bench.registry import select

    if args.profile:
        from mluops_tools.bench.profiling import profiles

        for text in profiles(args.profile):
            print(text)
        return exit_codes.PASSED
    benchmarks = select(args.pattern)
    if args.list:
        print("\n".join(benchmark.name for benchmark in benchmarks))
        return exit_codes.PASSED
    before, after = _results(benchmarks, args)
    if args.json:
        from mluops_tools.bench.results import write

        write(args.json, after)
    print(_tables(benchmarks, before, after))
    return exit_codes.FAILED if any(result.error for result in after) else exit_codes.PASSED


def _results(benchmarks: Sequence[Benchmark], args: argparse.Namespace) -> tuple[list[Result], list[Result]]:
    """Return the results to compare with, and the results of this measurement."""
    from mluops_tools.bench.results import read
    from mluops_tools.bench.sides import is_checkout, measured

    stored = read(args.against) if args.against and args.against.is_file() else []
    other = args.against if args.against and not stored else None
    if other is not None and not is_checkout(other):
        raise UserError(f"--against {other}: neither samples of bench nor a checkout of this project")
    rounds = []
    for benchmark, results in zip(
        benchmarks, measured(benchmarks, [other, None] if other else [None], args.repeats, args.seconds)
    ):
        say(f"{benchmark.name}", sys.stderr)
        rounds.append(results)
    return stored or [results[0] for results in rounds if other], [results[-1] for results in rounds]


def _tables(benchmarks: Sequence[Benchmark], before: Sequence[Result], after: Sequence[Result]) -> str:
    from mluops_tools.bench.tables import comparison_table, results_table

    table = results_table(list(zip(benchmarks, after)))
    if not before:
        return table
    earlier = {result.name: result for result in before}
    pairs = [
        (benchmark, earlier[result.name], result)
        for benchmark, result in zip(benchmarks, after)
        if result.name in earlier
    ]
    return f"{table}\n\n{comparison_table(pairs)}"
