"""The effects of the intrinsics on the CPU, as data: public facts, assumptions, and switches.

docs/cpu-intrinsics.md is made of it: ``python -m mluops_tools.cpu.semantics > docs/cpu-intrinsics.md``.
"""

from __future__ import annotations

from typing import NamedTuple, Sequence


class Semantic(NamedTuple):
    """A row of the table.

    Parameters
    ----------
    names : str
        Intrinsics that behave alike.
    meaning : str
        What they compute, with units.
    demands : str
        What ends the kernel.
    assumed : str
        What no document fixes, and what is done.
    switch : str
        A word of MLUOPS_CPU_MODEL that does otherwise; empty where nothing else is modelled.
    """

    names: str
    meaning: str
    demands: str = ""
    assumed: str = ""
    switch: str = ""


IN_NRAM = "NRAM"

SEMANTICS = (
    Semantic("add, sub, mul", "element by element", IN_NRAM, "a half is rounded once, to nearest even"),
    Semantic("div", "a / b", IN_NRAM, "as IEEE: 0/0 is NaN, x/0 infinite", "zero_by_zero=0"),
    Semantic("lt, le, gt, ge, eq, ne", "1 or 0 in the operands' type", IN_NRAM, "NaN is unequal to all"),
    Semantic("and, or, xor, not", "of what is not 0; 1 or 0", IN_NRAM, "NaN is not 0"),
    Semantic("band, bor, bxor, bnot, srl, sll", "on the bits of integers", IN_NRAM),
    Semantic("minequal, maxequal, minimum, maximum", "the smaller, the larger", IN_NRAM, "a NaN never wins"),
    Semantic(
        "nan_minimum, nan_maximum", "the smaller, the larger; a NaN of a wins", IN_NRAM, "so for b as well"
    ),
    Semantic("OP_scalar", "the same with one value for b", IN_NRAM),
    Semantic("cycle_OP", "the same with b again and again", "the short count divides the count"),
    Semantic(
        "fusion",
        "two operations at once, by its mode",
        IN_NRAM,
        "a half is rounded after each",
        "fusion=once",
    ),
    Semantic("recip, active_reciphp", "1 / a", IN_NRAM, "correctly rounded"),
    Semantic("sqrt, rsqrt, abs, square, floor, ceil, trunc, round", "of one element", IN_NRAM),
    Semantic("sin, cos, pow2, log2, exp, hypot", "of one element", IN_NRAM, "glibc's accuracy, in float"),
    Semantic(
        "float2int..., half2int...",
        "rounds as the ending says: rd dn down, up, tz, oz away from 0, rn even, rm half away",
        "a fixed point at 0",
        "without an ending toward 0; NaN is 0; too large is the largest",
    ),
    Semantic("float2half...", "rounds as the ending says", IN_NRAM, "too large: infinite, or the largest"),
    Semantic("half2float, int2float", "exact, or to nearest even", "may widen in place"),
    Semantic("(int)x of scalars", "toward 0", "", "NaN is 0; too large is the largest"),
    Semantic("scalar half", "", "", "rounded after each operation"),
    Semantic(
        "sum",
        "of a vector",
        IN_NRAM,
        "one after another from the first; a half is rounded after each",
        "sum=float, sum=backwards",
    ),
    Semantic(
        "argmax, argmin, maxpool_value_index",
        "the value, and behind it the index in 32 bits",
        "at least one element",
        "the first of equals; a NaN never wins",
        "argmax=last, argmax=nan",
    ),
    Semantic(
        "max, min, maxpool, minpool", "of a vector, of windows", "windows within the plane", "as argmax"
    ),
    Semantic("sumpool", "of windows, channels innermost", "windows within the plane", "rounds after each"),
    Semantic("count, findfirst1, findlast1", "of what is not 0", IN_NRAM, "none found is 2^32 - 1"),
    Semantic("filter, filter_bitindex", "keeps by mask; returns how many", IN_NRAM),
    Semantic("OP_bitindex", "a bit for each comparison, the first lowest", "a count that 8 divides"),
    Semantic("transpose, rotate90, rotate180, rotate270, mirror, pad", "of a plane", IN_NRAM),
    Semantic("lut", "table[index]", "table in NRAM", "an index behind the table finds its last"),
    Semantic("atomic_reduce_add, _max, _min, atomic_add", "in GDRAM, element by element", "GDRAM"),
    Semantic(
        "memcpy, memcpy_async, move",
        "bytes; segments + 1 pieces at two strides",
        "each end in the memory that the direction names",
        "asynchronous ones of one pipe, GDRAM or on-chip, keep their order",
        "MLUOPS_CPU_COPIES=late, early",
    ),
    Semantic("gather, scatter, and _async", "pieces at offsets in bytes", "each piece within one buffer"),
    Semantic("write_value, memset_nram, nramset, gdramset, sramset", "one value", "in its memory"),
    Semantic("sync, sync_io, sync_move, sync_io_move_compute", "wait for copies: all, by pipe"),
    Semantic(
        "sync_cluster, sync_all, sync_all_ipu, sync_all_ipu_within_cluster",
        "barriers",
        "all cores concerned reach the same one",
        "a barrier waits for copies as well",
    ),
    Semantic("a memory core", "coreId 0x80", "", "computes nothing; copies between GDRAM and SRAM alone"),
    Semantic("a launch of 0 tasks", "", "", "does nothing, and is no error"),
    Semantic("vector registers", "64 bytes"),
)

TITLE = """\
# Intrinsics on the CPU

Made of `mluops_tools/cpu/semantics.py`; do not edit. A name stands for `__bang_NAME` or `__NAME`.

What an intrinsic demands ends the kernel where it is not so; NRAM stands for: all operands in NRAM, each
within one buffer, a count from 0 on, and a destination that is a source or apart from it. What is assumed is
public nowhere: a device may do otherwise. A switch is a word of `MLUOPS_CPU_MODEL`, or a variable of its own.
See [mlu-ops on a CPU](cpu.md).

| intrinsics | meaning | demands | assumed | switch |
| --- | --- | --- | --- | --- |
"""


def page(semantics: Sequence[Semantic] = SEMANTICS) -> str:
    """Return the page of the documentation."""
    rows = ("| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |\n" for row in semantics)
    return TITLE + "".join(rows)


if __name__ == "__main__":
    print(page(), end="")
