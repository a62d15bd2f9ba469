"""What the operators compute, in NumPy and double precision: the yardstick, not an emulation of a device.

Functions carry the names and the parameter names of the C interface. Where arithmetic rounds there is a
`_baseline`, which evaluates the same formula in the storage type of its inputs and stands for a correct
device of that precision; copies and indices need none.
"""

from .deform_roi_pool import deform_roi_pool_forward, deform_roi_pool_forward_baseline
from .masked_im2col import masked_im2col_forward
from .nms_rotated import NmsRotated, nms_rotated
from .roiaware_pool3d import roiaware_pool3d_backward, roiaware_pool3d_backward_baseline
from .rotated_boxes import box_iou_rotated
from .rotated_feature_align import rotated_feature_align_backward, rotated_feature_align_backward_baseline

__all__ = [
    "NmsRotated",
    "box_iou_rotated",
    "deform_roi_pool_forward",
    "deform_roi_pool_forward_baseline",
    "masked_im2col_forward",
    "nms_rotated",
    "roiaware_pool3d_backward",
    "roiaware_pool3d_backward_baseline",
    "rotated_feature_align_backward",
    "rotated_feature_align_backward_baseline",
]
