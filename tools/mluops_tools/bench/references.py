"""References at the shapes of the documents, alone and with all else that a case's expectation takes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Callable

from mluops_tools.bench.benchmark import Benchmark
from mluops_tools.bench.inputs import bench_cases, inputs_of
from mluops_tools.bench.probes import Call, repeated

if TYPE_CHECKING:
    from mluops_conformance.operators.base import Arrays

# case, seconds: what a prototype took, one thread on a machine of two cores, or a limit of the project
REFERENCES = (
    ("deform_roi_pool_forward/998-rois:dtype=float32", 0.262),
    ("deform_roi_pool_forward/998-rois:dtype=float16", None),
    ("deform_roi_pool_backward/998-rois", None),
    ("rotated_feature_align_forward/5-points", None),
    ("rotated_feature_align_backward/5-points:dtype=float32", 0.0235),
    ("rotated_feature_align_backward/5-points:dtype=float16", None),
    ("rotated_feature_align_backward/1-point:dtype=float32", 0.012),
    ("rotated_feature_align_backward/1-point:dtype=float16", None),
    ("masked_im2col_forward/k3", 0.00031),
    ("masked_im2col_forward/k3-large", None),
    ("masked_col2im_forward/retinanet", None),
    ("masked_col2im_forward/many-channels", None),
    ("roiaware_pool3d_forward/max", 2.0),
    ("roiaware_pool3d_forward/avg", 2.0),
    ("roiaware_pool3d_backward/max", 0.0102),
    ("roiaware_pool3d_backward/max-sparse", None),
    ("roiaware_pool3d_backward/avg", 0.291),
    ("roiaware_pool3d_backward/avg-any-count", 0.291),
    ("roiaware_pool3d_backward/avg-sparse", None),
    ("box_iou_rotated/pairwise", 1.5),
    ("box_iou_rotated/aligned", None),
    ("nms_rotated/crowded:N=78", 0.00023),
    ("nms_rotated/crowded:N=1000", 0.0049),
    ("nms_rotated/crowded:N=3000", 0.019),
    ("nms_rotated/apart:N=100000", 5.0),
)

EXPECTATIONS = (
    "deform_roi_pool_forward/998-rois:dtype=float32",
    "deform_roi_pool_forward/998-rois:dtype=float16",
    "rotated_feature_align_backward/5-points:dtype=float32",
    "rotated_feature_align_backward/5-points:dtype=float16",
    "roiaware_pool3d_backward/avg-sparse",
)
"""Cases with a local scale, a baseline and, in half, a second reference."""


def reference_call(case_id: str) -> Call:
    """The reference of a case on its inputs."""
    operator, inputs, scalars = inputs_of(case_id)
    return partial(operator.reference, inputs, scalars)


def expectation_call(case_id: str) -> Call:
    """All that is computed before the call of a case: references, baselines, local scale, thresholds."""
    from mluops_conformance.execution.expectations import expect
    from mluops_conformance.execution.options import RunOptions
    from mluops_conformance.execution.session import Session

    operator, inputs, _ = inputs_of(case_id)
    session = Session(RunOptions(backend="emulator"))
    return partial(_expect_anew, partial(expect, bench_cases()[case_id], operator), inputs, session)


def _expect_anew(expect: Callable[..., object], inputs: Arrays, session: object) -> object:
    """Give copies of the inputs, which nothing can know that was kept of the call before."""
    return expect({name: array.copy() for name, array in inputs.items()}, session)


BENCHMARKS = tuple(
    Benchmark(f"reference/{case_id}", repeated(partial(reference_call, case_id)), target)
    for case_id, target in REFERENCES
) + tuple(
    Benchmark(f"expectation/{case_id}", repeated(partial(expectation_call, case_id)))
    for case_id in EXPECTATIONS
)
