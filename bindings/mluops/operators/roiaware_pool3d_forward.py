"""mluOpRoiAwarePool3dForward, or mluOpRoiawarePool3dForward, its name before v1.0.0."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from mluops.binding import whole
from mluops.calls import Call
from mluops.operands import several

if TYPE_CHECKING:
    from mluops.array import Operand
    from mluops.handle import Handle
    from mluops.workspace import Scratch

FUNCTIONS = ("mluOpRoiAwarePool3dForward", "mluOpRoiawarePool3dForward")
FLOATS = ("float32", "float16")
ACCEPTS = {"rois": FLOATS, "pts": FLOATS, "pts_feature": FLOATS}


class PooledVoxels(NamedTuple):
    """The outputs of `roiaware_pool3d_forward`, in the order of the C function's parameters.

    Attributes
    ----------
    argmax : DeviceArray or ndarray, int32 [boxes_num, out_x, out_y, out_z, channels]
        The point that gave the maximum, -1 for none; all 0 where the method is average.
    pts_idx_of_voxels : DeviceArray or ndarray, int32 [boxes_num, out_x, out_y, out_z, max_pts_each_voxel]
        For each voxel the number of its points, then their indices, then zeros.
    pooled_features : DeviceArray or ndarray, dtype of `rois`, [boxes_num, out_x, out_y, out_z, channels]
        0 in a voxel without points.
    """

    argmax: Operand
    pts_idx_of_voxels: Operand
    pooled_features: Operand


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
    synchronize: bool = True,
) -> PooledVoxels:
    """Pool the features of the points in each voxel of each box.

    Parameters
    ----------
    handle : Handle
    rois : DeviceArray or ndarray, float16 or float32 [boxes_num, 7]
        Centre x and y, z of the bottom face, sides along x, y and z, heading in radians.
    pts : DeviceArray or ndarray, dtype of `rois`, [pts_num, 3]
    pts_feature : DeviceArray or ndarray, dtype of `rois`, [pts_num, channels]
    pool_method : int
        0 for maximum, 1 for average.
    max_pts_each_voxel : int
        Slots of a voxel, the count included: it keeps one point less.
    out_x, out_y, out_z : int
        Voxels of a box along each axis.

    Returns
    -------
    PooledVoxels
        `argmax`, `pts_idx_of_voxels`, `pooled_features`; `out` takes the same.

    Raises
    ------
    MluOpError
        For what the library refuses.
    """
    call = Call(handle, *FUNCTIONS, accepts=ACCEPTS, workspace=workspace, synchronize=synchronize)
    call.give(rois=rois, pts=pts, pts_feature=pts_feature, pool_method=pool_method)
    boxes_num, _ = call.lengths("rois", "boxes_num 7")
    pts_num, channels = call.lengths("pts_feature", "pts_num channels")
    call.give(boxes_num=boxes_num, pts_num=pts_num, channels=channels)
    call.give(max_pts_each_voxel=max_pts_each_voxel, out_x=out_x, out_y=out_y, out_z=out_z)
    slots = whole("max_pts_each_voxel", max_pts_each_voxel)
    voxels = (boxes_num, whole("out_x", out_x), whole("out_y", out_y), whole("out_z", out_z))
    argmax, pts_idx, pooled = several(out, *PooledVoxels._fields)
    call.output("argmax", (*voxels, channels), np.int32, argmax)
    call.output("pts_idx_of_voxels", (*voxels, slots), np.int32, pts_idx)
    call.output("pooled_features", (*voxels, channels), call.like("rois"), pooled)
    return PooledVoxels(**call.run())
