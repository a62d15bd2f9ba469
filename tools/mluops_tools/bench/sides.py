"""One or two checkouts, each measured by a process of its own, sample by sample in turn."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Iterator, Sequence

from mluops_conformance.cli import BLAS_THREADS
from mluops_conformance.commands.run import REUSED_MEMORY

from mluops_tools.bench.benchmark import Benchmark
from mluops_tools.bench.results import Result

PACKAGES = ("bindings", "reference", "conformance")
"""Folders of a checkout that hold what is measured; what measures is always this checkout's own."""

TOOLS = Path(__file__).resolve().parents[2]


class Side:
    """A process that samples benchmarks of a checkout.

    Parameters
    ----------
    checkout : Path, optional
        What is imported is this process's own by default.
    """

    def __init__(self, checkout: Path | None = None) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "mluops_tools.bench.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=_environment(checkout),
            encoding="utf-8",
        )

    def sample(self, name: str) -> dict[str, Any]:
        """One more sample of a benchmark, or why there is none."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(name, file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        return json.loads(answer) if answer else {"error": "the measuring process ended"}

    def __enter__(self) -> Side:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._process.communicate()


def is_checkout(path: Path) -> bool:
    """Return True if a folder holds the packages to measure."""
    return all((path / folder).is_dir() for folder in PACKAGES)


def measured(
    benchmarks: Sequence[Benchmark], checkouts: Sequence[Path | None], repeats: int, seconds: float
) -> Iterator[tuple[Result, ...]]:
    """The results of each benchmark, one of every checkout.

    Parameters
    ----------
    benchmarks : sequence of Benchmark
    checkouts : sequence of Path
        None is this one.
    repeats : int
        Samples of each.
    seconds : float
        After so long a benchmark gets no further samples, however few it has.
    """
    with ExitStack() as stack:
        sides = [stack.enter_context(Side(checkout)) for checkout in checkouts]
        for benchmark in benchmarks:
            yield _measured(benchmark.name, sides, repeats, seconds)


def _measured(name: str, sides: Sequence[Side], repeats: int, seconds: float) -> tuple[Result, ...]:
    rounds: list[list[dict[str, Any]]] = []
    begun = time.monotonic()
    while len(rounds) < repeats and (not rounds or time.monotonic() - begun < seconds):
        rounds.append([side.sample(name) for side in sides])
        if any("error" in answer for answer in rounds[-1]):
            break
    return tuple(_result(name, answers) for answers in zip(*rounds))


def _result(name: str, answers: Sequence[dict[str, Any]]) -> Result:
    error = next((answer["error"] for answer in answers if "error" in answer), "")
    samples = [answer for answer in answers if "error" not in answer]
    walls, cpus = (tuple(answer[clock] for answer in samples) for clock in ("wall", "cpu"))
    return Result(name, walls, cpus, samples[-1]["memory"] if samples else None, error)


def _environment(checkout: Path | None) -> dict[str, str]:
    folders = [checkout.resolve() / folder for folder in PACKAGES] if checkout else []
    paths = [*map(str, folders), str(TOOLS), os.environ.get("PYTHONPATH", "")]
    as_in_a_run = {**dict.fromkeys(BLAS_THREADS, "1"), **REUSED_MEMORY}
    return {**os.environ, **as_in_a_run, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
