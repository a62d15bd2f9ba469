"""What counts as a change: the limits of a comparison, with their defaults."""

from __future__ import annotations

from dataclasses import dataclass

TIME_RULES = {
    "ranks": "a rank test, and a change of the median above the noise of the repeated times",
    "vendor": "the rule of mlu-ops' gtest: 5 us up to 100 us, 4 % above, without a test",
    "none": "times are not compared",
}


@dataclass(frozen=True)
class Limits:
    """The limits of a comparison.

    Parameters
    ----------
    drift : float
        A measure has drifted when it is more than so many times what it was, or less than one so many-th.
        Averages of atomic sums in another order differ by some per cents, and largest errors by up to a half.
    drift_floor : float
        Measures below this part of their threshold are both "nothing": the least roundings make them up.
    time_rule : str
        A key of `TIME_RULES`.
    slower : float
        By which part of itself the median must change, for the rule "ranks"; beyond what all times that the
        host took have in common, which is the host's doing.
    significance : float
        The largest p that the rank test may give. 0.01 takes 5 repeated times in each run.
    noise : float
        So many times the relative spread of the repeated times must the median change at least.
    only_common : bool
        Cases that only one of the runs executed are left out.
    """

    drift: float = 2.0
    drift_floor: float = 0.01
    time_rule: str = "ranks"
    slower: float = 0.05
    significance: float = 0.01
    noise: float = 3.0
    only_common: bool = False
