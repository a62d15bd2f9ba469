"""Shared libraries compiled for the tests: an echo of the C interface, and stand-ins for CNRT and mlu-ops."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any, Callable, Iterator

import mluops
import pytest
from mluops.library import Library

SOURCES = Path(__file__).parent / "native"

Build = Callable[..., Path]


@pytest.fixture(scope="session")
def build(shared_library: Build) -> Build:
    """Compile one of the C sources with these flags and macros."""

    def compiled(source: str, *flags: str, **macros: int) -> Path:
        defines = [f"-D{name}={value}" for name, value in macros.items()]
        return shared_library(SOURCES / f"{source}.c", ["-O1", *defines], flags)

    return compiled


def _version(version: str) -> dict[str, int]:
    return dict(zip(("VERSION_MAJOR", "VERSION_MINOR", "VERSION_PATCH"), map(int, version.split("."))))


@pytest.fixture(scope="session")
def build_mluops(build: Build) -> Build:
    return lambda version="1.11.1", **macros: build("mluops", **_version(version), **macros)


@pytest.fixture(scope="session")
def build_cnrt(build: Build) -> Build:
    """CNRT 6.14.1 by default; releases before that have a small properties structure and fewer names."""

    def built(version: str = "6.14.1", **macros: int) -> Path:
        new = {"PROPERTIES_BYTES": 584, "NEW_NAMES": 1} if version == "6.14.1" else {"PROPERTIES_BYTES": 256}
        return build("cnrt", **_version(version), **new, **macros)

    return built


class StandIn:
    """A loaded pair of stand-ins, with what they count and the answers that a test can order."""

    def __init__(self, mluops_path: Path, cnrt_path: Path) -> None:
        self.library = mluops.load(mluops_path, cnrt=cnrt_path)
        self.mluops = ctypes.CDLL(str(mluops_path))
        self.cnrt = ctypes.CDLL(str(cnrt_path))

    @property
    def live(self) -> int:
        """The number of handles, descriptors, queues, notifiers and allocations not yet released."""
        count: int = self.mluops.standin_live() + self.cnrt.standin_live()
        return count


@pytest.fixture
def load_standin(build_mluops: Build, build_cnrt: Build) -> Callable[..., StandIn]:
    def loaded(version: str = "1.11.1", cnrt: str = "6.14.1", **macros: int) -> StandIn:
        return StandIn(build_mluops(version, **macros), build_cnrt(cnrt))

    return loaded


@pytest.fixture
def standin(load_standin: Callable[..., StandIn]) -> Iterator[StandIn]:
    """The newest stand-ins. At the end of a test all must be released, and ordered answers are taken back."""
    standin = load_standin()
    before = standin.live
    yield standin
    standin.mluops.standin_answer(0)
    standin.cnrt.standin_query_answer(0)
    standin.cnrt.standin_sync_answer(0)
    standin.cnrt.standin_devices(2)
    standin.cnrt.cnrtSetDevice(0)
    assert standin.live == before, "the test, or the binding, left something unreleased"


@pytest.fixture
def library(standin: StandIn) -> Library:
    return standin.library


@pytest.fixture
def handle(library: Library) -> Iterator[mluops.Handle]:
    with mluops.Handle(library) as handle:
        yield handle


class Echo:
    """The echo library as a source of symbols: what a call got is in `noted`."""

    kind = "device"

    def __init__(self, path: Path) -> None:
        self.path = str(path)
        self._library = ctypes.CDLL(self.path)
        self._library.echo_noted.restype = ctypes.POINTER(ctypes.c_uint64)

    def address(self, name: str) -> int | None:
        try:
            return ctypes.cast(self._library[name], ctypes.c_void_p).value
        except AttributeError:
            return None

    def noted(self, count: int) -> list[int]:
        return list(self._library.echo_noted()[:count])

    def answer(self, status: int) -> None:
        self._library.echo_answer(status)


@pytest.fixture
def echo(build: Build) -> Iterator[Any]:
    """A library that only notes what it gets; its `symbols` say what that was."""
    symbols = Echo(build("echo"))
    yield Library(symbols, found_via="test")
    symbols.answer(0)
