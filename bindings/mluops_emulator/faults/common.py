"""Faults that any operator's calls can have: memory, statuses, synchronisation, state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Container, Iterable

from mluops.constants import cnrtRet_t, mluOpStatus_t

from mluops_emulator import checks
from mluops_emulator.call import Call
from mluops_emulator.descriptors import DTYPE_BYTES, Descriptor, dense_strides
from mluops_emulator.faults.alterations import after, instead
from mluops_emulator.faults.fault import Alteration, faults_of
from mluops_emulator.host import Host
from mluops_emulator.memory import Memory
from mluops_emulator.queues import Scheduler, Work
from mluops_emulator.sites import caller_site
from mluops_emulator.violations import Refused

if TYPE_CHECKING:
    import numpy as np

    from mluops_emulator.queues import Access

    Kernel = Callable[[], None]
    Bytes = np.ndarray[Any, Any]

STRAY_BYTES = 4


def around(kernel_of: Callable[[Call, Kernel], None]) -> Alteration:
    """Return a change of `Call.enqueue`: queue a function that receives the call and its kernel."""
    return lambda enqueue: lambda call, kernel: enqueue(call, lambda: kernel_of(call, kernel))


def written(call: Call) -> list[Access]:
    """The outputs of a call, without its workspace."""
    return [access for access in call.accesses() if access.writes and access.what != "workspace"]


def memory_of(call: Call, start: int, end: int) -> Bytes:
    return call.emulator.memory.bytes(start, end - start, what="a planted fault")


def element_bytes(call: Call, access: Access) -> int:
    descriptor = call.arguments.get(f"{access.what}_desc")
    return DTYPE_BYTES[descriptor.dtype] if isinstance(descriptor, Descriptor) else 4


def not_run(call: Call, kernel: Kernel) -> None:
    pass


def last_kept(call: Call, kernel: Kernel) -> None:
    """Run the kernel, and put the last element that it wrote back to what it was."""
    before = [memory_of(call, output.start, output.end).copy() for output in written(call)]
    kernel()
    for output, old in zip(written(call), before):
        new = memory_of(call, output.start, output.end)
        changed = (new != old).nonzero()[0]
        if changed.size:
            size = element_bytes(call, output)
            first = changed[-1] // size * size
            new[first : first + size] = old[first : first + size]


def one_off(call: Call, kernel: Kernel) -> None:
    """Run the kernel, and change one bit in the middle of each output."""
    kernel()
    for output in written(call):
        size = element_bytes(call, output)
        middle = (output.end - output.start) // size // 2 * size
        memory_of(call, output.start, output.end)[middle + size - 2] ^= 0x10


def beyond(call: Call, kernel: Kernel) -> None:
    kernel()
    for output in written(call):
        memory_of(call, output.end, output.end + STRAY_BYTES)[:] = 0


def before(call: Call, kernel: Kernel) -> None:
    kernel()
    for output in written(call):
        memory_of(call, output.start - STRAY_BYTES, output.start)[:] = 0


def beyond_workspace(call: Call, kernel: Kernel) -> None:
    kernel()
    for access in call.accesses():
        if access.what == "workspace":
            memory_of(call, access.end, access.end + STRAY_BYTES)[:] = 0


def input_changed(call: Call, kernel: Kernel) -> None:
    kernel()
    source = next(access for access in call.accesses() if not access.writes)
    memory_of(call, source.end - 1, source.end)[:] ^= 1


def contents(call: Call, accesses: Iterable[Access]) -> list[tuple[Access, Bytes]]:
    """The bytes of some of the call's memory, as they are now."""
    return [(access, memory_of(call, access.start, access.end).copy()) for access in accesses]


def put_back(call: Call, kept: Iterable[tuple[Access, Bytes]]) -> None:
    for access, held in kept:
        memory_of(call, access.start, access.end)[:] = held


def inputs_early(functions: Container[str]) -> Alteration:
    """Return a change of `Call.enqueue`: kernels of these functions see inputs as they are at the call."""

    def run(call: Call, kernel: Kernel, seen: list[tuple[Access, Bytes]]) -> None:
        now = contents(call, (access for access, _ in seen))
        put_back(call, seen)
        kernel()
        put_back(call, now)

    def alter(enqueue: Callable[[Call, Kernel], None]) -> Any:
        def altered(call: Call, kernel: Kernel) -> None:
            if call.name not in functions:
                return enqueue(call, kernel)
            seen = contents(call, (access for access in call.accesses() if not access.writes))
            return enqueue(call, lambda: run(call, kernel, seen))

        return altered

    return alter


def outputs_late(functions: Container[str]) -> Alteration:
    """Return a change of `Call.enqueue`: outputs of these functions come after all that is queued by then."""

    def run(call: Call, kernel: Kernel) -> None:
        before = contents(call, written(call))
        kernel()
        after = contents(call, written(call))
        put_back(call, before)
        assert call.handle is not None
        late = Work(call.name, caller_site(), lambda: put_back(call, after), timed=False)
        call.emulator.queue(call.handle.queue).pending.append(late)

    def alter(enqueue: Callable[[Call, Kernel], None]) -> Any:
        return lambda call, kernel: enqueue(
            call, (lambda: run(call, kernel)) if call.name in functions else kernel
        )

    return alter


EARLY = "inputs are read when the call is queued, before earlier calls have run"
LATE = "outputs are there only when all that is queued has run"


def trapped(call: Call, kernel: Kernel) -> None:
    """Run the kernel, and let the device report an error when its queue is synchronised."""
    kernel()
    assert call.handle is not None
    call.emulator.queue(call.handle.queue).failed = True


def of_the_call_before(enqueue: Callable[[Call, Kernel], None]) -> Any:
    """Leave the outputs of the call before where those have as many bytes."""
    known: dict[tuple[str, str, int], Bytes] = {}

    def run(call: Call, kernel: Kernel) -> None:
        kernel()
        for output in written(call):
            now = memory_of(call, output.start, output.end)
            key = call.name, output.what, len(now)
            known[key], now[:] = now.copy(), known.get(key, now)

    return lambda call, kernel: enqueue(call, lambda: run(call, kernel))


def written_though_refused(launch: Callable[..., mluOpStatus_t]) -> Any:
    def altered(table: checks.Checks, call: Call, kernel: Kernel) -> mluOpStatus_t:
        status = launch(table, call, kernel)
        if status != checks.SUCCESS and call.handle is not None:
            for output in written(call):
                memory_of(call, output.start, output.start + STRAY_BYTES)[:] = 0
        return status

    return altered


def status_instead(of: mluOpStatus_t, status: mluOpStatus_t) -> Alteration:
    """Answer `status` where `of` is right."""
    return after(lambda right: status if right == of else right)


def sized(change: Callable[[int], int]) -> Alteration:
    """Return a change of `Host.store`: answer another workspace size."""

    def alter(store: Callable[..., None]) -> Any:
        def altered(host: Host, address: int | None, ctype: Any, value: Any, what: str) -> None:
            store(host, address, ctype, change(value) if what == "workspace_size" else value, what)

        return altered

    return alter


def size_unwritten(store: Callable[..., None]) -> Any:
    def altered(host: Host, address: int | None, ctype: Any, value: Any, what: str) -> None:
        if what != "workspace_size":
            store(host, address, ctype, value, what)

    return altered


def never_wait(scheduler: Scheduler, queue: Any, through: int | None = None) -> bool:
    return True


def no_memory(memory: Memory, nbytes: int, *_: Any, **__: Any) -> int:
    raise Refused(f"{nbytes} bytes of device memory wanted, none is left.", cnrtRet_t.cnrtErrorNoMem)


def _have_dense(descriptor: Descriptor) -> bool:
    return descriptor.strides == dense_strides(descriptor.dims)


BAD_PARAM, SUCCESS, ARCH = checks.BAD_PARAM, checks.SUCCESS, checks.ARCH_MISMATCH
DENSE = property(_have_dense)
FAILED = mluOpStatus_t.MLUOP_STATUS_EXECUTION_FAILED

ANY = faults_of(
    "any",
    ("output-untouched", Call, "enqueue", around(not_run), "the kernel is not run"),
    ("last-element", Call, "enqueue", around(last_kept), "the last element is not written"),
    ("one-element", Call, "enqueue", around(one_off), "one element is wrong"),
    ("stale-output", Call, "enqueue", of_the_call_before, "outputs are those of the call before"),
    ("past-output", Call, "enqueue", around(beyond), "the kernel writes past the end of its outputs"),
    ("before-output", Call, "enqueue", around(before), "the kernel writes before the start of its outputs"),
    ("input-changed", Call, "enqueue", around(input_changed), "the kernel changes its first input"),
    ("device-error", Call, "enqueue", around(trapped), "the device reports an error at synchronisation"),
    ("no-wait", Scheduler, "run", instead(never_wait), "synchronisation does not wait"),
    ("out-of-memory", Memory, "allocate", instead(no_memory), "there is no device memory left"),
    ("no-checks", checks, "verdict", instead(lambda *_: None), "no argument is checked"),
    ("refused-written", checks, "launch", written_though_refused, "refused calls write to their outputs"),
    ("refused-silently", checks, "launch", status_instead(BAD_PARAM, SUCCESS), "bad parameters are no error"),
    ("wrong-refusal", checks, "launch", status_instead(BAD_PARAM, ARCH), "refusals have another status"),
    ("wrong-success", checks, "launch", status_instead(SUCCESS, FAILED), "right calls are said to fail"),
    ("strides-unchecked", Descriptor, "is_contiguous", instead(True), "any strides are accepted"),
    ("strides-of-one", Descriptor, "is_contiguous", instead(DENSE), "strides of sizes 1 count"),
    ("limit-low", checks, "LARGE_TENSOR", instead(2**31 - 8), "some below 2^31 elements are too many"),
    ("limit-high", checks, "LARGE_TENSOR", instead(2**31 + 8), "some above 2^31 elements are accepted"),
)
WORKSPACE = faults_of(
    "workspace",
    ("overrun", Call, "enqueue", around(beyond_workspace), "the kernel writes past its workspace"),
    ("small", Host, "store", sized(lambda size: size // 2), "the query answers half of what is needed"),
    ("huge", Host, "store", sized(lambda size: 1 << 60), "the query answers an exabyte"),
    ("unwritten", Host, "store", size_unwritten, "the query writes no size"),
)
FAULTS = (*ANY, *WORKSPACE)
