"""masked_im2col_forward: windows of a feature map at given output positions, as the columns of a matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping

from mluops_reference import masked_im2col_forward

from mluops_conformance.fills.registry import Fill, FillContext, Option
from mluops_conformance.fills.stream import Stream
from mluops_conformance.operators.base import (
    Arrays,
    Criteria,
    Dim,
    Expectation,
    Operator,
    Param,
    Scalar,
    Tensor,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray


def _reference(inputs: Arrays, scalars: Mapping[str, Scalar]) -> Expectation:
    columns = masked_im2col_forward(
        inputs["feature"],
        inputs["mask_h_idx"],
        inputs["mask_w_idx"],
        kernel_h=int(scalars["kernel_h"]),
        kernel_w=int(scalars["kernel_w"]),
        pad_h=int(scalars["pad_h"]),
        pad_w=int(scalars["pad_w"]),
    )
    return Expectation({"data_col": columns})


_AXES = {"mask_h_idx": ("height", "kernel_h", "pad_h"), "mask_w_idx": ("width", "kernel_w", "pad_w")}


def _mask_indices(stream: Stream, context: FillContext) -> NDArray[Any]:
    indices = stream.integers(context.size, *_positions(context))
    return indices.astype(context.dtype).reshape(context.shape)


def _positions(context: FillContext) -> tuple[int, int]:
    """The first position, and the one behind the last."""
    extent, kernel, pad = _AXES[context.tensor]
    positions = context.dims[extent] + 2 * int(context.params[pad]) - context.dims[kernel] + 1
    beyond = context.options["beyond"]
    return -beyond, max(positions, 1) + beyond


def _check_positions(context: FillContext) -> str | None:
    first, end = _positions(context)
    if first >= -(1 << 31) and end <= 1 << 31:
        return None
    return f"makes positions from {first} to {end - 1}, which int32 does not hold: they end at 2147483647"


MASK_INDICES = Fill(
    "mask_indices",
    (Option("beyond", "integer", 0, "positions before the first and after the last that may come as well"),),
    _mask_indices,
    "output positions of a convolution of stride 1 along the tensor's axis",
    dtype_kinds="i",
    check=_check_positions,
)


def _least_workspace(scalars: Mapping[str, Scalar], itemsize: int) -> int:
    """Bytes of a second `feature` and a second `data_col`: section 3.4; a transpose may want more."""
    windows = scalars["kernel_h"] * scalars["kernel_w"] * scalars["mask_cnt"]
    return int(scalars["channels"] * (scalars["height"] * scalars["width"] + windows)) * itemsize


OPERATOR = Operator(
    name="masked_im2col_forward",
    functions=("mluOpMaskedIm2colForward",),
    dtypes=("float32", "float16"),
    dims=(
        Dim("channels", "channels of the feature map"),
        Dim("height", "height of the feature map"),
        Dim("width", "width of the feature map"),
        Dim("mask_cnt", "windows"),
        Dim("kernel_h", "height of a window"),
        Dim("kernel_w", "width of a window"),
    ),
    params=(
        Param("pad_h", int, "rows by which output positions lie before the window's first row", 0),
        Param("pad_w", int, "columns by which output positions lie before the window's first column", 0),
    ),
    inputs=(
        Tensor(
            "feature",
            ("1", "channels", "height", "width"),
            "feature map",
            layout="NCHW",
            fill={"fill": "uniform", "range": (-1, 1)},
        ),
        Tensor(
            "mask_h_idx", ("mask_cnt",), "rows of output positions", "int32", fill={"fill": "mask_indices"}
        ),
        Tensor(
            "mask_w_idx", ("mask_cnt",), "columns of output positions", "int32", fill={"fill": "mask_indices"}
        ),
    ),
    outputs=(
        Tensor("data_col", ("channels*kernel_h*kernel_w", "mask_cnt"), "windows, channel-major, as columns"),
    ),
    criteria=Criteria(
        measures=("diff3",),
        static={"float32": 0.0, "float16": 0.0},
        bitwise=True,
        source="mluOpMaskedIm2colForward design document, 1.5.1",
    ),
    reference=_reference,
    workspace_functions=("mluOpGetMaskedIm2colForwardWorkspaceSize",),
    least_workspace=_least_workspace,
    fills={MASK_INDICES.name: MASK_INDICES},
)
