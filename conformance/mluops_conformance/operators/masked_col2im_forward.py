"""masked_col2im_forward: the columns of a matrix, back at their masked positions of a map of zeros."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping

import numpy as np
from mluops_reference import masked_col2im_forward

from mluops_conformance.fills.registry import Fill, FillContext, Option
from mluops_conformance.fills.stream import Stream
from mluops_conformance.operators.base import (
    Arrays,
    Criteria,
    Dim,
    Expectation,
    Operator,
    Scalar,
    Tensor,
)
from mluops_conformance.operators.limits import Device, Limit

if TYPE_CHECKING:
    from numpy.typing import NDArray


def _reference(inputs: Arrays, scalars: Mapping[str, Scalar]) -> Expectation:
    shape = (1, int(scalars["channels"]), int(scalars["height"]), int(scalars["width"]))
    im = masked_col2im_forward(**inputs, im_shape=shape)
    _refuse_rivals(inputs["col"], inputs["mask_h_idx"], inputs["mask_w_idx"], im)
    return Expectation({"im": im})


def _refuse_rivals(
    col: NDArray[Any], mask_h_idx: NDArray[Any], mask_w_idx: NDArray[Any], im: NDArray[Any]
) -> None:
    """Raise ValueError where different columns have one position: no document says which of them stays."""
    cells = mask_h_idx.astype(np.int64) * im.shape[3] + mask_w_idx
    _, cell, columns = np.unique(cells, return_inverse=True, return_counts=True)
    shared = np.flatnonzero(columns[cell] > 1)
    words = f"u{col.itemsize}"
    stays = im[0][:, mask_h_idx[shared], mask_w_idx[shared]]
    lost = shared[(stays.view(words) != col[:, shared].view(words)).any(axis=0)]
    if lost.size:
        k = int(lost[0])
        raise ValueError(
            f"column {k} and a later one differ and have the same position, "
            f"({mask_h_idx[k]}, {mask_w_idx[k]}): which of them stays is not defined"
        )


def _mask_positions(stream: Stream, context: FillContext) -> NDArray[Any]:
    """Both masks are made from one stream of their own, so that their positions belong together."""
    pixels, width = context.dims["height"] * context.dims["width"], context.dims["width"]
    positions = Stream(context.options["seed"]).permutation(pixels)[: context.size]
    indices = positions // width if context.tensor == "mask_h_idx" else positions % width
    return indices.astype(context.dtype).reshape(context.shape)


def _mask_positions_check(context: FillContext) -> str | None:
    pixels = context.dims["height"] * context.dims["width"]
    if context.size <= pixels:
        return None
    return f"needs at most as many columns as the map has pixels, {pixels}, got {context.size}"


MASK_POSITIONS = Fill(
    "mask_positions",
    (
        Option(
            "seed",
            "integer",
            0,
            "chooses the positions, the same for both masks; the run's seed changes nothing",
        ),
    ),
    _mask_positions,
    "positions of the map, no two equal, in random order",
    dtype_kinds="i",
    check=_mask_positions_check,
)


def _least_workspace(scalars: Mapping[str, Scalar], itemsize: int) -> int:
    """Return the bytes of a second `col` and a second `im`: section 3.4; a transpose may want more."""
    pixels = scalars["height"] * scalars["width"]
    return int(scalars["channels"] * (pixels + scalars["mask_cnt"])) * itemsize


def _on_chip_channels(device: Device, itemsize: int, scalars: Mapping[str, Scalar]) -> int:
    return device.usable_nram_bytes // itemsize


def _channels_of_columns(device: Device, itemsize: int, scalars: Mapping[str, Scalar]) -> int:
    return device.usable_nram_bytes // itemsize // COLUMNS_OF_A_BATCH


COLUMNS_OF_A_BATCH = 3
"""Columns that a batch has at the limit `three_columns`."""

LIMITS = (
    Limit(
        "on_chip_channels",
        _on_chip_channels,
        "channels of a column that fill a core's memory; more are copied column by column",
        "(NRAM - 128 KiB) / bytes of an element",
        "masked_col2im_forward design document, 3.1",
        dim="channels",
    ),
    Limit(
        "three_columns",
        _channels_of_columns,
        "channels of which a core copies three columns at once",
        "(NRAM - 128 KiB) / bytes of an element / 3",
        "masked_col2im_forward design document, 3.1; mlu-ops, kernels/masked_im2col/masked_col2im_forward",
        dim="channels",
    ),
)

OPERATOR = Operator(
    name="masked_col2im_forward",
    functions=("mluOpMaskedCol2imForward",),
    dtypes=("float32", "float16"),
    dims=(
        Dim("channels", "channels of the map"),
        Dim("height", "height of the map"),
        Dim("width", "width of the map"),
        Dim("mask_cnt", "columns", least=0),
    ),
    params=(),
    inputs=(
        Tensor("col", ("channels", "mask_cnt"), "columns", fill={"fill": "uniform", "range": (-1, 1)}),
        Tensor("mask_h_idx", ("mask_cnt",), "rows of positions", "int32", fill={"fill": "mask_positions"}),
        Tensor("mask_w_idx", ("mask_cnt",), "columns of positions", "int32", fill={"fill": "mask_positions"}),
    ),
    outputs=(
        Tensor("im", ("1", "channels", "height", "width"), "map, 0 where no mask points", layout="NCHW"),
    ),
    criteria=Criteria(
        measures=("diff3",),
        static={"float32": 0.0, "float16": 0.0},
        bitwise=True,
        source="masked_col2im_forward design document, 1.5.1",
    ),
    reference=_reference,
    workspace_functions=("mluOpGetMaskedCol2imForwardWorkspaceSize",),
    least_workspace=_least_workspace,
    fills={MASK_POSITIONS.name: MASK_POSITIONS},
    own_limits=LIMITS,
)
