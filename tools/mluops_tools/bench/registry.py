"""All benchmarks, by name."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import Iterator, Mapping, Sequence

from mluops_conformance.errors import UserError

from mluops_tools.bench import binding, fills, growth, harness, judging, loops, references, search
from mluops_tools.bench.benchmark import Benchmark

MODULES = (references, loops, judging, fills, binding, harness, search, growth)


def _in_order() -> Iterator[Benchmark]:
    """A loop follows its reference at once: the load of the machine changes little between them."""
    loop_of = {f"reference{loop.name[len(loops.GROUP) :]}": loop for loop in loops.BENCHMARKS}
    for module in MODULES:
        for benchmark in module.BENCHMARKS:
            yield benchmark
            if benchmark.name in loop_of:
                yield loop_of[benchmark.name]


ALL: Mapping[str, Benchmark] = {benchmark.name: benchmark for benchmark in _in_order()}


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
