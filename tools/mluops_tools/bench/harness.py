"""Benchmarks of the harness apart from the device: commands, tiny cases, the project's own suites."""

from __future__ import annotations

import json
import sys
from functools import partial
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from mluops_tools.bench import metering
from mluops_tools.bench.benchmark import Benchmark, Sample
from mluops_tools.bench.inputs import write_tiny_cases
from mluops_tools.bench.probes import Process

TINY_CASES = 200
MANY_CASES = 20_000
WORKERS = 2

COMMAND = (sys.executable, "-m", "mluops_conformance")
RUN = (*COMMAND, "run", "--backend", "emulator")
METERED_RUN = (sys.executable, "-m", metering.__name__, *RUN[len(COMMAND) :])


class Run(Process):
    """A run into a new folder each time; `words` follow `run`."""

    def __init__(self, *words: str) -> None:
        self._folder = TemporaryDirectory()
        runs = (Path(self._folder.name) / str(number) for number in count())
        super().__init__(lambda: (*RUN, *words, "--out", str(next(runs))))


class TinyCases:
    """Case files of tiny cases, which are there as long as this object lives."""

    def __init__(self, cases: int) -> None:
        self._folder = TemporaryDirectory()
        self.path = Path(self._folder.name)
        write_tiny_cases(self.path, cases)

    @property
    def words(self) -> tuple[str, str]:
        """The option that names them."""
        return "--cases", str(self.path)


class ListedTinyCases(Process):
    """Listing so many tiny cases."""

    def __init__(self, cases: int) -> None:
        self._cases = TinyCases(cases)
        super().__init__(lambda: (*COMMAND, "list", *self._cases.words))


class RunTinyCases(Run):
    """Running so many tiny cases on two workers."""

    def __init__(self, cases: int) -> None:
        self._cases = TinyCases(cases)
        super().__init__("-n", str(WORKERS), *self._cases.words)


class TinyCase(Process):
    """The median, over tiny cases in one process, of what a case costs beyond its references and kernel."""

    def __init__(self) -> None:
        self._cases = TinyCases(TINY_CASES)
        self._costs = self._cases.path / "costs.json"
        runs = (self._cases.path / str(number) for number in count())
        words = (*METERED_RUN, "-n", "0", *self._cases.words)
        super().__init__(lambda: (*words, "--out", str(next(runs))), {metering.FILE: str(self._costs)})

    def sample(self) -> Sample:
        super().sample()
        walls, cpus = zip(*json.loads(self._costs.read_text(encoding="utf-8")))
        return Sample(median(walls), median(cpus))


def _suite(name: str) -> Run:
    return Run("-n", str(WORKERS), f"suite={name}")


# name, what is sampled, target in seconds, whether it takes minutes
_BENCHMARKS = (
    ("start/help", partial(Process, lambda: (*COMMAND, "--help")), 0.15, False),
    ("start/list", partial(Process, lambda: (*COMMAND, "list")), 0.5, False),
    ("harness/tiny-case", TinyCase, 0.003, False),
    ("harness/list-20000-cases", partial(ListedTinyCases, MANY_CASES), 4.0, False),
    ("harness/run-20000-cases", partial(RunTinyCases, MANY_CASES), 150.0, True),
    ("suite/smoke", partial(_suite, "smoke"), 8.0, True),
    ("suite/full", partial(_suite, "full"), 100.0, True),
)

BENCHMARKS = tuple(
    Benchmark(name, prepare, target, memory="process", named_only=named_only)
    for name, prepare, target, named_only in _BENCHMARKS
)
