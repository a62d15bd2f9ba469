"""Whole operators: workspace, outputs, call and synchronisation in one Python call.

Each takes a `Handle` and its operands by the C parameters' names, as NumPy arrays or as `DeviceArray`s, and
returns NumPy arrays if all operands were, `DeviceArray`s otherwise. The library judges shapes, data types
and values: what it refuses raises the `MluOpError` of its status. Where the shape of a result does not follow
from the operands, as for one with too few dimensions or a negative size, it is a ValueError before any call.
"""

from __future__ import annotations

from mluops.operators.deform_roi_pool_forward import deform_roi_pool_forward
from mluops.operators.masked_col2im_forward import masked_col2im_forward
from mluops.operators.masked_im2col_forward import masked_im2col_forward
from mluops.operators.nms_rotated import nms_rotated
from mluops.operators.roiaware_pool3d_backward import roiaware_pool3d_backward
from mluops.operators.rotated_feature_align_backward import rotated_feature_align_backward

__all__ = [
    "deform_roi_pool_forward",
    "masked_col2im_forward",
    "masked_im2col_forward",
    "nms_rotated",
    "roiaware_pool3d_backward",
    "rotated_feature_align_backward",
]
