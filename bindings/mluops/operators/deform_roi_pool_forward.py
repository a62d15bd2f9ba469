"""mluOpDeformRoiPoolForward."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mluops.operators._call import Call, lengths

if TYPE_CHECKING:
    from mluops.array import Operand
    from mluops.handle import Handle


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
) -> Operand:
    """Average a feature map over the bins of regions of interest, each bin moved by its offset.

    Parameters
    ----------
    handle : Handle
    input : DeviceArray or ndarray, float16 or float32 [N, H, W, C]
    rois : DeviceArray or ndarray, dtype of `input`, [rois_num, 5]
        Index into the batch, then x1, y1, x2, y2 in the image's pixels.
    offset : DeviceArray or ndarray, dtype of `input`, [rois_num, 2, pooled_height, pooled_width], optional
        Moves along x, then y, in units of `gamma` times the region's size.
    pooled_height, pooled_width : int
        Bins of a region.
    spatial_scale : float
        Cells of the feature map to a pixel; rounded to float32, as is `gamma`.
    sampling_ratio : int
        Samples along each side of a bin; 0 for as many as the bin has cells.
    gamma : float

    Returns
    -------
    DeviceArray or ndarray, dtype of `input`, [rois_num, pooled_height, pooled_width, C]

    Raises
    ------
    MluOpError
        For what the library refuses.
    """
    *_, channels = lengths("input", input, "N H W C")
    rois_num, _ = lengths("rois", rois, "rois_num 5")
    with Call(handle, input, rois, offset) as call:
        input, rois = call.on_device(input), call.on_device(rois)
        offset = None if offset is None else call.on_device(offset)
        output = call.output((rois_num, pooled_height, pooled_width, channels), input.dtype)
        call.run(
            handle.library.mluOpDeformRoiPoolForward,
            input.descriptor("NHWC"),
            input,
            rois.descriptor(),
            rois,
            None if offset is None else offset.descriptor(),
            offset,
            pooled_height,
            pooled_width,
            spatial_scale,
            sampling_ratio,
            gamma,
            call.descriptor(output, "NHWC"),
            output,
        )
        return call.result(output)
