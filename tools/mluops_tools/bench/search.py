"""Benchmarks of the search: small examples, drawn, executed and judged in one process.

They run on the emulator, or on the backend that MLUOPS_BACKEND names (`cpu`, with MLUOPS_LIBRARY).
"""

from __future__ import annotations

import os
from functools import partial

from mluops_conformance.execution.options import BACKEND_VARIABLE, RunOptions
from mluops_conformance.nativelog import silenced
from mluops_conformance.operators import operator_names, the_operator

from mluops_tools.bench.benchmark import Benchmark
from mluops_tools.bench.probes import Call, repeated
from mluops_tools.fuzz.pool import Executor, Number, Task, spare_collections

EXAMPLES = 100
SMALL = 1 << 11
"""The most bytes in all tensors of a small example together."""

BACKEND = os.environ.get(BACKEND_VARIABLE, "emulator")

EXAMPLES_A_SECOND = 300 if BACKEND == "cpu" else 150
"""The target of one core: on a library for the CPU kernels take less time than in the emulator."""


def search_call(name: str) -> Call:
    """The first examples of an operator, its dtypes in turn, in a process like a worker's.

    The session is closed after them: a job limit of the last one would change the next operator's examples.
    """
    executor, dtypes = Executor(Task(RunOptions(backend=BACKEND), SMALL), 0), the_operator(name).dtypes
    spare_collections()
    numbers = [Number(name, dtypes[n % len(dtypes)], 0, n) for n in range(EXAMPLES)]

    def search() -> None:
        with silenced():  # libraries write a line for each refused call
            for number in numbers:
                executor.result(number)
            executor.session.close()

    return search


BENCHMARKS = tuple(
    Benchmark(
        f"search/{name}",
        repeated(partial(search_call, name)),
        target=EXAMPLES / EXAMPLES_A_SECOND,
        work=EXAMPLES,
        unit="examples",
    )
    for name in operator_names()
)
