"""A fill: a named way to make the data of one tensor, with checked options."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Mapping

import numpy as np

from mluops_conformance.fills.stream import Stream

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Fill", "FillContext", "FillError", "Option"]


class FillError(ValueError):
    """A fill that cannot be made as asked; the text names the tensor and the fill."""


@dataclass(frozen=True)
class Option:
    """One option of a fill.

    Parameters
    ----------
    name : str
    kind : str
        "number" (int or float), "integer", "bounds" (two finite numbers), "pair" (the same, low <= high),
        "list" (nested tuples of numbers, or of `choices`), "choice" (one of `choices`) or "text".
    default : optional
        None: the option must be given.
    help : str
        One line.
    choices : tuple of str
        The words that a "choice" or "list" may hold.
    """

    name: str
    kind: str
    default: Any
    help: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True)
class FillContext:
    """All that a fill may depend on beside its stream.

    Parameters
    ----------
    tensor : str
        The name of the tensor to fill.
    shape : tuple of int
    dtype : numpy.dtype
        The storage dtype.
    dims, params : mapping
        The case's dimensions and scalars.
    options : mapping
        The fill's options, defaults applied.
    folder : Path
        Where the case file lies.
    """

    tensor: str
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    dims: Mapping[str, int] = field(default_factory=dict)
    params: Mapping[str, int | float] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    folder: Path = Path()

    @property
    def size(self) -> int:
        """The number of elements."""
        return prod(self.shape)

    def given(self, options: Mapping[str, Any]) -> FillContext:
        """Return the same with these options."""
        return FillContext(self.tensor, self.shape, self.dtype, self.dims, self.params, options, self.folder)


@dataclass(frozen=True)
class Fill:
    """A way to make a tensor's data.

    Parameters
    ----------
    name : str
    options : tuple of Option
    make : callable
        `make(stream, context)` gives an array of the context's shape and dtype, by the stream alone.
    help : str
        One line.
    dtype_kinds : str
        The NumPy kinds of dtype that it makes: "f" floating, "i" signed, "u" unsigned.
    check : callable, optional
        `check(context)` says in a sentence why these options cannot be met for this shape and dtype, or None.
    """

    name: str
    options: tuple[Option, ...]
    make: Callable[[Stream, FillContext], NDArray[Any]]
    help: str
    dtype_kinds: str = "f"
    check: Callable[[FillContext], str | None] | None = None

    def complaint(self, context: FillContext) -> str | None:
        """Return the reason for which this fill cannot make the context's tensor, or None."""
        if context.dtype.kind not in self.dtype_kinds:
            return f"makes no {context.dtype} data"
        return self.check(context) if self.check else None
