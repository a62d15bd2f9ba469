"""The sizes at which operators begin to split, on three devices, and in the emulator's kernels too.

The figures of MLU370 and MLU590 come from mlu-ops v1.11.1, with 768 and 512 KiB of NRAM.
"""

from __future__ import annotations

import pytest
from mluops_conformance.language.model import KNOWN_DEVICES
from mluops_conformance.operators import the_operator
from mluops_conformance.operators.limits import Device
from mluops_emulator.device import KIB, MODELS, DeviceModel
from mluops_emulator.operators import deform_roi_pool_forward as deform
from mluops_emulator.operators import roiaware_pool3d_backward as roiaware
from mluops_emulator.operators import rotated_feature_align_backward as rfa

DEVICES = {**KNOWN_DEVICES, "other": Device(384 * KIB, 3, 4, 1024 * KIB)}
EMULATED = {**MODELS, "other": DeviceModel("MLU370", 372, 3, 4, 384 * KIB, 4096 * KIB, 1 << 30)}
FLOAT, HALF = 4, 2


def limit_of(operator: str, name: str, device: Device, itemsize: int, **scalars: int) -> int:
    return the_operator(operator).limit(name).of(device, itemsize, scalars)


@pytest.mark.parametrize(
    ("device", "operator", "limit", "itemsize", "size"),
    [
        ("MLU370", "deform_roi_pool_backward", "channel_slice", FLOAT, 32768),
        ("MLU370", "deform_roi_pool_backward", "channel_slice", HALF, 65536),
        ("MLU590", "deform_roi_pool_backward", "channel_slice", FLOAT, 19648),
        ("MLU590", "deform_roi_pool_backward", "channel_slice", HALF, 39296),
        ("MLU370", "deform_roi_pool_backward", "offset_channel_slice", FLOAT, 12576),
        ("MLU370", "deform_roi_pool_backward", "offset_channel_slice", HALF, 25152),
        ("MLU590", "deform_roi_pool_backward", "offset_channel_slice", FLOAT, 7552),
        ("MLU590", "deform_roi_pool_backward", "offset_channel_slice", HALF, 15104),
        ("MLU370", "deform_roi_pool_forward", "channel_slice", FLOAT, 18176),
        ("MLU370", "deform_roi_pool_forward", "channel_slice", HALF, 36352),
        ("MLU590", "deform_roi_pool_forward", "channel_slice", FLOAT, 10912),
        ("MLU590", "deform_roi_pool_forward", "channel_slice", HALF, 21824),
        ("MLU370", "rotated_feature_align_backward", "channel_slice", FLOAT, 16352),
        ("MLU370", "rotated_feature_align_backward", "channel_slice", HALF, 32704),
        ("MLU590", "rotated_feature_align_backward", "channel_slice", FLOAT, 9824),
        ("MLU590", "rotated_feature_align_backward", "channel_slice", HALF, 19648),
        ("MLU590", "roiaware_pool3d_backward", "max_channel_slice", FLOAT, 49152),
        ("MLU590", "roiaware_pool3d_backward", "slots", FLOAT, 98240),
        ("MLU370", "roiaware_pool3d_backward", "slots", FLOAT, 98240),
        ("other", "roiaware_pool3d_backward", "slots", FLOAT, 65472),
        ("MLU370", "nms_rotated", "core_boxes", FLOAT, 640),
        ("MLU590", "nms_rotated", "core_boxes", FLOAT, 384),
        ("MLU590", "nms_rotated", "cluster_boxes", FLOAT, 1536),
        ("MLU370", "nms_rotated", "sram_boxes", FLOAT, 169300),
        ("MLU590", "nms_rotated", "sram_boxes", FLOAT, 81918),
        ("MLU370", "masked_im2col_forward", "cores", FLOAT, 32),
        ("MLU590", "masked_im2col_forward", "cores", FLOAT, 48),
        ("other", "masked_im2col_forward", "cores", FLOAT, 12),
    ],
)
def test_a_limit_follows_from_the_figures_of_the_device(device, operator, limit, itemsize, size):
    assert limit_of(operator, limit, DEVICES[device], itemsize) == size


@pytest.mark.parametrize(
    ("device", "slots", "size"),
    [("MLU590", 7, 49120), ("MLU590", 98240, 32), ("MLU370", 98240, 32800), ("other", 65472, 32)],
)
def test_a_row_of_points_leaves_less_room_for_channels(device, slots, size):
    there = DEVICES[device]
    assert (
        limit_of("roiaware_pool3d_backward", "avg_channel_slice", there, FLOAT, max_pts_each_voxel=slots)
        == size
    )


@pytest.mark.parametrize(("slots", "size"), [(64, 98240), (65, 98176), (129, 98112)])
def test_in_half_a_row_of_points_takes_whole_64s(slots, size):
    there = DEVICES["MLU590"]
    limit = limit_of("roiaware_pool3d_backward", "avg_channel_slice", there, HALF, max_pts_each_voxel=slots)
    assert limit == size


@pytest.mark.parametrize("itemsize", [FLOAT, HALF])
@pytest.mark.parametrize("name", DEVICES)
def test_the_emulated_kernels_split_where_the_formulas_say(name, itemsize):
    device, model = DEVICES[name], EMULATED[name]
    slots = limit_of("roiaware_pool3d_backward", "slots", device, itemsize)
    emulated = {
        ("deform_roi_pool_forward", "channel_slice"): deform.channel_limit(model, itemsize),
        ("rotated_feature_align_backward", "channel_slice"): rfa.channel_limit(model, itemsize),
        ("roiaware_pool3d_backward", "max_channel_slice"): roiaware.max_channel_limit(model, itemsize),
        ("roiaware_pool3d_backward", "avg_channel_slice"): roiaware.average_channel_limit(
            model, slots, itemsize
        ),
    }
    assert {
        (operator, limit): limit_of(operator, limit, device, itemsize, max_pts_each_voxel=slots)
        for operator, limit in emulated
    } == emulated


@pytest.mark.parametrize("name", KNOWN_DEVICES)
def test_the_known_devices_are_those_that_can_be_emulated(name):
    device, model = KNOWN_DEVICES[name], MODELS[name]
    assert (device.cores, device.usable_nram_bytes) == (model.cores, model.usable_nram_bytes)
