"""Try the library of a build: each trial in a process of its own.

    python -m mluops_tools.cpu.trials.run BUILD [WORD ...]

BUILD is a folder of `build-cpu`. WORDs choose the trials with one of them in their names.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from pathlib import Path
from typing import Sequence

import mluops
from mluops import Handle, Queue
from mluops_conformance import exit_codes
from mluops_conformance.errors import UserError
from mluops_conformance.support.files import say

from mluops_tools.cpu.metadata import read_metadata
from mluops_tools.cpu.trials.trial import Trial


@lru_cache(maxsize=1)
def trials() -> tuple[Trial, ...]:
    """Return all trials."""
    from mluops_tools.cpu.trials import boxes, elementwise, images, points, sampling

    families = (elementwise, points, boxes, images, sampling)
    return tuple(trial for family in families for trial in family.TRIALS)


def functions_tried() -> dict[str, tuple[str, ...]]:
    """Return the C functions that trials call, each with the architectures."""
    return {trial.function: trial.archs for trial in trials()}


def outcome(build: Path, number: int) -> str:
    """Return what a trial on the library of a build finds wrong; empty where all is as expected."""
    forking = multiprocessing.get_context("fork")
    try:
        with ProcessPoolExecutor(1, mp_context=forking) as pool:
            return pool.submit(_tried, build, number).result()
    except BrokenProcessPool:
        return "the process ended"


def _tried(build: Path, number: int) -> str:
    try:
        library = mluops.load(build / "libmluops.so", cnrt=build / "libcnrt.so")
        with Handle(library, Queue(library)) as handle:
            return "; ".join(trials()[number].differences(handle))
    except mluops.Error as error:
        return " ".join(str(error).split())


def chosen(build: Path, words: Sequence[str]) -> tuple[int, ...]:
    """Return the numbers of the trials whose functions a build has, with one of some words in their names.

    Raises
    ------
    UserError
        The folder is no build, or there is no such trial.
    """
    metadata = read_metadata(build)
    if metadata is None:
        raise UserError(
            f"{build}: no build of mlu-ops; 'mluops-conformance build-cpu PATH -o {build}' makes one"
        )
    numbers = tuple(
        number
        for number, trial in enumerate(trials())
        if trial.function in metadata.functions
        and metadata.arch in trial.archs
        and (not words or any(word in trial.name for word in words))
    )
    if not numbers:
        raise UserError(f"{build}: no trial of {' or '.join(words) or 'its functions'}")
    return numbers


def main(words: Sequence[str] | None = None) -> int:
    """Run trials, and tell the outcome of each; see the module."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("build", type=Path, metavar="BUILD")
    parser.add_argument("words", nargs="*", metavar="WORD")
    args = parser.parse_args(words)
    try:
        outcomes = {number: outcome(args.build, number) for number in chosen(args.build, args.words)}
    except UserError as error:
        say(str(error), sys.stderr)
        return exit_codes.USAGE
    for number, wrong in outcomes.items():
        say(f"{trials()[number].name}: {wrong or 'agrees'}")
    failed = sum(map(bool, outcomes.values()))
    say(f"{len(outcomes)} trials: {len(outcomes) - failed} agree, {failed} do not")
    return exit_codes.FAILED if failed else exit_codes.PASSED


if __name__ == "__main__":
    sys.exit(main())
