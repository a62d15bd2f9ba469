"""Faults of mluOpRoiAwarePool3dBackward."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from mluops_emulator import checks
from mluops_emulator.call import Call
from mluops_emulator.checks import Check
from mluops_emulator.faults import alterations
from mluops_emulator.faults.alterations import (
    given,
    instead,
    whole_slices,
    with_check,
    without,
)
from mluops_emulator.faults.common import EARLY, inputs_early
from mluops_emulator.faults.fault import faults_of
from mluops_emulator.faults.process import leave
from mluops_emulator.operators import roiaware_pool3d_backward as rap

POOL_METHOD = "pool_method must be 0 or 1"
CHANNELS = "channels must be below 65536"
DOCUMENT_LIMIT = Check(
    "max_pts_each_voxel must be at most 2048",
    lambda call: call["max_pts_each_voxel"] <= 2048,
    checks.NOT_SUPPORTED,
)


def none_is_first(argmax: Any, grad_out: Any, grad_in: Any) -> tuple[Any, ...]:
    return np.maximum(argmax, 0), grad_out, grad_in


def from_first_slot(number: Any, slots: int) -> Any:
    return np.arange(slots) < number[:, np.newaxis]


def all_slots(right: Callable[..., Any]) -> Any:
    def altered(pts_idx_of_voxels: Any) -> Any:
        number = right(pts_idx_of_voxels)
        return np.where(number > 0, pts_idx_of_voxels.shape[1] - 1, number)

    return altered


def one_more(gradient: Any, number: Any, arithmetic: Any) -> tuple[Any, ...]:
    return gradient, number + 1, arithmetic


FAULTS = faults_of(
    "roiaware_pool3d_backward",
    ("none-read", rap, "has_point", instead(np.ones_like), "argmax -1 is read as an index"),
    ("none-is-first", rap, "max_kernel", given(none_is_first), "argmax -1 counts as point 0"),
    ("first-is-none", rap, "has_point", instead(lambda argmax: argmax > 0), "point 0 counts as none"),
    ("exit", rap, "max_kernel", instead(leave), "the process exits", True),
    ("output-kept", rap, "max_kernel", alterations.added_to_the_output, "the output is not zeroed first"),
    ("average-as-max", rap, "_run_average", instead(rap._run_max), "pool_method 1 counts as 0"),
    ("count-as-point", rap, "is_used", instead(from_first_slot), "the slot of the count is read as a point"),
    ("slots-past-count", rap, "points_in_voxel", all_slots, "slots past the count are read"),
    ("not-shared", rap, "shared", instead(lambda gradient, *_: gradient), "the factor 1/n is missing"),
    ("shared-by-one-more", rap, "shared", given(one_more), "the factor is 1/(n + 1)"),
    ("add-dropped", rap, "atomic_add", given(alterations.one_dropped), "one addition in all is lost"),
    ("add-doubled", rap, "atomic_add", given(alterations.one_doubled), "one addition in all is made twice"),
    ("not-atomic", rap, "atomic_add", instead(alterations.not_atomic), "additions to one place are lost"),
    ("voxel-lost", rap, "arrival_order", alterations.last_one_lost, "the last voxel is forgotten"),
    ("channels-left-over", rap, "channel_slices", instead(whole_slices), "the last slice is lost"),
    ("any-method", rap, "CHECKS", without(POOL_METHOD), "pool_method may be anything"),
    ("channels-unlimited", rap, "CHECKS", without(CHANNELS), "channels may be 65536 or more"),
    ("document-limit", rap, "CHECKS", with_check(DOCUMENT_LIMIT), "2049 points a voxel are too many"),
    ("inputs-early", Call, "enqueue", inputs_early(rap.ENTRY_POINTS), EARLY),
)
