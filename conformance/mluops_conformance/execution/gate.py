"""Cases that mean nothing here: each with the reason why it is not executed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mluops_conformance.language.versions import satisfies

if TYPE_CHECKING:
    from mluops_conformance.execution.backends import Backend
    from mluops_conformance.language.model import Case


def reason_to_skip(case: Case, backend: Backend) -> str | None:
    """Why the case cannot be executed on this backend, or None."""
    if "device" in case.requires and backend.emulated:
        return "only means something on a device; this run is emulated"
    if case.series and not any(backend.device.startswith(series) for series in case.series):
        return f"for {', '.join(sorted(case.series))}; this is {backend.device}"
    if case.library and not satisfies(backend.library.version, case.library):
        version = ".".join(map(str, backend.library.version))
        return f"for libmluops {case.library}; this is {version}"
    return None
