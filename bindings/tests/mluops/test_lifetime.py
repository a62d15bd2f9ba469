"""The release of objects: once, in order, never at exit and never by a fork."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import textwrap
import warnings
import weakref
from typing import Any, Callable

import numpy as np
import pytest
from mluops import DeviceArray, Handle, Notifier, Queue, TensorDescriptor, load
from mluops.errors import Closed, ForkedProcess
from mluops.library import Library

MAKERS: dict[str, Callable[[Library], Any]] = {
    "Handle": Handle,
    "Queue": Queue,
    "Notifier": Notifier,
    "TensorDescriptor": lambda library: TensorDescriptor(library, (2, 3), "float32"),
    "DeviceArray": lambda library: DeviceArray.empty(library, (2, 3), "float32"),
}


@pytest.fixture(params=MAKERS)
def make(request: pytest.FixtureRequest) -> Callable[[Library], Any]:
    return MAKERS[request.param]


def test_close_releases(standin: Any, make: Any) -> None:
    before = standin.live
    resource = make(standin.library)
    assert standin.live == before + 1
    resource.close()
    assert standin.live == before


def test_closing_again_does_nothing(standin: Any, make: Any) -> None:
    resource = make(standin.library)
    resource.close()
    resource.close()
    assert resource.closed


def test_a_with_block_releases_also_after_an_exception(standin: Any, make: Any) -> None:
    before = standin.live
    with pytest.raises(RuntimeError), make(standin.library):
        raise RuntimeError
    assert standin.live == before


def test_collection_releases(standin: Any, make: Any) -> None:
    before = standin.live
    make(standin.library)
    gc.collect()
    assert standin.live == before


def test_what_was_closed_is_refused_by_name(library: Library) -> None:
    desc = TensorDescriptor(library, (2, 3), "float32")
    desc.close()
    with pytest.raises(TypeError, match=r"argument 1 \(desc\): expected .*, got a closed TensorDescriptor"):
        library.mluOpGetTensorElementNum(desc)


def test_the_raw_handle_of_something_closed_is_not_given(library: Library, make: Any) -> None:
    resource = make(library)
    resource.close()
    with pytest.raises(Closed, match=f"this {type(resource).__name__} is closed"):
        resource.raw  # noqa: B018


def test_a_handle_keeps_its_queue_alive(standin: Any) -> None:
    before = standin.live
    handle = Handle(standin.library, Queue(standin.library))
    gc.collect()
    assert standin.live == before + 2
    handle.close()
    del handle
    gc.collect()
    assert standin.live == before


def test_a_handle_in_a_cycle_is_collected_with_its_queue(standin: Any) -> None:
    before = standin.live
    handle = Handle(standin.library, Queue(standin.library))
    handle.itself = handle
    del handle
    gc.collect()
    assert standin.live == before


def test_memory_lives_as_long_as_an_array_wrapped_around_it(standin: Any) -> None:
    before = standin.live
    owner = DeviceArray.from_numpy(standin.library, np.arange(6))
    wrapper = DeviceArray(standin.library, (2,), owner.dtype, owner.pointer, owner=owner)
    del owner
    gc.collect()
    assert wrapper.numpy().tolist() == [0, 1]
    wrapper.close()
    assert standin.live == before


def test_closing_an_array_closes_its_descriptors(standin: Any) -> None:
    before = standin.live
    array = DeviceArray.empty(standin.library, (2, 3), "float32")
    array.descriptor()
    array.descriptor("NC")
    array.close()
    assert standin.live == before


def test_what_failed_to_be_made_leaves_nothing(standin: Any) -> None:
    before = standin.live
    with pytest.raises(ValueError, match="9 dimensions are more than MLUOP_DIM_MAX, which is 8"):
        TensorDescriptor(standin.library, (2,) * 9, "float32")
    assert standin.live == before


def test_a_library_lives_as_long_as_what_it_made(standin: Any) -> None:
    """A function pointer into a library that was collected would crash the process."""
    library = load(standin.library.path, cnrt=standin.library.cnrt_path)
    alive = weakref.ref(library)
    array = DeviceArray.empty(library, (3,), "float32")
    create = library.mluOpCreate
    del library
    gc.collect()
    array.close()
    assert alive() is create.library


def run(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", textwrap.dedent(code), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_nothing_is_released_at_interpreter_exit(build_mluops: Any, build_cnrt: Any) -> None:
    """The device may be gone by then: every function that releases would abort this process."""
    code = """
        import ctypes, sys, mluops, numpy
        library = mluops.load(sys.argv[1], cnrt=sys.argv[2])
        queue = mluops.Queue(library)
        handle = mluops.Handle(library, queue)
        array = mluops.DeviceArray.from_numpy(library, numpy.arange(4))
        array.descriptor()
        array.itself = array
        for path in sys.argv[1:]:
            ctypes.CDLL(path).standin_forbid_release()
    """
    result = run(code, str(build_mluops()), str(build_cnrt()))
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_is_told_to_load_the_library_itself(library: Library, make: Any) -> None:
    assert _in_fork(lambda: _raises(ForkedProcess, lambda: make(library)))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_neither_copies_nor_waits(library: Library) -> None:
    with DeviceArray.empty(library, (4,), "float32") as array, Queue(library) as queue:
        handle = Handle(library, queue)
        uses = (array.numpy, array.copy, lambda: array.fill_bytes(0), queue.synchronize, handle.synchronize)
        for use in uses:
            assert _in_fork(lambda use=use: _raises(ForkedProcess, use))
        handle.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_that_loads_the_library_itself_may_use_it(standin: Any) -> None:
    library = standin.library
    assert _in_fork(lambda: Handle(load(library.path, cnrt=library.cnrt_path)).close() is None)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_does_not_release_what_its_parent_owns(standin: Any, make: Any) -> None:
    resource = make(standin.library)
    before = standin.live

    def closes_without_releasing() -> bool:
        resource.close()
        return bool(standin.live == before)

    assert _in_fork(closes_without_releasing)
    resource.close()


def _raises(kind: type[Exception], action: Callable[[], object]) -> bool:
    try:
        action()
    except kind:
        return True
    return False


def _in_fork(action: Callable[[], bool]) -> bool:
    """Run `action` in a forked process and return what it returned."""
    with warnings.catch_warnings():
        # Of the threads of a test worker, which the child does not use.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        code = 1
        try:
            code = 0 if action() else 1
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0
