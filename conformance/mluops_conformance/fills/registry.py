"""Fills by name, and the one function that makes a tensor's data of its description."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Mapping

from mluops_conformance.fills import generic, gtest
from mluops_conformance.fills.file import FILE
from mluops_conformance.fills.fill import Fill, FillContext, FillError, Option
from mluops_conformance.fills.stream import Stream

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mluops_conformance.language.model import FillSpec

__all__ = ["GENERIC", "Fill", "FillContext", "FillError", "Option", "make", "options_of"]

GENERIC: dict[str, Fill] = {fill.name: fill for fill in (*generic.FILLS, FILE, *gtest.FILLS)}
"""The fills that every operator has."""


def options_of(fill: Fill, spec: FillSpec) -> dict[str, Any]:
    """Every option of the fill, as given or by default."""
    return {option.name: spec.options.get(option.name, option.default) for option in fill.options}


def make(spec: FillSpec, operator_fills: Mapping[str, Fill], context: FillContext, seed: int) -> NDArray[Any]:
    """The data of one tensor.

    Parameters
    ----------
    spec : FillSpec
        The fill's name and options, as a case gives them.
    operator_fills : mapping of str to Fill
        The operator's own fills; they come before the generic ones.
    context : FillContext
        The tensor; its `options` are ignored.
    seed : int
        The stream's seed; see `mluops_conformance.fills.stream`.

    Returns
    -------
    ndarray
        Of the context's shape and dtype.

    Raises
    ------
    FillError
        If there is no such fill, or its options cannot be met for this shape and dtype.
    """
    where = f"{context.tensor}: fill '{spec.name}'"
    fill = operator_fills.get(spec.name) or GENERIC.get(spec.name)
    if fill is None:
        raise FillError(
            f"{where} does not exist; there are {', '.join(sorted({**GENERIC, **operator_fills}))}"
        )
    context = replace(context, options=options_of(fill, spec))
    complaint = fill.complaint(context)
    if complaint:
        raise FillError(f"{where} {complaint}")
    array = fill.make(Stream(seed), context)
    if array.shape != context.shape or array.dtype != context.dtype:
        wanted = f"{context.dtype}{list(context.shape)}"
        raise FillError(f"{where} made {array.dtype}{list(array.shape)} where {wanted} is wanted")
    return array
