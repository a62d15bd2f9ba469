"""`build-cpu --sanitize`: faults planted into the host code of a checkout with one small operator."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from mluops_tools.cpu.building import Wishes, build

HEADER = """\
#include "mlu.h"
typedef int mluOpStatus_t;
#define MLUOP_WIN_API
extern "C" mluOpStatus_t MLUOP_WIN_API mluOpDoIt(int n);
"""
HOST = """\
#include <stdlib.h>
#include "mlu_op.h"
#include "kernels/do_it/do_it.h"

mluOpStatus_t MLUOP_WIN_API mluOpDoIt(int n) {
  volatile int size = 4;
  int *counts = (int *)calloc(size, sizeof(int));
  counts[n] = 1;
  int sum = counts[0] + 2147483647;
  void *word;
  CNRT_CHECK(cnrtMalloc(&word, 4));
  launch(word, sum);
  cnrtQueueSync(nullptr);
  cnrtMemcpy(&sum, word, 4, cnrtMemcpyDevToHost);
  free(counts);
  return sum;
}
"""
KERNEL = """\
#include "kernels/do_it/do_it.h"
__mlu_global__ void MLUKernelDoIt(int *word, int value) {
  *word = value;
}
void launch(void *word, int value) {
  MLUKernelDoIt<<<{1, 1, 1}, cnrtFuncTypeBlock, nullptr>>>((int *)word, value);
}
"""
FILES = {
    "mlu_op.h": HEADER,
    "build.property": json.dumps({"version": "1.11.1-1"}),
    "core/context.cpp": "",
    "core/tensor.cpp": "",
    "kernels/kernel.h": "",
    "kernels/do_it/do_it.h": '#include "mlu.h"\nvoid launch(void *word, int value);\n',
    "kernels/do_it/do_it.cpp": HOST,
    "kernels/do_it/do_it_block.mlu": KERNEL,
}
CALL = "import ctypes, sys; print(ctypes.CDLL(sys.argv[1]).mluOpDoIt(int(sys.argv[2])))"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def library(runtime: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The operator with both sanitizers, in the folder of the device, whose libraries are built once."""
    checkout = tmp_path_factory.mktemp("checkout")
    for name, text in FILES.items():
        (checkout / name).parent.mkdir(parents=True, exist_ok=True)
        (checkout / name).write_text(text)
    built = build(checkout, runtime, Wishes(sanitize=("address", "undefined")), lambda line: None)
    assert built.functions == ("mluOpDoIt",)
    return runtime / "libmluops.so"


def called(library: Path, n: int) -> subprocess.CompletedProcess[str]:
    compiler = os.environ.get("CXX", "g++")
    asan = subprocess.run(
        [compiler, "-print-file-name=libasan.so"], capture_output=True, text=True, check=True
    ).stdout.strip()
    options = {"ASAN_OPTIONS": "detect_leaks=0", "UBSAN_OPTIONS": "halt_on_error=1", "LD_PRELOAD": asan}
    return subprocess.run(
        [sys.executable, "-c", CALL, library, str(n)],
        env={**os.environ, **options},
        capture_output=True,
        text=True,
    )


def test_without_a_fault_the_kernel_runs(library: Path) -> None:
    assert called(library, 1).stdout == "2147483647\n"


def test_an_overrun_is_found_with_file_and_line(library: Path) -> None:
    done = called(library, 4)
    assert done.returncode != 0
    assert "heap-buffer-overflow" in done.stderr
    assert "kernels/do_it/do_it.cpp:8" in done.stderr


def test_undefined_behaviour_is_found_with_file_and_line(library: Path) -> None:
    done = called(library, 0)
    assert done.returncode != 0
    assert "kernels/do_it/do_it.cpp:9" in done.stderr
    assert "signed integer overflow" in done.stderr
