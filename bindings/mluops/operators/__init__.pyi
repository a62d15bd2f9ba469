"""The operators with their types, written by `python -m mluops_tools.stubs`."""

from typing import Any, Literal, overload

from numpy.typing import ArrayLike, NDArray

from mluops.array import DeviceArray, Operand
from mluops.handle import Handle
from mluops.operators.deform_roi_pool_backward import PoolingGradients
from mluops.operators.roiaware_pool3d_forward import PooledVoxels
from mluops.selection import Selection
from mluops.workspace import Scratch

__all__ = [
    "box_iou_rotated",
    "deform_roi_pool_backward",
    "deform_roi_pool_forward",
    "masked_col2im_forward",
    "masked_im2col_forward",
    "nms_rotated",
    "roiaware_pool3d_backward",
    "roiaware_pool3d_forward",
    "rotated_feature_align_backward",
    "rotated_feature_align_forward",
]

@overload
def box_iou_rotated(
    handle: Handle,
    bbox1: ArrayLike,
    bbox2: ArrayLike,
    *,
    mode: int = 0,
    aligned: bool = False,
    out: NDArray[Any] | None = None,
    synchronize: Literal[True] = True,
) -> NDArray[Any]: ...
@overload
def box_iou_rotated(
    handle: Handle,
    bbox1: DeviceArray,
    bbox2: DeviceArray,
    *,
    mode: int = 0,
    aligned: bool = False,
    out: DeviceArray | None = None,
    synchronize: bool = True,
) -> DeviceArray: ...
@overload
def box_iou_rotated(
    handle: Handle,
    bbox1: Operand,
    bbox2: Operand,
    *,
    mode: int = 0,
    aligned: bool = False,
    out: Operand | None = None,
    synchronize: Literal[True] = True,
) -> Operand: ...

@overload
def deform_roi_pool_backward(
    handle: Handle,
    grad_output: ArrayLike,
    input: ArrayLike,
    rois: ArrayLike,
    offset: ArrayLike | None = None,
    *,
    pooled_height: int,
    pooled_width: int,
    spatial_scale: float,
    sampling_ratio: int,
    gamma: float,
    out: PoolingGradients | None = None,
    workspace: Scratch | None = None,
    synchronize: Literal[True] = True,
) -> PoolingGradients: ...
@overload
def deform_roi_pool_backward(
    handle: Handle,
    grad_output: DeviceArray,
    input: DeviceArray,
    rois: DeviceArray,
    offset: DeviceArray | None = None,
    *,
    pooled_height: int,
    pooled_width: int,
    spatial_scale: float,
    sampling_ratio: int,
    gamma: float,
    out: PoolingGradients | None = None,
    workspace: Scratch | None = None,
    synchronize: bool = True,
) -> PoolingGradients: ...
@overload
def deform_roi_pool_backward(
    handle: Handle,
    grad_output: Operand,
    input: Operand,
    rois: Operand,
    offset: Operand | None = None,
    *,
    pooled_height: int,
    pooled_width: int,
    spatial_scale: float,
    sampling_ratio: int,
    gamma: float,
    out: PoolingGradients | None = None,
    workspace: Scratch | None = None,
    synchronize: Literal[True] = True,
) -> PoolingGradients: ...

@overload
def deform_roi_pool_forward(
    handle: Handle,
    input: ArrayLike,
    rois: ArrayLike,
    offset: ArrayLike | None = None,
    *,
    pooled_height: int,
    pooled_width: int,
    spatial_scale: float,
    sampling_ratio: int,
    gamma: float,
    out: NDArray[Any] | None = None,
    workspace: Scratch | None = None,
    synchronize: Literal[True] = True,
) -> NDArray[Any]: ...
@overload
def deform_roi_pool_forward(
    handle: Handle,
    input: DeviceArray,
    rois: DeviceArray,
    offset: DeviceArray | None = None,
    *,
    pooled_height: int,
    pooled_width: int,
    spatial_scale: float,
    sampling_ratio: int,
    gamma: float,
    out: DeviceArray | None = None,
    workspace: Scratch | None = None,
    synchronize: bool = True,
) -> DeviceArray: ...
@overload
def deform_roi_pool_forward(
    handle: Handle,
    input: Operand,
    rois: Operand,
    offset: Operand | None = None,
    *,
    pooled_height: int,
    pooled_width: int,
    spatial_scale: float,
    sampling_ratio: int,
    gamma: float,
    out: Operand | None = None,
    workspace: Scratch | None = None,
    synchronize: Literal[True] = True,
) -> Operand: ...

@overload
def masked_col2im_forward(
    handle: Handle,
    col: ArrayLike,
    mask_h_idx: ArrayLike,
    mask_w_idx: ArrayLike,
    *,
    height: int,
    width: int,
    out: NDArray[Any] | None = None,
    workspace: Scratch | None = None,
    synchronize: Literal[True] = True,
) -> NDArray[Any]: ...
@overload
def masked_col2im_forward(
    handle: Handle,
    col: DeviceArray,
    mask_h_idx: DeviceArray,
    mask_w_idx: DeviceArray,
    *,
    height: int,
    width: int,
    out: DeviceArray | None = None,
    workspace: Scratch | None = None,
    synchronize: bool = True,
) -> DeviceArray: ...
@overload
def masked_col2im_forward(
    handle: Handle,
    col: Operand,
    mask_h_idx: Operand,
    mask_w_idx: Operand,
    *,
    height: int,
    width: int,
    out: Operand | None = None,
    workspace: Scratch | None = None,
    synchronize: Literal[True] = True,
) -> Operand: ...

@overload
def masked_im2col_forward(
    handle: Handle,
    feature: ArrayLike,
    mask_h_idx: ArrayLike,
    mask_w_idx: ArrayLike,
    *,
    kernel_h: int,
    kernel_w: int,
    pad_h: int,
    pad_w: int,
    out: NDArray[Any] | None = None,
    workspace: Scratch | None = None,
    synchronize: Literal[True] = True,
) -> NDArray[Any]: ...
@overload
def masked_im2col_forward(
    handle: Handle,
    feature: DeviceArray,
    mask_h_idx: DeviceArray,
    mask_w_idx: DeviceArray,
    *,
    kernel_h: int,
    kernel_w: int,
    pad_h: int,
    pad_w: int,
    out: DeviceArray | None = None,
    workspace: Scratch | None = None,
    synchronize: bool = True,
) -> DeviceArray: ...
@overload
def masked_im2col_forward(
    handle: Handle,
    feature: Operand,
    mask_h_idx: Operand,
    mask_w_idx: Operand,
    *,
    kernel_h: int,
    kernel_w: int,
    pad_h: int,
    pad_w: int,
    out: Operand | None = None,
    workspace: Scratch | None = None,
    synchronize: Literal[True] = True,
) -> Operand: ...

@overload
def nms_rotated(
    handle: Handle,
    boxes: ArrayLike,
    scores: ArrayLike,
    iou_threshold: float,
    *,
    out: NDArray[Any] | None = None,
    workspace: Scratch | None = None,
    synchronize: Literal[True] = True,
) -> NDArray[Any]: ...
@overload
def nms_rotated(
    handle: Handle,
    boxes: DeviceArray,
    scores: DeviceArray,
    iou_threshold: float,
    *,
    out: DeviceArray | None = None,
    workspace: Scratch | None = None,
    synchronize: Literal[True] = True,
) -> DeviceArray: ...
@overload
def nms_rotated(
    handle: Handle,
    boxes: DeviceArray,
    scores: DeviceArray,
    iou_threshold: float,
    *,
    out: DeviceArray | Selection | None = None,
    workspace: Scratch | None = None,
    synchronize: Literal[False],
) -> Selection: ...
@overload
def nms_rotated(
    handle: Handle,
    boxes: Operand,
    scores: Operand,
    iou_threshold: float,
    *,
    out: Operand | None = None,
    workspace: Scratch | None = None,
    synchronize: Literal[True] = True,
) -> Operand: ...

@overload
def roiaware_pool3d_backward(
    handle: Handle,
    pts_idx_of_voxels: ArrayLike,
    argmax: ArrayLike,
    grad_out: ArrayLike,
    *,
    pool_method: int,
    pts_num: int,
    out: NDArray[Any] | None = None,
    workspace: Scratch | None = None,
    synchronize: Literal[True] = True,
) -> NDArray[Any]: ...
@overload
def roiaware_pool3d_backward(
    handle: Handle,
    pts_idx_of_voxels: DeviceArray,
    argmax: DeviceArray,
    grad_out: DeviceArray,
    *,
    pool_method: int,
    pts_num: int,
    out: DeviceArray | None = None,
    workspace: Scratch | None = None,
    synchronize: bool = True,
) -> DeviceArray: ...
@overload
def roiaware_pool3d_backward(
    handle: Handle,
    pts_idx_of_voxels: Operand,
    argmax: Operand,
    grad_out: Operand,
    *,
    pool_method: int,
    pts_num: int,
    out: Operand | None = None,
    workspace: Scratch | None = None,
    synchronize: Literal[True] = True,
) -> Operand: ...

@overload
def roiaware_pool3d_forward(
    handle: Handle,
    rois: ArrayLike,
    pts: ArrayLike,
    pts_feature: ArrayLike,
    *,
    pool_method: int,
    max_pts_each_voxel: int,
    out_x: int,
    out_y: int,
    out_z: int,
    out: PooledVoxels | None = None,
    workspace: Scratch | None = None,
    synchronize: Literal[True] = True,
) -> PooledVoxels: ...
@overload
def roiaware_pool3d_forward(
    handle: Handle,
    rois: DeviceArray,
    pts: DeviceArray,
    pts_feature: DeviceArray,
    *,
    pool_method: int,
    max_pts_each_voxel: int,
    out_x: int,
    out_y: int,
    out_z: int,
    out: PooledVoxels | None = None,
    workspace: Scratch | None = None,
    synchronize: bool = True,
) -> PooledVoxels: ...
@overload
def roiaware_pool3d_forward(
    handle: Handle,
    rois: Operand,
    pts: Operand,
    pts_feature: Operand,
    *,
    pool_method: int,
    max_pts_each_voxel: int,
    out_x: int,
    out_y: int,
    out_z: int,
    out: PooledVoxels | None = None,
    workspace: Scratch | None = None,
    synchronize: Literal[True] = True,
) -> PooledVoxels: ...

@overload
def rotated_feature_align_backward(
    handle: Handle,
    top_output: ArrayLike,
    bboxes: ArrayLike,
    *,
    spatial_scale: float,
    points: int,
    out: NDArray[Any] | None = None,
    workspace: Scratch | None = None,
    synchronize: Literal[True] = True,
) -> NDArray[Any]: ...
@overload
def rotated_feature_align_backward(
    handle: Handle,
    top_output: DeviceArray,
    bboxes: DeviceArray,
    *,
    spatial_scale: float,
    points: int,
    out: DeviceArray | None = None,
    workspace: Scratch | None = None,
    synchronize: bool = True,
) -> DeviceArray: ...
@overload
def rotated_feature_align_backward(
    handle: Handle,
    top_output: Operand,
    bboxes: Operand,
    *,
    spatial_scale: float,
    points: int,
    out: Operand | None = None,
    workspace: Scratch | None = None,
    synchronize: Literal[True] = True,
) -> Operand: ...

@overload
def rotated_feature_align_forward(
    handle: Handle,
    input: ArrayLike,
    bboxes: ArrayLike,
    *,
    spatial_scale: float,
    points: int,
    out: NDArray[Any] | None = None,
    workspace: Scratch | None = None,
    synchronize: Literal[True] = True,
) -> NDArray[Any]: ...
@overload
def rotated_feature_align_forward(
    handle: Handle,
    input: DeviceArray,
    bboxes: DeviceArray,
    *,
    spatial_scale: float,
    points: int,
    out: DeviceArray | None = None,
    workspace: Scratch | None = None,
    synchronize: bool = True,
) -> DeviceArray: ...
@overload
def rotated_feature_align_forward(
    handle: Handle,
    input: Operand,
    bboxes: Operand,
    *,
    spatial_scale: float,
    points: int,
    out: Operand | None = None,
    workspace: Scratch | None = None,
    synchronize: Literal[True] = True,
) -> Operand: ...
