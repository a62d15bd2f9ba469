from .box_iou_rotated import box_iou_rotated as box_iou_rotated
from .deform_roi_pool import (
    deform_roi_pool_forward as deform_roi_pool_forward,
    deform_roi_pool_forward_baseline as deform_roi_pool_forward_baseline,
)
from .deform_roi_pool_backward import (
    DeformRoiPoolBackward as DeformRoiPoolBackward,
    deform_roi_pool_backward as deform_roi_pool_backward,
    deform_roi_pool_backward_baseline as deform_roi_pool_backward_baseline,
)
from .masked_col2im import masked_col2im_forward as masked_col2im_forward
from .masked_im2col import masked_im2col_forward as masked_im2col_forward
from .nms_rotated import NmsRotated as NmsRotated, nms_rotated as nms_rotated
from .roiaware_pool3d import (
    roiaware_pool3d_backward as roiaware_pool3d_backward,
    roiaware_pool3d_backward_baseline as roiaware_pool3d_backward_baseline,
)
from .roiaware_pool3d_forward import (
    RoiawarePool3dForward as RoiawarePool3dForward,
    roiaware_pool3d_forward as roiaware_pool3d_forward,
    roiaware_pool3d_forward_baseline as roiaware_pool3d_forward_baseline,
)
from .rotated_feature_align import (
    rotated_feature_align_backward as rotated_feature_align_backward,
    rotated_feature_align_backward_baseline as rotated_feature_align_backward_baseline,
)
from .rotated_feature_align_forward import (
    rotated_feature_align_forward as rotated_feature_align_forward,
    rotated_feature_align_forward_baseline as rotated_feature_align_forward_baseline,
)
