"""A build of mlu-ops as far as variants see it: a checkout with one folder, its project, and a library."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from mluops_tools.cpu.conversion import converted
from mluops_tools.cpu.metadata import Metadata

FUNCTION = "mluOpMaskedIm2colForward"
HEADER = "inline int step(int a) { return a + 1; }\n"
HOST = f"""\
#include <cstdlib>
#include "kernels/k/k.h"
const char *file = __FILE__;
int twice(int a);
extern "C"
mluOpStatus_t MLUOP_WIN_API {FUNCTION}(int a) {{
  if (a < 0 && a > 0) {{
    a = 7;
  }}
  if (a == 99) {{
    a = 98;
  }}
  return twice(step(a));
}}
"""
LEADING = f"""\
typedef int mluOpStatus_t;
#define MLUOP_WIN_API
extern "C" mluOpStatus_t MLUOP_WIN_API {FUNCTION}(int a);
"""
KERNEL = "int twice(int a) { return a * 2; }\n"
NINJA = """\
rule cxx
  command = g++ -fPIC -O1 -I{base}/sources -I{root} -include {root}/mlu_op.h $
    -MD -MT $out -MF $out.d -o $out -c $in
  deps = gcc
  depfile = $out.d
rule link
  command = : && g++ -shared -o $out $in && :
build host.o: cxx {root}/kernels/k/k.cpp
build kernel.o: cxx {base}/sources/kernels/k/k_block.mlu.cpp
build {base}/libmluops.so: link host.o kernel.o
build mluops: phony {base}/libmluops.so
"""


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture(scope="session")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as build-cpu leaves it."""
    if not shutil.which("ninja") or not shutil.which("g++") or not shutil.which("objcopy"):
        pytest.skip("no g++, ninja or objcopy")
    root, base = tmp_path_factory.mktemp("mlu-ops"), tmp_path_factory.mktemp("build")
    kernels = {"k.h": HEADER, "k.cpp": HOST, "k_block.mlu": KERNEL}
    for name, text in kernels.items():
        _write(root / "kernels/k" / name, text)
    for name in ("k.h", "k_block.mlu"):
        path = f"kernels/k/{name}"
        as_cpp = base / "sources" / (path + ".cpp" if name.endswith(".mlu") else path)
        _write(as_cpp, converted(kernels[name], f"{root}/{path}"))
    _write(root / "mlu_op.h", LEADING)
    _write(root / "build.property", json.dumps({"version": "1.11.1-1"}))
    for name in ("core/context.cpp", "core/tensor.cpp", "kernels/kernel.h"):
        _write(root / name, "")
    _write(base / "CMakeLists.txt", f'set(CHECKOUT "{root}")\n')
    _write(base / "objects/build.ninja", NINJA.format(base=base, root=root))
    subprocess.run(["ninja", "-C", base / "objects", "mluops"], check=True, capture_output=True)
    Metadata("abc", "1.11.1", "abc", "592", (), {"k": (FUNCTION,)}).write(base)
    return base
