"""The sizes of a case on a device: numbers in place of the limits that it names."""

from __future__ import annotations

from dataclasses import replace
from typing import Mapping

import numpy as np
from mluops_emulator.device import MODELS

from mluops_conformance.language.expressions import Expression
from mluops_conformance.language.model import Case, Scalar
from mluops_conformance.operators.base import Operator
from mluops_conformance.operators.limits import Device

__all__ = ["KNOWN_DEVICES", "misfit", "sized", "sizes"]

KNOWN_DEVICES: dict[str, Device] = {
    name: Device(model.nram_bytes, model.clusters, model.cores_per_cluster) for name, model in MODELS.items()
}
"""Devices on which every case must have sizes. Until a run's device is known, they are those of the first."""


def sizes(
    operator: Operator,
    dims: Mapping[str, int],
    limits: Mapping[str, Expression],
    params: Mapping[str, Scalar],
    dtype: str,
    device: Device,
) -> dict[str, int]:
    """Every dimension's size.

    Parameters
    ----------
    dims : mapping of str to int
        Those that are numbers.
    limits : mapping of str to Expression
        The others, all of them on limits of the operator.
    device : Device
        What the case may use of it.
    """
    itemsize = np.dtype(dtype).itemsize
    known = {**params, **dims}
    for name in sorted(limits, key=lambda name: len(operator.limit(limits[name].limit).given)):
        limit = operator.limit(limits[name].limit)
        known[name] = limits[name].at(limit.of(device, itemsize, known))
    return {dim.name: int(known[dim.name]) for dim in operator.dims if dim.name in known}


def sized(case: Case, operator: Operator, device: Device) -> Case:
    """A case with the sizes that it has on a device; the case itself where it names no limit."""
    if not case.limits:
        return case
    numbers = {name: size for name, size in case.dims.items() if name not in case.limits}
    usable = device.limited_to(case.clusters)
    dims = sizes(operator, numbers, case.limits, case.params, case.dtype, usable)
    return replace(case, dims=dims, limits={})


def misfit(case: Case, operator: Operator, device: Device) -> str:
    """Why a case means nothing on a device whose limits give it sizes that the operator does not take."""
    dims = sized(case, operator, device).dims
    for name in case.limits:
        most = operator.dim(name).most
        if dims[name] < 1:
            return f"{name}, which follows from the device, would be less than 1"
        if most is not None and dims[name] > most:
            return f"{name}, which follows from the device, would be more than {most}, which is refused"
    return ""
