"""Right answers that a baseline's luck, a jump or an overflow keep apart from the expectation."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_conformance.execution.expectations import expect
from mluops_conformance.execution.inputs import fill_inputs, scalars_of
from mluops_conformance.judging.verdict import judge
from mluops_conformance.operators import the_operator
from mluops_reference import deform_roi_pool_forward, rotated_feature_align_backward

VOXEL = "dims: {boxes_num: 1, out_x: 1, out_y: 1, out_z: 1, channels: 256, max_pts_each_voxel: 8, pts_num: 7}"
AVERAGE = f"""
{VOXEL}
params: {{pool_method: 1}}
data:
  pts_idx_of_voxels: [[7, 0, 1, 2, 3, 4, 5, 6]]
  grad_out: {{fill: uniform, range: [1, 9]}}
"""


@pytest.fixture
def judged(session, case_of):
    """The verdict on what a device gives for a case, a function of its inputs and scalars."""

    def verdict_on(operator, fields, device):
        case, definition = case_of(operator, fields), the_operator(operator)
        inputs = fill_inputs(case, definition, 0)
        (output,) = definition.outputs
        rights = expect(case, definition, inputs, session).interpretations[output.name]
        return judge(output.name, device(inputs, scalars_of(case)), rights)

    return verdict_on


class TestErrorsOfOneSide:
    def test_a_factor_of_one_seventh_rounded_up_puts_every_error_above(self, judged):
        def device(inputs, scalars):
            share = inputs["grad_out"].reshape(1, 256) * (np.float32(1) / np.float32(7))
            return np.repeat(share, 7, axis=0)

        verdict = judged("roiaware_pool3d_backward", AVERAGE, device)
        assert verdict.measures["diff4"] == 0
        assert verdict.outcome == "passed"

    def test_copies_that_are_all_a_little_too_large_are_refused(self, judged):
        fields = VOXEL.replace("max_pts_each_voxel: 8", "max_pts_each_voxel: 1") + (
            "\nparams: {pool_method: 0}\n"
            "data: {argmax: {fill: constant, value: 0}, grad_out: {fill: uniform, range: [1, 9]}}"
        )

        def device(inputs, scalars):
            given = np.zeros((7, 256), np.float32)
            given[0] = inputs["grad_out"].reshape(256) * np.float32(1 + 1e-6)
            return given

        verdict = judged("roiaware_pool3d_backward", fields, device)
        assert verdict.outcome == "failed"
        assert verdict.reasons[0] == "all 256 errors lie above the expectation, so diff4 is 0"


def gradients(values, points=1):
    """Half gradients that all go to point 0."""
    listed = ", ".join(map(str, values))
    return (
        f"dims: {{boxes_num: 1, out_x: 1, out_y: 1, out_z: {len(values)}, channels: 1, "
        f"max_pts_each_voxel: 1, pts_num: {points}}}\n"
        f"params: {{pool_method: 0}}\ndtype: float16\n"
        f"data: {{argmax: {{fill: constant, value: 0}}, grad_out: [{listed}]}}"
    )


def giving(*values):
    return lambda inputs, scalars: np.float16(values).reshape(-1, 1)


class TestSumsInAnyOrder:
    SMALL = gradients([0.5005, 0.4998, -0.999])

    def test_three_halves_that_cancel_may_be_off_by_a_fifth_of_their_sum(self, judged):
        verdict = judged("roiaware_pool3d_backward", self.SMALL, giving(0.000977))
        assert verdict.outcome == "passed"
        assert verdict.matched == "double; every error is within what rounding may cost"

    def test_a_lost_addend_is_refused(self, judged):
        assert judged("roiaware_pool3d_backward", self.SMALL, giving(0.5005)).outcome == "failed"

    def test_a_long_sum_of_one_sign_may_be_added_one_by_one(self, judged):
        values = [0.7] * 1000

        def one_by_one(inputs, scalars):
            total = np.float16(0)
            for value in inputs["grad_out"].reshape(-1):
                total = np.float16(total + value)
            return total.reshape(1, 1)

        assert judged("roiaware_pool3d_backward", gradients(values), one_by_one).outcome == "passed"

    def test_thresholds_of_a_case_are_its_own(self, judged):
        fields = self.SMALL + "\nthresholds: {diff1: 1e-3}"
        assert judged("roiaware_pool3d_backward", fields, giving(0.000977)).outcome == "failed"

    def test_the_product_s_own_rounding_is_an_accumulation_error(self, judged):
        """0.1 x 1/3 twice: off by one unit in the last place, 7.5e-9."""
        fields = (
            "dims: {boxes_num: 1, out_x: 1, out_y: 1, out_z: 2, channels: 1, max_pts_each_voxel: 4, "
            "pts_num: 3}\n"
            "params: {pool_method: 1}\n"
            "data: {pts_idx_of_voxels: [[3, 0, 1, 2], [3, 0, 1, 2]], grad_out: [0.1, 0.1]}\n"
            "thresholds: {diff1: 0, diff2: 0, diff4: -1, pointwise: 0}"
        )
        exact = np.float32(0.1) * 2.0 / 3
        verdict = judged(
            "roiaware_pool3d_backward",
            fields,
            lambda inputs, scalars: np.full((3, 1), np.nextafter(np.float32(exact), np.float32(1))),
        )
        assert verdict.reasons[-1].startswith("accumulation error: ")


class TestSumsBeyondTheRange:
    POOLED = """
    dims: {batches: 1, hi: 28, wi: 28, channels: 1, num_rois: 1, pooled_height: 1, pooled_width: 1}
    dtype: float16
    data: {input: {fill: uniform, range: [90, 100]}, rois: [[0, 0.5, 0.5, 28.25, 28.25]]}
    """

    def test_a_sum_that_overflows_before_it_is_divided_may_be_infinite(self, judged):
        verdict = judged(
            "deform_roi_pool_forward",
            self.POOLED,
            lambda inputs, scalars: np.full((1, 1, 1, 1), np.float16("inf")),
        )
        assert verdict.outcome == "passed"
        assert verdict.matched == "double; 1 element infinite where a sum may leave the range of its dtype"

    def test_the_average_itself_is_as_right(self, judged):
        def device(inputs, scalars):
            keywords = {name: scalars[name] for name in ("spatial_scale", "sampling_ratio", "gamma")}
            return deform_roi_pool_forward(
                inputs["input"], inputs["rois"], None, pooled_height=1, pooled_width=1, **keywords
            ).astype(np.float16)

        assert judged("deform_roi_pool_forward", self.POOLED, device).outcome == "passed"

    def test_smaller_values_may_not_be(self, judged):
        fields = self.POOLED.replace("[90, 100]", "[9, 10]")
        verdict = judged(
            "deform_roi_pool_forward",
            fields,
            lambda inputs, scalars: np.full((1, 1, 1, 1), np.float16("inf")),
        )
        assert verdict.outcome == "failed"

    def test_the_order_decides_whether_addends_of_both_signs_overflow(self, judged):
        fields = gradients([40000, 40000, -40000])
        assert judged("roiaware_pool3d_backward", fields, giving(np.inf)).outcome == "passed"
        assert judged("roiaware_pool3d_backward", fields, giving(40000)).outcome == "passed"
        assert judged("roiaware_pool3d_backward", fields, giving(0)).outcome == "failed"


def align(coordinates):
    def device(inputs, scalars):
        given = rotated_feature_align_backward(
            inputs["top_output"],
            inputs["bboxes"],
            spatial_scale=scalars["spatial_scale"],
            points=scalars["points"],
            coordinates=coordinates,
        )
        return given.astype(np.float32)

    return device


class TestOtherSideOfAJump:
    """float32(0.1) x -10 is -1 in float32, on the limit and inside, and -1.000000015 in double, outside."""

    BOXES = """
    dims: {batch: 1, height: 2, width: 2, channels: 3}
    params: {spatial_scale: 0.1, points: 1}
    data:
      top_output: {fill: uniform, range: [1, 2]}
      bboxes: [[-10, 5, 1, 1, 0], [5, 5, 1, 1, 0], [5, 5, 1, 1, 0], [5, 5, 1, 1, 0]]
    """

    @pytest.mark.parametrize("coordinates", [np.float64, np.float32])
    def test_both_sides_are_right(self, judged, coordinates):
        assert judged("rotated_feature_align_backward", self.BOXES, align(coordinates)).outcome == "passed"

    def test_an_element_that_only_the_other_side_reaches_has_the_scale_of_that_side(self, judged):
        """-0.5 + 3 + float32(0.05) x 4 x 6.25 + 0.25 is 4 in float32, and 4.00000002 in double, outside."""
        fields = """
        dims: {batches: 1, hi: 2, wi: 4, channels: 9, num_rois: 1, pooled_height: 1, pooled_width: 4}
        params: {spatial_scale: 1, sampling_ratio: 2, gamma: 0.05}
        data:
          input: {fill: uniform, range: [1, 2]}
          rois: [[0, 0, 0, 4, 2]]
          offset: [[[[6.25, 6.25, 6.25, 6.25]], [[0, 0, 0, 0]]]]
        """

        def device(inputs, scalars):
            keywords = {name: scalars[name] for name in ("spatial_scale", "sampling_ratio", "gamma")}
            pooled = deform_roi_pool_forward(
                *(inputs[name] for name in ("input", "rois", "offset")),
                **{"pooled_height": 1, "pooled_width": 4, "coordinates": np.float32, **keywords},
            )
            return pooled.astype(np.float32) * np.float32(1 + 2**-22)

        verdict = judged("deform_roi_pool_forward", fields, device)
        assert verdict.outcome == "passed"
        assert verdict.matched == "double; 9 elements on the other side of a pixel or limit"

    def test_what_is_on_neither_side_is_refused(self, judged):
        def between(inputs, scalars):
            return (align(np.float64)(inputs, scalars) + align(np.float32)(inputs, scalars)) / np.float32(2)

        assert judged("rotated_feature_align_backward", self.BOXES, between).outcome == "failed"

    def test_a_baseline_on_the_other_side_does_not_swell_the_thresholds(self, judged):
        verdict = judged("rotated_feature_align_backward", self.BOXES, align(np.float64))
        assert verdict.thresholds["diff1"].value == 1e-5
        assert verdict.thresholds["pointwise"].value == 1e-5

    @pytest.mark.parametrize("coordinates", [np.float64, np.float32])
    @pytest.mark.parametrize("special", ["nan", "inf"])
    def test_a_special_value_reaches_the_neighbours_of_either_side(self, judged, coordinates, special):
        """In float32 a sample is on pixel 1, with pixel 2 at weight 0; in double it lies beyond pixel 1."""
        fields = f"""
        dims: {{batch: 1, height: 1, width: 4, channels: 1}}
        params: {{spatial_scale: 0.1, points: 1}}
        data:
          top_output: [.{special}, 1, 1, 1]
          bboxes: [[0, 10, 1, 1, 0], [0, 10, 1, 1, 0], [0, -50, 1, 1, 0], [0, -50, 1, 1, 0]]
        """
        assert judged("rotated_feature_align_backward", fields, align(coordinates)).outcome == "passed"


@pytest.mark.parametrize(
    ("operator", "fields"),
    [
        (
            "rotated_feature_align_backward",
            "dims: {batch: 1, height: 1, width: 300, channels: 1}\nparams: {spatial_scale: 0.3, points: 5}\n",
        ),
        (
            "deform_roi_pool_forward",
            "dims: {batches: 1, hi: 3, wi: 300, channels: 1, num_rois: 9, pooled_height: 1, "
            "pooled_width: 9}\n"
            "params: {spatial_scale: 0.3, sampling_ratio: 1}\n",
        ),
    ],
)
def test_coordinates_in_half_have_a_local_scale_of_their_own(session, case_of, operator, fields):
    case, definition = case_of(operator, fields + "dtype: float16"), the_operator(operator)
    inputs = fill_inputs(case, definition, 0)
    double, half = expect(case, definition, inputs, session).interpretations[definition.outputs[0].name]
    assert half.name == "half coordinates"
    assert (half.scale >= np.abs(half.expected)).all()
    assert not np.array_equal(half.scale, double.scale)
