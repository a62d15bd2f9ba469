"""The devices that the emulator can answer as."""

from __future__ import annotations

from dataclasses import dataclass, replace

from mluops.constants import cnrtFunctionType_t

KIB = 1 << 10
GIB = 1 << 30

RESERVED_BYTES = 128 * KIB
"""Part of NRAM and of SRAM that no kernel may use."""


JobType = cnrtFunctionType_t
"""The form of a launch: a block on one core, or a union task on n clusters (number 4 n)."""


def clusters_of(job: JobType) -> int:
    """Clusters that one task of this type occupies (0 for a single core)."""
    return int(job) // 4


@dataclass(frozen=True)
class DeviceModel:
    """An MLU as its kernels see it.

    Parameters
    ----------
    name : str
        The series, "MLU370" or "MLU590".
    isa : int
        The instruction set version that mluOpCreate reads.
    clusters, cores_per_cluster : int
        What a kernel may spread its tasks over.
    nram_bytes, sram_bytes : int
        On-chip memory of a core and of a cluster, `RESERVED_BYTES` of each included.
    memory_bytes : int
        Device memory.
    """

    name: str
    isa: int
    clusters: int
    cores_per_cluster: int
    nram_bytes: int
    sram_bytes: int
    memory_bytes: int

    @property
    def cores(self) -> int:
        return self.clusters * self.cores_per_cluster

    @property
    def usable_nram_bytes(self) -> int:
        """The size from which the documents compute channel slices, in bytes."""
        return self.nram_bytes - RESERVED_BYTES

    @property
    def largest_union(self) -> JobType:
        """The widest union task that fits on the clusters."""
        return max(job for job in JobType if clusters_of(job) <= self.clusters)

    def limited_to(self, clusters: int) -> DeviceModel:
        """The same device with only so many clusters visible."""
        return replace(self, clusters=clusters)


# Cluster counts and memory sizes differ between boards of a series: those here are settings, not facts.
MODELS: dict[str, DeviceModel] = {
    model.name: model
    for model in (
        DeviceModel("MLU370", 372, 8, 4, 768 * KIB, 4096 * KIB, 24 * GIB),
        DeviceModel("MLU590", 592, 12, 4, 512 * KIB, 2048 * KIB, 48 * GIB),
    )
}
