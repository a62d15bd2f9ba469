"""The options of the performance mode, in the form of `options.FLAGS`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Mapping

from mluops_conformance.errors import UserError

if TYPE_CHECKING:
    from mluops_conformance.options import RunOptions

MODES = ("check", "perf")
LEAST = 6
"""Fewer times give no interval of 95 %: all of n lie on one side of the median with probability 2 / 2^n."""

PERF_FLAGS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    (
        "mode",
        {
            "choices": MODES,
            "default": MODES[0],
            "help": "check: each case in its own mode; perf: check, and measure times, on a device alone",
        },
    ),
    (
        "perf-repeats",
        {"type": int, "default": 100, "metavar": "N", "help": "times that perf keeps of a case"},
    ),
    (
        "perf-seconds",
        {
            "type": float,
            "default": 10.0,
            "metavar": "SECONDS",
            "help": f"after which perf makes no more calls of a case, once it has {LEAST} times",
        },
    ),
    (
        "peak-bandwidth",
        {
            "type": float,
            "default": 0.0,
            "metavar": "GB/s",
            "help": "the device's, for IO efficiency (default: as the device tells)",
        },
    ),
    (
        "peak-compute",
        {
            "type": float,
            "default": 0.0,
            "metavar": "GOP/s",
            "help": "the device's in float32, twice as much in half (default: as the device tells)",
        },
    ),
)
PERF_NAMES = tuple(flag for flag, _ in PERF_FLAGS)


def check(options: RunOptions) -> None:
    """Refuse values that nothing could be measured with.

    Raises
    ------
    UserError
    """
    repeats, seconds, limit = options.perf_repeats, options.perf_seconds, options.timeout
    if repeats < LEAST:
        raise UserError(f"--perf-repeats {repeats}: write {LEAST} or more; fewer times give no interval")
    if not 0 < seconds < math.inf:
        raise UserError(f"--perf-seconds {seconds:g}: write seconds above 0")
    if options.mode == "perf" and seconds >= limit:
        raise UserError(
            f"--perf-seconds {seconds:g} leaves nothing of --timeout {limit:g}: cases would time out"
        )
    for name, peak in (("bandwidth", options.peak_bandwidth), ("compute", options.peak_compute)):
        if not 0 <= peak < math.inf:
            raise UserError(f"--peak-{name} {peak:g}: write a number above 0, or leave it out")
