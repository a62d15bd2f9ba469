"""Measures and verdicts over outputs that are nearly right."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from mluops_conformance.execution.execute import Trail, steps_of, task_of
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.execution.session import Session
from mluops_conformance.execution.values import Verdicts
from mluops_conformance.judging.measures import measure
from mluops_conformance.judging.values import Threshold
from mluops_conformance.judging.verdict import Interpretation, judge

from mluops_tools.bench.benchmark import Benchmark
from mluops_tools.bench.inputs import bench_cases
from mluops_tools.bench.probes import Call, repeated

if TYPE_CHECKING:
    from numpy.typing import NDArray

ELEMENTS = 10_000_000
ELEMENTS_A_SECOND = 0.5e9 / 4
"""The target of one thread: half a gigabyte of float32 output a second."""

# name, dtype, whether there is a local scale
MEASURES = (
    ("float32", "float32", False),
    ("float32-with-scale", "float32", True),
    ("float16", "float16", False),
    ("float16-with-scale", "float16", True),
    ("int32", "int32", False),
)

TINY = ("float32", "float16", "int32")
"""Dtypes of outputs of 64 elements that are judged, with all the wrong outputs that must not pass."""

MEASURED = ("diff1", "diff2", "diff4", "pointwise")


def nearly_right(dtype: str, elements: int) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """An output, its expectation, and a local scale."""
    generator = np.random.default_rng(0)
    if dtype == "int32":
        indices = generator.integers(0, elements, elements).astype(np.int32)
        return indices, indices.copy(), np.ones(elements)
    expected = generator.uniform(-1, 1, elements)
    actual = expected.astype(dtype)
    actual[::3] = np.nextafter(actual[::3], np.array(1, dtype))
    return actual, expected, np.abs(expected) + 0.5


def measures_call(dtype: str, with_scale: bool, elements: int = ELEMENTS) -> Call:
    """All measures of an output."""
    actual, expected, scale = nearly_right(dtype, elements)
    return partial(measure, actual, expected, scale if with_scale else None)


def verdict_call(dtype: str) -> Call:
    """The verdict on a tiny output, of four axes as most outputs are."""
    actual, expected, scale = (array.reshape(2, 4, 4, 2) for array in nearly_right(dtype, 64))
    floating = dtype != "int32"
    thresholds = {name: Threshold(1e-2, "benchmark") for name in (MEASURED if floating else ("diff3",))}
    right = Interpretation("double", expected, thresholds, scale if floating else None)
    return partial(judge, "output", actual, [right])


JUDGED = (
    "deform_roi_pool_forward/998-rois:dtype=float32",
    "deform_roi_pool_forward/998-rois:dtype=float16",
    "rotated_feature_align_backward/5-points:dtype=float32",
    "rotated_feature_align_backward/5-points:dtype=float16",
    "masked_im2col_forward/k3",
)
"""Cases whose judging is timed as it is done in a run, over what the emulator answers."""


def steps_call(case_id: str) -> Call:
    """All that is judged of a case, its red zones and inputs included."""
    case = bench_cases()[case_id]
    trail = Trail(task_of(case, Session(RunOptions(backend="emulator"))))
    steps = steps_of(case)
    for name, step in steps:
        trail.take(name, step)
    judging = [step for name, step in steps if name == "judge"]

    def judge_again() -> None:
        trail.keep(Verdicts())
        for step in judging:
            trail.take("judge", step)

    return judge_again


BENCHMARKS = (
    tuple(
        Benchmark(
            f"judging/measures/{name}",
            repeated(partial(measures_call, dtype, with_scale)),
            target=ELEMENTS / ELEMENTS_A_SECOND,
            work=ELEMENTS * np.dtype(dtype).itemsize / 1e6,
            unit="MB",
        )
        for name, dtype, with_scale in MEASURES
    )
    + tuple(
        Benchmark(f"judging/verdict/{dtype}-64", repeated(partial(verdict_call, dtype))) for dtype in TINY
    )
    + tuple(
        Benchmark(f"judging/steps/{case_id}", repeated(partial(steps_call, case_id))) for case_id in JUDGED
    )
)
