"""The driver's context: the number of clusters that kernels may use, alone and together."""

from __future__ import annotations

from mluops_emulator.device import DeviceModel, JobType, clusters_of
from mluops_emulator.violations import Refused

INVALID_VALUE = 100006
"""Taken over from cnrtErrorArgsInvalid: of CNDrv's codes only CN_SUCCESS is publicly documented."""


class Context:
    """The limits of a context, initially those of the device.

    A limit that the other one contradicts is refused: lower the union limit first, and raise it last.
    """

    def __init__(self, device: DeviceModel) -> None:
        self._device = device
        self.visible_clusters = (1 << device.clusters) - 1
        self.union_limit = device.largest_union

    @property
    def device(self) -> DeviceModel:
        """The device with its visible clusters."""
        return self._device.limited_to(bin(self.visible_clusters).count("1"))

    def show_clusters(self, bitmap: int) -> None:
        """Let kernels use the clusters of a bitmap only."""
        if not 0 < bitmap < 1 << self._device.clusters:
            raise Refused(f"{bitmap:#x} names no clusters out of {self._device.clusters}.", INVALID_VALUE)
        _require_consistent(bin(bitmap).count("1"), self.union_limit)
        self.visible_clusters = bitmap

    def limit_union(self, number: int) -> None:
        """Let kernels be launched as union tasks up to a size only."""
        job = _job(number)
        if job is None:
            raise Refused(f"{number} is no KernelClass.", INVALID_VALUE)
        _require_consistent(self.device.clusters, job)
        self.union_limit = job


def _job(number: int) -> JobType | None:
    return next((job for job in JobType if job == number), None)


def _require_consistent(clusters: int, job: JobType) -> None:
    if clusters_of(job) > clusters:
        text = f"a union limit of {clusters_of(job)} clusters needs as many visible ones, not {clusters}."
        raise Refused(text, INVALID_VALUE)
