"""Fills of large tensors."""

from __future__ import annotations

from functools import partial
from typing import Any, Mapping

import numpy as np
from mluops_conformance.fills.registry import FillContext, make
from mluops_conformance.language.model import FillSpec

from mluops_tools.bench.benchmark import Benchmark
from mluops_tools.bench.probes import Call, repeated

VALUES = 1 << 22
UNIFORM_A_SECOND = 200e6
"""float32 values that one thread should make."""

# name, dtype, fill, its options, values a second
FILLS: tuple[tuple[str, str, str, Mapping[str, Any], float | None], ...] = (
    ("uniform-float32", "float32", "uniform", {"range": (-1, 1)}, UNIFORM_A_SECOND),
    ("uniform-float16", "float16", "uniform", {"range": (-1, 1)}, None),
    ("integers-int32", "int32", "integers", {"range": (0, 1000)}, None),
    ("distinct-float32", "float32", "distinct_uniform", {"range": (0, 1)}, None),
)


def fill_call(dtype: str, fill: str, options: Mapping[str, Any], values: int = VALUES) -> Call:
    """A fill of one tensor."""
    context = FillContext("tensor", (values,), np.dtype(dtype))
    return partial(make, FillSpec(fill, options), {}, context, 0)


BENCHMARKS = tuple(
    Benchmark(
        f"fill/{name}",
        repeated(partial(fill_call, dtype, fill, options)),
        target=VALUES / rate if rate else None,
        work=VALUES / 1e6,
        unit="M values",
    )
    for name, dtype, fill, options, rate in FILLS
)
