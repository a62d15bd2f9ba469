"""Values that the steps of a case take and give; `steps` makes them, `execute` puts the steps in order."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Mapping, Protocol, TypeVar

from mluops import CnrtError, MluOpError

from mluops_conformance.execution.buffers import GuardedBuffer, Placement
from mluops_conformance.fills.stream import seed_for

if TYPE_CHECKING:
    import numpy as np
    from mluops import TensorDescriptor

    from mluops_conformance.execution.session import Session
    from mluops_conformance.judging.values import OutputVerdict
    from mluops_conformance.language.model import Case
    from mluops_conformance.operators.base import Arrays, Operator, Tensor

    Array = np.ndarray[Any, Any]

T = TypeVar("T")


@dataclass(frozen=True)
class Task:
    """A case with the sizes that it has on this device, its operator, and the session that executes it."""

    case: Case
    operator: Operator
    session: Session

    @property
    def seed(self) -> int:
        """The user's seed."""
        return self.session.options.seed

    def placement(self) -> Placement:
        """Return the layout of the buffers, the same at each call."""
        return Placement(self.session.options.placement, seed_for(self.case.id, "placement", self.seed))

    @cached_property
    def absent(self) -> frozenset[str]:
        """Tensors that are passed as NULL, descriptor and pointer."""
        return self.operator.absent_with(self.case.absent)

    @cached_property
    def outputs(self) -> tuple[Tensor, ...]:
        """Outputs that are not absent."""
        return tuple(tensor for tensor in self.operator.outputs if tensor.name not in self.absent)

    @property
    def described(self) -> tuple[str, ...]:
        """Tensors that are passed with a descriptor."""
        case = self.case
        return tuple(
            tensor.name
            for tensor in self.operator.tensors
            if tensor.described
            and tensor.name not in self.absent
            and not (tensor.name in case.descriptors and case.descriptors[tensor.name].null)
        )

    @cached_property
    def pointed(self) -> tuple[str, ...]:
        """Tensors that are passed with a pointer."""
        left_out = self.absent | self.case.pointers
        return tuple(tensor.name for tensor in self.operator.tensors if tensor.name not in left_out)


class Given(Protocol):
    """The values that the steps of a call have given so far, by their type."""

    def __getitem__(self, kind: type[T]) -> T: ...


@dataclass(frozen=True)
class Earlier:
    """The calls before this one on the same queue, in order, by the names that the case gives them."""

    of: Mapping[str, Given] = field(default_factory=dict)


@dataclass(frozen=True)
class Inputs:
    """The inputs of a case by name; none of a call that must be refused."""

    arrays: Arrays = field(default_factory=dict)


@dataclass(frozen=True)
class Descriptors:
    """The descriptors of a call by the tensor's name."""

    of: Mapping[str, TensorDescriptor] = field(default_factory=dict)


@dataclass(frozen=True)
class Buffers:
    """The memory of a call by the tensor's name, with the workspace, and how it is laid out.

    `linked` belongs to earlier calls, which check and free it.
    """

    of: Mapping[str, GuardedBuffer] = field(default_factory=dict)
    placement: Placement | None = None
    linked: Mapping[str, GuardedBuffer] = field(default_factory=dict)


@dataclass(frozen=True)
class Workspace:
    """The size of the workspace in bytes, as the library answered it."""

    size: int = 0


@dataclass(frozen=True)
class Called:
    """The C function that was called last, and the status that it returned."""

    function: str = ""
    status: Any = None


@dataclass(frozen=True)
class Fetched:
    """The bytes of every buffer, copied back after a call."""

    of: Mapping[str, Array]


@dataclass(frozen=True)
class Answers:
    """The distinct outputs that equal calls gave, in the order in which they came.

    Parameters
    ----------
    of : dict of str to tuple of ndarray
        The parts that count, by the output's name.
    wholes : dict of str to tuple of ndarray
        The same outputs, all of them.
    calls : tuple of dict
        All outputs of each call that gave something new.
    """

    of: Mapping[str, tuple[Array, ...]] = field(default_factory=dict)
    wholes: Mapping[str, tuple[Array, ...]] = field(default_factory=dict)
    calls: tuple[Arrays, ...] = ()

    @property
    def count(self) -> int:
        """The number of distinct outputs."""
        return sum(map(len, self.of.values()))


@dataclass(frozen=True)
class Repetition:
    """The differences between equal calls that no order of additions explains, and how many answers came."""

    disagreements: tuple[str, ...] = ()
    notes: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Verdicts:
    """The verdict on each output, over so many distinct answers, and the causes that explain all failures."""

    of: tuple[OutputVerdict, ...] = ()
    judged: int = 0
    causes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Found:
    """The faults of a call, apart from the values of its outputs.

    Parameters
    ----------
    reasons : tuple of str
        Sentences.
    error : CnrtError or MluOpError, optional
        The first error of the device or the library.
    """

    reasons: tuple[str, ...] = ()
    error: CnrtError | MluOpError | None = None

    def __add__(self, other: Found) -> Found:
        if not other.reasons and other.error is None:
            return self
        return Found(self.reasons + other.reasons, self.error or other.error)


class Stop(Exception):
    """The library or the device ended the case; the steps left make no sense.

    Parameters
    ----------
    found : Found
    kind : str
        What was wrong, in the words of `Record.failures`.
    """

    def __init__(self, found: Found, kind: str = "status") -> None:
        super().__init__("; ".join(found.reasons))
        self.found = found
        self.kind = kind


class Decided(Exception):
    """Something is wrong with the case, and the steps left only make sense where nothing is."""


def close(task: Task, resources: Mapping[str, Any], called: Called) -> Found:
    """Give back buffers or descriptors, and return what the library says against it."""
    found = Found()
    for resource in resources.values():
        try:
            resource.close()
        except (CnrtError, MluOpError) as error:
            found += blame(task, called, error)
    return found


def blame(task: Task, called: Called, error: CnrtError | MluOpError) -> Found:
    """Count what the device or the library says now against the function called last."""
    return Found((f"{called.function}: {error}", *task.session.backend.violations()), error)
