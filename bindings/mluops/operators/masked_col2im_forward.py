"""mluOpMaskedCol2imForward."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mluops.binding import whole
from mluops.calls import Call

if TYPE_CHECKING:
    from mluops.array import Operand
    from mluops.handle import Handle
    from mluops.workspace import Scratch

LAYOUTS = {"im": "NCHW"}
ACCEPTS = {"col": ("float32", "float16"), "mask_h_idx": ("int32",), "mask_w_idx": ("int32",)}


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
    synchronize: bool = True,
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
    call = Call(
        handle,
        "mluOpMaskedCol2imForward",
        layouts=LAYOUTS,
        accepts=ACCEPTS,
        workspace=workspace,
        synchronize=synchronize,
    )
    call.give(col=col, mask_h_idx=mask_h_idx, mask_w_idx=mask_w_idx)
    channels, _ = call.lengths("col", "channels mask_cnt")
    shape = (1, channels, whole("height", height), whole("width", width))
    call.output("im", shape, call.like("col"), out)
    return call.run()["im"]
