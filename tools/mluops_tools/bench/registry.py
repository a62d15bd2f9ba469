"""All benchmarks, by name."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Mapping, Sequence

from mluops_conformance.errors import UserError

from mluops_tools.bench import binding, fills, growth, harness, judging, loops, references, search
from mluops_tools.bench.benchmark import Benchmark

MODULES = (references, loops, judging, fills, binding, harness, search, growth)

ALL: Mapping[str, Benchmark] = {
    benchmark.name: benchmark for module in MODULES for benchmark in module.BENCHMARKS
}


def select(patterns: Sequence[str]) -> list[Benchmark]:
    """The benchmarks that a pattern matches, or whose group it names; by default all that take no minutes.

    Raises
    ------
    UserError
        A pattern means none.
    """
    if not patterns:
        return [benchmark for benchmark in ALL.values() if not benchmark.named_only]
    for pattern in patterns:
        if not any(_means(pattern, name) for name in ALL):
            raise UserError(f"unknown benchmark {pattern}; --list names them")
    return [benchmark for name, benchmark in ALL.items() if any(_means(p, name) for p in patterns)]


def _means(pattern: str, name: str) -> bool:
    return name.startswith(f"{pattern}/") or fnmatchcase(name, pattern)
