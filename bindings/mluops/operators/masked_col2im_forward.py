"""mluOpMaskedCol2imForward."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mluops.operators._call import Call, lengths

if TYPE_CHECKING:
    from mluops.array import Operand
    from mluops.handle import Handle


def masked_col2im_forward(
    handle: Handle,
    col: Operand,
    mask_h_idx: Operand,
    mask_w_idx: Operand,
    *,
    height: int,
    width: int,
) -> Operand:
    """Copy the columns of a matrix to the masked positions of a map of zeros.

    Parameters
    ----------
    handle : Handle
    col : DeviceArray or ndarray, float16 or float32 [channels, mask_cnt]
    mask_h_idx, mask_w_idx : DeviceArray or ndarray, int32 [mask_cnt]
        Row and column of each position. The library checks none of them: one outside the map is written
        outside the memory of the map. Positions must not repeat.
    height, width : int
        Of the map.

    Returns
    -------
    DeviceArray or ndarray, dtype of `col`, [1, channels, height, width]
        `im`.

    Raises
    ------
    MluOpError
        For what the library refuses.
    """
    channels, _ = lengths("col", col, "channels mask_cnt")
    with Call(handle, col, mask_h_idx, mask_w_idx) as call:
        library = call.library
        col, mask_h_idx = call.on_device(col), call.on_device(mask_h_idx)
        mask_w_idx = call.on_device(mask_w_idx)
        im = call.output((1, channels, height, width), col.dtype)
        im_desc = im.descriptor("NCHW")
        workspace, workspace_size = call.workspace(
            library.mluOpGetMaskedCol2imForwardWorkspaceSize,
            col.descriptor(),
            mask_h_idx.descriptor(),
            mask_w_idx.descriptor(),
            im_desc,
        )
        call.run(
            library.mluOpMaskedCol2imForward,
            col.descriptor(),
            col,
            mask_h_idx.descriptor(),
            mask_h_idx,
            mask_w_idx.descriptor(),
            mask_w_idx,
            workspace_size,
            workspace,
            im_desc,
            im,
        )
        return call.result(im)
