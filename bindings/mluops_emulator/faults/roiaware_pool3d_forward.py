"""Faults of mluOpRoiAwarePool3dForward."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from mluops_emulator.call import Call
from mluops_emulator.faults.alterations import after, given, instead, whole_slices, without
from mluops_emulator.faults.common import LATE, outputs_late
from mluops_emulator.faults.fault import faults_of
from mluops_emulator.operators import roiaware_pool3d_forward as rap

POOL_METHOD = "pool_method must be 0 or 1"
CHANNELS = "channels must be below 65536"
BOXES = "boxes_num must be below 65536"
SLOTS = "max_pts_each_voxel must fit on chip"
PAIRS = "boxes_num * pts_num must be below 2^31"
WORKSPACE = "workspace must not be NULL when workspace_size is not 0"
ARGMAX = "argmax must not be NULL"


def as_stored(source: Any, target: Any) -> None:
    target[:] = source.reshape(target.shape)


def nothing(*_: Any) -> None:
    pass


def z_is_centre(right: Callable[..., Any]) -> Any:
    """Take cz for the centre of the box."""

    def altered(rois: Any, arithmetic: Any) -> Any:
        boxes = right(rois, arithmetic)
        x, y, z = boxes.centre
        return boxes._replace(centre=np.stack([x, y, z - boxes.side[2] / 2]))

    return altered


def turned_back(boxes: Any) -> Any:
    return boxes._replace(sin=-boxes.sin)


def not_turned(boxes: Any) -> Any:
    return boxes._replace(sin=np.zeros_like(boxes.sin), cos=np.ones_like(boxes.cos))


def sides_exchanged(boxes: Any) -> Any:
    return boxes._replace(side=boxes.side[[1, 0, 2]])


def closed_along_xy(x: Any, y: Any, z: Any, half: Any) -> Any:
    return ~(np.abs(z) > half[2]) & (np.abs(x) <= half[0]) & (np.abs(y) <= half[1])


def open_along_z(x: Any, y: Any, z: Any, half: Any) -> Any:
    return (np.abs(z) < half[2]) & (np.abs(x) < half[0]) & (np.abs(y) < half[1])


def without_z(x: Any, y: Any, z: Any, half: Any) -> Any:
    return (np.abs(x) < half[0]) & (np.abs(y) < half[1])


def one_slot_less(slot: Any, slots: int) -> Any:
    return slot < slots - 1


def last_points(voxels: Any, voxel: Any, points: Any) -> tuple[Any, ...]:
    return voxels, voxel[::-1], points[::-1]


def numbers_of_batch(voxels: Any, voxel: Any, points: Any) -> tuple[Any, ...]:
    return voxels, voxel, points - points // BATCH * BATCH


BATCH = 4096
"""Points after which `numbers_of_batch` counts from 0 again."""


def last_of_equals(candidate: Any, best: Any) -> Any:
    return candidate >= best


def least(candidate: Any, best: Any) -> Any:
    return (candidate < best) | (best == -np.inf)


def one_more(counts: Any) -> Any:
    return counts + np.float32(1)


def all_slots(listed: Any) -> Any:
    return np.full(len(listed), listed.shape[1] - 1, np.float32)


def swapped_methods(argmax: Any, pts_idx: Any, pooled: Any, pool_method: int) -> tuple[Any, ...]:
    return argmax, pts_idx, pooled, 1 - pool_method


def last_task_lost(tasks: int, cores: int) -> tuple[int, int]:
    """Forget the last task of all where a core has several."""
    return tasks - (tasks > cores), cores


def average_as_max(features: Any, pts_idx: Any, argmax: Any, pooled: Any, method: int, device: Any) -> Any:
    return features, pts_idx, argmax, pooled, 0, device


def first_batch(right: Callable[..., Any]) -> Any:
    """Place no point beyond those that fit on chip at once."""

    def altered(rois: Any, points: Any, pts_idx: Any, grid: Any, device: Any) -> None:
        most = rap.points_on_chip(device, rois.itemsize)
        right(rois, points[:, :most], pts_idx, grid, device)

    return altered


def axes_exchanged(rois: Any, points: Any, pts_idx: Any, grid: Any, device: Any) -> tuple[Any, ...]:
    return rois, points, pts_idx, (grid[1], grid[0], grid[2]), device


FAULTS = faults_of(
    "roiaware_pool3d_forward",
    ("not-transposed", rap, "transpose", instead(as_stored), "points are read coordinate by coordinate"),
    ("workspace-unread", rap, "transpose", instead(nothing), "the workspace is read unfilled"),
    ("not-initialised", rap, "initialise", instead(nothing), "outputs keep what they held"),
    ("methods-empty", rap, "initialise", given(swapped_methods), "argmax -1 and 0 are exchanged"),
    ("z-centre", rap, "boxes_of", z_is_centre, "cz is taken for the centre"),
    ("turned-back", rap, "boxes_of", after(turned_back), "the heading turns from y to x"),
    ("not-turned", rap, "boxes_of", after(not_turned), "the heading is ignored"),
    ("sides-exchanged", rap, "boxes_of", after(sides_exchanged), "dx and dy are exchanged"),
    ("closed-xy", rap, "is_inside", instead(closed_along_xy), "faces along x and y are inside"),
    ("open-z", rap, "is_inside", instead(open_along_z), "faces along z are outside"),
    ("any-z", rap, "is_inside", instead(without_z), "z is not tested"),
    ("grid-exchanged", rap, "collect", given(axes_exchanged), "out_x and out_y are exchanged"),
    ("first-batch", rap, "collect", first_batch, "points beyond the first batch are lost"),
    ("voxel-rounded", rap, "quotient", after(np.rint), "voxel numbers are rounded, not truncated"),
    ("slot-lost", rap, "has_room", instead(one_slot_less), "the last slot stays empty"),
    ("last-points", rap, "keep", given(last_points), "points enter by descending number"),
    ("number-of-batch", rap, "keep", given(numbers_of_batch), "points are numbered within a batch"),
    ("last-of-equals", rap, "exceeds", instead(last_of_equals), "argmax is the last of equal maxima"),
    ("minimum", rap, "exceeds", instead(least), "the minimum is pooled"),
    ("average-as-max", rap, "pool", given(average_as_max), "pool_method 1 counts as 0"),
    ("one-more", rap, "divisor", after(one_more), "sums are divided by one more"),
    ("all-slots", rap, "divisor", instead(all_slots), "sums are divided by the number of slots"),
    (
        "task-lost",
        rap,
        "tasks_of_all",
        given(last_task_lost),
        "the last task is lost where a core has several",
    ),
    ("left-over", rap, "channel_slices", instead(whole_slices), "what is left over of slices is lost"),
    ("any-method", rap, "CHECKS", without(POOL_METHOD), "pool_method may be anything"),
    ("any-boxes", rap, "CHECKS", without(BOXES), "boxes_num may be 65536 or more"),
    ("any-channels", rap, "CHECKS", without(CHANNELS), "channels may be 65536 or more"),
    ("any-slots", rap, "CHECKS", without(SLOTS), "max_pts_each_voxel may be anything"),
    ("any-pairs", rap, "CHECKS", without(PAIRS), "boxes_num * pts_num may be anything"),
    ("any-workspace", rap, "CHECKS", without(WORKSPACE), "workspace may be NULL"),
    ("any-argmax", rap, "CHECKS", without(ARGMAX), "argmax may be NULL in max mode"),
    (
        "query-unchecked",
        rap,
        "WORKSPACE_CHECKS",
        without("handle must not be NULL"),
        "the query takes any handle",
    ),
    ("outputs-late", Call, "enqueue", outputs_late(rap.ENTRY_POINTS), LATE),
)
