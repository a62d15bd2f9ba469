"""The sizes of an operator's dimensions, from the shapes that a case gives its tensors."""

from __future__ import annotations

from typing import Mapping, Sequence, Tuple

from mluops_conformance.operators.base import Operator, entries_of, shape_of

from mluops_tools.gtest.unrepresentable import UnrepresentableError

__all__ = ["solve"]

Shape = Tuple[int, ...]


def solve(operator: Operator, shapes: Mapping[str, Shape], told: Mapping[str, int]) -> dict[str, int]:
    """The size of every dimension.

    Parameters
    ----------
    operator : Operator
    shapes : mapping of tensor name to shape
        The tensors that the case has.
    told : mapping of dimension name to size
        What the case gives as scalars of the call.

    Raises
    ------
    UnrepresentableError
        A shape has another rank or size than the operator's, or a size is nowhere said.
    """
    defaults = {dim.name: dim.default for dim in operator.dims if dim.default is not None}
    dims = dict(told)
    for name, shape in shapes.items():
        entries = entries_of(operator.tensor(name), {**defaults, **dims})
        if len(entries) != len(shape):
            raise UnrepresentableError(
                f"{name} is {_shown(shape)}, and the operator's is {' x '.join(entries)}"
            )
        dims.update(
            {
                entry: size
                for entry, size in zip(entries, shape)
                if _is_dim(operator, entry) and entry not in dims
            }
        )
    dims = {**defaults, **dims}
    missing = [dim.name for dim in operator.dims if dim.name not in dims]
    if missing:
        raise UnrepresentableError(f"no shape tells {', '.join(missing)}")
    for name, shape in shapes.items():
        wanted = shape_of(operator.tensor(name), dims)
        if wanted != shape:
            raise UnrepresentableError(
                f"{name} is {_shown(shape)}, and by the rest of the case {_shown(wanted)}"
            )
    return {dim.name: dims[dim.name] for dim in operator.dims}


def _is_dim(operator: Operator, entry: str) -> bool:
    return any(dim.name == entry for dim in operator.dims)


def _shown(sizes: Sequence[int]) -> str:
    return " x ".join(map(str, sizes))
