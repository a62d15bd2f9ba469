"""CNDrv: the limits of the current context."""

from __future__ import annotations

from ctypes import c_int, c_uint64, c_void_p
from typing import TYPE_CHECKING

from mluops.constants import CNctxConfigParamType

from mluops_emulator.context import INVALID_VALUE
from mluops_emulator.discovery import by_name
from mluops_emulator.violations import Refused

if TYPE_CHECKING:
    from mluops_emulator.emulator import Emulator


def cnCtxGetCurrent(emulator: Emulator, ctx: int | None) -> None:
    emulator.host.store(ctx, c_void_p, emulator.context_address, "ctx")


def cnSetCtxConfigParam(emulator: Emulator, ctx: int | None, kind: int, param: int | None) -> None:
    """Change a limit; handles notice it when they are created, or at mluOpUpdateContextInformation."""
    _require_current(emulator, ctx)
    if kind == CNctxConfigParamType.CN_CTX_CONFIG_VISIBLE_CLUSTER:
        emulator.context.show_clusters(emulator.host.load(param, c_uint64, "param"))
    elif kind == CNctxConfigParamType.CN_CTX_CONFIG_UNION_LIMIT:
        emulator.context.limit_union(emulator.host.load(param, c_int, "param"))
    else:
        raise Refused(f"type {kind} cannot be set.", INVALID_VALUE)


def cnGetCtxConfigParam(emulator: Emulator, ctx: int | None, kind: int, param: int | None) -> None:
    _require_current(emulator, ctx)
    values = {
        CNctxConfigParamType.CN_CTX_CONFIG_VISIBLE_CLUSTER: emulator.context.visible_clusters,
        CNctxConfigParamType.CN_CTX_CONFIG_VISIBLE_CLUSTER_NUM: emulator.context.device.clusters,
        CNctxConfigParamType.CN_CTX_CONFIG_UNION_LIMIT: int(emulator.context.union_limit),
    }
    if kind not in values:
        raise Refused(f"there is no type {kind}.", INVALID_VALUE)
    emulator.host.store(param, c_uint64, values[CNctxConfigParamType(kind)], "param")


def _require_current(emulator: Emulator, ctx: int | None) -> None:
    if ctx != emulator.context_address:
        raise Refused("`ctx` is not the current context.", INVALID_VALUE)


ENTRY_POINTS = by_name(cnCtxGetCurrent, cnSetCtxConfigParam, cnGetCtxConfigParam)
