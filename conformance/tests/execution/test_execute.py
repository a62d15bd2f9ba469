"""One case, from its file to its record."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from mluops.constants import mluOpStatus_t
from mluops_conformance.errors import CaseDataError
from mluops_conformance.execution.buffers import POISON
from mluops_conformance.execution.execute import execute
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.execution.session import Session
from mluops_conformance.judging.values import UNWRITTEN_INT32

NMS = """
dims: {N: 6}
params: {iou_threshold: 0.3}
data: {boxes: {fill: rotated_boxes, cluster: 2}}
"""
IM2COL = "dims: {channels: 2, height: 5, width: 4, kernel_h: 3, kernel_w: 2, mask_cnt: 7}"
REFUSED = "dims: {N: 6, box_dim: 7}\nexpect: {status: BAD_PARAM}"


def test_the_time_of_each_phase_is_kept(session, case_of):
    seconds = execute(case_of("nms_rotated", "dims: {N: 2}\nparams: {iou_threshold: 0.5}"), session).seconds
    assert set(seconds) == {"fill", "copy", "call", "judge", "reference"}


def test_a_right_operator_passes_with_its_measures(session, case_of):
    record = execute(case_of("masked_im2col_forward", IM2COL), session)
    assert (record.outcome, record.reason) == ("passed", "")
    assert record.outputs[0].measures["diff3"] == 0


def test_every_threshold_says_where_it_comes_from(session, case_of):
    record = execute(case_of("nms_rotated", NMS), session)
    origins = [limit.origin for verdict in record.outputs for limit in verdict.thresholds.values()]
    assert origins
    assert all("1.5.1" in origin for origin in origins)


def test_only_the_valid_part_of_an_output_is_compared(session, case_of):
    output, result_num = execute(case_of("nms_rotated", NMS), session).outputs
    assert output.elements < 6
    assert result_num.elements == 1


def test_an_expected_refusal_passes(session, case_of):
    assert execute(case_of("nms_rotated", REFUSED), session).outcome == "passed"


TWO_FAULTS = """
dims: {N: 7}
descriptors: {boxes: {strides: [6, 1]}, output: {shape: [8]}}
"""


@pytest.mark.parametrize("statuses", ["BAD_PARAM, NOT_SUPPORTED", "ARCH_MISMATCH, NOT_SUPPORTED"])
def test_any_of_the_statuses_that_a_case_names_passes(session, case_of, statuses):
    case = case_of("nms_rotated", f"{TWO_FAULTS}expect: {{status: [{statuses}]}}")
    assert execute(case, session).outcome == "passed"


def test_a_status_that_no_fault_gives_is_named_with_those_that_one_does(session, case_of):
    case = case_of("nms_rotated", f"{TWO_FAULTS}expect: {{status: [BAD_PARAM, SUCCESS]}}")
    record = execute(case, session)
    assert record.outcome == "failed"
    assert "returned MLUOP_STATUS_NOT_SUPPORTED (7)" in record.reason
    assert "expected MLUOP_STATUS_BAD_PARAM (3) or MLUOP_STATUS_SUCCESS (0)" in record.reason


def test_an_unexpected_refusal_names_the_function_and_both_statuses(session, case_of):
    case = case_of("nms_rotated", "dims: {N: 6}\ndescriptors: {boxes: {dtype: HALF}}")
    record = execute(case, session)
    assert record.outcome == "failed"
    assert "mluOpNmsRotated returned MLUOP_STATUS_BAD_PARAM (3)" in record.reason
    assert "expected MLUOP_STATUS_SUCCESS (0)" in record.reason


def test_a_null_workspace_is_passed_as_such(session, case_of):
    record = execute(case_of("masked_im2col_forward", f"{IM2COL}\npointers: {{workspace: null}}"), session)
    assert record.outcome == "failed"
    assert "mluOpMaskedIm2colForward returned MLUOP_STATUS_BAD_PARAM (3)" in record.reason


def test_a_wrong_value_is_located(session, case_of, interpose, poke):
    interpose("mluOpMaskedIm2colForward", lambda sent: poke(sent["data_col"] + 4 * 8, np.float32([77])))
    record = execute(case_of("masked_im2col_forward", IM2COL), session)
    assert record.outcome == "failed"
    worst = record.outputs[0].worst[0]
    assert (tuple(worst.index), worst.actual) == ((1, 1), 77)


ALIGN = """
dims: {batch: 1, height: 32, width: 32, channels: 64}
params: {points: 5}
data: {top_output: {fill: uniform, range: [1, 2]}}
thresholds: {diff1: 3e-3, diff2: 3e-3}
"""


def test_a_record_says_what_gtest_would_say(session, case_of, interpose, poke):
    """One wrong element among many moves no average."""
    name = "mluOpRotatedFeatureAlignBackward"
    interpose(name, lambda sent: poke(sent["bottom_input"] + 4 * 640, np.float32([3])))
    (output,) = execute(case_of("rotated_feature_align_backward", ALIGN), session).outputs
    assert output.outcome == "failed"
    assert output.gtest.passed
    assert output.gtest.limits == {"diff1": 3e-3, "diff2": 3e-3}
    assert output.gtest.errors == {name: output.measures[name] for name in ("diff1", "diff2")}


@pytest.mark.parametrize(
    ("offset", "words"),
    [
        (-4, "written before its start, at bytes -4 to -1"),
        (6 * 4, "written past its end, at bytes 24 to 27 of a buffer of 24"),
    ],
)
def test_a_write_beside_an_output_is_a_failure_although_the_output_is_right(
    session, case_of, interpose, poke, offset, words
):
    interpose("mluOpNmsRotated", lambda sent: poke(sent["output"] + offset, np.int32([0])))
    record = execute(case_of("nms_rotated", NMS), session)
    assert [verdict.outcome for verdict in record.outputs] == ["passed", "passed"]
    assert (record.outcome, record.reason) == ("failed", f"memory of `output`: {words}")


def test_a_write_past_the_workspace_is_a_failure(session, case_of, interpose, poke):
    interpose("mluOpNmsRotated", lambda sent: poke(sent["workspace"] + sent["workspace_size"], np.int32([0])))
    assert (
        "memory of `workspace`: written past its end, at bytes"
        in execute(case_of("nms_rotated", NMS), session).reason
    )


@pytest.mark.parametrize(
    ("size", "words"),
    [
        (2**64 - 616, "18446744073709551000 bytes (-616 as a signed number), and the device has"),
        (2**60, "1152921504606846976 bytes, and the device has"),
    ],
)
def test_a_workspace_that_no_device_holds_is_a_wrong_answer(session, case_of, interpose, size, words):
    interpose(
        "mluOpGetNmsRotatedWorkspaceSize", lambda sent: setattr(sent["workspace_size"]._obj, "value", size)
    )
    record = execute(case_of("nms_rotated", NMS), session)
    assert (record.outcome, record.failures) == ("failed", ("memory",))
    assert f"mluOpGetNmsRotatedWorkspaceSize reported a workspace of {words}" in record.reason


def test_a_changed_input_is_a_failure(session, case_of, interpose, poke):
    interpose("mluOpNmsRotated", lambda sent: poke(sent["scores"], np.float32([0.5])))
    assert execute(case_of("nms_rotated", NMS), session).reason == "input `scores` was changed by the call"


def test_an_output_that_nobody_wrote_is_called_so(session, case_of, monkeypatch):
    class Lazy:
        parameters = session.library.mluOpMaskedIm2colForward.parameters

        def __call__(self, *arguments):
            return mluOpStatus_t.MLUOP_STATUS_SUCCESS

    monkeypatch.setitem(session.library.__dict__, "mluOpMaskedIm2colForward", Lazy())
    monkeypatch.setattr(session.library, "has", lambda name: True)
    record = execute(case_of("masked_im2col_forward", IM2COL), session)
    assert "status SUCCESS, but `data_col` was not written at all" in record.reason


def test_a_tail_that_was_left_out_is_counted(session, case_of, interpose, poke):
    size = 2 * 3 * 2 * 7
    interpose(
        "mluOpMaskedIm2colForward",
        lambda sent: poke(sent["data_col"] + 4 * (size - 3), np.full(6, POISON, np.uint16)),
    )
    reason = execute(case_of("masked_im2col_forward", IM2COL), session).reason
    assert "`data_col` was not written from element 81 of 84 on" in reason


def test_an_element_that_was_not_written_is_no_nan_that_was_expected(
    session, case_of, interpose, poke, monkeypatch
):
    pooling = (
        "dims: {boxes_num: 1, out_x: 1, out_y: 1, out_z: 1, channels: 3, max_pts_each_voxel: 4, pts_num: 1}\n"
        "params: {pool_method: 0}\n"
        "data: {argmax: {fill: argmax, none: 0}, grad_out: {fill: values, values: [[[[[1, .nan, 3]]]]]}}"
    )
    case = case_of("roiaware_pool3d_backward", pooling)
    assert execute(case, session).outcome == "passed"
    monkeypatch.setattr(session.library, "has", lambda name: True)
    interpose(
        "mluOpRoiAwarePool3dBackward",
        lambda sent: poke(sent["grad_in"] + 4, np.full(2, POISON, np.uint16)),
    )
    record = execute(case, session)
    assert record.outcome == "failed"
    assert record.reason == "`grad_in` was not written at 1 place, first at [0, 1]"


def test_reports_know_an_integer_that_was_not_written():
    assert np.full(2, POISON, np.uint16).view(np.int32)[0] == UNWRITTEN_INT32


def test_a_refused_call_that_wrote_something_is_a_failure(session, case_of, interpose, poke):
    interpose("mluOpNmsRotated", lambda sent: poke(sent["output"] + 2, np.uint16([1])))
    record = execute(case_of("nms_rotated", REFUSED), session)
    assert record.reason == "`output` was written at byte 2, although the call computes nothing"


def test_a_workspace_size_that_is_too_small_is_a_failure(session, case_of, interpose):
    def shrink(sent):
        sent["workspace_size"]._obj.value = 8

    interpose("mluOpGetNmsRotatedWorkspaceSize", shrink)
    record = execute(case_of("nms_rotated", "dims: {N: 6}\ncall: workspace"), session)
    assert record.reason == "mluOpGetNmsRotatedWorkspaceSize answered 8 bytes, but 144 are needed"


def test_an_operator_that_uses_more_workspace_than_it_asked_for_is_found(session, case_of, interpose):
    def shrink(sent):
        sent["workspace_size"]._obj.value -= 4

    interpose("mluOpGetNmsRotatedWorkspaceSize", shrink)
    assert execute(case_of("nms_rotated", NMS), session).outcome == "failed"


def test_zero_elements_that_succeed_leave_the_outputs_alone(session, case_of):
    fields = """
        dims: {channels: 2, height: 5, width: 4, kernel_h: 3, kernel_w: 2, mask_cnt: 0}
        expect: {outputs: untouched}
    """
    assert execute(case_of("masked_im2col_forward", fields), session).outcome == "passed"


def test_the_same_case_gets_the_same_data_and_the_same_answer(session, case_of):
    case = case_of(
        "rotated_feature_align_backward", "dims: {batch: 1, height: 4, width: 5, channels: 3}\ndtype: float16"
    )
    first, second = (execute(case, session) for _ in range(2))
    assert first.outputs == second.outputs


def test_nothing_is_left_on_the_device(session, case_of):
    emulator = session.library.symbols
    execute(case_of("nms_rotated", NMS), session)
    before = emulator.newest
    execute(case_of("nms_rotated", NMS), session)
    assert list(emulator.alive(since=before)) == []


def test_a_case_runs_on_the_clusters_that_it_names_and_the_next_on_all(session, case_of):
    limits = session.library.symbols.context
    fields = "dims: {batch: 1, height: 4, width: 5, channels: 3}"
    before = limits.device.clusters
    assert (
        execute(case_of("rotated_feature_align_backward", f"{fields}\nclusters: 2"), session).outcome
        == "passed"
    )
    assert limits.device.clusters == 2
    assert execute(case_of("rotated_feature_align_backward", fields), session).outcome == "passed"
    assert limits.device.clusters == before


SLIM = "dims: {N: 200}\ndata: {boxes: {fill: rotated_boxes, cluster: 20, size: [1, 40]%s}}"


def test_random_boxes_are_moved_off_pairs_that_float32_may_get_wrong(session, case_of):
    record = execute(case_of("nms_rotated", SLIM % ""), session)
    assert record.outcome == "passed"
    assert "uncertain" not in record.notes


def test_boxes_of_any_pairs_stand_as_they_are_and_uncertain_ones_are_counted(session, case_of):
    record = execute(case_of("nms_rotated", SLIM % ", spread: 1e-6, pairs: any"), session)
    assert record.notes["uncertain"] > 0


def test_boxes_that_the_case_gives_are_run_whatever_their_overlap(session, case_of):
    boxes = "data: {boxes: [[4, 2, 8, 4, 0], [8, 2, 8, 4, 0]]}"
    record = execute(
        case_of("nms_rotated", f"dims: {{N: 2}}\n{boxes}\nparams: {{iou_threshold: 0.33334}}"), session
    )
    assert record.outcome == "passed"
    assert record.notes["uncertain"] == 1


APART = """
dims: {N: 3}
data: {boxes: [[0, 0, 8, 4, 0.3], [1, 0, 8, 4, 0.4], [60, 0, 8, 4, 0.3]], scores: [0.9, 0.8, 0.7]}
"""


def test_a_box_too_many_fails_the_list_of_boxes_and_is_named(session, case_of, interpose, poke):
    def keep_all(sent):
        poke(sent["output"], np.array([0, 1, 2], np.int32))
        poke(sent["result_num"], np.array([3], np.int32))

    interpose("mluOpNmsRotated", keep_all)
    record = execute(case_of("nms_rotated", APART), session)
    assert [verdict.outcome for verdict in record.outputs] == ["failed", "failed"]
    assert record.reason.startswith("output: box 1 is kept wrongly: box 0 overlaps it with an IoU of 0.67")
    assert record.causes == ()


def test_wrong_boxes_that_a_known_weakness_explains_name_it(session, case_of, interpose, poke):
    boxes = "[[46.3560715, 9.5201683, 12.7118998, 6.05664682, -2.68439007]"
    boxes += ", [46.3560715, 9.52016735, 12.7118998, 6.05664682, -2.68439007]]"

    def keep_both(sent):
        poke(sent["output"], np.array([0, 1], np.int32))
        poke(sent["result_num"], np.array([2], np.int32))

    interpose("mluOpNmsRotated", keep_both)
    case = case_of("nms_rotated", f"dims: {{N: 2}}\ndata: {{boxes: {boxes}, scores: [0.9, 0.8]}}")
    record = execute(case, session)
    assert (record.outcome, record.causes) == ("failed", ("float32-hull",))
    assert session.apply_known_issue(case, record).outcome == "xfailed"


def test_a_copy_that_loses_the_sign_of_zero_fails(session, case_of, interpose, poke):
    fields = IM2COL + "\ndata: {feature: {fill: constant, value: -0.0}}"
    interpose("mluOpMaskedIm2colForward", lambda sent: poke(sent["data_col"], np.zeros(84, np.float32)))
    record = execute(case_of("masked_im2col_forward", fields), session)
    assert record.outcome == "failed"
    assert "with other bits" in record.reason


@pytest.mark.parametrize("placement", ["unaligned", "shuffled"])
def test_a_right_operator_passes_wherever_its_buffers_lie(case_of, placement):
    session = Session(RunOptions(backend="emulator", placement=placement))
    for operator, fields in (("nms_rotated", NMS), ("masked_im2col_forward", IM2COL + "\ndtype: float16")):
        for seed in range(3):
            moved = replace(case_of(operator, fields), id=f"{operator}/it-{seed}")
            assert execute(moved, session).outcome == "passed"
    session.close()


def test_data_that_the_operator_is_not_defined_for_are_a_mistake_of_the_case(session, case_of):
    case = case_of(
        "deform_roi_pool_forward",
        """
        dims: {batches: 2, hi: 4, wi: 4, channels: 1, num_rois: 1, pooled_height: 1, pooled_width: 1}
        data: {rois: [[7, 0, 0, 3, 3]]}
        """,
    )
    with pytest.raises(CaseDataError) as caught:
        execute(case, session)
    place, _, text = str(caught.value).partition(": ")
    assert place == str(case.origin)
    assert text == "a mistake in the case's data: rois[0] names image 7.0, but input has 2"
