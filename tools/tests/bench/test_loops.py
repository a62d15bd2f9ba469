"""The C++ loops beside which references are timed give what the references give."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from mluops_conformance.execution.inputs import fill_inputs, scalars_of
from mluops_conformance.language.load import load
from mluops_conformance.operators import the_operator
from mluops_tools.bench import loops
from mluops_tools.bench.registry import ALL, select
from mluops_tools.bench.results import Result
from mluops_tools.bench.tables import results_table

POOLING = (
    "dims: {batches: 2, hi: 9, wi: 7, channels: 5, num_rois: 6, pooled_height: 3, pooled_width: 2}, "
    "params: {gamma: 0.1}, data: {offset: {fill: uniform, range: [-1, 1]}}"
)
ALIGNMENT = "dims: {batch: 2, height: 5, width: 6, channels: 3}, params: {points: 5}"
MASKED = "channels: 3, height: 5, width: 6, mask_cnt: 9"
VOXELS = (
    "dims: {boxes_num: 3, out_x: 3, out_y: 2, out_z: 4, channels: 5, max_pts_each_voxel: 4, pts_num: 90}, "
    "matrix: {pool_method: [0, 1]}"
)
SMALL = {
    "deform_roi_pool_forward": POOLING,
    "deform_roi_pool_backward": POOLING,
    "rotated_feature_align_forward": ALIGNMENT,
    "rotated_feature_align_backward": ALIGNMENT,
    "masked_im2col_forward": f"dims: {{{MASKED}, kernel_h: 3, kernel_w: 2}}, params: {{pad_h: 1}}",
    "masked_col2im_forward": f"dims: {{{MASKED}}}",
    "roiaware_pool3d_forward": VOXELS,
    "roiaware_pool3d_backward": VOXELS,
    "box_iou_rotated": "dims: {n: 20, m: 20}, matrix: {aligned: [0, 1], mode: [0, 1]}",
    "nms_rotated": "dims: {N: 60}",
}
LOOPS = {name: benchmark for name, benchmark in ALL.items() if name.startswith("loop/")}


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("g++"), reason="no C++ compiler")
@pytest.mark.parametrize("operator", SMALL)
def test_a_loop_gives_what_the_reference_gives(operator: str, tmp_path: Path) -> None:
    (tmp_path / "cases.yaml").write_text(f"operator: {operator}\ncases:\n  - {{id: it, {SMALL[operator]}}}\n")
    for case in load([tmp_path]):
        definition = the_operator(operator)
        inputs = fill_inputs(case, definition, 0)
        expected = definition.reference(inputs, scalars_of(case)).outputs
        outputs = {name: np.empty_like(array) for name, array in expected.items()}
        loops.evaluate(case, inputs, outputs)
        for name, array in expected.items():
            np.testing.assert_allclose(outputs[name], array, rtol=1e-9, atol=1e-12, err_msg=case.id)


def test_every_operator_has_a_loop_and_every_loop_a_reference() -> None:
    assert {name.split("/")[1] for name in LOOPS} == set(SMALL)
    assert [name for name in LOOPS if f"reference{name[4:]}" not in ALL] == []


def test_a_loop_is_measured_right_after_its_reference() -> None:
    selected = [benchmark.name for benchmark in select(["loop/masked*", "reference/masked*large"])]
    assert selected == [
        "reference/masked_im2col_forward/k3-large",
        "loop/masked_im2col_forward/k3-large",
        "loop/masked_col2im_forward/many-channels",
    ]


def test_the_table_sets_a_reference_beside_its_loop() -> None:
    name = "box_iou_rotated/pairwise"
    results = [
        (ALL[f"reference/{name}"], Result(f"reference/{name}", [0.3, 0.2], [0.2, 0.3])),
        (ALL[f"loop/{name}"], Result(f"loop/{name}", [0.5, 0.4], [0.4, 0.5])),
    ]
    (line,) = [line for line in results_table(results).splitlines() if line.startswith(name)]
    assert line.split() == [name, "200", "ms", "400", "ms", "2.00"]
