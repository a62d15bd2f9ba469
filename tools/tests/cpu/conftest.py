"""The device of `build-cpu` without mlu-ops, and our own kernels on it; skipped without a compiler."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable

import pytest
from forked import call_forked
from mluops_tools.cpu.building import build_runtime
from mluops_tools.cpu.kernel_library import build_kernels
from mluops_tools.cpu.project import CXX
from mluops_tools.cpu.toolchain import has_toolchain

HERE = Path(__file__).parent
SHARED = Path(tempfile.gettempdir(), f"mluops-cpu-tests-{os.getuid()}")
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

from harness import Kernels, main  # noqa: E402

Outcome = Callable[..., "tuple[dict[str, Any], str]"]


def digest_of(*folders: Path) -> str:
    digest = hashlib.sha256()
    for path in sorted(path for folder in folders for path in folder.rglob("*") if path.is_file()):
        if path.suffix in (".h", ".cpp", ".mlu"):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def made(folder: Path, name: str, make: Callable[[], None]) -> Path:
    """Return a file of a folder, made by the first process that asks for it."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / name).is_file():
            make()
    return folder / name


@pytest.fixture(scope="session")
def runtime() -> Path:
    """A folder with the device's libraries, built once for their sources.

    MLUOPS_BUILT_FOR_CPU names a folder of `build-cpu` that has them; tests replace the libmluops.so in it.
    """
    if not has_toolchain():
        pytest.skip("no compiler, CMake, Ninja or headers of fmt: build-cpu says what is missing")
    given = os.environ.get("MLUOPS_BUILT_FOR_CPU")
    folder = Path(given) if given else SHARED / digest_of(CXX)
    made(folder, "libbang.so", lambda: build_runtime(folder, "592"))
    return folder


@pytest.fixture(scope="session")
def library(runtime: Path) -> Path:
    """Our kernels, which name the folder of the device's libraries."""
    folder = runtime / digest_of(CXX, HERE)
    return made(
        folder,
        "kernels.so",
        lambda: build_kernels(
            runtime, [HERE / "intrinsics.mlu", HERE / "elsewhere.mlu"], folder / "kernels.so"
        ),
    )


@pytest.fixture(scope="session")
def kernels(runtime: Path, library: Path) -> Kernels:
    return Kernels(str(library), str(runtime / "libcnrt.so"))


@pytest.fixture(scope="session")
def apart(runtime: Path, library: Path) -> Outcome:
    """Run a kernel in a process of its own, with options of the device; return its result and its log."""

    def run(name: str, options: dict[str, str] | None = None, **wanted: Any) -> tuple[dict[str, Any], str]:
        words = [str(library), str(runtime / "libcnrt.so"), json.dumps({"name": name, **wanted})]
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("MLUOPS_CPU_")
        }
        done = call_forked(main, words, HERE, {**environment, **(options or {})}, timeout=60)
        assert done.stdout, done.stderr
        return json.loads(done.stdout), done.stderr

    return run
