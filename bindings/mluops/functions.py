"""C functions of a library as Python callables.

`CFunction` checks and converts arguments, makes the raw call and keeps what queued work still uses;
`MissingFunction` stands for a function that this library lacks.
"""

from __future__ import annotations

import ctypes
import inspect
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Callable, Mapping, NoReturn

from mluops.constants import cnrtRet_t, mluOpStatus_t
from mluops.errors import (
    ArgumentTypeError,
    MissingSymbol,
    MluOpError,
    NotSupported,
    StatusError,
    status_error,
)
from mluops.lifetime import Resource
from mluops.signatures import Function
from mluops.types import address_of, cnrtQueue_t, ctype, integers_of, prototype

if TYPE_CHECKING:
    from mluops.library import Library

    Effect = Callable[[Library, "tuple[Any, ...]", "list[Resource]"], None]


class _Members(dict):  # type: ignore[type-arg]
    """Enum members by number; a number without a member stands for itself."""

    def __missing__(self, number: int) -> int:
        return number


_STATUSES: dict[str, Callable[[int], int]] = {
    enum.__name__: _Members((int(member), member) for member in enum).__getitem__
    for enum in (mluOpStatus_t, cnrtRet_t)
}

STATUS_TYPES = frozenset([*_STATUSES, "CNresult"])
"""Results that say whether a call succeeded; any other is no error, whatever its value."""


class Declared:
    """A C function as its header declares it."""

    def __init__(self, library: Library, signature: Function) -> None:
        vars(self).update(
            library=library,  # keeps the code behind the address alive
            signature=signature,
            name=signature.name,
            __doc__=f"{signature}, since {signature.since}.",
        )

    library: Library
    signature: Function
    name: str

    @property
    def parameters(self) -> tuple[str, ...]:
        """The header's parameter names, in order."""
        return self.signature.parameter_names

    @property
    def __signature__(self) -> inspect.Signature:
        """The signature that `inspect.signature` shows: the header's names, with its types as annotations."""
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        return inspect.Signature(
            [
                inspect.Parameter(name, kind, annotation=spelling)
                for name, spelling in zip(self.parameters, self.signature.parameter_types)
            ],
            return_annotation=self.signature.result,
        )

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(
            f"{self.name} has no attribute {name!r} to set: its types come from the header "
            "(library.NAME.pointer is the ctypes function)"
        )

    def __repr__(self) -> str:
        return f"<{self.signature}, since {self.signature.since}>"


class CFunction(Declared):
    """A C function of a library.

    A call takes the arguments in the header's order or by its names, checks and converts them by the
    header's types, as ctypes does, makes the raw C call and returns its result: a status as a member of
    mluOpStatus_t or cnrtRet_t (a plain int where the number is unknown), `const char*` as bytes. A bad status
    raises nothing; `checked` is there for that. Arrays and descriptors that a queued call uses are kept until
    its queue is synchronised.

    Attributes
    ----------
    pointer : ctypes function pointer
        The same call without any of this, where a microsecond counts.

    Raises
    ------
    ArgumentTypeError
        For an argument of the wrong type or of another library, or for missing and unknown arguments. Nothing
        is called then.
    """

    pointer: Any

    def __init__(self, library: Library, signature: Function, address: int) -> None:
        super().__init__(library, signature)
        integers = enumerate(map(integers_of, signature.parameter_types))
        pointer = prototype(signature)(address)
        if signature.result in _STATUSES:
            pointer.restype = _STATUSES[signature.result]
        vars(self).update(
            pointer=pointer,
            _count=len(signature.parameter_types),
            _integers=[(index, range_[0], range_[-1]) for index, range_ in integers if range_],
            _effect=effect_of(signature),
            _has_log="mluOpHandle_t" in " ".join(signature.parameter_types),
        )

    _count: int
    _integers: list[tuple[int, int, int]]
    _effect: Effect | None
    _has_log: bool

    def __call__(self, *args: Any, **named: Any) -> Any:
        if named or len(args) != self._count:
            args = self._in_order(args, named)
        library = self.library
        used = [argument for argument in args if isinstance(argument, Resource)]
        for resource in used:
            if resource.library is not library:
                self._require_own(resource, args)
        try:
            result = self.pointer(*args)
        except ctypes.ArgumentError as error:
            raise self._explained(error, args) from None
        if used and not result and self._effect is not None:
            self._effect(library, args, used)
        return result

    def checked(self, *args: Any, **named: Any) -> None:
        """Call, and raise the `StatusError` of a status other than success.

        Raises
        ------
        StatusError
        ArgumentTypeError
            As of a call, and for an integer that the parameter's type does not hold: in a plain call it
            wraps, as in C.
        """
        if named or len(args) != self._count:
            args = self._in_order(args, named)
        for index, least, most in self._integers:
            value = args[index]
            if type(value) is int and not least <= value <= most:
                spelling = self.signature.parameter_types[index]
                raise ArgumentTypeError(f"{self._place(index)}: {value} does not fit {spelling}")
        log = ""
        if self._has_log and self.library.keeps_log:
            status, log = self.library.log.call(self, *args)
        else:
            status = self(*args)
        if status and self.signature.result in STATUS_TYPES:
            raise self._refused(status, log)

    def succeed(self, *args: Any) -> None:
        """Call with raw arguments that are checked already, and raise the error of a status.

        Nothing is kept for the queue: the caller does.
        """
        log = ""
        try:
            if self.library.keeps_log and self._has_log:
                status, log = self.library.log.call(self.pointer, *args)
            else:
                status = self.pointer(*args)
        except ctypes.ArgumentError as error:
            raise self._explained(error, args) from None
        if status:
            raise self._refused(status, log)

    def _refused(self, status: int, log: str) -> StatusError:
        error = status_error(self.name, status, self.library.describe(self.name, status), log)
        if isinstance(error, MluOpError) and self.library.backend == "emulator":
            error.stream = "stderr"
        if isinstance(error, NotSupported) and self.library.only_declares(self.name):
            error.text, error.hint = "the emulator has no such function", "mluops.load() takes a real library"
            error.stream = ""
        return error

    def _in_order(self, args: tuple[Any, ...], named: Mapping[str, Any]) -> tuple[Any, ...]:
        """Return all arguments in the header's order."""
        names = self.parameters
        if len(args) > self._count or not named:
            wanted = f"{self._count} argument{'' if self._count == 1 else 's'}"
            raise ArgumentTypeError(f"{self.name} takes {wanted} ({', '.join(names)}), not {len(args)}")
        rest = names[len(args) :]
        for name in named:
            if name not in rest:
                raise ArgumentTypeError(self._unexpected(name))
        missing = [name for name in rest if name not in named]
        if missing:
            raise ArgumentTypeError(f"{self.name} lacks {', '.join(missing)}")
        return (*args, *(named[name] for name in rest))

    def _unexpected(self, name: str) -> str:
        if name in self.parameters:
            return f"{self.name}: {name} is given twice"
        near = get_close_matches(name, self.parameters, n=1)
        hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(self.parameters)}"
        return f"{self.name} has no parameter {name!r}: {hint}"

    def _require_own(self, resource: Resource, args: tuple[Any, ...]) -> None:
        if self.library.shares_memory_with(resource.library):
            return
        index = next(index for index, argument in enumerate(args) if argument is resource)
        raise ArgumentTypeError(
            f"{self._place(index)}: this {type(resource).__name__} belongs to another library, "
            f"{resource.library!r}"
        )

    def _explained(self, error: ctypes.ArgumentError, args: tuple[Any, ...]) -> ArgumentTypeError:
        for index, (argument, spelling) in enumerate(zip(args, self.signature.parameter_types)):
            if not _converts(argument, spelling):
                expected = f"expected {spelling}, got {_kind(argument)}{_remedy(argument, spelling)}"
                return ArgumentTypeError(f"{self._place(index)}: {expected}")
        return ArgumentTypeError(f"{self.name}: {error}")

    def _place(self, index: int) -> str:
        return f"{self.name}, argument {index + 1} ({self.parameters[index]})"


class WaitingFunction(CFunction):
    """A C function that waits for a queue, or for all, and so ends the use of what was kept for it."""

    def __call__(self, *args: Any, **named: Any) -> Any:
        if named or len(args) != self._count:
            args = self._in_order(args, named)
        pending = self.library.pending
        taken = pending.take(_queue_at(args[0])) if args else pending.take_all()
        result: Any = None
        try:
            result = super().__call__(*args)
        finally:
            if result != 0:
                pending.put_back(taken)
        return result


class MissingFunction(Declared):
    """A C function that this library lacks, or has with other parameters: calling it explains so."""

    def __call__(self, *args: Any, **named: Any) -> NoReturn:
        raise MissingSymbol(self.library.absence(self.signature))

    checked = succeed = __call__

    def __repr__(self) -> str:
        return f"{super().__repr__()[:-1]}, missing in this library>"


WAITING = frozenset(["cnrtQueueSync", "cnrtSyncDevice"])


def bound(library: Library, signature: Function, address: int | None) -> Declared:
    """Return the callable for a C function at an address; None stands for a library without it."""
    if address is None:
        return MissingFunction(library, signature)
    kind = WaitingFunction if signature.name in WAITING else CFunction
    return kind(library, signature, address)


def effect_of(signature: Function) -> Effect | None:
    """Return what a successful call of a function means for the binding, None for nothing."""
    if signature.name == "mluOpSetQueue":
        return _adopt_queue
    types = signature.parameter_types
    if not any("void*" in spelling for spelling in types):
        return None
    if "cnrtQueue_t" in types:
        index = types.index("cnrtQueue_t")
        return lambda library, args, used: _keep(library, _queue_at(args[index]), used)
    if types[0].endswith("mluOpHandle_t"):
        return lambda library, args, used: _keep(library, library.queue_of(args[0]), used)
    return None


def _keep(library: Library, queue: int, used: list[Resource]) -> None:
    library.pending.keep(queue, [resource for resource in used if resource.used_by_tasks])


def _adopt_queue(library: Library, args: tuple[Any, ...], used: list[Resource]) -> None:
    """Tell a `Handle` which queue it has now, so that it keeps the queue alive."""
    adopt = getattr(args[0], "adopt", None)
    if adopt is not None:
        adopt(args[1])


def _queue_at(queue: Any) -> int:
    """Return the address of a queue that a call was given; the call itself refuses anything else."""
    raw = getattr(queue, "_as_parameter_", queue)
    return address_of(raw, "queue") if isinstance(raw, cnrtQueue_t) else 0


def _converts(argument: Any, spelling: str) -> bool:
    try:
        ctype(spelling).from_param(argument)
    except (TypeError, OverflowError, ctypes.ArgumentError):
        return False
    return True


def _kind(argument: Any) -> str:
    name = type(argument).__name__
    target = getattr(argument, "_obj", None)
    if target is not None:
        return f"a pointer to {type(target).__name__}"
    return f"a closed {name}" if getattr(argument, "closed", False) else name


def _remedy(argument: Any, spelling: str) -> str:
    """Say which type to pass by reference where another one was."""
    wanted = getattr(ctype(spelling), "_type_", None)
    if not hasattr(argument, "_obj") or not isinstance(wanted, type):
        return ""
    place = "ctypes" if wanted.__module__ in ("ctypes", "_ctypes") else "mluops.types"
    return f"; pass ctypes.byref({place}.{wanted.__name__}())"
