"""The fill that takes a tensor's data from a NumPy file beside the case file."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Tuple

import numpy as np

from mluops_conformance.fills.fill import Fill, FillContext, Option
from mluops_conformance.fills.stream import Stream
from mluops_conformance.support.reading import NO_ARRAYS, file_below, regular_file

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["FILE"]

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
        return f"cannot read {given}: it is no .npy file of version 1 or 2, or was cut short"
    wanted = (context.shape, context.dtype)
    return None if stored == wanted else f"finds {_shown(*stored)} in {given}, and wants {_shown(*wanted)}"


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
    "what a NumPy file holds",
    "fiu",
    _check,
)
