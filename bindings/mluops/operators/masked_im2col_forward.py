"""mluOpMaskedIm2colForward."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mluops.operators._call import Call, lengths

if TYPE_CHECKING:
    from mluops.array import Operand
    from mluops.handle import Handle


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
) -> Operand:
    """Copy the patches of a feature map around the positions of a mask into the columns of a matrix.

    Parameters
    ----------
    handle : Handle
    feature : DeviceArray or ndarray, float16 or float32 [1, channels, H, W]
    mask_h_idx, mask_w_idx : DeviceArray or ndarray, int32 [mask_cnt]
        Row and column of each position, of any value.
    kernel_h, kernel_w : int
        The patch.
    pad_h, pad_w : int
        How far it begins above and left of its position.

    Returns
    -------
    DeviceArray or ndarray, dtype of `feature`, [channels * kernel_h * kernel_w, mask_cnt]
        `data_col`: 0 where a patch reaches beyond the map.

    Raises
    ------
    MluOpError
        For what the library refuses.
    """
    _, channels, _, _ = lengths("feature", feature, "N channels H W")
    (mask_cnt,) = lengths("mask_h_idx", mask_h_idx, "mask_cnt")
    with Call(handle, feature, mask_h_idx, mask_w_idx) as call:
        library = call.library
        feature = call.on_device(feature)
        mask_h_idx, mask_w_idx = call.on_device(mask_h_idx), call.on_device(mask_w_idx)
        data_col = call.output((channels * kernel_h * kernel_w, mask_cnt), feature.dtype)
        data_col_desc = call.descriptor(data_col)
        workspace, workspace_size = call.workspace(
            library.mluOpGetMaskedIm2colForwardWorkspaceSize,
            feature.descriptor("NCHW"),
            mask_h_idx.descriptor(),
            mask_w_idx.descriptor(),
            kernel_h,
            kernel_w,
            data_col_desc,
        )
        call.run(
            library.mluOpMaskedIm2colForward,
            feature.descriptor("NCHW"),
            feature,
            mask_h_idx.descriptor(),
            mask_h_idx,
            mask_w_idx.descriptor(),
            mask_w_idx,
            kernel_h,
            kernel_w,
            pad_h,
            pad_w,
            workspace,
            workspace_size,
            data_col_desc,
            data_col,
        )
        return call.result(data_col)
