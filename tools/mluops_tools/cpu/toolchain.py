"""The programs that compile the library; for each missing one the package that brings it."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Sequence

from mluops_conformance.errors import UserError

COMPILERS = ("g++", "g++-14", "g++-13", "g++-12", "clang++")
PROBES = (
    (
        "_Float16",
        "_Float16 f(_Float16 x) { return x * x; }",
        "g++ 12 or later (Debian and Ubuntu: g++-12), or clang 15",
    ),
    (
        "C++17",
        "template <class T> int f(T x) { if constexpr (sizeof(x) > 1) return 1; return 0; }",
        "g++ 12 or later",
    ),
    ("the headers of fmt", "#include <fmt/format.h>", "libfmt-dev (Debian and Ubuntu), fmt-devel (Fedora)"),
    (
        "AVX2 and F16C",
        "#include <immintrin.h>\n__m256 f(__m128i x) { return _mm256_cvtph_ps(x); }",
        "an x86-64 compiler",
    ),
)
TOOLS = (
    ("cmake", "cmake (Debian, Ubuntu, Fedora; or 'pip install cmake')"),
    ("ninja", "ninja-build (Debian, Ubuntu, Fedora; or 'pip install ninja')"),
    ("addr2line", "binutils"),
)
FLAGS = ("-std=gnu++17", "-DFMT_HEADER_ONLY", "-mavx2", "-mf16c")


@dataclass(frozen=True)
class Toolchain:
    """Commands by their paths."""

    compiler: str
    cmake: str
    ninja: str


def find_toolchain() -> Toolchain:
    """Find compiler, CMake and Ninja, and try what the sources need.

    `CXX` in the environment names another compiler.

    Raises
    ------
    UserError
        Something is missing; each thing with its package.
    """
    compiler = os.environ.get("CXX") or next(filter(shutil.which, COMPILERS), "")
    missing = [(tool, package) for tool, package in TOOLS if not shutil.which(tool)]
    if compiler and shutil.which(compiler):
        missing += [(what, package) for what, source, package in PROBES if not _compiles(compiler, source)]
    else:
        named = f" (CXX names {compiler}, which cannot be run)" if compiler else ""
        missing.append((f"a C++ compiler{named}", "g++ (Debian, Ubuntu), gcc-c++ (Fedora)"))
    if missing:
        lines = [f"  {what}: {package}" for what, package in missing]
        raise UserError("\n".join(["build-cpu needs, and this machine lacks:", *lines]))
    return Toolchain(compiler, "cmake", "ninja")


def has_toolchain() -> bool:
    """Return True if this machine can build."""
    try:
        find_toolchain()
    except UserError:
        return False
    return True


def _compiles(compiler: str, source: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "probe.cpp")
        path.write_text(source + "\n")
        return succeeds([compiler, *FLAGS, "-fsyntax-only", str(path)])


def succeeds(command: Sequence[str]) -> bool:
    """Return True if a command runs and returns 0."""
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False
