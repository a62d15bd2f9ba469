"""Results as tables."""

from __future__ import annotations

from math import log
from statistics import median
from typing import Iterator, Mapping, Sequence

from mluops_conformance.comparison.times import mann_whitney, spread
from mluops_conformance.support.formatting import counted
from tabulate import tabulate

from mluops_tools.bench.benchmark import Benchmark
from mluops_tools.bench.growth import GROUP
from mluops_tools.bench.loops import GROUP as LOOP
from mluops_tools.bench.results import Result

HEADERS = ("benchmark", "wall min", "median", "±", "CPU min", "median", "rate", "target", "memory")
COMPARED = ("benchmark", "CPU before", "after", "factor", "p", "wall before", "after", "factor", "memory", "")
BESIDE_LOOPS = ("case", "reference, CPU min", "C++ loop, CPU min", "loop / reference")
GROWTH = ("benchmark", "size", "CPU median", "a unit", "grows as", "memory")

SCALES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))
LEGEND = """\
times of one call; ±: a robust standard deviation of its wall times, relative to their median; memory: at the
peak, beyond inputs and result, or all that the largest process has (p); a target is missed when the least CPU
time is above it"""
UNRESOLVED = "unresolved"
"""A difference of two times that is lost in their noise."""


def results_table(results: Sequence[tuple[Benchmark, Result]]) -> str:
    """Times, rates and memory of each benchmark; growth curves apart, and what did not work."""
    worked = [pair for pair in results if not pair[1].error]
    plain = [pair for pair in worked if not pair[0].name.startswith(f"{GROUP}/")]
    curves = [pair for pair in worked if pair[0].name.startswith(f"{GROUP}/")]
    tables = [_table([_row(*pair) for pair in plain], HEADERS) + f"\n{LEGEND}"] if plain else []
    tables += [_table(list(_growth_rows(curves)), GROWTH)] if curves else []
    tables += _failures([result for _, result in results])
    tables += _beside_loops({result.name: result for _, result in worked})
    return "\n\n".join([*tables, *_missed(worked)])


def comparison_table(pairs: Sequence[tuple[Benchmark, Result, Result]]) -> str:
    """Each benchmark before and after; p is of the rank test, over CPU times."""
    rows = [_compared(*pair) for pair in pairs if not pair[1].error and not pair[2].error]
    return "\n\n".join([_table(rows, COMPARED), *_failures([before for _, before, _ in pairs])])


def seconds(value: float) -> str:
    """A time with three significant digits and a fitting unit."""
    scale, unit = next((s for s in SCALES if abs(value) >= s[0]), SCALES[-1])
    return f"{value / scale:.3g} {unit}"


def _row(benchmark: Benchmark, result: Result) -> tuple[str, ...]:
    return (
        benchmark.name,
        _time(min(result.wall)),
        _time(median(result.wall)),
        f"{100 * abs(spread(result.wall)):.0f} %",
        _time(min(result.cpu)),
        _time(median(result.cpu)),
        _rate(benchmark, result),
        _target(benchmark, result),
        _memory(benchmark, result),
    )


def _time(value: float) -> str:
    return seconds(value) if value > 0 else UNRESOLVED


def _target(benchmark: Benchmark, result: Result) -> str:
    if benchmark.target is None:
        return ""
    return seconds(benchmark.target) + (", missed" if _misses(benchmark, result) else "")


def _misses(benchmark: Benchmark, result: Result) -> bool:
    return benchmark.target is not None and min(result.cpu) > benchmark.target


def _beside_loops(results: Mapping[str, Result]) -> list[str]:
    """Return a table of the references whose C++ loop was measured too; no table without one."""
    rows = []
    for name, loop in results.items():
        group, _, case = name.partition("/")
        reference = results.get(f"reference/{case}")
        if group == LOOP and reference is not None:
            times = min(reference.cpu), min(loop.cpu)
            rows.append((case, *map(seconds, times), f"{times[1] / times[0]:.2f}"))
    return [_table(rows, BESIDE_LOOPS)] if rows else []


def _missed(worked: Sequence[tuple[Benchmark, Result]]) -> list[str]:
    """Return a line with the number of missed targets; no line if there are no targets."""
    having = [pair for pair in worked if pair[0].target is not None]
    missed = sum(_misses(*pair) for pair in having)
    return [f"{missed} of {counted(len(having), 'target')} missed"] if having else []


def _rate(benchmark: Benchmark, result: Result) -> str:
    if benchmark.work is None:
        return ""
    return f"{benchmark.work / median(result.cpu):.0f} {benchmark.unit}/s"


def _memory(benchmark: Benchmark, result: Result) -> str:
    if result.memory is None:
        return ""
    mark = " p" if benchmark.memory == "process" else ""
    return f"{result.memory / 1e6:.3g} MB{mark}"


def _compared(benchmark: Benchmark, before: Result, after: Result) -> tuple[str, ...]:
    cpu, wall = (median(before.cpu), median(after.cpu)), (median(before.wall), median(after.wall))
    return (
        benchmark.name,
        *map(_time, cpu),
        _factor(*cpu),
        f"{mann_whitney(before.cpu, after.cpu):.2g}",
        *map(_time, wall),
        _factor(*wall),
        _memory(benchmark, before),
        _memory(benchmark, after),
    )


def _factor(before: float, after: float) -> str:
    return f"{after / before:.2f}" if min(before, after) > 0 else UNRESOLVED


def _failures(results: Sequence[Result]) -> list[str]:
    lines = [f"{result.name}: {result.error}" for result in results if result.error]
    return ["\n".join(lines)] if lines else []


def _growth_rows(curves: Sequence[tuple[Benchmark, Result]]) -> Iterator[tuple[str, ...]]:
    """Size by size, with the exponent of the growth since the size before."""
    earlier: tuple[str, int, float] | None = None
    for benchmark, result in curves:
        curve, _, text = benchmark.name.rpartition("/")
        size, time = int(text), median(result.cpu)
        grows = ""
        if earlier is not None and earlier[0] == curve:
            grows = f"n^{log(time / earlier[2]) / log(size / earlier[1]):.2f}"
        earlier = curve, size, time
        yield curve, text, seconds(time), seconds(time / size), grows, _memory(benchmark, result)


def _table(rows: Sequence[Sequence[str]], headers: Sequence[str]) -> str:
    return str(tabulate(rows, headers, tablefmt="simple", disable_numparse=True))
