"""Benchmarks of the growth of time and memory with the size of a task, one for each size."""

from __future__ import annotations

from functools import partial
from typing import Any, Callable, NamedTuple

from mluops_tools.bench.benchmark import Benchmark
from mluops_tools.bench.fills import fill_call
from mluops_tools.bench.harness import ListedTinyCases, RunTinyCases
from mluops_tools.bench.judging import measures_call
from mluops_tools.bench.probes import repeated
from mluops_tools.bench.references import reference_call

GROUP = "growth"


class Curve(NamedTuple):
    """A task in several sizes; `prepare(size)` is what `Benchmark.prepare` is for one."""

    name: str
    sizes: tuple[int, ...]
    prepare: Callable[[int], Any]
    memory: str = "extra"


def _boxes(size: int) -> Any:
    return repeated(partial(reference_call, f"nms_rotated/apart:N={size}"))()


def _judged(size: int) -> Any:
    return repeated(partial(measures_call, "float32", False, size))()


def _filled(size: int) -> Any:
    return repeated(partial(fill_call, "float32", "uniform", {"range": (-1, 1)}, size))()


ELEMENTS = (10**3, 10**4, 10**5, 10**6, 10**7, 10**8)

CURVES = (
    Curve("nms_rotated-boxes", (100, 1_000, 10_000, 100_000, 500_000), _boxes),
    Curve("listed-cases", (100, 1_000, 10_000, 20_000), ListedTinyCases, "process"),
    Curve("run-cases", (100, 1_000, 10_000, 20_000), RunTinyCases, "process"),
    Curve("judged-elements", ELEMENTS, _judged),
    Curve("filled-elements", ELEMENTS, _filled),
)

BENCHMARKS = tuple(
    Benchmark(
        f"{GROUP}/{curve.name}/{size}",
        partial(curve.prepare, size),
        memory=curve.memory,
        named_only=True,
    )
    for curve in CURVES
    for size in curve.sizes
)
