"""The values of a measured case, as its record stores them."""

from __future__ import annotations

from dataclasses import dataclass

HARDWARE, INTERFACE = "hardware", "interface"
"""What is timed: the work on the device, by its notifiers; the C call on the host, which returns sooner."""


@dataclass(frozen=True)
class Quantity:
    """A number, and where it comes from."""

    value: float
    origin: str


@dataclass(frozen=True)
class Measured:
    """Times of equal calls.

    Parameters
    ----------
    hardware, interface : tuple of float
        Seconds of each call, in order, those of the warm-up left out.
    warm_up : int
        Calls before them.
    steady : bool
        Whether the warm-up ended because times no longer changed.
    """

    hardware: tuple[float, ...]
    interface: tuple[float, ...]
    warm_up: int
    steady: bool


@dataclass(frozen=True)
class Work:
    """What a call has to do at least.

    Parameters
    ----------
    operations : Quantity, optional
        Arithmetic operations; none of an operator that only moves data.
    bytes : Quantity
        What is read and written.
    """

    operations: Quantity | None
    bytes: Quantity


@dataclass(frozen=True)
class Peaks:
    """What a device can do at most, where it is known: operations and bytes a second."""

    compute: Quantity | None = None
    bandwidth: Quantity | None = None


@dataclass(frozen=True)
class Summary:
    """What the repeated times of a case have in common.

    Parameters
    ----------
    count : int
    median : float
        Seconds.
    low, high : float, optional
        The interval that has the true median by 95 %; none of fewer than six times.
    variation : float
        Standard deviation over mean, as mlu-ops' gtest has it.
    """

    count: int
    median: float
    low: float | None
    high: float | None
    variation: float


@dataclass(frozen=True)
class Competitor:
    """What a document says of another device on the same case.

    Parameters
    ----------
    seconds : float
        Its hardware time.
    compute_efficiency, io_efficiency : float, optional
        Parts of its peaks.
    source : str
        The document and section.
    """

    device: str
    seconds: float
    source: str
    compute_efficiency: float | None = None
    io_efficiency: float | None = None


@dataclass(frozen=True)
class Performance:
    """How fast a case was.

    Parameters
    ----------
    work, peaks
        What efficiencies are made of.
    compute_efficiency, io_efficiency : float, optional
        Parts of the peaks that were reached; none where work, peak or time is not known.
    grade : str
        A name in `efficiency.GRADES`, after the larger of the two; empty where none is given.
    required : float
        What the larger of the two must reach by mlu-ops' acceptance standard.
    workspace : int
        Bytes.
    errors : tuple of str
        Why the measurement cannot be right.
    remarks : tuple of str
        What is missing, and how to get it.
    """

    hardware: Summary
    interface: Summary
    warm_up: int
    steady: bool
    work: Work
    peaks: Peaks
    compute_efficiency: float | None
    io_efficiency: float | None
    grade: str
    required: float
    workspace: int
    competitors: tuple[Competitor, ...] = ()
    errors: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
