"""Samples: their measurement, their file, and their tables."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mluops_conformance.errors import UserError
from mluops_tools.bench import probes, worker
from mluops_tools.bench.benchmark import Benchmark, Sample
from mluops_tools.bench.metering import Meter
from mluops_tools.bench.probes import Difference, Process, Repeated, extra_memory
from mluops_tools.bench.results import Result, read, write
from mluops_tools.bench.tables import comparison_table, results_table, seconds

MEGABYTE = 1 << 20


def test_memory_is_counted_beyond_the_result() -> None:
    assert MEGABYTE <= extra_memory(lambda: np.ones(MEGABYTE, np.uint8).any()) < 1.1 * MEGABYTE
    assert extra_memory(lambda: np.ones(MEGABYTE, np.uint8)) < 0.1 * MEGABYTE


def test_a_short_call_is_made_many_times_a_sample() -> None:
    made: list[None] = []
    probe = Repeated(lambda: made.append(None))
    before = len(made)
    probe.sample()
    assert len(made) - before > 100


def test_a_difference_is_that_of_two_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Repeated, "sample", lambda self: Sample(float(self._call()), 2.0 * self._call()))
    assert Difference(lambda: 5, lambda: 3).sample() == Sample(2.0, 4.0)


def test_a_process_has_time_and_memory_of_its_own() -> None:
    process = Process(lambda: (sys.executable, "-c", f"b'x' * {64 * MEGABYTE}"))
    sample = process.sample()
    assert sample.cpu > 0
    assert process.memory is not None
    assert process.memory > 64 * MEGABYTE


def test_a_process_that_fails_says_why() -> None:
    process = Process(lambda: (sys.executable, "-c", "raise SystemExit('no device')"))
    with pytest.raises(RuntimeError, match="no device"):
        process.sample()


def test_a_meter_counts_what_is_inside_only() -> None:
    meter = Meter()
    function = meter.around(lambda value: sum(range(value)))
    assert meter.inside == Sample(0.0, 0.0)
    assert function(1000) == 499500
    assert meter.inside.wall > 0


class _Counted:
    memory = 7

    def __init__(self) -> None:
        self.taken = 0

    def sample(self) -> Sample:
        self.taken += 1
        return Sample(float(self.taken), 0.5)


def answers(monkeypatch: pytest.MonkeyPatch, requests: str, prepare: Any) -> list[dict[str, Any]]:
    monkeypatch.setattr(worker, "ALL", {"a": Benchmark("a", prepare), "b": Benchmark("b", prepare)})
    written = io.StringIO()
    worker.serve(io.StringIO(requests), written)
    return [json.loads(line) for line in written.getvalue().splitlines()]


def test_a_benchmark_is_prepared_once_for_all_its_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    found = answers(monkeypatch, "a\na\nb\n", _Counted)
    assert [answer["wall"] for answer in found] == [1.0, 2.0, 1.0]
    assert found[0]["memory"] == 7


def test_a_benchmark_that_does_not_work_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def prepare() -> _Counted:
        raise KeyError("no such case")

    assert answers(monkeypatch, "a\n", prepare) == [{"error": "KeyError: 'no such case'"}]


def test_results_survive_their_file(tmp_path: Path) -> None:
    results = [Result("a", (1.0, 2.0), (0.5, 0.5), 7), Result("b", error="it broke")]
    write(tmp_path / "r.json", results)
    assert read(tmp_path / "r.json") == results


@pytest.mark.parametrize("text", ["", "[]", '{"schema": 1}', '{"schema": 99, "results": []}'])
def test_a_file_that_holds_no_results_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "r.json").write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=r"r\.json"):
        read(tmp_path / "r.json")


@pytest.mark.parametrize(
    ("value", "shown"), [(2.5, "2.5 s"), (0.0125, "12.5 ms"), (-3e-5, "-30 us"), (0, "0 ns")]
)
def test_times_have_a_fitting_unit(value: float, shown: str) -> None:
    assert seconds(value) == shown


def test_a_table_has_rate_target_and_memory() -> None:
    benchmark = Benchmark("judging/x", _Counted, target=0.1, work=40.0, unit="MB")
    table = results_table([(benchmark, Result("judging/x", (0.2,), (0.1,), 2_000_000))])
    assert table.splitlines()[2].split("  ")[-1] == "2 MB"
    assert "400 MB/s" in table
    assert "100 ms" in table


def test_missed_targets_are_marked_and_counted() -> None:
    cpu = {"judging/met": (0.3, 0.09), "judging/missed": (0.3, 0.11)}
    pairs = [
        (Benchmark(name, _Counted, target=0.1), Result(name, taken, taken)) for name, taken in cpu.items()
    ]
    lines = results_table([*pairs, (Benchmark("x", _Counted), Result("x", (1.0,), (1.0,)))]).splitlines()
    assert ["100 ms, missed" in line for line in lines[2:5]] == [False, True, False]
    assert lines[-1] == "1 of 2 targets missed"


def test_a_difference_below_the_noise_is_no_negative_time() -> None:
    benchmark, result = Benchmark("x", _Counted), Result("x", (-1e-7, 1e-7), (-2e-7, 2e-7))
    (row,) = results_table([(benchmark, result)]).splitlines()[2:3]
    assert row.split()[1] == "unresolved"
    (row,) = comparison_table([(benchmark, result, result)]).splitlines()[2:]
    assert row.count("unresolved") == 6


def test_a_difference_is_one_of_the_least_times(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = {"whole": [9.0, 5.0, 7.0, 6.0, 8.0], "part": [3.0, 2.0, 9.0, 4.0, 8.0]}

    class Scripted:
        def __init__(self, name: str) -> None:
            self.times = iter(taken[name])

        def sample(self) -> Sample:
            time = next(self.times)
            return Sample(2 * time, time)

    monkeypatch.setattr(probes, "Repeated", Scripted)
    assert Difference("whole", "part").sample() == Sample(6.0, 3.0)


def test_a_growth_curve_has_an_exponent_between_sizes() -> None:
    pairs = [
        (Benchmark(f"growth/x/{size}", _Counted), Result(f"growth/x/{size}", (time,), (time,)))
        for size, time in ((10, 1.0), (100, 100.0), (1000, 1000.0))
    ]
    rows = results_table(pairs).splitlines()[2:]
    assert [row.split()[-1] for row in rows] == ["ms", "n^2.00", "n^1.00"]


def test_a_comparison_has_the_factor_of_the_medians() -> None:
    benchmark = Benchmark("x", _Counted)
    before, after = Result("x", (1.0, 1.0), (1.0, 1.0)), Result("x", (2.0, 2.0), (0.5, 0.5))
    (row,) = comparison_table([(benchmark, before, after)]).splitlines()[2:]
    assert "0.50" in row
    assert "2.00" in row


def test_what_did_not_work_stands_behind_the_table() -> None:
    benchmark = Benchmark("x", _Counted)
    failed, worked = Result("x", error="ImportError: gone"), Result("x", (1.0,), (1.0,))
    assert results_table([(benchmark, failed)]) == "x: ImportError: gone"
    assert comparison_table([(benchmark, failed, worked)]).splitlines()[-1] == "x: ImportError: gone"
