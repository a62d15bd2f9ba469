"""Cases that mean nothing here: each with the reason why it is not executed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mluops_conformance.language.versions import satisfies

if TYPE_CHECKING:
    from mluops_conformance.execution.backends import Backend
    from mluops_conformance.language.model import Case


def obstacle(case: Case, backend: Backend) -> tuple[str, str] | None:
    """The outcome of a case that is not executed on this backend, and the reason; None for one that is."""
    if "device" in case.requires and backend.emulated:
        return "skipped", "only means something on a device; this run is emulated"
    if case.series and not any(backend.device.startswith(series) for series in case.series):
        return "unsupported", f"for {', '.join(sorted(case.series))}; this is {backend.device}"
    if not satisfies(backend.library.version, case.library):
        version = ".".join(map(str, backend.library.version))
        return "unsupported", f"for libmluops {case.library}; this is {version}"
    if case.clusters is not None:
        return _cluster_obstacle(case.clusters, backend)
    return None


def _cluster_obstacle(wanted: int, backend: Backend) -> tuple[str, str] | None:
    if not backend.library.has("cnSetCtxConfigParam"):
        return "unsupported", "limits clusters; no libcndrv is loaded with this library"
    if wanted > backend.clusters:
        return "unsupported", f"for {wanted} clusters; this device has {backend.clusters}"
    return None
