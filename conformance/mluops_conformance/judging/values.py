"""The parts of a verdict, as values that need no NumPy: thresholds, elements, the verdict itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Union

Number = Union[int, float, bool]

PASSED = "passed"
FAILED = "failed"
MISTRUSTED = "mistrusted"

GIVEN = ("case", "command line")
"""Origins of thresholds that a user wrote down."""

UNWRITTEN_INT32 = 0x7FD3_7FD3
"""The value of an unwritten int32 element: twice `execution.buffers.POISON`."""


@dataclass(frozen=True)
class Threshold:
    """The largest value of a measure that is accepted, and where that number comes from."""

    value: float
    origin: str


@dataclass(frozen=True)
class Element:
    """One element of an output.

    Parameters
    ----------
    index : tuple of int
        Its index in the output's shape.
    actual, expected : int or float
        What the device gave, and the reference rounded to the output's dtype.
    error : float
        |actual - expected|; NaN where one of them is NaN or infinite.
    """

    index: tuple[int, ...]
    actual: Number
    expected: Number
    error: float


@dataclass(frozen=True)
class Distribution:
    """The distribution of an output's errors, over sizes and over places.

    Parameters
    ----------
    shape : tuple of int
        The output's.
    equal : int
        How many elements are as expected.
    histogram : tuple of int
        How many of the others have a relative error |actual - expected| / |expected| in each of the 48 bins
        of a quarter of a decade from 1e-9 to 1e3; what lies outside, as where 0 was expected, counts in the
        bin at that end.
    map : tuple of str
        The output as a grid of signs: its last axis from left to right and the others from top to bottom, an
        output of one axis line by line. "9" stands where an error is more than a tenth of the output's
        largest, "8" where the worst is more than a hundredth of it, and so on down to "0"; "." where there is
        no error, and "!" where NaN or infinity stands wrongly.
    """

    shape: tuple[int, ...]
    equal: int
    histogram: tuple[int, ...]
    map: tuple[str, ...]


@dataclass(frozen=True)
class GtestVerdict:
    """The verdict of mlu-ops' own gtest on an output; see `judging.vendor`.

    Parameters
    ----------
    passed : bool
    errors : dict of str to float
        Its measures, by its rules.
    limits : dict of str to float
        Its thresholds.
    reason : str
        Why it fails, or what it did not compare; empty where it passes plainly.
    """

    passed: bool
    errors: dict[str, float] = field(default_factory=dict)
    limits: dict[str, float] = field(default_factory=dict)
    reason: str = ""


@dataclass(frozen=True)
class OutputVerdict:
    """The verdict on one output.

    Parameters
    ----------
    outcome : str
        "passed", "failed", or "mistrusted": it passed, but its thresholds would accept any wrong value.
    fault : str
        Of an output that failed, in a word: one of `plain_sight`'s; empty where no word was found.
    reasons : tuple of str
        Sentences that name the numbers; empty for most outputs that passed.
    measures : dict of str to float
        Every measure, also those without a threshold, over the elements that are finite on both sides.
    thresholds : dict of str to Threshold
        Those that decided.
    worst : tuple of Element
        The elements with the largest errors, largest first, whatever the outcome.
    mismatches : tuple of Element
        The first positions where one side is NaN or infinite and the other is not the same.
    mismatched : int
        How many such positions there are.
    elements : int
        How many elements were compared.
    resolution : float, optional
        Of an output that passed: the smallest error of one element, as a share of the largest local scale,
        that these thresholds refuse; see `judging.refusal`.
    matched : str, optional
        Of several right answers, the one that the numbers above refer to: the nearest. Behind it, what
        is right besides: elements on the other side of a jump, infinite sums, errors within rounding.
    distribution : Distribution, optional
        Of an output that failed.
    gtest : GtestVerdict, optional
        What the vendor's tool would say.
    """

    name: str
    outcome: str
    reasons: tuple[str, ...] = ()
    measures: dict[str, float] = field(default_factory=dict)
    thresholds: dict[str, Threshold] = field(default_factory=dict)
    worst: tuple[Element, ...] = ()
    mismatches: tuple[Element, ...] = ()
    mismatched: int = 0
    elements: int = 0
    resolution: float | None = None
    matched: str | None = None
    distribution: Distribution | None = None
    gtest: GtestVerdict | None = None
    fault: str = ""

    @property
    def is_disputed(self) -> bool:
        """True if the vendor's tool and this one disagree about passing."""
        return self.gtest is not None and self.gtest.passed != (self.outcome == PASSED)
