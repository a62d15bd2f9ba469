"""A trial: one small call of an operator, and the outputs that it must have."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any, Callable, Iterator, Mapping

import mluops
import numpy as np
from mluops import Handle, types
from mluops.library import Library

from mluops_tools.cpu.project import ARCHITECTURES

Objects = Callable[[Library], Mapping[str, Any]]


def no_objects(library: Library) -> Mapping[str, Any]:
    """Return nothing: most functions take tensors and numbers alone."""
    return {}


@dataclass(frozen=True)
class Trial:
    """A call by the header's parameter names, see `mluops.call`.

    Parameters
    ----------
    name : str
    function : str
        The C function.
    given : mapping
        Inputs and values. An output that is here too has these contents before the call.
    expected : mapping of str to ndarray
        The contents of each output behind the call; masked elements may hold anything.
    tolerance : float
        The largest error, relative for magnitudes above 1; 0 demands equal values.
    layouts : mapping of str to str
        Layouts of tensors that need one.
    archs : tuple of str
        The architectures for which the function computes.
    objects : callable
        Makes further arguments for a library, as descriptors of the operator's own.
    """

    name: str
    function: str
    given: Mapping[str, Any]
    expected: Mapping[str, np.ndarray]
    tolerance: float = 1e-5
    layouts: Mapping[str, str] = field(default_factory=dict)
    objects: Objects = no_objects
    archs: tuple[str, ...] = tuple(ARCHITECTURES)

    def differences(self, handle: Handle) -> Iterator[str]:
        """Make the call; yield a sentence for each output that is not as expected."""
        outputs = {name: self._before(name) for name in self.expected}
        arguments = {**self.given, **outputs, **self.objects(handle.library)}
        mluops.call(handle, self.function, layouts=self.layouts, **arguments)
        for name, output in outputs.items():
            wrong = errors_of(output, self.expected[name]) > self.tolerance
            if wrong.any():
                first = tuple(map(int, np.argwhere(wrong)[0]))
                got, wanted = output[first], self.expected[name][first]
                yield f"{name}: {wrong.sum()} of {wrong.size} differ, first {first}: {got}, not {wanted}"

    def _before(self, name: str) -> np.ndarray:
        if name in self.given:
            return np.array(self.given[name])
        wanted = self.expected[name]
        return np.full(wanted.shape, np.nan if wanted.dtype.kind == "f" else 77, wanted.dtype)


def errors_of(got: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return errors, relative for magnitudes above 1; 0 for equals, for two NaN, and where masked."""
    mask = np.ma.getmaskarray(wanted)
    with np.errstate(invalid="ignore"):
        ours, theirs = (np.asarray(values).astype(np.float64) for values in (got, np.ma.getdata(wanted)))
        same = (ours == theirs) | (np.isnan(ours) & np.isnan(theirs)) | mask
        error = np.abs(ours - theirs) / np.maximum(1, np.abs(theirs))
    return np.where(same, 0.0, np.where(np.isnan(error), np.inf, error))


def described(kind: str, parameter: str, *settings: tuple[Any, ...]) -> Objects:
    """Return a maker of a descriptor that an operator has of its own.

    Parameters
    ----------
    kind : str
        As "Carafe", of mluOpCarafeDescriptor_t.
    parameter : str
        The operator's parameter that takes it.
    *settings : tuple
        Calls that set it: the function, and its arguments behind the descriptor.
    """

    def make(library: Library) -> Mapping[str, Any]:
        made = getattr(types, f"mluOp{kind}Descriptor_t")()
        getattr(library, f"mluOpCreate{kind}Descriptor").checked(ctypes.byref(made))
        for name, *arguments in settings:
            getattr(library, name).checked(made, *arguments)
        return {parameter: made}

    return make


def random(*shape: int, low: float = -1.0, high: float = 1.0, seed: int = 0) -> np.ndarray:
    """Return uniform numbers in float32."""
    return np.random.default_rng(seed).uniform(low, high, shape).astype(np.float32)


def integers(*shape: int, below: int, seed: int = 0) -> np.ndarray:
    """Return whole numbers from 0 in int32."""
    return np.random.default_rng(seed).integers(0, below, shape).astype(np.int32)
