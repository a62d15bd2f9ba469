"""mluOpMaskedIm2colForward."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mluops.calls import Call

if TYPE_CHECKING:
    from mluops.array import Operand
    from mluops.handle import Handle
    from mluops.workspace import Scratch

LAYOUTS = {"feature": "NCHW"}
FLOATS = ("float32", "float16")
ACCEPTS = {"feature": FLOATS, "mask_h_idx": ("int32",), "mask_w_idx": ("int32",)}


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
    synchronize: bool = True,
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
    call = Call(
        handle,
        "mluOpMaskedIm2colForward",
        layouts=LAYOUTS,
        accepts=ACCEPTS,
        workspace=workspace,
        synchronize=synchronize,
    )
    call.give(
        feature=feature,
        mask_h_idx=mask_h_idx,
        mask_w_idx=mask_w_idx,
        kernel_h=kernel_h,
        kernel_w=kernel_w,
        pad_h=pad_h,
        pad_w=pad_w,
    )
    _, channels, _, _ = call.lengths("feature", "N channels H W")
    (mask_cnt,) = call.lengths("mask_h_idx", "mask_cnt")
    rows = channels * call.value("kernel_h") * call.value("kernel_w")
    call.output("data_col", (rows, mask_cnt), call.like("feature"), out)
    return call.run()["data_col"]
