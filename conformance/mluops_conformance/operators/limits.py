"""Sizes at which an operator begins to do otherwise, as formulas of the device's figures.

The documents split tasks over cores and channels over slices of on-chip memory. A case that writes a limit's
name in place of a number is tested at the border of whatever device it runs on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Callable, Mapping

if TYPE_CHECKING:
    from mluops_conformance.operators.base import Scalar

RESERVED_BYTES = 128 << 10
"""Part of each core's NRAM, and of a cluster's SRAM, that no kernel may use: mlu-ops, kernels/kernel.h."""

ALIGNMENT = 128
"""Bytes that vectors on chip are made up of."""


@dataclass(frozen=True)
class Device:
    """The figures that limits follow from.

    Parameters
    ----------
    nram_bytes : int
        On-chip memory of a core, `RESERVED_BYTES` included.
    clusters, cores_per_cluster : int
        What kernels may spread over.
    sram_bytes : int
        Memory that the cores of a cluster share, `RESERVED_BYTES` included.
    """

    nram_bytes: int
    clusters: int
    cores_per_cluster: int
    sram_bytes: int

    @property
    def cores(self) -> int:
        return self.clusters * self.cores_per_cluster

    @property
    def usable_nram_bytes(self) -> int:
        return self.nram_bytes - RESERVED_BYTES

    @property
    def usable_sram_bytes(self) -> int:
        return self.sram_bytes - RESERVED_BYTES

    def limited_to(self, clusters: int | None) -> Device:
        """Return the device in a context with so many clusters: all with None, one core with 0."""
        if clusters is None:
            return self
        if clusters == 0:
            return replace(self, clusters=1, cores_per_cluster=1)
        return replace(self, clusters=clusters)


@dataclass(frozen=True)
class Limit:
    """A size that follows from the device.

    Parameters
    ----------
    name : str
        As case files write it.
    of : callable
        `(device, itemsize, scalars)` to the size: the bytes of an element of the case's dtype, and every
        parameter by name, beside the dims that are `given`.
    help : str
        What the size is.
    formula : str
        How it is computed, in words of the documentation.
    source : str
        Where the formula comes from.
    given : tuple of str
        Dims that the formula needs.
    dim : str
        The dimension that it limits; empty: any.
    """

    name: str
    of: Callable[[Device, int, Mapping[str, Scalar]], int]
    help: str
    formula: str
    source: str
    given: tuple[str, ...] = ()
    dim: str = ""


TASKS = (
    Limit(
        "cluster",
        lambda device, itemsize, scalars: device.cores_per_cluster,
        "cores of a cluster",
        "as the device answers; 1 in a BLOCK task",
        "the device",
    ),
    Limit(
        "cores",
        lambda device, itemsize, scalars: device.cores,
        "cores that the case may use",
        "clusters * cores of a cluster",
        "the device, and the case's `clusters`",
    ),
)
"""Limits of every operator: one task each, for a cluster and for all that there is."""


def whole_vectors(nbytes: int, itemsize: int) -> int:
    """Elements that fit, in whole vectors of `ALIGNMENT` bytes."""
    return nbytes // ALIGNMENT * ALIGNMENT // itemsize
