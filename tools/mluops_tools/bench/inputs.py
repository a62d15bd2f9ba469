"""The benchmarks' own cases, which lie beside this module, and tiny ones in any number."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Mapping

from mluops_conformance.execution.inputs import fill_inputs, scalars_of
from mluops_conformance.language.load import load
from mluops_conformance.operators import the_operator

if TYPE_CHECKING:
    from mluops_conformance.language.model import Case
    from mluops_conformance.operators.base import Arrays, Operator, Scalar

CASES = Path(__file__).parent / "cases"

TINY: Mapping[str, str] = {
    "deform_roi_pool_forward": (
        "batches: 1, hi: 6, wi: 6, channels: 4, num_rois: 2, pooled_height: 2, pooled_width: 2"
    ),
    "masked_im2col_forward": "channels: 2, height: 6, width: 6, mask_cnt: 9, kernel_h: 2, kernel_w: 2",
    "nms_rotated": "N: 5",
    "roiaware_pool3d_backward": (
        "boxes_num: 2, out_x: 2, out_y: 2, out_z: 2, channels: 3, max_pts_each_voxel: 4, pts_num: 10"
    ),
    "rotated_feature_align_backward": "batch: 1, height: 4, width: 4, channels: 4",
}
"""Dimensions by operator: what is computed takes next to nothing."""


@lru_cache(maxsize=1)
def bench_cases() -> dict[str, Case]:
    """The benchmarks' cases by id."""
    return {case.id: case for case in load([CASES])}


def inputs_of(case_id: str) -> tuple[Operator, Arrays, dict[str, Scalar]]:
    """The operator of a benchmark's case, its inputs and its scalars."""
    case = bench_cases()[case_id]
    operator = the_operator(case.operator)
    return operator, fill_inputs(case, operator, 0), scalars_of(case)


def write_tiny_cases(folder: Path, count: int) -> None:
    """Write case files with `count` cases, an entry each, spread evenly over the operators."""
    for place, (operator, dims) in enumerate(TINY.items()):
        entries = "".join(
            f"  - id: tiny-{number}\n    dims: {{{dims}}}\n" for number in range(place, count, len(TINY))
        )
        text = f"operator: {operator}\nsource: mluops_tools.bench\ncases:\n{entries}"
        (folder / f"{operator}.yaml").write_text(text, encoding="utf-8")
