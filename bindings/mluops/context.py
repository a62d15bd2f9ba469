"""The driver's context: how many clusters kernels may use, which decides their job types."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from mluops.constants import CNctxConfigParamType, KernelClass
from mluops.errors import ArgumentTypeError, ArgumentValueError
from mluops.types import CNcontext, CNctxConfigParam

if TYPE_CHECKING:
    from mluops.library import Library

UNION_CLUSTERS = {
    16: KernelClass.CN_KERNEL_CLASS_UNION16,
    8: KernelClass.CN_KERNEL_CLASS_UNION8,
    4: KernelClass.CN_KERNEL_CLASS_UNION4,
    2: KernelClass.CN_KERNEL_CLASS_UNION2,
    1: KernelClass.CN_KERNEL_CLASS_UNION,
    0: KernelClass.CN_KERNEL_CLASS_BLOCK,
}
"""The widest job type by the clusters that it needs; one core of one cluster is the least."""


class Context:
    """The current context of this thread.

    Handles read the limits when they are created: make a new one after a change.

    Parameters
    ----------
    library : Library

    Raises
    ------
    CndrvError
        By the constructor and the methods.
    MissingSymbol
        When no libcndrv is loaded with the library.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._raw = CNcontext()
        library.cnCtxGetCurrent.checked(ctypes.byref(self._raw))
        self._clusters = self._get(CNctxConfigParamType.CN_CTX_CONFIG_VISIBLE_CLUSTER).visibleCluster
        self._union = self._get(CNctxConfigParamType.CN_CTX_CONFIG_UNION_LIMIT).unionLimit

    def limit(self, clusters: int) -> None:
        """Let kernels use the first `clusters` clusters, in union tasks as wide as fit; 0: one core alone."""
        if not hasattr(clusters, "__index__"):
            raise ArgumentTypeError(f"clusters must be an int, not a {type(clusters).__name__}")
        if clusters < 0:
            raise ArgumentValueError(f"clusters must be 0 or more, not {clusters}")
        widest = next(job for needed, job in UNION_CLUSTERS.items() if needed <= clusters)
        self._set_both((1 << max(clusters, 1)) - 1, widest)

    def reset(self) -> None:
        """Go back to the limits that the context had before."""
        self._set_both(self._clusters, self._union)

    def _set_both(self, bitmap: int, union: int) -> None:
        """Lower the union limit first and raise it last: a limit that contradicts the other is refused."""
        kinds = CNctxConfigParamType
        lowest = CNctxConfigParam(unionLimit=KernelClass.CN_KERNEL_CLASS_BLOCK)
        self._set(kinds.CN_CTX_CONFIG_UNION_LIMIT, lowest)
        self._set(kinds.CN_CTX_CONFIG_VISIBLE_CLUSTER, CNctxConfigParam(visibleCluster=bitmap))
        self._set(kinds.CN_CTX_CONFIG_UNION_LIMIT, CNctxConfigParam(unionLimit=union))

    def _get(self, kind: CNctxConfigParamType) -> CNctxConfigParam:
        value = CNctxConfigParam()
        self._library.cnGetCtxConfigParam.checked(self._raw, kind, ctypes.byref(value))
        return value

    def _set(self, kind: CNctxConfigParamType, value: CNctxConfigParam) -> None:
        self._library.cnSetCtxConfigParam.checked(self._raw, kind, ctypes.byref(value))
