"""`build-cpu`: what it says of checkouts and machines that it cannot build with, and what it leaves out."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from mluops_conformance.errors import UserError
from mluops_conformance.execution.session import why_left_out
from mluops_tools.cpu import building
from mluops_tools.cpu.checkout import chosen, read_checkout, snake, with_needed
from mluops_tools.cpu.compiler_errors import problems, unresolved
from mluops_tools.cpu.metadata import LeftOut, Metadata, read_metadata
from mluops_tools.cpu.project import Project, home_of
from mluops_tools.cpu.toolchain import Toolchain
from mluops_tools.cpu.variant import checkout_of

HOST = "mluOpStatus_t MLUOP_WIN_API mluOpDoIt(void *p) { return 0; }\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with one operator, as far as its layout goes."""
    root = tmp_path / "mlu-ops"
    files = {
        "mlu_op.h": "mluOpStatus_t MLUOP_WIN_API mluOpDoIt(void *p);\nvoid MLUOP_WIN_API mluOpOther(void);\n",
        "build.property": json.dumps({"version": "1.11.1-1"}),
        "core/context.cpp": "",
        "core/tensor.cpp": "",
        "kernels/kernel.h": "",
        "kernels/do_it/do_it.cpp": HOST,
        "kernels/do_it/do_it_block.mlu": "",
        "kernels/pair/first/first.cpp": "",
        "kernels/pair/second/second.mlu": "",
    }
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


class TestACheckout:
    def test_tells_its_release_and_functions(self, checkout: Path) -> None:
        found = read_checkout(checkout)
        assert (found.title, found.functions) == ("v1.11.1", ("mluOpDoIt", "mluOpOther"))

    def test_has_a_unit_for_each_folder_with_sources(self, checkout: Path) -> None:
        units = {unit.name: unit.functions for unit in read_checkout(checkout).units()}
        assert units == {"do_it": ("mluOpDoIt",), "pair/first": (), "pair/second": ()}

    @pytest.mark.parametrize("name", ["do_it", "pair", "first"])
    def test_is_built_by_operator_or_folder(self, checkout: Path, name: str) -> None:
        assert chosen(read_checkout(checkout).units(), [name])


def test_a_folder_brings_the_folders_whose_headers_it_includes(checkout: Path) -> None:
    (checkout / "kernels/do_it/do_it.h").write_text('#include "kernels/pair/first/first.h"\n')
    units = read_checkout(checkout).units()
    needed = with_needed(units, chosen(units, ["do_it"]))
    assert [unit.name for unit in needed] == ["do_it", "pair/first", "pair/second"]


def test_names_of_functions_are_those_of_operators() -> None:
    assert [snake(name) for name in ("mluOpRoiawarePool3dForward", "mluOpNmsRotated", "mluOpFFT1d")] == [
        "roiaware_pool3d_forward",
        "nms_rotated",
        "fft1d",
    ]


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda root: root.rename(root.parent / "elsewhere"), "no such folder; give a checkout of mlu-ops"),
        (lambda root: os.remove(root / "core/tensor.cpp"), "core/tensor.cpp is missing"),
        (lambda root: (root / "build.property").write_text("{"), "has no version"),
    ],
)
def test_what_is_no_checkout_is_refused(checkout: Path, command: Any, damage: Any, said: str) -> None:
    damage(checkout)
    status, _, log = command("build-cpu", checkout, "-o", checkout.parent / "build")
    assert status == 4
    assert said in log


def test_a_folder_of_anything_else_is_no_checkout(tmp_path: Path, command: Any) -> None:
    assert "not a checkout of mlu-ops" in command("build-cpu", tmp_path, "-o", tmp_path / "build")[2]


def test_an_unknown_operator_is_refused_with_the_nearest(checkout: Path, command: Any) -> None:
    log = command("build-cpu", checkout, "-o", checkout.parent / "b", "--operators", "do_itt")[2]
    assert "no such operator (did you mean 'do_it'?)" in log


def test_what_a_machine_lacks_is_named_with_its_package(
    checkout: Path, command: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CXX", raising=False)
    log = command("build-cpu", checkout, "-o", checkout.parent / "b")[2]
    for line in ("cmake: cmake (Debian", "ninja: ninja-build", "a C++ compiler: g++"):
        assert line in log


def test_nothing_is_written_beside_the_folder(checkout: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in checkout.rglob("*")}
    found = read_checkout(checkout)
    Project(checkout.parent / "build", found, found.units(), "592").write()
    assert {path: path.stat().st_mtime_ns for path in checkout.rglob("*")} == before


class TestAFolderThatWasMoved:
    """Its files of CMake and Ninja name the place where it was built."""

    @pytest.fixture
    def moved(self, checkout: Path, command: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setattr(building, "find_toolchain", lambda: Toolchain("true", "true", "true"))
        folder = checkout.parent / "moved"
        assert command("build-cpu", checkout, "-o", folder)[0] == 0
        (folder / "objects").mkdir()
        (folder / "objects/build.ninja").write_text("")
        (folder / "objects/CMakeCache.txt").write_text("# x\nCMAKE_HOME_DIRECTORY:INTERNAL=/built/here\n")
        return folder

    def test_is_built_anew(self, moved: Path, checkout: Path, command: Any) -> None:
        status, _, log = command("build-cpu", checkout, "-o", moved)
        assert (status, home_of(moved)) == (0, "")
        assert f"{moved} was built in another place: everything is compiled anew" in log

    def test_stays_as_it_is_where_it_was_built(self, moved: Path, checkout: Path, command: Any) -> None:
        cache = moved / "objects/CMakeCache.txt"
        cache.write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={moved.resolve()}\n")
        command("build-cpu", checkout, "-o", moved)
        assert cache.is_file()

    def test_is_no_base_of_variants(self, moved: Path) -> None:
        with pytest.raises(UserError, match="built at /built/here and moved since; build again in"):
            checkout_of(moved)


OUTPUT = """\
[1/3] Building CXX object CMakeFiles/unit_do_it_host.dir/x.o
FAILED: CMakeFiles/unit_do_it_kernels.dir/sources/kernels/do_it/do_it_block.mlu.cpp.o
/usr/bin/g++ -c x
/root/kernels/do_it/do_it_block.mlu: In function 'void f()':
/root/kernels/do_it/do_it_block.mlu:12:3: error: '__bang_conv' was not declared in this scope; did you mean x?
[2/3] Building CXX object CMakeFiles/unit_pair_first_host.dir/y.o
FAILED: CMakeFiles/unit_pair_second_kernels.dir/z.o
/root/kernels/pair/second/second.mlu:4:1: error: expected ';' before '}' token
ninja: build stopped: cannot make progress due to previous errors.
"""


def test_the_first_error_of_each_folder_is_found(checkout: Path) -> None:
    units = read_checkout(checkout).units()
    found = problems(OUTPUT, units, Path("/root"))
    assert found["do_it"] == (
        "__bang_conv is not modelled",
        "kernels/do_it/do_it_block.mlu:12",
        "__bang_conv",
    )
    assert found["pair/second"][:2] == ("expected ';' before '}' token", "kernels/pair/second/second.mlu:4")
    assert set(found) == {"do_it", "pair/second"}


LINKED = """\
FAILED: [code=1] /b/libmluops.so
/usr/bin/ld: CMakeFiles/core.dir/root/core/context.cpp.o: in function `f':
/root/core/context.cpp:3: undefined reference to `g()'
/usr/bin/ld: CMakeFiles/unit_do_it_host.dir/root/kernels/do_it/do_it.cpp.o: in function `mluOpDoIt':
/root/kernels/do_it/do_it.cpp:7: undefined reference to `mluop::shape(int, long)'
/usr/bin/ld: /root/kernels/do_it/do_it.cpp:9: undefined reference to `mluop::other()'
/usr/bin/ld: CMakeFiles/unit_pair_first_host.dir/f.o:(.text+0x12): undefined reference to `h'
"""


def test_a_function_that_the_linker_misses_is_told_with_its_user(checkout: Path) -> None:
    found = unresolved(LINKED, read_checkout(checkout).units(), Path("/root"))
    assert found == {
        "do_it": (
            "mluop::shape is in none of the folders that are built",
            "kernels/do_it/do_it.cpp:7",
            "mluop::shape",
        ),
        "pair/first": ("h is in none of the folders that are built", "", "h"),
    }


class TestMetadata:
    STORED = Metadata(
        "abc", "1.11.1", "abc", "592", (), {"a": ("mluOpA",)}, (LeftOut("b", ("mluOpB",), "why", "f:1"),)
    )

    def test_are_read_as_they_were_written(self, tmp_path: Path) -> None:
        self.STORED.write(tmp_path)
        assert read_metadata(tmp_path) == self.STORED

    @pytest.mark.parametrize(
        ("function", "said"),
        [
            ("mluOpA", ""),
            ("mluOpB", "left out of the library for the CPU: why (f:1)"),
            ("mluOpC", "mluOpC was not selected when the library for the CPU was built"),
        ],
    )
    def test_say_why_a_function_is_not_there(self, tmp_path: Path, function: str, said: str) -> None:
        self.STORED.write(tmp_path)
        assert why_left_out(str(tmp_path / "libmluops.so"), (function,)) == said
