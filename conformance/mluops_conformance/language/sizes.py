"""The sizes of a case on a device: numbers in place of the limits that it names."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from mluops_emulator.device import MODELS

from mluops_conformance.language.model import Case, Scalar
from mluops_conformance.operators.base import Operator
from mluops_conformance.operators.limits import Device

__all__ = ["KNOWN_DEVICES", "misfit", "sized"]

KNOWN_DEVICES: dict[str, Device] = {
    name: Device(model.nram_bytes, model.clusters, model.cores_per_cluster, model.sram_bytes)
    for name, model in MODELS.items()
}
"""Devices on which every case must have sizes. Until a run's device is known, they are those of the first."""


def sized(case: Case, operator: Operator, device: Device) -> Case:
    """A case with the sizes that it has on a device; the case itself where it names no limit."""
    if not case.limits:
        return case
    usable, itemsize = device.limited_to(case.clusters), np.dtype(case.dtype).itemsize
    limits = {name: operator.limit(expression.limit) for name, expression in case.limits.items()}
    known: dict[str, Scalar] = {**case.params, **case.dims}
    for name in sorted(limits, key=lambda name: len(limits[name].given)):  # what others need comes first
        known[name] = case.limits[name].at(limits[name].of(usable, itemsize, known))
    return replace(case, dims={dim.name: int(known[dim.name]) for dim in operator.dims}, limits={})


def misfit(case: Case, operator: Operator, device: Device) -> str:
    """Why a case means nothing on a device whose limits give it sizes that the operator does not take.

    Without the size, which a record has beside it, so that one line tells of all cases with the same reason.
    """
    dims = sized(case, operator, device).dims
    for name in case.limits:
        unmet = operator.dim(name).unmet(dims[name])
        if unmet:
            return f"{name}, which follows from the device, is not what the library takes: {unmet}"
    return ""
