"""A case of ours becomes a gtest case, and comes back unchanged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mluops_conformance.engine.plan import elements
from mluops_conformance.execution.inputs import fill_inputs
from mluops_conformance.language.load import load, load_cases
from mluops_conformance.language.model import KNOWN_DEVICES, Case, Origin, sized
from mluops_conformance.operators import the_operator
from mluops_conformance.support.files import cases_root
from mluops_tools.gtest.export_folder import export_into
from mluops_tools.gtest.exporting import export_case
from mluops_tools.gtest.import_folder import import_into
from mluops_tools.gtest.textformat import Message, parse

IM2COL = "dims: {channels: 2, height: 5, width: 4, kernel_h: 3, kernel_w: 2, mask_cnt: 7}"
DEFORM = (
    "dims: {batches: 2, hi: 6, wi: 5, channels: 3, num_rois: 4, pooled_height: 2, pooled_width: 3}, "
    "params: {spatial_scale: 0.1, gamma: .inf}"
)
ROIAWARE = (
    "dims: {boxes_num: 2, out_x: 2, out_y: 2, out_z: 2, channels: 3, max_pts_each_voxel: 4, pts_num: 9}, "
    "params: {pool_method: 1}"
)
MLU370 = KNOWN_DEVICES["MLU370"]
RFA = "dims: {batch: 1, height: 4, width: 5, channels: 3}, params: {points: 5}"

CASES = {
    "float": ("masked_im2col_forward", IM2COL),
    "half": ("masked_im2col_forward", f"{IM2COL}, dtype: float16"),
    "special": ("masked_im2col_forward", f"{IM2COL}, data: {{feature: {{fill: special}}}}"),
    "no optional tensor": ("deform_roi_pool_forward", DEFORM),
    "optional tensor": ("deform_roi_pool_forward", f"{DEFORM}, data: {{offset: {{fill: uniform}}}}"),
    "two integer tensors": ("roiaware_pool3d_backward", ROIAWARE),
    "points": ("rotated_feature_align_backward", RFA),
    "labels": ("nms_rotated", "dims: {N: 12, box_dim: 6}"),
    "empty": ("nms_rotated", "dims: {N: 0}, expect: {outputs: untouched}"),
    "large": ("nms_rotated", "dims: {N: 1000}"),
    "thresholds": ("roiaware_pool3d_backward", f"{ROIAWARE}, thresholds: {{diff1: 1e-4, diff4: 1}}"),
    "layout": ("masked_im2col_forward", f"{IM2COL}, descriptors: {{data_col: {{layout: NCL}}}}"),
    "strides of no elements": (
        "nms_rotated",
        "dims: {N: 0}, descriptors: {boxes: {strides: [9, 2]}}, expect: {outputs: untouched}",
    ),
    "strides": ("nms_rotated", "dims: {N: 12}, descriptors: {boxes: {strides: [5, 1]}}"),
    "gtest's uniform": (
        "masked_im2col_forward",
        f"{IM2COL}, data: {{feature: {{fill: gtest_uniform, range: [0.1, 2], precision: double}}}}",
    ),
    "gtest's gaussian": (
        "masked_im2col_forward",
        f"{IM2COL}, data: {{feature: {{fill: gtest_gaussian, mu: 1, sigma: 0.1, seed: 3}}}}",
    ),
}


def case_of(folder: Path, operator: str, fields: str) -> Case:
    file = folder / "cases.yaml"
    file.write_text(f"operator: {operator}\ncases: [{{id: a, {fields}}}]\n")
    (case,) = load([file])
    return case


def reimported(case: Case, folder: Path) -> Case:
    """The case out of its export."""
    exported = export_into([case], folder / "exported", MLU370).written.values()
    imported = import_into(exported, folder / "imported")
    assert [*imported.refusals()] == []
    (again,) = load(imported.written.values())
    return again


def inputs(case: Case) -> dict[str, Any]:
    arrays = fill_inputs(case, the_operator(case.operator), 0)
    return {name: (array.dtype, array.shape, array.tobytes()) for name, array in arrays.items()}


def without_origin(case: Case) -> Case:
    return replace(case, origin=Origin("", 0), source="", note="")


@pytest.mark.parametrize("name", CASES)
def test_an_exported_case_has_the_same_data_bit_for_bit(tmp_path, name):
    case = case_of(tmp_path, *CASES[name])
    assert inputs(reimported(case, tmp_path)) == inputs(case)


@pytest.mark.parametrize("name", CASES)
def test_an_exported_case_says_the_same_but_for_how_data_and_thresholds_are_written(tmp_path, name):
    case = case_of(tmp_path, *CASES[name])
    again = without_origin(reimported(case, tmp_path))
    assert again == replace(
        without_origin(case), data=again.data, thresholds=again.thresholds, tags=frozenset({"gtest"})
    )
    assert again.thresholds == case.thresholds or not case.thresholds


@pytest.mark.parametrize("name", CASES)
def test_what_was_imported_once_is_exported_and_imported_without_change(tmp_path, name):
    once = reimported(case_of(tmp_path, *CASES[name]), tmp_path)
    (tmp_path / "again").mkdir()
    assert without_origin(reimported(once, tmp_path / "again")) == without_origin(once)


def message_of(tmp_path: Path, name: str) -> Message:
    return parse(export_case(case_of(tmp_path, *CASES[name]), "a").text)


def test_floats_go_as_the_bits_of_their_elements(tmp_path):
    case = case_of(
        tmp_path, "masked_im2col_forward", f"{IM2COL}, data: {{feature: {{fill: constant, value: 0.1}}}}"
    )
    (words,) = {
        tuple(s.text for s in parse(export_case(case, "a").text).messages("input")[0].scalars("value_h"))
    }
    assert words == ("3dcccccd",) * 40


def test_long_data_go_to_a_raw_file(tmp_path):
    case = case_of(tmp_path, *CASES["large"])
    exported = export_case(case, "a")
    boxes, scores = parse(exported.text).messages("input")
    assert [scalar.string() for scalar in boxes.scalars("path")] == ["a.boxes.bin"]
    assert len(scores.scalars("value_h")) == 1000
    assert [*exported.files] == ["a.boxes.bin"]


def test_without_thresholds_the_operators_static_ones_are_written(tmp_path):
    param = message_of(tmp_path, "points").message("test_param")
    assert param is not None
    assert [scalar.word({}) for scalar in param.scalars("error_func")] == ["DIFF1", "DIFF2", "DIFF4"]
    assert [scalar.number() for scalar in param.scalars("error_threshold")] == [1e-5, 1e-5, 1.0]


def test_an_absent_optional_tensor_is_left_out(tmp_path):
    assert len(message_of(tmp_path, "no optional tensor").messages("input")) == 2


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ("params: {kernel_h: 0}, expect: {status: BAD_PARAM}", "must be answered with BAD_PARAM"),
        ("params: {kernel_h: 2}", "pass a kernel_h that the shapes do not have"),
        ("after: {first: {operator: masked_im2col_forward}}", "make several calls"),
        ("clusters: 1", "limit the clusters that they run on"),
        ("call: workspace", "only ask for the workspace's size"),
        ("pointers: {feature: null}", "pass NULL for what is not optional"),
        ("descriptors: {feature: null}", "pass NULL for what is not optional"),
        ("descriptors: {feature: {dtype: HALF}}", "describe feature as something other than it is"),
    ],
)
def test_what_gtest_has_no_cases_for_is_said(tmp_path, fields, reason):
    case = case_of(tmp_path, "masked_im2col_forward", f"{IM2COL}, {fields}")
    refused = export_into([case], tmp_path / "out", MLU370).refused
    assert refused == {case.id: f"gtest has no cases that {reason}"}


def test_the_command_takes_queries_and_counts(tmp_path, command, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("c.yaml").write_text(
        f"operator: masked_im2col_forward\ndefaults: {{{IM2COL}}}\ncases:\n"
        "  - {id: tiny, matrix: {dtype: [float32, float16]}}\n"
        "  - {id: refused, params: {kernel_h: 0}, expect: {status: BAD_PARAM}}\n"
    )
    code, lines, error = command("export-gtest", "tiny", "refused", "--cases", "c.yaml", "-o", "out")
    written = "out/masked_im2col_forward/tiny-dtype"
    reason = "gtest has no cases that must be answered with BAD_PARAM"
    assert code == 1
    assert lines == [
        f"masked_im2col_forward/tiny:dtype=float32 -> {written}-float32.prototxt",
        f"masked_im2col_forward/tiny:dtype=float16 -> {written}-float16.prototxt",
        f"masked_im2col_forward/refused: not exported: {reason}",
    ]
    assert error == "2 cases exported, 1 not\n"


def test_data_depend_on_the_seed_that_the_command_is_given(tmp_path):
    case = case_of(tmp_path, *CASES["float"])
    assert export_case(case, "a", seed=1).text != export_case(case, "a", seed=2).text
    assert np.array_equal(
        fill_inputs(case, the_operator(case.operator), 1)["feature"].view(np.uint32).ravel(),
        [
            int(s.text, 16)
            for s in parse(export_case(case, "a", seed=1).text).messages("input")[0].scalars("value_h")
        ],
    )


def test_sizes_that_follow_from_the_device_are_those_of_the_given_one(tmp_path):
    case = case_of(tmp_path, "nms_rotated", "dims: {N: cores}")
    (file,) = export_into([case], tmp_path / "out", KNOWN_DEVICES["MLU590"]).written.values()
    (boxes, _) = parse(file.read_text()).messages("input")
    assert [dim.integer() for dim in boxes.message("shape").scalars("dims")] == [48, 5]


def test_sizes_that_the_library_refuses_are_not_exported(tmp_path):
    dims = "boxes_num: 1, out_x: 1, out_y: 1, out_z: 1, channels: max_channel_slice, pts_num: 9"
    fields = f"dims: {{{dims}, max_pts_each_voxel: 3}}, params: {{pool_method: 0}}"
    case = case_of(tmp_path, "roiaware_pool3d_backward", fields)
    (reason,) = export_into([case], tmp_path / "out", MLU370).refused.values()
    assert "is not what the library takes: 1 to 65535" in reason


@pytest.fixture
def built_in():
    """The built-in cases of at most 2000 elements: enough for every way to write one."""
    cases = [sized(case, the_operator(case.operator), MLU370) for case in load_cases((cases_root(),))]
    return [case for case in cases if elements(case) <= 2_000]


def imported_again(cases, folder):
    """Return how many of the cases can be exported; each of them can be imported."""
    exported = export_into(cases, folder / "exported", MLU370)
    imported = import_into(exported.written.values(), folder / "imported")
    assert [*imported.refusals()] == []
    return len(exported.written)


def test_a_small_case_of_each_entry_can_be_imported_if_it_can_be_exported(built_in, tmp_path):
    small = {case.entry_id: case for case in built_in if elements(case) <= 300}
    assert imported_again(small.values(), tmp_path) > 60


@pytest.mark.slow
def test_every_built_in_case_that_can_be_exported_can_be_imported(built_in, tmp_path):
    assert imported_again(built_in, tmp_path) > 300
