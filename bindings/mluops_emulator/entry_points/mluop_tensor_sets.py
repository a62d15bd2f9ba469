"""mluOp: tensor sets, whose members' data lie one behind the other."""

from __future__ import annotations

from ctypes import c_int, c_void_p
from math import prod
from typing import TYPE_CHECKING, Optional

from mluops_emulator.descriptors import dense_strides
from mluops_emulator.discovery import by_name
from mluops_emulator.entry_points import mluop_descriptors
from mluops_emulator.objects import TensorDescriptor, TensorSet
from mluops_emulator.violations import Refused

if TYPE_CHECKING:
    from mluops_emulator.emulator import Emulator

Address = Optional[int]


def mluOpCreateTensorSetDescriptor(
    emulator: Emulator, tensorSetDesc: Address, setDimNb: int, setDimSize: Address
) -> None:
    emulator.host.checked(tensorSetDesc, "tensorSetDesc")
    if setDimNb <= 0:
        raise Refused(f"`setDimNb` is {setDimNb}.")
    dims = emulator.host.load_array(setDimSize, c_int, setDimNb, "setDimSize")
    if min(dims) <= 0:
        raise Refused(f"`setDimSize` is {dims}.")
    number = emulator.inventory.number()
    members = tuple(emulator.objects.create(TensorDescriptor(), number) for _ in range(prod(dims)))
    address = emulator.objects.create(TensorSet(dims, members), number)
    emulator.host.store(tensorSetDesc, c_void_p, address, "tensorSetDesc")


def mluOpDestroyTensorSetDescriptor(emulator: Emulator, tensorSetDesc: Address) -> None:
    found = _object(emulator, tensorSetDesc)
    for member in found.members:
        mluop_descriptors.mluOpDestroyTensorDescriptor(emulator, member)
    emulator.objects.destroy(tensorSetDesc, TensorSet, "tensorSetDesc")


def mluOpGetTensorSetDescriptor(
    emulator: Emulator, tensorSetDesc: Address, setDimNb: Address, setDimSize: Address
) -> None:
    dims = _object(emulator, tensorSetDesc).dims
    emulator.host.store(setDimNb, c_int, len(dims), "setDimNb")
    emulator.host.store_array(setDimSize, c_int, dims, "setDimSize")


def mluOpGetTensorSetDescriptorSize(emulator: Emulator, tensorSetDesc: Address, sizeInBytes: Address) -> None:
    found = _object(emulator, tensorSetDesc)
    emulator.host.store(sizeInBytes, c_int, sum(_sizes(emulator, found)), "sizeInBytes")


def mluOpInitTensorSetMemberDescriptor(
    emulator: Emulator,
    tensorSetDesc: Address,
    setDimNb: int,
    tensorIndex: Address,
    layout: int,
    dtype: int,
    dimNb: int,
    dimSize: Address,
) -> None:
    found = _object(emulator, tensorSetDesc)
    member = found.members[_index(emulator, found, setDimNb, tensorIndex)]
    mluop_descriptors.ENTRY_POINTS["mluOpSetTensorDescriptor"](
        emulator, member, layout, dtype, dimNb, dimSize
    )


def mluOpInitTensorSetMemberDescriptorPositionAndScale(
    emulator: Emulator,
    tensorSetDesc: Address,
    setDimNb: int,
    tensorIndex: Address,
    position: int,
    scale: float,
) -> None:
    found = _object(emulator, tensorSetDesc)
    member = found.members[_index(emulator, found, setDimNb, tensorIndex)]
    mluop_descriptors.mluOpSetTensorDescriptorPositionAndScale(emulator, member, position, scale)


def mluOpGetTensorAndDataFromTensorSet(
    emulator: Emulator,
    tensorSetDesc: Address,
    setDimNb: int,
    tensorIndex: Address,
    data: Address,
    tensorDesc: Address,
    dataAddrInDevice: Address,
) -> None:
    found = _object(emulator, tensorSetDesc)
    index = _index(emulator, found, setDimNb, tensorIndex)
    if data is None:
        raise Refused("`data` is NULL.")
    emulator.host.store(tensorDesc, c_void_p, found.members[index], "tensorDesc")
    before = sum(_sizes(emulator, found)[:index])
    emulator.host.store(dataAddrInDevice, c_void_p, data + before, "dataAddrInDevice")


def _object(emulator: Emulator, address: Address) -> TensorSet:
    return emulator.objects.get(address, TensorSet, "tensorSetDesc")


def _sizes(emulator: Emulator, found: TensorSet) -> list[int]:
    members = (emulator.objects.get(address, TensorDescriptor, "member") for address in found.members)
    return [member.value.nbytes for member in members]


def _index(emulator: Emulator, found: TensorSet, rank: int, tensorIndex: Address) -> int:
    index = emulator.host.load_array(tensorIndex, c_int, max(rank, 0), "tensorIndex")
    if rank != len(found.dims) or not all(0 <= i < size for i, size in zip(index, found.dims)):
        raise Refused(f"`tensorIndex` {index} is outside of the set, which is {found.dims}.")
    return sum(i * stride for i, stride in zip(index, dense_strides(found.dims)))


ENTRY_POINTS = by_name(
    mluOpCreateTensorSetDescriptor,
    mluOpDestroyTensorSetDescriptor,
    mluOpGetTensorSetDescriptor,
    mluOpGetTensorSetDescriptorSize,
    mluOpInitTensorSetMemberDescriptor,
    mluOpInitTensorSetMemberDescriptorPositionAndScale,
    mluOpGetTensorAndDataFromTensorSet,
)
