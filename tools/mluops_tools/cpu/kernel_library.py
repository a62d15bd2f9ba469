"""Kernels of one's own on the CPU's device: source files in BANG C as a shared library."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Sequence

from mluops_conformance.errors import UserError

from mluops_tools.cpu.conversion import converted
from mluops_tools.cpu.project import CXX, kernel_definitions, kernel_flags
from mluops_tools.cpu.toolchain import find_toolchain


def build_kernels(runtime: Path, sources: Sequence[Path], output: Path, arch: str = "592") -> None:
    """Compile kernels and the host functions beside them.

    Parameters
    ----------
    runtime : Path
        A folder with libcnrt.so and libbang.so, of `building.build_runtime` or of `build-cpu`.
    sources : sequence of Path
        In BANG C; `extern "C"` functions in them launch their kernels.
    output : Path
        The shared library; the C++ is written beside it.
    arch : str

    Raises
    ------
    UserError
        A source does not compile: the compiler's message.
    """
    compiler = find_toolchain().compiler
    objects = [_compiled(compiler, source, output.parent, arch) for source in sources]
    places = [f"-L{runtime}", f"-Wl,-rpath,{runtime}"]
    _run([compiler, "-shared", *objects, *places, "-lbang", "-lcnrt", "-o", str(output)])


def _compiled(compiler: str, source: Path, folder: Path, arch: str) -> str:
    """Compile a source file into a folder; return the object's path."""
    text, target = folder / f"{source.name}.cpp", folder / f"{source.name}.o"
    text.write_text(converted(source.read_text(encoding="utf-8"), str(source)), encoding="utf-8")
    rounding = "-ffloat16-excess-precision=none" if "clang" in compiler else "-fexcess-precision=16"
    options = ["-std=gnu++17", "-fPIC", *kernel_flags(), rounding, f"-I{CXX}", f"-I{CXX / 'platform'}"]
    macros = [f"-D{name}" for name in kernel_definitions(arch)]
    _run([compiler, *options, *macros, "-include", "mlu.h", "-c", str(text), "-o", str(target)])
    return str(target)


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        raise UserError(done.stderr.strip())
