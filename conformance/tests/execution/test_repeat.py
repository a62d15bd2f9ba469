"""Mode `repeat`: the same call again and again, each in fresh memory."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from mluops_conformance.execution.answers import compare_answers
from mluops_conformance.execution.execute import execute
from mluops_conformance.execution.expectations import Expected
from mluops_conformance.execution.values import Answers, Task
from mluops_conformance.judging.verdict import Interpretation, RightAnswers
from mluops_conformance.operators import the_operator

NMS = """
dims: {N: 6}
params: {iou_threshold: 0.3}
data: {boxes: {fill: rotated_boxes, cluster: 2}}
mode: repeat
repeat: 4
"""
COLLISIONS = """
dims: {boxes_num: 3, out_x: 2, out_y: 3, out_z: 4, channels: 3, max_pts_each_voxel: 5, pts_num: 4}
params: {pool_method: 0}
mode: repeat
repeat: 4
"""
ONES = """
dims: {boxes_num: 4096, out_x: 1, out_y: 1, out_z: 1, channels: 1, max_pts_each_voxel: 2, pts_num: 1}
params: {pool_method: 0}
dtype: float16
data: {argmax: {fill: zeros}, grad_out: {fill: constant, value: 1}}
"""


@pytest.fixture
def interpose_roiaware(interpose):
    """Interposes whatever its release calls the function."""

    def install(after):
        for name in the_operator("roiaware_pool3d_backward").functions:
            interpose(name, after)

    return install


def test_a_deterministic_operator_passes_with_one_distinct_output(session, case_of):
    record = execute(case_of("nms_rotated", NMS), session)
    assert record.outcome == "passed"
    assert (record.notes["distinct output"], record.notes["distinct result_num"]) == (1, 1)


def test_atomic_additions_pass_though_their_order_shows(session, case_of):
    record = execute(case_of("roiaware_pool3d_backward", COLLISIONS), session)
    assert (record.outcome, record.reason) == ("passed", "")
    assert record.notes["distinct grad_in"] > 1


def test_every_call_gets_fresh_memory(session, case_of, interpose):
    seen = []
    interpose("mluOpNmsRotated", lambda sent: seen.append(sent["output"]))
    execute(case_of("nms_rotated", NMS), session)
    assert len(set(seen)) == 4


def test_one_call_that_differs_in_one_bit_is_a_failure_of_repetition(session, case_of, interpose, poke):
    calls = itertools.count()
    interpose(
        "mluOpMaskedIm2colForward",
        lambda sent: poke(sent["data_col"], np.float32([0.5])) if next(calls) == 2 else None,
    )
    fields = "dims: {channels: 1, height: 5, width: 4, kernel_h: 1, kernel_w: 1, mask_cnt: 3}\n"
    case = case_of("masked_im2col_forward", fields + "mode: repeat\nrepeat: 4")
    record = execute(case, session)
    assert (record.outcome, record.failures) == ("failed", ("repetition", "values"))
    assert "data_col: 4 equal calls gave 2 distinct outputs, and bitwise equality" in record.reason
    assert record.notes["distinct data_col"] == 2


def test_every_distinct_output_is_judged_and_the_worst_verdict_kept(
    session, case_of, interpose_roiaware, poke
):
    calls = itertools.count()
    interpose_roiaware(lambda sent: poke(sent["grad_in"], np.float32([99])) if next(calls) == 2 else None)
    record = execute(case_of("roiaware_pool3d_backward", COLLISIONS), session)
    (verdict,) = record.outputs
    assert (verdict.outcome, verdict.worst[0].actual) == ("failed", 99)


def test_memory_is_checked_after_every_call(session, case_of, interpose, poke):
    calls = itertools.count()
    interpose(
        "mluOpNmsRotated",
        lambda sent: poke(sent["output"] - 4, np.int32([0])) if next(calls) == 1 else None,
    )
    assert execute(case_of("nms_rotated", NMS), session).failures == ("memory",)


def test_nothing_is_left_on_the_device(session, case_of):
    emulator = session.library.symbols
    execute(case_of("nms_rotated", NMS), session)
    before = emulator.newest
    execute(case_of("nms_rotated", NMS), session)
    assert list(emulator.alive(since=before)) == []


class TestHalfThatStopsAt2048:
    """4096 ones for one point: 2048 + 1 is 2048 in half (pytorch #171288, #177069)."""

    def test_within_3e_3_it_fails_as_an_accumulation_error_with_addends_and_bound(self, session, case_of):
        record = execute(
            case_of("roiaware_pool3d_backward", ONES + "thresholds: {diff1: 3e-3, diff2: 3e-3}"), session
        )
        assert record.outcome == "failed"
        assert record.reason.endswith(
            "accumulation error: (0, 0) is off by 2048, and 4096 addends of magnitude 4096 in all, "
            "summed one by one in float16, may lose (4096 + 8) x 0.0004883 = 2.004 of it"
        )

    def test_with_thresholds_from_a_baseline_that_stops_there_too_it_is_not_trusted(self, session, case_of):
        assert execute(case_of("roiaware_pool3d_backward", ONES), session).outcome == "mistrusted"

    @pytest.mark.parametrize(("total", "outcome"), [(4096, "passed"), (4080, "failed")])
    def test_a_device_that_adds_in_float_passes(
        self, session, case_of, interpose_roiaware, poke, total, outcome
    ):
        interpose_roiaware(lambda sent: poke(sent["grad_in"], np.float16([total])))
        fields = ONES + "thresholds: {diff1: 3e-3, diff2: 3e-3, pointwise: 4e-3}"
        assert execute(case_of("roiaware_pool3d_backward", fields), session).outcome == outcome


def test_only_atomic_operators_may_give_sums_that_differ(session, case_of):
    case = case_of("roiaware_pool3d_backward", COLLISIONS)
    right = Interpretation("double", np.array([3.0]), {}, scale=np.array([3.0]), addends=np.array([3]))
    expected = Expected({"grad_in": RightAnswers(lambda: right)})
    three = np.array([3], np.float32)
    answers = Answers({"grad_in": (three, np.nextafter(three, np.float32(4)))})
    operator = the_operator(case.operator)
    found = {
        atomic: compare_answers(Task(case, replace(operator, atomic=atomic), session), expected, answers)
        for atomic in (True, False)
    }
    assert found[True].disagreements == ()
    assert len(found[False].disagreements) == 1
