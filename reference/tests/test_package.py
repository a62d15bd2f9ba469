"""The public names of the package."""

from __future__ import annotations

import mluops_reference
import pytest


@pytest.mark.parametrize(
    "name",
    [
        "NmsRotated",
        "box_iou_rotated",
        "deform_roi_pool_backward",
        "deform_roi_pool_backward_baseline",
        "deform_roi_pool_forward",
        "masked_col2im_forward",
        "nms_rotated",
        "roiaware_pool3d_forward",
        "rotated_feature_align_forward_baseline",
    ],
)
def test_functions_are_found_in_their_modules(name):
    assert callable(getattr(mluops_reference, name))


def test_nothing_private_is_published():
    assert not hasattr(mluops_reference, "taps")
    assert not hasattr(mluops_reference, "rectangles")
