"""Names for the kinds of arrays that kernels pass on; for annotations only, as NumPy 1.20 has no NDArray."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[Any]
    Floats = NDArray[np.floating[Any]]
    Points = NDArray[np.complexfloating[Any, Any]]
    Ints = NDArray[np.integer[Any]]
    Bools = NDArray[np.bool_]
