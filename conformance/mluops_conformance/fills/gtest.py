"""The fills of cases that mlu-ops' gtest makes at random: the same data, by its `random_data`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mluops_conformance.fills.fill import Fill, FillContext, Option
from mluops_conformance.fills.libstdcxx import normal, uniform
from mluops_conformance.fills.stream import Stream

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["FILLS"]

PRECISIONS: dict[str, type] = {"float": np.float32, "double": np.float64}


def _uniform(stream: Stream, context: FillContext) -> NDArray[Any]:
    options = context.options
    precision = PRECISIONS[options["precision"]]
    low, high = options["range"]
    return _stored(uniform(options["seed"], low, high, context.size, precision), context)


def _gaussian(stream: Stream, context: FillContext) -> NDArray[Any]:
    options = context.options
    precision = PRECISIONS[options["precision"]]
    return _stored(normal(options["seed"], options["mu"], options["sigma"], context.size, precision), context)


def _stored(values: NDArray[Any], context: FillContext) -> NDArray[Any]:
    """In the tensor's dtype; integers are rounded down."""
    if context.dtype.kind != "f":
        values = np.floor(values)
    return values.astype(context.dtype).reshape(context.shape)


def _uniform_check(context: FillContext) -> str | None:
    info: Any = np.finfo(context.dtype) if context.dtype.kind == "f" else np.iinfo(context.dtype)
    low, high = context.options["range"]
    if float(info.min) <= low and high <= float(info.max):
        return None
    return f"wants [{low}, {high}], which {context.dtype} cannot hold"


_SEED = Option("seed", "integer", 23, "of std::default_random_engine; the run's seed changes nothing")
_PRECISION = Option(
    "precision", "choice", "float", "the type that the values are drawn in", tuple(PRECISIONS)
)

FILLS: tuple[Fill, ...] = (
    Fill(
        "gtest_uniform",
        (Option("range", "pair", None, "lower and upper bound"), _SEED, _PRECISION),
        _uniform,
        "what mlu-ops' gtest makes of a uniform distribution",
        "fiu",
        _uniform_check,
    ),
    Fill(
        "gtest_gaussian",
        (
            Option("mu", "number", 0, "the mean"),
            Option("sigma", "number", 1, "the standard deviation"),
            _SEED,
            _PRECISION,
        ),
        _gaussian,
        "what mlu-ops' gtest makes of a Gaussian distribution, but for last bits",
    ),
)
