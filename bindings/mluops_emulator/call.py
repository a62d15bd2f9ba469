"""One call of an operator, as its host checks and its kernel see it."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, Callable, Iterator

import numpy as np

from mluops_emulator.descriptors import Descriptor
from mluops_emulator.device import DeviceModel, JobType
from mluops_emulator.objects import Handle, TensorDescriptor
from mluops_emulator.queues import Access, Work
from mluops_emulator.sites import caller_site
from mluops_emulator.violations import Kind, Misuse

if TYPE_CHECKING:
    from mluops.signatures.function import Function

    from mluops_emulator.emulator import Emulator

OPAQUE: dict[str, type] = {"mluOpHandle_t": Handle, "mluOpTensorDescriptor_t": TensorDescriptor}
"""Parameters that arrive as what they stand for."""

POINTEE_BYTES = {"int": 4, "int32_t": 4, "float": 4, "int64_t": 8, "size_t": 8}


class Call:
    """The decoded arguments of a call, with what its device offers.

    `call["input_desc"]` is a `Descriptor` as it was at the call, `call["input"]` an address, `call["gamma"]`
    a number; NULL is None. The host part checks these and gives the device part to `enqueue`, which reads and
    writes tensors through `array`.

    Parameters
    ----------
    emulator : Emulator
        Where the call was made.
    signature : Function
        The C function.
    arguments : dict
        Every argument by parameter name, decoded.
    descriptors : tuple of int
        Addresses of the descriptors given: they must outlive the queued kernel.
    """

    def __init__(
        self,
        emulator: Emulator,
        signature: Function,
        arguments: dict[str, Any],
        descriptors: tuple[int, ...] = (),
    ) -> None:
        self.emulator = emulator
        self.signature = signature
        self.arguments = arguments
        self._descriptors = descriptors
        self._rng: np.random.Generator | None = None

    @property
    def name(self) -> str:
        return self.signature.name

    @property
    def handle(self) -> Handle | None:
        handle: Handle | None = self.arguments["handle"]
        return handle

    @property
    def device(self) -> DeviceModel:
        """The device of the handle, with as many clusters as its context makes visible."""
        return self.handle.device if self.handle else self.emulator.device

    @property
    def job(self) -> JobType:
        """The widest job type that the handle's context allows."""
        return self.handle.job if self.handle else self.device.largest_union

    @property
    def rng(self) -> np.random.Generator:
        """Decides the order of atomics; the same for the same seed and number of the call."""
        if self._rng is None:
            self._rng = self.emulator.generator()
        return self._rng

    def __getitem__(self, parameter: str) -> Any:
        return self.arguments[parameter]

    def log(self, message: str) -> None:
        """Write a line of the library's log, under the function's name."""
        self.emulator.log.error(self.name, message)

    def array(
        self, parameter: str, dtype: Any, shape: tuple[int, ...], write: bool = False
    ) -> np.ndarray[Any, Any]:
        """The tensor behind a pointer argument, for use in an enqueued kernel.

        Parameters
        ----------
        parameter : str
            Name of the pointer's parameter.
        dtype : dtype-like
            Type of the elements.
        shape : tuple of int
            C-contiguous shape.
        write : bool
            False gives a read-only view.

        Returns
        -------
        ndarray
            A view of device memory.

        Raises
        ------
        Misuse
            The pointer is NULL, not live device memory, or has too little of it; or a buffer with a `_size`
            parameter is used beyond that size.
        """
        count = prod(shape)
        address = self.arguments[parameter]
        if address is None and count:
            raise Misuse(Kind.NULL_POINTER, f"`{parameter}` is NULL and {count} elements of it are needed.")
        self._check_declared_size(parameter, count * np.dtype(dtype).itemsize)
        flat = self.emulator.memory.array(address or 0, dtype, count, write=write, what=parameter)
        return flat.reshape(shape)

    def _check_declared_size(self, parameter: str, nbytes: int) -> None:
        declared = self.arguments.get(f"{parameter}_size")
        if declared is not None and nbytes > declared:
            raise Misuse(
                Kind.OUT_OF_BOUNDS,
                f"the kernel needs {nbytes} bytes of `{parameter}`, but `{parameter}_size` is {declared}.",
            )

    def enqueue(self, kernel: Callable[[], None]) -> None:
        """Queue the device part of the call; it runs when the handle's queue is synchronised."""
        assert self.handle is not None, "host checks let no NULL handle through"
        work = Work(self.name, caller_site(), kernel, tuple(self.accesses()), self._descriptors)
        self.emulator.scheduler.submit(self.emulator.queue(self.handle.queue), work)

    def accesses(self) -> Iterator[Access]:
        """The device memory behind the call's pointers, as its descriptors give the extent."""
        for parameter, spelling in zip(self.signature.parameter_names, self.signature.parameter_types):
            if not spelling.endswith("*") or self.arguments[parameter] is None:
                continue
            start = self.arguments[parameter]
            size = self._extent(parameter, spelling)
            yield Access(start, start + size, not spelling.startswith("const "), parameter)

    def _extent(self, parameter: str, spelling: str) -> int:
        descriptor = self.arguments.get(f"{parameter}_desc")
        if isinstance(descriptor, Descriptor):
            return descriptor.nbytes
        declared: int | None = self.arguments.get(f"{parameter}_size")
        return POINTEE_BYTES.get(spelling[:-1].strip(), 1) if declared is None else declared


class Decoder:
    """Turns the C arguments of an operator into a `Call`.

    Parameters
    ----------
    emulator : Emulator
        Where handles and descriptors are looked up.
    signature : Function
        The C function.
    """

    def __init__(self, emulator: Emulator, signature: Function) -> None:
        self._emulator = emulator
        self._signature = signature
        self._parameters = tuple(
            (name, OPAQUE.get(spelling.replace("const ", "")))
            for name, spelling in zip(signature.parameter_names, signature.parameter_types)
        )

    def __call__(self, arguments: tuple[Any, ...]) -> Call:
        decoded: dict[str, Any] = {}
        descriptors: list[int] = []
        for (name, kind), value in zip(self._parameters, arguments):
            if kind is not None and value is not None:
                found: Any = self._emulator.objects.get(value, kind, name)
                if isinstance(found, TensorDescriptor):
                    descriptors.append(value)
                    found = found.value
                value = found
            decoded[name] = value
        return Call(self._emulator, self._signature, decoded, tuple(descriptors))
