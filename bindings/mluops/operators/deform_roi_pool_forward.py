"""mluOpDeformRoiPoolForward."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mluops.calls import Call

if TYPE_CHECKING:
    from mluops.array import Operand
    from mluops.handle import Handle
    from mluops.workspace import Scratch

LAYOUTS = {"input": "NHWC", "output": "NHWC"}
FLOATS = ("float32", "float16")
ACCEPTS = {"input": FLOATS, "rois": FLOATS, "offset": FLOATS}


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
    synchronize: bool = True,
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
    call = Call(
        handle,
        "mluOpDeformRoiPoolForward",
        layouts=LAYOUTS,
        accepts=ACCEPTS,
        workspace=workspace,
        synchronize=synchronize,
    )
    call.give(input=input, rois=rois, offset=offset)
    call.give(pooled_height=pooled_height, pooled_width=pooled_width, spatial_scale=spatial_scale)
    call.give(sampling_ratio=sampling_ratio, gamma=gamma)
    *_, channels = call.lengths("input", "N H W C")
    rois_num, _ = call.lengths("rois", "rois_num 5")
    bins = (call.value("pooled_height"), call.value("pooled_width"))
    call.output("output", (rois_num, *bins, channels), call.like("input"), out)
    return call.run()["output"]
