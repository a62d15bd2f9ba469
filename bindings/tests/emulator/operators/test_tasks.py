"""The split of tasks and channels."""

from __future__ import annotations

import numpy as np
import pytest
from mluops_emulator.device import MODELS
from mluops_emulator.operators import (
    deform_roi_pool_forward,
    roiaware_pool3d_backward,
    rotated_feature_align_backward,
)
from mluops_emulator.operators.tasks import (
    arrival_order,
    channel_slices,
    even_shares,
    strided_tasks,
    tasks_of_all,
)

MLU370, MLU590 = MODELS["MLU370"], MODELS["MLU590"]


def test_strided_tasks_of_all_cores_are_all_tasks():
    assert [strided_tasks(7, core, 3).tolist() for core in range(3)] == [[0, 3, 6], [1, 4], [2, 5]]
    assert tasks_of_all(7, 3).tolist() == [0, 3, 6, 1, 4, 2, 5]


def test_the_first_cores_take_the_remainder():
    assert even_shares(10, 4) == [slice(0, 3), slice(3, 6), slice(6, 8), slice(8, 10)]


def test_fewer_tasks_than_cores_leave_cores_idle():
    assert even_shares(2, 4) == [slice(0, 1), slice(1, 2)]


def test_the_last_slice_has_the_rest_of_the_channels():
    assert list(channel_slices(7, 3)) == [slice(0, 3), slice(3, 6), slice(6, 7)]


def test_channels_that_fit_are_one_slice():
    assert list(channel_slices(3, 3)) == [slice(0, 3)]


@pytest.mark.parametrize(
    ("device", "itemsize", "limit"),
    [(MLU370, 4, 18176), (MLU370, 2, 36352), (MLU590, 4, 10912), (MLU590, 2, 21824)],
)
def test_deform_slices_channels_beyond_a_ninth_of_on_chip_memory(device, itemsize, limit):
    assert deform_roi_pool_forward.channel_limit(device, itemsize) == limit


@pytest.mark.parametrize(
    ("device", "itemsize", "limit"),
    [(MLU370, 4, 16352), (MLU370, 2, 32704), (MLU590, 4, 9824), (MLU590, 2, 19648)],
)
def test_rotated_slices_channels_beyond_a_tenth(device, itemsize, limit):
    assert rotated_feature_align_backward.channel_limit(device, itemsize) == limit


def test_roiaware_max_keeps_a_gradient_and_an_index_of_each_channel():
    assert roiaware_pool3d_backward.max_channel_limit(MLU370, 4) == 655360 // 8
    assert roiaware_pool3d_backward.max_channel_limit(MLU370, 2) == 655360 // 6


@pytest.mark.parametrize(("slots", "limit"), [(128, 81856), (98240, 32800)])
def test_roiaware_average_keeps_the_points_of_a_voxel_too(slots, limit):
    assert roiaware_pool3d_backward.average_channel_limit(MLU370, slots, 4) == limit


def test_the_most_points_of_a_voxel_leave_an_mlu590_one_unit_of_channels():
    assert roiaware_pool3d_backward.average_channel_limit(MLU590, 98240, 4) == 32


def test_each_core_takes_its_tasks_in_order():
    order = arrival_order(1000, 7, np.random.default_rng(0))
    assert sorted(order) == list(range(1000))
    assert all((np.diff(order[order % 7 == core]) > 0).all() for core in range(7))


def test_the_seed_decides_how_cores_interleave():
    orders = [arrival_order(100, 4, np.random.default_rng(seed)).tolist() for seed in (0, 0, 1)]
    assert orders[0] == orders[1] != orders[2]
