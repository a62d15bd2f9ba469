"""Host checks of an operator as an ordered table: the first that does not hold decides the status."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Callable, Iterable, Sequence, Tuple, Union

from mluops.constants import mluOpDataType_t, mluOpStatus_t, mluOpTensorLayout_t

from mluops_emulator.call import Call

SUCCESS = mluOpStatus_t.MLUOP_STATUS_SUCCESS
BAD_PARAM = mluOpStatus_t.MLUOP_STATUS_BAD_PARAM
NOT_SUPPORTED = mluOpStatus_t.MLUOP_STATUS_NOT_SUPPORTED
ARCH_MISMATCH = mluOpStatus_t.MLUOP_STATUS_ARCH_MISMATCH

HALF = mluOpDataType_t.MLUOP_DTYPE_HALF
FLOAT = mluOpDataType_t.MLUOP_DTYPE_FLOAT
INT32 = mluOpDataType_t.MLUOP_DTYPE_INT32

NHWC = mluOpTensorLayout_t.MLUOP_LAYOUT_NHWC
NCHW = mluOpTensorLayout_t.MLUOP_LAYOUT_NCHW

LARGE_TENSOR = 1 << 31
"""The number of elements from which on no operator takes a tensor."""

Size = Union[int, str]
"""A number, or the name of the scalar parameter that holds it."""


@dataclass(frozen=True)
class Check:
    """A condition on the arguments of a call.

    Parameters
    ----------
    text : str
        What must hold, for the log.
    holds : callable
        Whether it does.
    status : mluOpStatus_t
        How the call ends where it does not.
    """

    text: str
    holds: Callable[[Call], bool]
    status: mluOpStatus_t = BAD_PARAM


Checks = Tuple[Check, ...]


def verdict(checks: Iterable[Check], call: Call) -> mluOpStatus_t | None:
    """The status with which the call ends at its checks; None where all of them hold."""
    for check in checks:
        if not check.holds(call):
            if check.status != SUCCESS:
                call.log(f"Check failed: {check.text}.")
            return check.status
    return None


def launch(checks: Iterable[Check], call: Call, kernel: Callable[[], None]) -> mluOpStatus_t:
    """Queue the kernel of a call whose checks all hold; the status of the call."""
    status = verdict(checks, call)
    if status is not None:
        return status
    call.enqueue(kernel)
    return SUCCESS


def done_unless(text: str, holds: Callable[[Call], bool]) -> Check:
    """Return a check that ends a call with success, and writes nothing, unless the condition holds."""
    return Check(text, holds, SUCCESS)


def given(descriptor: str, *checks: Check) -> Checks:
    """The checks, for calls where the optional descriptor is not NULL."""
    return tuple(only_if(lambda call: call[descriptor] is not None, check) for check in checks)


def only_if(applies: Callable[[Call], bool], check: Check) -> Check:
    """Return the check for calls to which it applies; all others pass."""
    return replace(check, holds=lambda call: not applies(call) or check.holds(call))


def _each(
    names: Sequence[str],
    text: str,
    holds: Callable[[str, Call], bool],
    status: mluOpStatus_t = BAD_PARAM,
) -> Checks:
    """The same check of several parameters, in their order; `{}` in `text` is the name."""
    return tuple(Check(text.format(name), partial(holds, name), status) for name in names)


def not_null(*parameters: str) -> Checks:
    return _each(parameters, "{} must not be NULL", lambda name, call: call[name] is not None)


def workspace_given() -> Check:
    """The library never compares `workspace_size` with what it needs."""
    return Check(
        "workspace must not be NULL when workspace_size is not 0",
        lambda call: call["workspace"] is not None or call["workspace_size"] == 0,
    )


def layout_is(layout: mluOpTensorLayout_t, *descriptors: str) -> Checks:
    text = f"the layout of {{}} must be {layout.name}"
    return _each(descriptors, text, lambda name, call: call[name].layout == layout)


def dtype_in(descriptor: str, *dtypes: mluOpDataType_t) -> Check:
    text = f"the dtype of {descriptor} must be {' or '.join(dtype.name for dtype in dtypes)}"
    return Check(text, lambda call: call[descriptor].dtype in dtypes)


def same_dtype(reference: str, *descriptors: str) -> Checks:
    text = f"the dtype of {{}} must be that of {reference}"
    return _each(descriptors, text, lambda name, call: call[name].dtype == call[reference].dtype)


def rank_is(rank: int, *descriptors: str) -> Checks:
    text = f"{{}} must have {rank} dimensions"
    return _each(descriptors, text, lambda name, call: call[name].rank == rank)


def dim_is(descriptor: str, axis: int, *sizes: Size) -> Check:
    """The dimension is one of `sizes`."""

    def holds(call: Call) -> bool:
        return call[descriptor].dims[axis] in [call[s] if isinstance(s, str) else s for s in sizes]

    return Check(f"{descriptor} dims[{axis}] must be {' or '.join(map(str, sizes))}", holds)


def dims_are(descriptor: str, *sizes: Size) -> Checks:
    """The dimensions are `sizes`, from the first on."""
    return tuple(dim_is(descriptor, axis, size) for axis, size in enumerate(sizes))


def dims_equal(first: str, axes: Sequence[int], second: str, second_axes: Sequence[int]) -> Checks:
    """Dimensions of two tensors agree, pair by pair."""

    def equal(axis: int, other: int) -> Check:
        return Check(
            f"{first} dims[{axis}] must be equal to {second} dims[{other}]",
            lambda call: call[first].dims[axis] == call[second].dims[other],
        )

    return tuple(equal(axis, other) for axis, other in zip(axes, second_axes))


def contiguous(*descriptors: str) -> Checks:
    text = "{} must be contiguous"
    return _each(descriptors, text, lambda name, call: call[name].is_contiguous, NOT_SUPPORTED)


def element_limit(*descriptors: str) -> Checks:
    text = "{} must have less than 2^31 elements"
    return _each(descriptors, text, lambda name, call: call[name].element_num < LARGE_TENSOR, NOT_SUPPORTED)


def no_zero_elements(*descriptors: str) -> Checks:
    return _each(descriptors, "{} must have elements", lambda name, call: call[name].element_num != 0)


def positive(*scalars: str) -> Checks:
    return _each(scalars, "{} must be positive", lambda name, call: call[name] > 0)


def below(limit: int, *scalars: str) -> Checks:
    """Sizes that the library does not support from `limit` on."""
    return _each(scalars, f"{{}} must be below {limit}", lambda name, call: call[name] < limit, NOT_SUPPORTED)
