"""Settings of all test folders, and the C compiler that some need."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Callable, Sequence

import pytest
from hypothesis import settings
from mluops_conformance.cli import limit_threads

# A folder of plain modules, so that the processes of the server import them as this one does.
sys.path.insert(0, str(Path(__file__).parent / "conformance/tests/processes"))

limit_threads()  # the workers share the cores already

# A slow machine is no defect of the code.
settings.register_profile("project", deadline=None, derandomize=True)
settings.load_profile("project")


def pytest_collection_finish() -> None:
    """Leave thousands of tests out of the collections of garbage that some of them ask for."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def begun(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """Begin a command in a session of its own, and let it go on until something is true."""

    def begun(*words: str, until: Callable[[], bool]) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "mluops_conformance", *words],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            universal_newlines=True,
        )
        while process.poll() is None and not until():
            time.sleep(0.01)
        return process

    return begun


@pytest.fixture(scope="session")
def shared_library(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Compile NAME.c as libNAME.so, each combination of options once; skips where there is no C compiler."""
    compiler = next(filter(shutil.which, (os.environ.get("CC", "cc"), "gcc", "clang")), None)
    if compiler is None:
        pytest.skip("no C compiler: neither $CC nor cc, gcc or clang is on PATH")
    folder = tmp_path_factory.mktemp("native")
    built: dict[Any, Path] = {}

    def compiled(source: Path, options: Sequence[str], libraries: Sequence[str] = ()) -> Path:
        key = (source, tuple(options), tuple(libraries))
        if key not in built:
            target = folder / str(len(built)) / f"lib{source.stem}.so"
            target.parent.mkdir()
            before = ["-shared", "-fPIC", "-Wl,-Bsymbolic", *options]
            words = [compiler, *before, "-o", str(target), str(source), *libraries]
            subprocess.run(words, check=True)
            built[key] = target
        return built[key]

    return compiled
