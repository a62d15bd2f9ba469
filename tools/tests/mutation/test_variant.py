"""A library of which one file is patched: what is compiled, what stays, and what is said of errors."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest
from mluops_conformance.errors import UserError
from mluops_tools.cpu.variant import Flags, VariantError, Variants, build_variant, checkout_of

pytestmark = pytest.mark.slow

HEADER, HOST, KERNEL = "kernels/k/k.h", "kernels/k/k.cpp", "kernels/k/k_block.mlu"


def text(base: Path, path: str, old: str = "", new: str = "") -> str:
    return (checkout_of(base) / path).read_text().replace(old, new)


def call(library: Path, argument: int = 3) -> int:
    result: int = ctypes.CDLL(str(library)).mluOpMaskedIm2colForward(argument)
    return result


@pytest.mark.parametrize(
    ("path", "old", "new", "result"),
    [(HEADER, "+ 1", "+ 2", 10), (HOST, "step(a)", "a", 6), (KERNEL, "* 2", "* 3", 12)],
)
def test_a_patched_file_takes_the_place_of_its_own(
    base: Path, tmp_path: Path, path: str, old: str, new: str, result: int
) -> None:
    build_variant(base, "k", {path: text(base, path, old, new)}, tmp_path / "variant.so")
    assert call(tmp_path / "variant.so") == result


def test_nothing_of_the_base_is_written(base: Path, tmp_path: Path) -> None:
    def times() -> dict[Path, int]:
        folders = (base, checkout_of(base))
        return {path: path.stat().st_mtime_ns for folder in folders for path in folder.rglob("*")}

    before = times()
    build_variant(base, "k", {KERNEL: text(base, KERNEL, "* 2", "* 3")}, tmp_path / "variant.so")
    assert times() == before
    assert call(base / "libmluops.so") == 8


def test_only_what_a_patched_file_reaches_is_compiled(base: Path) -> None:
    variants = Variants(base)
    for path, objects in ((HEADER, {"host.o"}), (KERNEL, {"kernel.o"})):
        with variants.compiled("k", {path: text(base, path)}) as compiled:
            assert set(compiled.replaced) == objects


def test_equal_code_has_equal_digests(base: Path) -> None:
    digests = []
    for old, new in (("", ""), ("a * 2", "a  *  2"), ("a * 2", "2 * a"), ("a * 2", "a * 3")):
        with Variants(base, Flags(kernels=("-O2",))).compiled(
            "k", {KERNEL: text(base, KERNEL, old, new)}
        ) as compiled:
            digests.append(compiled.digest())
    assert digests[0] == digests[1] == digests[2] != digests[3]


def test_headers_are_compiled_once(base: Path, tmp_path: Path) -> None:
    variants = Variants(base, headers=tmp_path / "headers")
    for new in ("a", "a + 1"):
        with variants.compiled("k", {HOST: text(base, HOST, "step(a)", new)}) as compiled:
            compiled.link(tmp_path / f"{len(new)}.so")
    assert [call(tmp_path / f"{length}.so") for length in (1, 5)] == [6, 8]
    assert len(list((tmp_path / "headers").glob("*.gch"))) == 1


def test_what_does_not_compile_is_told_with_file_and_line(base: Path, tmp_path: Path) -> None:
    with pytest.raises(VariantError, match=r"k_block\.mlu:1:.*error"):
        build_variant(base, "k", {KERNEL: "int twice(int a) { return b; }"}, tmp_path / "variant.so")


def test_a_file_that_nothing_is_compiled_from_is_named(base: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no file of k is compiled from kernels/k/l\.h"):
        build_variant(base, "k", {"kernels/k/l.h": ""}, tmp_path / "variant.so")


def test_a_folder_without_a_build_is_named_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no build of mlu-ops; 'mluops-conformance build-cpu PATH"):
        Variants(tmp_path)
