"""From times, work and peaks to efficiencies and grades: pure arithmetic."""

from __future__ import annotations

from typing import Iterator, Sequence

from mluops_conformance.performance.times import (
    HARDWARE,
    INTERFACE,
    Competitor,
    Measured,
    Peaks,
    Performance,
    Quantity,
    Work,
    summary,
)

GRADES = (("good", 0.6), ("qualified", 0.3), ("unqualified", 0.02), ("poor", 0.0))
"""The least efficiency of each grade (mlu-ops v1.11.1, tools/perf_analyse/perf.json)."""

UNGRADED_SECONDS = 15e-6
"""Shorter cases get no grade there."""

REQUIRED_OF_NETWORKS, REQUIRED = 0.6, 0.3
"""What the bottleneck must reach in sizes that networks have, and in others
(MLU-OPS-Performance-Acceptance-Standard.md)."""

OPTIONS = {"compute": "--peak-compute GOP/s", "bandwidth": "--peak-bandwidth GB/s"}


def assess(
    measured: Measured,
    work: Work,
    peaks: Peaks,
    *,
    network: bool,
    workspace: int,
    competitors: Sequence[Competitor] = (),
) -> Performance:
    """All figures of a measured case.

    Parameters
    ----------
    network : bool
        Whether it has a size that networks have, of which more is required.
    workspace : int
        Bytes.
    """
    hardware = summary(measured.hardware)
    untimed = list(_impossible_times(HARDWARE, measured.hardware))
    seconds = 0.0 if untimed else hardware.median
    compute = efficiency(work.operations, seconds, peaks.compute)
    io = efficiency(work.bytes, seconds, peaks.bandwidth)
    impossible = [*_impossible("compute", compute), *_impossible("IO", io)]
    return Performance(
        hardware=hardware,
        interface=summary(measured.interface),
        warm_up=measured.warm_up,
        steady=measured.steady,
        work=work,
        peaks=peaks,
        compute_efficiency=compute,
        io_efficiency=io,
        grade="" if impossible else grade(bottleneck(compute, io), seconds),
        required=REQUIRED_OF_NETWORKS if network else REQUIRED,
        workspace=workspace,
        competitors=tuple(competitors),
        errors=(*untimed, *_impossible_times(INTERFACE, measured.interface), *impossible),
        remarks=tuple(_remarks(measured, work, peaks)),
    )


def efficiency(amount: Quantity | None, seconds: float, peak: Quantity | None) -> float | None:
    """The part of a peak that was reached: amount / (seconds x peak), as gtest has it (executor.cpp:737-767).

    None where one of them is not known, or cannot be right.
    """
    if amount is None or peak is None or not seconds > 0:
        return None
    return amount.value / (seconds * peak.value)


def bottleneck(compute: float | None, io: float | None) -> float | None:
    """The efficiency by which a case is judged: the larger one; what is not known is none."""
    return max((value for value in (compute, io) if value is not None), default=None)


def grade(reached: float | None, seconds: float) -> str:
    """The grade of an efficiency; empty where there is none, or the time is too short for one."""
    if reached is None or seconds < UNGRADED_SECONDS:
        return ""
    return next(name for name, least in GRADES if reached >= least)


def _impossible_times(kind: str, times: Sequence[float]) -> Iterator[str]:
    wrong = sum(not time > 0 for time in times)
    if wrong:
        yield f"{kind} time: {wrong} of {len(times)} are zero, negative or no number"


def _impossible(kind: str, reached: float | None) -> Iterator[str]:
    if reached is not None and reached > 1:
        yield (
            f"{kind} efficiency above 100 %: more than a device can do; the peak is another one, or caches"
            " spared it part of the work"
        )


def _remarks(measured: Measured, work: Work, peaks: Peaks) -> Iterator[str]:
    if not measured.steady:
        yield "times still changed when the warm-up ended"
    for kind, amount, peak in (
        ("compute", work.operations, peaks.compute),
        ("bandwidth", work.bytes, peaks.bandwidth),
    ):
        if amount is not None and peak is None:
            yield f"the device does not tell its peak {kind}; {OPTIONS[kind]} gives it"
