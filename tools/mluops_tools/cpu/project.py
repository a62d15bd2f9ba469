"""The CMake project of a folder: converted kernels, stubs of what is left out, and how all is compiled."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Iterable, Sequence

from mluops_tools.cpu.checkout import Checkout, Unit
from mluops_tools.cpu.conversion import converted

CXX = Path(__file__).parent / "cxx"
OBJECTS = "objects"
"""The folder of a build in which CMake and Ninja work."""

HOME = re.compile(r"^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$", re.MULTILINE)
"""The line of CMake's cache that names the folder of the project."""

ARCHITECTURES = {"372": (768, 4096, 1024), "592": (512, 2048, 512)}
"""KB of NRAM, SRAM and WRAM by architecture."""

SANITIZERS = ("address", "undefined")
NOT_SUPPORTED = 7  # mluOpStatus_t

KERNEL_FLAGS = (
    *("-g", "-w", "-fpermissive", "-O2", "-mavx2", "-mf16c", "-ffp-contract=off", "-fwrapv"),
    *("-fno-strict-aliasing", "-fno-optimize-sibling-calls"),
)
"""The compiler's flags for kernels: each operation rounds, and a backtrace has every call."""

CHECKING_FLAGS = ("-fsanitize=thread", "--param=tsan-instrument-func-entry-exit=0")
"""Let the compiler put a call before each access of memory; the runtime has these functions."""

RUNTIME = """\
# Written by 'mluops-conformance build-cpu'; 'cmake --build objects' in this folder builds again.
cmake_minimum_required(VERSION 3.16)
project(mluops_cpu LANGUAGES CXX)
set(OURS {cxx})
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${{CMAKE_SOURCE_DIR}})
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_INSTALL_RPATH "$ORIGIN")
add_compile_options(-g1 -fno-optimize-sibling-calls)
add_link_options(-Wl,-z,defs)
include_directories(${{OURS}} ${{OURS}}/platform)

# The device and its libraries.
file(GLOB RUNTIME CONFIGURE_DEPENDS ${{OURS}}/runtime/*.cpp)
file(GLOB BANG CONFIGURE_DEPENDS ${{OURS}}/bang/*.cpp)
add_library(cnrt SHARED ${{RUNTIME}})
target_compile_options(cnrt PRIVATE -O2)
target_compile_definitions(cnrt PRIVATE MLUOPS_CPU_ARCH={arch})
target_link_libraries(cnrt PRIVATE dl pthread)
add_library(cndrv SHARED ${{OURS}}/cndrv/cndrv.cpp)
target_compile_definitions(cndrv PRIVATE MLUOPS_CPU_ARCH={arch})
target_link_libraries(cndrv PRIVATE cnrt)
add_library(cnnl SHARED ${{OURS}}/cnnl/cnnl.cpp)
target_compile_options(cnnl PRIVATE -O2)
target_link_libraries(cnnl PRIVATE cnrt)
add_library(bang SHARED ${{BANG}})
target_compile_options(bang PRIVATE -O3 -mavx2 -mf16c -ffp-contract=off -fwrapv -fno-math-errno
  -fno-trapping-math)
target_link_libraries(bang PRIVATE cnrt)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(bang PRIVATE -fvect-cost-model=dynamic)
endif()
"""

VENDOR = """
# mlu-ops' own code: host files, and kernels that were converted to C++. Sanitizers look after it alone.
add_compile_options({sanitize})
add_link_options({sanitize})
set(CHECKOUT {checkout})
set(HOST_OPTIONS -w -fpermissive -O1)
set(HOST_DEFINITIONS NDEBUG FMT_HEADER_ONLY)
set(KERNEL_OPTIONS {flags} -include ${{OURS}}/platform/mlu.h)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND KERNEL_OPTIONS -fexcess-precision=16)
else()
  list(APPEND KERNEL_OPTIONS -ffloat16-excess-precision=none)
endif()
set(KERNEL_DEFINITIONS {definitions})

add_library(core OBJECT {core} ${{CMAKE_SOURCE_DIR}}/sources/left_out.cpp)
target_include_directories(core PRIVATE ${{CHECKOUT}} ${{CHECKOUT}}/core)
target_compile_options(core PRIVATE ${{HOST_OPTIONS}})
target_compile_definitions(core PRIVATE ${{HOST_DEFINITIONS}})
{units}
include(${{CMAKE_SOURCE_DIR}}/linked.cmake)
add_library(mluops SHARED $<TARGET_OBJECTS:core>)
foreach(unit ${{LINKED}})
  target_sources(mluops PRIVATE $<TARGET_OBJECTS:${{unit}}>)
endforeach()
target_link_libraries(mluops PRIVATE -Wl,--no-as-needed bang cnnl cnrt cndrv dl pthread)
target_link_options(mluops PRIVATE -Wl,--version-script=${{CMAKE_SOURCE_DIR}}/sources/exports.map)
"""

UNIT = """
add_library({target}_host OBJECT {host})
target_include_directories({target}_host PRIVATE ${{CHECKOUT}})
target_compile_options({target}_host PRIVATE ${{HOST_OPTIONS}})
target_compile_definitions({target}_host PRIVATE ${{HOST_DEFINITIONS}})
"""
KERNELS = """\
add_library({target}_kernels OBJECT {kernels})
target_include_directories({target}_kernels PRIVATE ${{CMAKE_SOURCE_DIR}}/sources ${{CHECKOUT}})
target_compile_options({target}_kernels PRIVATE ${{KERNEL_OPTIONS}})
target_compile_definitions({target}_kernels PRIVATE ${{KERNEL_DEFINITIONS}})
"""
EXPORTS = "MLUOP_ABI_1.0 { global: mluOp*; mluops_cpu_*; local: *; };\n"


@dataclass(frozen=True)
class Project:
    """The parts of a build, and its folder.

    Parameters
    ----------
    folder : Path
        Where everything is written.
    checkout : Checkout
    units : tuple of Unit
        The folders of kernels that are tried.
    arch : str
        A key of `ARCHITECTURES`.
    sanitize : tuple of str
        Of `SANITIZERS`.
    """

    folder: Path
    checkout: Checkout
    units: tuple[Unit, ...]
    arch: str
    sanitize: tuple[str, ...] = ()

    def write(self) -> None:
        """Write the project; files that stay the same keep their times, so that little is built again."""
        for path in [*self.checkout.headers, *(kernel for unit in self.units for kernel in unit.kernels)]:
            _write(
                self.converted(path), converted(path.read_text(encoding="utf-8", errors="replace"), str(path))
            )
        _write(self.folder / "sources/left_out.cpp", _stubs(self))
        _write(self.folder / "sources/exports.map", EXPORTS)
        _write(self.folder / "CMakeLists.txt", self._lists())
        self.link(self.units)

    def link(self, units: Iterable[Unit]) -> None:
        """Say which units the library is linked of."""
        targets = [f"{unit.target}_{part}" for unit in units for part in parts_of(unit)]
        _write(self.folder / "linked.cmake", f"set(LINKED {' '.join(targets)})\n")

    def converted(self, path: Path) -> Path:
        """Return where the C++ of a kernel's source goes: a header keeps its name."""
        relative = path.relative_to(self.checkout.root)
        return self.folder / "sources" / (f"{relative}.cpp" if path.suffix == ".mlu" else relative)

    def _lists(self) -> str:
        vendor = VENDOR.format(
            sanitize=f"-fsanitize={','.join(self.sanitize)}" if self.sanitize else "",
            flags=" ".join(kernel_flags(self.sanitize)),
            definitions=" ".join(kernel_definitions(self.arch)),
            checkout=_quoted(self.checkout.root),
            core=_paths(self.checkout.core),
            units="".join(map(self._unit, self.units)),
        )
        return runtime_lists(self.arch) + vendor

    def _unit(self, unit: Unit) -> str:
        text = ""
        if unit.host:
            text += UNIT.format(target=unit.target, host=_paths(unit.host))
        if unit.kernels:
            text += KERNELS.format(target=unit.target, kernels=_paths(map(self.converted, unit.kernels)))
        return text


def home_of(folder: Path) -> str:
    """Return the path at which a folder was built; empty if nothing was built in it.

    The files of CMake and Ninja hold absolute paths. So a folder that was moved cannot be built on.
    """
    cache = folder / OBJECTS / "CMakeCache.txt"
    found = HOME.search(cache.read_text(encoding="utf-8")) if cache.is_file() else None
    return str(Path(found[1]).resolve()) if found else ""


def runtime_lists(arch: str) -> str:
    """Return the CMake project of the device alone, without mlu-ops' code."""
    return RUNTIME.format(cxx=_quoted(CXX), arch=arch)


def kernel_flags(sanitize: Sequence[str] = ()) -> tuple[str, ...]:
    """Return how kernels are compiled; the address sanitizer looks after accesses itself."""
    return KERNEL_FLAGS + (() if "address" in sanitize else CHECKING_FLAGS)


def kernel_definitions(arch: str) -> tuple[str, ...]:
    """Return the macros of kernels, NAME or NAME=VALUE."""
    nram, sram, wram = ARCHITECTURES[arch]
    sizes = (f"__MLU_NRAM_SIZE__={nram}", f"__MLU_SRAM_SIZE__={sram}", f"__MLU_WRAM_SIZE__={wram}")
    return ("NDEBUG", "__BANG__", f"__BANG_ARCH__={arch}", f"_BANG_ARCH_={arch}", *sizes)


def parts_of(unit: Unit) -> tuple[str, ...]:
    """Return what a unit is compiled as."""
    return ("host",) * bool(unit.host) + ("kernels",) * bool(unit.kernels)


def _stubs(project: Project) -> str:
    """Return weak functions for all that is public, which those that are built take the place of."""
    title = json.dumps(project.checkout.title)
    lines = [
        "// Functions of folders that are left out, and what tells this library from a device's.",
        'extern "C" {',
        f"const char *mluops_cpu_source(void) {{ return {title}; }}",
        *(
            f"__attribute__((weak)) int {name}(void) {{ return {NOT_SUPPORTED}; }}"
            for name in project.checkout.functions
        ),
        "}",
    ]
    return "\n".join(lines) + "\n"


def _write(path: Path, text: str) -> None:
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _paths(paths: Iterable[Path]) -> str:
    return " ".join(map(_quoted, paths))


def _quoted(path: Path) -> str:
    return '"' + str(path).replace("\\", "\\\\").replace('"', '\\"') + '"'
