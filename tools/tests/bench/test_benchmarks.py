"""The list of benchmarks, and their parts. No test here looks at a time."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from mluops_conformance.errors import UserError
from mluops_conformance.language.load import load
from mluops_tools.bench.binding import idle_library, nms_rotated_call, recorded
from mluops_tools.bench.inputs import TINY, bench_cases, inputs_of, write_tiny_cases
from mluops_tools.bench.references import EXPECTATIONS, REFERENCES
from mluops_tools.bench.registry import ALL, MODULES, select


def test_names_are_unique() -> None:
    assert len(ALL) == sum(len(module.BENCHMARKS) for module in MODULES)


def test_a_group_selects_its_benchmarks() -> None:
    assert {benchmark.name for benchmark in select(["judging/verdict"])} == {
        "judging/verdict/float32-64",
        "judging/verdict/float16-64",
        "judging/verdict/int32-64",
    }


def test_a_pattern_selects_by_name() -> None:
    assert [benchmark.name for benchmark in select(["start/*st"])] == ["start/list"]


def test_what_takes_minutes_only_runs_by_name() -> None:
    assert "suite/full" not in {benchmark.name for benchmark in select([])}
    assert [benchmark.name for benchmark in select(["suite/full"])] == ["suite/full"]


def test_a_pattern_that_means_nothing_is_an_error() -> None:
    with pytest.raises(UserError, match="unknown benchmark judgement"):
        select(["judging", "judgement"])


def test_references_are_measured_on_cases_that_exist() -> None:
    assert {case_id for case_id, _ in REFERENCES} | set(EXPECTATIONS) <= set(bench_cases())


def test_a_benchmark_gets_the_inputs_of_its_case() -> None:
    operator, inputs, scalars = inputs_of("nms_rotated/crowded:N=78")
    assert operator.name == "nms_rotated"
    assert inputs["boxes"].shape == (78, 5)
    assert scalars["iou_threshold"] == 0.3


def test_tiny_cases_are_spread_evenly_over_operators(tmp_path: Path) -> None:
    write_tiny_cases(tmp_path, 12)
    counts = Counter(case.operator for case in load([tmp_path]))
    assert set(counts) == set(TINY)
    assert set(counts.values()) == {2, 3}


def test_raw_calls_are_those_that_the_operator_makes() -> None:
    library = idle_library()
    names = [function.name for function, _ in recorded(library, nms_rotated_call(library))]
    assert names == [
        *("cnrtMalloc", "cnrtMalloc", "cnrtMemset"),  # output, result_num
        *("mluOpGetNmsRotatedWorkspaceSize", "cnrtMalloc"),
        *("mluOpNmsRotated", "cnrtQueueSync", "cnrtFree", "cnrtMemcpy"),
        *("cnrtFree", "cnrtFree"),  # the output with its last view
    ]
