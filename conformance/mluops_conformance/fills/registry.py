"""Fills by name, and the one function that makes a tensor's data of its description."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Tuple

import numpy as np

from mluops_conformance.fills import generic, gtest
from mluops_conformance.fills.fill import Fill, FillContext, FillError, Option
from mluops_conformance.fills.stream import Stream
from mluops_conformance.support.files import NO_ARRAYS, file_below, regular_file

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mluops_conformance.language.model import FillSpec

__all__ = ["FILE", "GENERIC", "Fill", "FillContext", "FillError", "Option", "make", "options_of"]


Stored = Tuple[Tuple[int, ...], "np.dtype[Any]"]

_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}


def _make(stream: Stream, context: FillContext) -> NDArray[Any]:
    data: NDArray[Any] = np.load(context.folder / str(context.options["path"]), allow_pickle=False)
    return np.ascontiguousarray(data)


def _check(context: FillContext) -> str | None:
    given = str(context.options["path"])
    try:
        file = file_below(context.folder, given)
        if file is None:
            return f"reads only below the case file's own folder, which {given} is not"
        stored = _stored(file)
    except OSError as error:
        return f"cannot read {given}: {error.strerror}"
    except NO_ARRAYS:
        return f"cannot read {given}: it is not an .npy file of version 1 or 2, or is truncated"
    wanted = (context.shape, context.dtype)
    return None if stored == wanted else f"finds {_shown(*stored)} in {given}, and needs {_shown(*wanted)}"


def _stored(file: Path) -> Stored:
    """Shape and dtype of what a file holds, by its header.

    Raises
    ------
    OSError
    Exception of NO_ARRAYS
    """
    with regular_file(file).open("rb") as stream:
        shape, _, dtype = _HEADERS[np.lib.format.read_magic(stream)](stream)
        if os.fstat(stream.fileno()).st_size - stream.tell() < math.prod(shape) * dtype.itemsize:
            raise ValueError("less data than the header says")
    return shape, dtype


def _shown(shape: tuple[int, ...], dtype: np.dtype[Any]) -> str:
    return f"{dtype}[{', '.join(map(str, shape))}]"


FILE = Fill(
    "file",
    (
        Option(
            "path", "text", None, "a .npy file of the tensor's shape and dtype, below the case file's folder"
        ),
    ),
    _make,
    "the contents of a NumPy file",
    "fiu",
    _check,
)

GENERIC: dict[str, Fill] = {fill.name: fill for fill in (*generic.FILLS, FILE, *gtest.FILLS)}
"""The fills that every operator has."""


def options_of(fill: Fill, spec: FillSpec) -> dict[str, Any]:
    """Every option of the fill, as given or by default."""
    return {option.name: spec.options.get(option.name, option.default) for option in fill.options}


def make(spec: FillSpec, operator_fills: Mapping[str, Fill], context: FillContext, seed: int) -> NDArray[Any]:
    """The data of one tensor.

    Parameters
    ----------
    spec : FillSpec
        The fill's name and options, as a case gives them.
    operator_fills : mapping of str to Fill
        The operator's own fills; they come before the generic ones.
    context : FillContext
        The tensor; its `options` are ignored.
    seed : int
        The stream's seed; see `mluops_conformance.fills.stream`.

    Returns
    -------
    ndarray
        Of the context's shape and dtype.

    Raises
    ------
    FillError
        If there is no such fill, or its options cannot be met for this shape and dtype.
    """
    where = f"{context.tensor}: fill '{spec.name}'"
    fill = operator_fills.get(spec.name) or GENERIC.get(spec.name)
    if fill is None:
        raise FillError(
            f"{where} does not exist; there are {', '.join(sorted({**GENERIC, **operator_fills}))}"
        )
    context = context.given(options_of(fill, spec))
    complaint = fill.complaint(context)
    if complaint:
        raise FillError(f"{where} {complaint}")
    array = fill.make(Stream(seed), context)
    if array.shape != context.shape or array.dtype != context.dtype:
        wanted = f"{context.dtype}{list(context.shape)}"
        raise FillError(f"{where} made {array.dtype}{list(array.shape)} where {wanted} is wanted")
    return array
