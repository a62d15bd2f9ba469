"""Calls with one or two wrong arguments, and the statuses with which an operator may refuse them.

The statuses come from the operator's table of host checks in the emulator: each check that does not hold for
the arguments. An operator without such a table gets no illegal calls.
"""

from __future__ import annotations

import ctypes
import random
from math import prod
from typing import TYPE_CHECKING, Any, Callable, Iterable

from mluops.constants import mluOpDataType_t
from mluops.descriptor import LAYOUTS as LAYOUTS_BY_NAME
from mluops.dtypes import to_mluop
from mluops.signatures import MLUOP
from mluops_conformance.execution.inputs import dtype_of
from mluops_conformance.language.model import Case, DescriptorOverride, FillSpec
from mluops_conformance.operators.base import Dim, Operator, Param, Tensor, entries_of, shape_of
from mluops_emulator import Emulator, checks
from mluops_emulator.call import Call
from mluops_emulator.descriptors import Descriptor, dense_strides
from mluops_emulator.discovery import discover
from mluops_emulator.faults import Fault, Planted
from mluops_emulator.faults.alterations import instead
from mluops_emulator.objects import Handle

from mluops_tools.fuzz.draw import Space, is_within, ordinary, query, without_data

if TYPE_CHECKING:
    from mluops.signatures import Function
    from mluops_emulator.checks import Check

ADDRESS = 4096
"""Stands for every pointer that is not NULL; nothing is read there."""

WORKSPACE_BYTES = 4096

DTYPES = ("HALF", "FLOAT", "DOUBLE", "INT8", "INT16", "INT32", "INT64", "UINT8", "UINT32", "BOOL", "BFLOAT16")
LAYOUTS = ("ARRAY", "NCHW", "NHWC", "HWCN", "NDHWC", "NC", "TNC")

UNCHANGED = DescriptorOverride()
DTYPES_BY_NAME = {member.name[len("MLUOP_DTYPE_") :]: member for member in mluOpDataType_t}

INT_ENDS = (-(2**31), -1, 0, 2**31 - 1)
"""Scalars that are wrong for most parameters."""

LARGE = (2**15, 2**16, 2**20, 2**24, 2**30, 2**31 - 1)
"""Dimensions whose products lie near the limits of whole numbers. No memory stands behind them."""

PRODUCTS = (2**16, 2**31)
"""Counts of elements at which whole numbers end."""

MOST_CHANGES = 2

SUCCESS = checks.SUCCESS.name.partition("STATUS_")[2]


# Statuses


class Statuses:
    """The statuses with which calls may end, by an operator's table of checks.

    Parameters
    ----------
    device : str
        The emulated device on which the checks are made.
    """

    def __init__(self, device: str) -> None:
        self._emulator = Emulator(device)
        self._known = discover("mluops_emulator.operators")
        self._failed: dict[str, None] = {}  # in the order of the checks
        self._size = ctypes.c_size_t()
        self._surveying = Planted(
            Fault("any/survey", checks, name, instead(noting), "note all statuses")
            for name, noting in (("verdict", self._note), ("launch", self._launch))
        )

    def knows(self, operator: Operator) -> bool:
        """Return whether the emulator has the functions of an operator, and so its checks."""
        functions = filter(None, (operator.functions, operator.workspace_functions))
        return all(any(name in self._known for name in names) for names in functions)

    def of(self, case: Case, operator: Operator) -> tuple[str, ...]:
        """Return the statuses of all checks that do not hold for a call, without their prefix.

        Returns
        -------
        tuple of str
            Sorted; empty if all checks hold.
        """
        names = operator.workspace_functions if case.call == "workspace" else operator.functions
        name = next(name for name in names if name in self._known)
        call = Call(self._emulator, MLUOP[name], self._arguments(case, operator, MLUOP[name]))
        self._failed.clear()
        with self._surveying:
            try:
                self._known[name](call)
            except Exception:
                pass  # it goes on behind checks that do not hold, and needs what they promise
        return tuple(sorted(self._failed))

    def first_of(self, case: Case, operator: Operator) -> str:
        """Return the status of the first check that does not hold for a call; empty if all hold."""
        self.of(case, operator)
        return next(iter(self._failed), "")

    def _note(self, table: Iterable[Check], call: Call) -> None:
        """Note the status of each check that does not hold; one that needs what another promises holds."""
        for check in table:
            try:
                holds = check.holds(call)
            except (AttributeError, IndexError, KeyError, TypeError):
                continue
            if not holds:
                self._failed[check.status.name.partition("STATUS_")[2]] = None

    def _launch(self, table: Iterable[Check], call: Call, kernel: Callable[[], None]) -> Any:
        self._note(table, call)
        return checks.SUCCESS

    def _arguments(self, case: Case, operator: Operator, function: Function) -> dict[str, Any]:
        values: dict[str, Any] = {**case.dims, **case.params}
        model = self._emulator.device
        is_query = case.call == "workspace"
        size = ctypes.addressof(self._size) if is_query else WORKSPACE_BYTES
        pointers = {"workspace": ADDRESS, "workspace_size": size}
        absent = operator.absent_with(case.absent)
        for tensor in operator.tensors:
            pointers[tensor.name] = 0 if tensor.name in absent else ADDRESS
            values[f"{tensor.name}_desc"] = None if tensor.name in absent else descriptor(tensor, case)
        values["handle"] = None if "handle" in case.pointers else Handle(model, model.largest_union)
        for name, address in pointers.items():
            values[name] = None if name in case.pointers else address or None
        return {name: values[name] for name in function.parameter_names}


def descriptor(tensor: Tensor, case: Case) -> Descriptor | None:
    """Return the content of a tensor's descriptor with the changes of the case; None for a NULL one."""
    override = case.descriptors.get(tensor.name, UNCHANGED)
    if override.null:
        return None
    shape = shape_of(tensor, case.dims) if override.shape is None else override.shape
    dtype = to_mluop(dtype_of(tensor, case)) if override.dtype is None else DTYPES_BY_NAME[override.dtype]
    strides = override.strides or dense_strides(shape)
    return Descriptor(LAYOUTS_BY_NAME[override.layout or tensor.layout], dtype, shape, strides, prod(shape))


# Changes


def illegal(
    operator: Operator, dtype: str, name: str, chance: random.Random, space: Space, statuses: Statuses
) -> Case:
    """Draw a call with one or two changed arguments.

    Where the checks refuse it, the case expects one of their statuses. Where they let it pass without a
    change of what is computed, it is judged as any other.
    """
    while True:
        case = ordinary(operator, dtype, name, chance, space)
        for change in chance.choices(CHANGES, k=chance.randint(1, MOST_CHANGES)):
            case = change(operator, case, chance)
        if operator.workspace_functions and chance.random() < 0.15:
            case = _query(operator, case, chance)
        expected = expecting(case, operator, statuses)
        if expected is None or not _is_short(case, operator, statuses):
            continue
        if expected.refused or is_within(expected, operator, space):
            return expected


def _is_short(case: Case, operator: Operator, statuses: Statuses) -> bool:
    """Return whether a kernel has little to do where a library lets the call pass.

    Large scalars alone must be refused.
    """
    if all(abs(value) < LARGE[0] for value in case.params.values()):
        return True
    scalars_alone = without_data(case).but(descriptors={}, pointers=frozenset())
    return bool(statuses.of(scalars_alone, operator))


def expecting(case: Case, operator: Operator, statuses: Statuses) -> Case | None:
    """Return the case with what its checks make of it; None where nothing can be expected."""
    if not _can_be_described(case, operator):
        return None
    bare = without_data(case)
    may = statuses.of(bare, operator)
    if not may:
        return case if _computes_the_same(case, operator) else None
    if SUCCESS in may and (
        _is_empty_alone(bare, operator) or _ends_before_pointers(bare, operator, statuses)
    ):
        may = (statuses.first_of(bare, operator),)
    if may == (SUCCESS,):
        return bare.but(compare=False) if case.call == "workspace" else _untouched(case, operator)
    return bare.but(statuses=may, compare=True)


def _is_empty_alone(bare: Case, operator: Operator) -> bool:
    """Return whether one size of 0 is all that is wrong: the first check for it tells the status."""
    sizes = [dim.name for dim in operator.dims if dim.unmet(bare.dims[dim.name] or dim.least)]
    zeros = [name for name, size in bare.dims.items() if size == 0]
    scalars = [param.name for param in operator.params if param.unmet(bare.params[param.name])]
    changes = (*sizes, *zeros, *scalars, *bare.changed_scalars, *bare.descriptors, *bare.pointers)
    return len(changes) == 1


def _ends_before_pointers(bare: Case, operator: Operator, statuses: Statuses) -> bool:
    """Return whether nothing is wrong with a call but NULL for tensors without elements, and it ends before.

    Frameworks pass NULL for the data of an empty tensor. Where the library looks at the number of elements
    first, such a call succeeds as it does with pointers.
    """
    empty = {tensor.name for tensor in operator.tensors if 0 in shape_of(tensor, bare.dims)}
    others = bare.but(pointers=bare.pointers - empty)
    return (
        others.pointers != bare.pointers
        and statuses.first_of(bare, operator) == SUCCESS
        and statuses.of(others, operator) == (SUCCESS,)
    )


def _untouched(case: Case, operator: Operator) -> Case | None:
    """Return the case as a call that succeeds and writes nothing; None if it is wrong besides."""
    sizes = [dim.unmet(case.dims[dim.name] or dim.least) for dim in operator.dims]
    if any(sizes) or case.changed_scalars or case.descriptors:
        return None
    names = [tensor.name for tensor in operator.inputs if tensor.name not in case.absent]
    data = dict.fromkeys(names, FillSpec("zeros"))
    return case.but(data=data, links={}, after=(), mode="check", repeat=1, compare=False)


def _can_be_described(case: Case, operator: Operator) -> bool:
    """Return whether a descriptor of each tensor can be set.

    An int64 counts its elements, and strides drawn before another change are still as many as its dimensions.
    """
    described = (descriptor(tensor, case) for tensor in operator.tensors if tensor.described)
    return all(
        each is None or (each.element_num < 2**63 and len(each.strides) == len(each.dims))
        for each in described
    )


def _computes_the_same(case: Case, operator: Operator) -> bool:
    """Return whether a call that passes all checks computes what its dimensions and scalars say."""
    laid_out = all(
        override == DescriptorOverride(layout=override.layout) for override in case.descriptors.values()
    )
    scalars: list[Dim | Param] = [*operator.dims, *operator.params]
    values = {**case.dims, **case.params}
    allowed = not any(scalar.unmet(values[scalar.name]) for scalar in scalars)
    told = all(case.params.get(name, size) == size for name, size in case.dims.items())
    return laid_out and allowed and told and not case.pointers


def _query(operator: Operator, case: Case, chance: random.Random) -> Case:
    """Return the workspace query with the same changes, as far as it knows the arguments, or with NULL."""
    null = {chance.choice(("handle", "workspace_size"))} if chance.random() < 0.3 else set()
    return query(case.but(pointers=(case.pointers & {"handle"}) | null))


def _null_descriptor(operator: Operator, case: Case, chance: random.Random) -> Case:
    return _described(operator, case, chance, lambda tensor, shape: DescriptorOverride(null=True))


def _null_pointer(operator: Operator, case: Case, chance: random.Random) -> Case:
    names = ["handle", *(tensor.name for tensor in operator.tensors)]
    names += ["workspace"] if operator.workspace_functions else []
    return case.but(pointers=case.pointers | {chance.choice(names)})


def _left_out(operator: Operator, case: Case, chance: random.Random) -> Case:
    """Pass NULL for a tensor and its descriptor, as for one that may be left out."""
    changed = _null_descriptor(operator, case, chance)
    names = {name for name in changed.descriptors if changed.descriptors[name].null}
    return changed.but(pointers=case.pointers | names)


def _dtype(operator: Operator, case: Case, chance: random.Random) -> Case:
    return _described(operator, case, chance, lambda *_: DescriptorOverride(dtype=chance.choice(DTYPES)))


def _layout(operator: Operator, case: Case, chance: random.Random) -> Case:
    return _described(operator, case, chance, lambda *_: DescriptorOverride(layout=chance.choice(LAYOUTS)))


def _rank(operator: Operator, case: Case, chance: random.Random) -> Case:
    """Add a dimension of 1 at any place, join the last two, or leave out the first."""

    def other(tensor: Tensor, shape: tuple[int, ...]) -> DescriptorOverride:
        at = chance.randint(0, len(shape))
        added = (*shape[:at], 1, *shape[at:])
        joined = (*shape[:-2], prod(shape[-2:]))
        return DescriptorOverride(shape=chance.choice((added, added, joined, shape[1:] or added)))

    return _described(operator, case, chance, other)


def _extent(operator: Operator, case: Case, chance: random.Random) -> Case:
    """Change one number of a shape."""

    def other(tensor: Tensor, shape: tuple[int, ...]) -> DescriptorOverride:
        axis = chance.randrange(len(shape))
        size = chance.choice((shape[axis] - 1, shape[axis] + 1, 1, 0, 2 * shape[axis]))
        return DescriptorOverride(shape=(*shape[:axis], max(size, 0), *shape[axis + 1 :]))

    return _described(operator, case, chance, other)


def _strides(operator: Operator, case: Case, chance: random.Random) -> Case:
    """Make the rows longer than their elements, or exchange two axes."""

    def other(tensor: Tensor, shape: tuple[int, ...]) -> DescriptorOverride:
        dense = dense_strides(shape)
        if len(shape) < 2 or chance.random() < 0.5:
            padded = dense_strides((*shape[:-1], shape[-1] + 1))
            return DescriptorOverride(strides=padded if len(shape) > 1 else (2,))
        return DescriptorOverride(strides=tuple(chance.sample(dense, len(dense))))

    return _described(operator, case, chance, other)


def _scalar(operator: Operator, case: Case, chance: random.Random) -> Case:
    """Pass another scalar than the shapes say, or one that the operator does not take."""
    taken = _scalars_of(operator)
    names = [dim.name for dim in operator.dims if dim.name in taken]
    names += [param.name for param in operator.params]
    if not names:
        return case
    name = chance.choice(names)
    value = {**case.params, **case.dims}[name]
    near = (value - 1, value + 1, *INT_ENDS) if isinstance(value, int) else (0.0, -value)
    return case.but(params={**case.params, name: chance.choice(near)})


def _dimension(operator: Operator, case: Case, chance: random.Random) -> Case:
    """Set a dimension to 0, beyond its most, or to a size of which tensors have very many elements."""
    dim = chance.choice(operator.dims)
    beyond = [] if dim.most is None else [dim.most + 1]
    accepted = [size for size in (1, 2, 3, 7, 8) if size not in dim.accepts] if dim.accepts else []
    size = chance.choice([0, *beyond, *(accepted or LARGE)])
    return case.but(dims={**case.dims, dim.name: size})


def _empty(operator: Operator, case: Case, chance: random.Random) -> Case:
    """Set a dimension to 0, and pass NULL for tensors without elements, as frameworks do."""
    dim = chance.choice([dim for dim in operator.dims if not dim.accepts])
    dims = {**case.dims, dim.name: 0}
    absent = operator.absent_with(case.absent)
    names = {tensor.name for tensor in operator.tensors if 0 in shape_of(tensor, dims)} - absent
    return case.but(dims=dims, pointers=case.pointers | names)


def _product(operator: Operator, case: Case, chance: random.Random) -> Case:
    """Give a tensor about 2^16 or 2^31 elements, by one large dimension."""
    tensor = chance.choice([tensor for tensor in operator.tensors if tensor.described])
    known = {dim.name for dim in operator.dims if not dim.accepts}
    free = [entry for entry in entries_of(tensor, case.dims) if entry in known]
    if not free:
        return case
    large = chance.choice(free)
    dims = {**case.dims, **{name: chance.choice((1, 2, 3)) for name in free}, large: 1}
    others = prod(shape_of(tensor, dims))
    if not others:  # an earlier change left it no elements
        return case
    size = chance.choice(PRODUCTS) // others + chance.choice((-1, 0, 1))
    return case.but(dims={**dims, large: min(size, INT_ENDS[-1])})


CHANGES: tuple[Callable[[Operator, Case, random.Random], Case], ...] = (
    _null_descriptor,
    _null_pointer,
    _left_out,
    _dtype,
    _layout,
    _rank,
    _extent,
    _strides,
    _scalar,
    _dimension,
    _empty,
    _product,
)


def _described(
    operator: Operator,
    case: Case,
    chance: random.Random,
    change: Callable[[Tensor, tuple[int, ...]], DescriptorOverride],
) -> Case:
    """Return the case with a change of one tensor's descriptor, in place of an earlier one."""
    absent = operator.absent_with(case.absent)
    tensors = [tensor for tensor in operator.tensors if tensor.described and tensor.name not in absent]
    tensor = chance.choice(tensors)
    override = change(tensor, shape_of(tensor, case.dims))
    return case.but(descriptors={**case.descriptors, tensor.name: override})


def _scalars_of(operator: Operator) -> frozenset[str]:
    """The names of the parameters of the operator's C function."""
    return frozenset(MLUOP[operator.functions[0]].parameter_names)
