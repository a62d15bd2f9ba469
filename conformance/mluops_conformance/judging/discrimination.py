"""Could the case have failed? Wrong outputs that its thresholds must refuse."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import Callable, Iterator, Mapping, Tuple

import numpy as np

from mluops_conformance.judging.chunks import CHUNK, flat

Region = Tuple[slice, ...]


@dataclass(frozen=True)
class Probe:
    """A wrong output; `elementwise` if only measures of single elements are expected to refuse it."""

    name: str
    output: np.ndarray
    elementwise: bool = False


LIMITS = (1 << 12, 1 << 20)
"""Elements of the part that is probed: the second where a part of the first size seems to accept a probe."""


def undetected(
    expected: np.ndarray,
    dtype: np.dtype,
    acceptance: Callable[[Region], Callable[[Probe], bool]],
    heaviest: int,
    decoys: Mapping[str, np.ndarray],
) -> list[str]:
    """Describe the wrong outputs that would pass.

    Parameters
    ----------
    expected : ndarray
        What a right output holds.
    dtype : dtype
        The output's.
    acceptance : callable
        For a region of the output, what tells whether a probe would pass as it.
    heaviest : int
        `Tally.heaviest`; of a big expectation, the part around its largest values is probed.
    decoys : mapping of description to ndarray
        Further wrong outputs; those of another shape than `expected` cannot be mistaken for it.
    """
    if expected.size == 0 or (expected.size == 1 and not expected.any()):
        return []
    passing: list[str] = []
    for limit in LIMITS:
        region = region_around(expected.shape, _peak(expected, heaviest), limit)
        with np.errstate(over="ignore"):
            part = expected[region].astype(dtype)
            probes = [*_probes(part), *_decoys(decoys, expected.shape, region, dtype)]
        accepts = acceptance(region)
        passing = [probe.name for probe in probes if accepts(_with_specials(probe, part))]
        if not passing or part.size == expected.size:
            break
    return passing


def region_around(shape: tuple[int, ...], position: int, limit: int) -> Region:
    """A block of at most about `limit` elements around a flat position, two or more along each axis.

    Leading axes are cut first, so that what lies together in memory stays together.
    """
    sizes = list(shape)
    for axis, size in enumerate(shape):
        rest = prod(sizes[:axis] + sizes[axis + 1 :])
        sizes[axis] = min(size, max(2, limit // rest))
    center = np.unravel_index(position, shape)
    starts = [max(0, min(int(at) - size // 2, whole - size)) for at, size, whole in zip(center, sizes, shape)]
    return tuple(slice(start, start + size) for start, size in zip(starts, sizes))


def _probes(expected: np.ndarray) -> Iterator[Probe]:
    yield Probe("all zeros", np.zeros_like(expected))
    if expected.size > 1:
        yield Probe("the mean everywhere", np.full_like(expected, _mean(expected)))
    for axis, size in enumerate(expected.shape):
        if size > 1:
            yield Probe(f"the expectation shifted by one along axis {axis}", np.roll(expected, 1, axis))
    if expected.dtype.kind == "f":
        yield Probe("one element off by 1 %", _one_percent_off(expected), elementwise=True)


def _decoys(
    decoys: Mapping[str, np.ndarray], shape: tuple[int, ...], region: Region, dtype: np.dtype
) -> Iterator[Probe]:
    for name, output in decoys.items():
        if output.shape == shape:
            yield Probe(name, output[region].astype(dtype))


def _peak(expected: np.ndarray, heaviest: int) -> int:
    magnitude = np.abs(flat(expected)[heaviest : heaviest + CHUNK])
    return heaviest + int(np.argmax(np.where(np.isfinite(magnitude), magnitude, 0)))


def _mean(expected: np.ndarray) -> float:
    finite = expected[np.isfinite(expected)]
    return float(finite.mean(dtype=np.float64)) if finite.size else 0.0


def _one_percent_off(expected: np.ndarray) -> np.ndarray:
    output: np.ndarray = expected.copy()
    magnitudes = np.abs(np.where(np.isfinite(expected), expected, 0))
    output[np.unravel_index(int(np.argmax(magnitudes)), expected.shape)] *= 1.01
    return output


def _with_specials(probe: Probe, expected: np.ndarray) -> Probe:
    """Keep the expected NaN and Inf, so that they do not give away what the finite rest could not.

    Where the finite rest is constant, only the special values can tell outputs apart, and they are left out.
    """
    finite = np.isfinite(expected)
    if finite.all():
        return probe
    rest = expected[finite]
    if rest.size == 0 or rest.min() == rest.max():
        return probe
    return replace(probe, output=np.where(finite & np.isfinite(probe.output), probe.output, expected))
