"""A benchmark, and the result of a sample."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Callable, NamedTuple, Protocol


class Sample(NamedTuple):
    """Seconds of one call: by the wall clock, and of processor time, which other processes hardly change."""

    wall: float
    cpu: float


class Probe(Protocol):
    """A benchmark that is ready to be sampled."""

    @property
    def memory(self) -> int | None:
        """Bytes at the call's peak: see `Benchmark.memory`; None where nobody counted."""

    def sample(self) -> Sample:
        """Take the time once more."""


@dataclass(frozen=True)
class Benchmark:
    """Something whose time is taken again and again.

    Parameters
    ----------
    name : str
        "<group>/<what>".
    prepare : callable
        Makes the inputs, warms up, and gives what is sampled.
    target : float, optional
        Seconds that it should stay under.
    work : float, optional
        How much of `unit` one call does: the table then shows the rate.
    unit : str
        "MB", "M values" or "examples".
    memory : str
        What the probe's bytes are: "extra" (beyond the inputs and the result) or "process" (all of it).
    named_only : bool
        It takes minutes: it runs where a pattern means its group or itself, not by default.
    """

    name: str
    prepare: Callable[[], Probe]
    target: float | None = None
    work: float | None = None
    unit: str = ""
    memory: str = "extra"
    named_only: bool = False
