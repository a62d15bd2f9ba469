"""Cases that mean nothing here: each with the reason why it is not executed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mluops_conformance.execution.left_out import why_left_out
from mluops_conformance.execution.memory import WORTH_ASKING, available_device, available_host, need_of
from mluops_conformance.execution.modes import mode_of
from mluops_conformance.language.sizes import misfit
from mluops_conformance.language.versions import satisfies
from mluops_conformance.operators import the_operator
from mluops_conformance.results.grounds import NOT_HARDWARE

if TYPE_CHECKING:
    from mluops import Library

    from mluops_conformance.execution.backends import Backend
    from mluops_conformance.language.model import Case
    from mluops_conformance.operators.base import Operator


NO_DRIVER = "no libcndrv is loaded with this library"


def obstacle(case: Case, backend: Backend, mode: str = "check") -> tuple[str, str] | None:
    """The outcome of a case that is not executed on this backend, and the reason; None for one that is.

    Parameters
    ----------
    mode : str
        The run's.
    """
    timeless = _timeless(case, backend) if mode_of(case, mode) == "perf" else ""
    if timeless:
        return "skipped", timeless
    if "device" in case.requires and not backend.hardware:
        return "skipped", f"only means something on a device; this run is {NOT_HARDWARE[backend.name][0]}"
    if case.series and not any(name.startswith(tuple(case.series)) for name in backend.names):
        return "unsupported", f"for {', '.join(sorted(case.series))}; this is {backend.device}"
    if not satisfies(backend.library.version, case.library):
        version = ".".join(map(str, backend.library.version))
        return "unsupported", f"for libmluops {case.library}; this is {version}"
    missing = missing_function(the_operator(case.operator), backend.library)
    if missing:
        return "unsupported", missing
    for why_not in (_cluster_obstacle, _size_obstacle):
        reason = why_not(case, backend)
        if reason:
            return "unsupported", reason
    short = _memory_obstacle(backend.sized(case), backend)
    return ("skipped", short) if short else None


def _timeless(case: Case, backend: Backend) -> str:
    """Why a case has no time to measure, if it has none."""
    if case.refused or case.call != "operator" or not case.compare:
        return "nothing is computed in it: there is no time to measure"
    return "" if backend.hardware else f"only a device has times; this run is {NOT_HARDWARE[backend.name][0]}"


def missing_function(operator: Operator, library: Library) -> str:
    """Why the library cannot run the operator, if it cannot."""
    needed = [operator.functions, *([(operator.workspace_function,)] if operator.workspace_function else [])]
    for names in needed:
        if not any(map(library.has, names)):
            return str(library.absence(getattr(library, names[0]).signature))
        left_out = why_left_out(library.path, names) if library.backend == "cpu" else ""
        if left_out:
            return left_out
    return ""


def can_limit_clusters(library: Library) -> bool:
    """Whether the driver's library, which does it, is loaded with the library."""
    return library.has("cnSetCtxConfigParam")


def _cluster_obstacle(case: Case, backend: Backend) -> str:
    if case.clusters is None:
        return ""
    if not can_limit_clusters(backend.library):
        return f"limits clusters; {NO_DRIVER}"
    if case.clusters > backend.figures.clusters:
        return f"for {case.clusters} clusters; this device has {backend.figures.clusters}"
    return ""


def _size_obstacle(case: Case, backend: Backend) -> str:
    """Why the operator does not take the sizes that follow from the device, if it does not."""
    return misfit(case, the_operator(case.operator), backend.figures) if case.limits else ""


def _memory_obstacle(case: Case, backend: Backend) -> str:
    need = need_of(case)
    if need.device < WORTH_ASKING:
        return ""
    host = need.host + (0 if backend.hardware else need.device)  # without a device its memory is the host's
    for place, wanted, free in (
        ("host", host, available_host()),
        ("device", need.device, available_device(backend.library)),
    ):
        if wanted > free:
            return f"needs about {wanted / 1e9:.1f} GB of {place} memory; {free / 1e9:.1f} GB are free"
    return ""
