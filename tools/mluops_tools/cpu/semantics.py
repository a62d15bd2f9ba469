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
        Intrinsics that behave alike; `*` stands for any characters.
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

CASTS = "(int)x of scalars"
SCALAR_HALF = "scalar half"
MEMORY_CORE = "a memory core"
NO_TASKS = "a launch of 0 tasks"
FUSOR = "bang::experimental::fusor"
COPIES_OF_CNNL = "cnnlFill_v3, cnnlCopy_v2, cnnlTranspose_v2"
TOP_K, UNIQUE, SCATTER = "cnnlTopKTensor_v3", "cnnlUnique_v2", "cnnlScatterNd_v2"
CNNL = (COPIES_OF_CNNL, TOP_K, UNIQUE, SCATTER)
NO_INTRINSICS = (CASTS, SCALAR_HALF, FUSOR, MEMORY_CORE, NO_TASKS, *CNNL)
"""Rows on the language, the device and CNNL. Every other name is an intrinsic, or a pattern of intrinsics."""

SEMANTICS = (
    Semantic("add, sub, mul", "element by element", IN_NRAM, "a half is rounded once, to nearest even"),
    Semantic(
        "div",
        "a / b",
        IN_NRAM,
        "as IEEE: 0/0 is NaN, x/0 infinite; of integers toward 0, and 0 where b is 0",
        "zero_by_zero=0",
    ),
    Semantic("rem", "a % b of integers", IN_NRAM, "0 where b is 0"),
    Semantic("neg, abs, active_abs", "-a, the magnitude of a", IN_NRAM),
    Semantic("lt, le, gt, ge, eq, ne", "1 or 0 in the operands' type", IN_NRAM, "NaN is unequal to all"),
    Semantic("and, or, xor, not", "of operands that are not 0; 1 or 0", IN_NRAM, "NaN is not 0"),
    Semantic("band, bor, bxor, bnot, srl, sll", "on the bits of integers", IN_NRAM),
    Semantic(
        "minequal, maxequal, mineq, maxeq, minimum, maximum",
        "the smaller, the larger",
        IN_NRAM,
        "a NaN never wins",
    ),
    Semantic(
        "nan_minimum, nan_maximum", "the smaller, the larger; a NaN of a wins", IN_NRAM, "a NaN of b wins too"
    ),
    Semantic("*_scalar", "the same with one value for b", IN_NRAM),
    Semantic("cycle_*", "the same; b is repeated along a", "the short count divides the count"),
    Semantic(
        "fusion",
        "two operations at once, chosen by its mode",
        IN_NRAM,
        "a half is rounded after each",
        "fusion=once",
    ),
    Semantic("recip, active_reciphp", "1 / a", IN_NRAM, "correctly rounded"),
    Semantic("relu", "a where it is above 0, otherwise 0", IN_NRAM, "a NaN becomes 0"),
    Semantic("sqrt, rsqrt, square, floor, ceil, trunc, round", "of each element", IN_NRAM),
    Semantic(
        "sin, cos, pow2, log2, active_exp, active_exphp, active_sigmoid",
        "of each element",
        IN_NRAM,
        "glibc's accuracy, in float",
    ),
    Semantic(
        "cn_vector_*, cn_scalar_*",
        "functions of libdevice: sin, cos, hypot, exp, log, a cast toward 0",
        "vectors in NRAM",
        "glibc's accuracy, in float",
    ),
    Semantic(
        "float2int*, half2int*, int*2int*",
        "rounds as the ending says: rd and dn down, up, tz toward 0, oz away from 0, rn to nearest even, "
        "rm to nearest, ties away from 0",
        "a fixed point at 0",
        "toward 0 without an ending; NaN becomes 0; a number too large becomes the largest",
    ),
    Semantic(
        "float2half*, float2bfloat16*",
        "rounds as the ending says",
        IN_NRAM,
        "a number too large becomes infinite, or the largest",
    ),
    Semantic(
        "half2float*, bfloat162float*, int*2float*, int*2half*",
        "exact, or rounded to nearest even",
        "the destination may lie on the source",
    ),
    Semantic(CASTS, "toward 0", "", "NaN becomes 0; a number too large becomes the largest"),
    Semantic(SCALAR_HALF, "one number of half", "", "rounded after each operation; sin and cos in float"),
    Semantic(
        "sum",
        "of a vector",
        IN_NRAM,
        "adds from the first element to the last; a half is rounded after each addition",
        "sum=float, sum=backwards",
    ),
    Semantic(
        "argmax, argmin, maxpool_value_index",
        "the value, followed by its index in 32 bits",
        "at least one element",
        "the first of equal elements; a NaN never wins",
        "argmax=last, argmax=nan",
    ),
    Semantic(
        "max, min, maxpool, minpool", "of a vector, of windows", "windows within the plane", "as argmax"
    ),
    Semantic(
        "sumpool", "of windows, channels innermost", "windows within the plane", "rounds after each addition"
    ),
    Semantic(
        "conv",
        "a convolution of points with their channels innermost; filter o lies in part o % 64 of WRAM, at row "
        "o / 64, and rows are padded to 64 bytes",
        "filters in WRAM; windows within the plane; a destination apart from the source",
        "adds in float, in the order of the filter, and rounds once",
    ),
    Semantic(
        "expand_channel_mul, expand_channel_mul_add",
        "each channel of a point by the point's weight and by a filter of one element; plus an addend",
        "filters in WRAM",
        "rounds after each operation",
    ),
    Semantic(FUSOR, "a chain of operations, each on the result of the last", IN_NRAM, "rounds after each"),
    Semantic(
        "count, findfirst1, findlast1", "of elements that are not 0", IN_NRAM, "2^32 - 1 where there is none"
    ),
    Semantic("filter, filter_bitindex", "keeps elements by a mask; returns how many it kept", IN_NRAM),
    Semantic("*_bitindex", "a bit for each comparison, the first in the lowest", "a count that 8 divides"),
    Semantic("transpose, rotate90, rotate180, rotate270, mirror, pad", "of a plane", IN_NRAM),
    Semantic(
        "lut", "table[index]", "a table in NRAM", "an index behind the table leaves the element as it is"
    ),
    Semantic("incseq", "0, 1, 2, ...", IN_NRAM),
    Semantic("extension", "repeats each element, as often as its count says", IN_NRAM, "all of it"),
    Semantic(
        "atomic_reduce_add, atomic_reduce_max, atomic_reduce_min, atomic_add",
        "element by element",
        "a destination in GDRAM",
    ),
    Semantic(
        "memcpy, memcpy_async, move",
        "bytes; segments + 1 pieces at two strides",
        "each end in the memory that the direction names",
        "asynchronous copies of one pipe, GDRAM or on-chip, keep their order; the vector unit copies within "
        "NRAM, in the order of its operations",
        "MLUOPS_CPU_COPIES=late, early",
    ),
    Semantic(
        "gather, gather_async, scatter, scatter_async",
        "pieces at offsets in bytes",
        "each piece within one buffer",
    ),
    Semantic("load_*, store_*", "one value from or to the memory that the name says", "a buffer there"),
    Semantic(
        "write_value, write_zero, memset_nram, nramset, nramset_async, gdramset, sramset",
        "fills with one value",
        "a buffer in the memory that the name says",
        "write_value gives float elements the bits of an int",
    ),
    Semantic(
        "sync, sync_io, sync_move, sync_compute, sync_io_move_compute",
        "waits for copies: of all pipes, of one",
    ),
    Semantic(
        "sync_cluster, sync_all, sync_all_ipu, sync_all_ipu_within_cluster",
        "a barrier",
        "all cores concerned reach the same one",
        "a barrier waits for copies as well",
    ),
    Semantic("is_ipu, is_mpu, is_nram, is_sram, is_dram", "the kind of a core, or of an address"),
    Semantic("vv_*", "vector registers of 64 bytes", "a destination in NRAM"),
    Semantic("printf", "prints to stderr"),
    Semantic(MEMORY_CORE, "coreId 0x80", "", "computes nothing; copies between GDRAM and SRAM alone"),
    Semantic(NO_TASKS, "does nothing", "", "is no error"),
    Semantic(
        COPIES_OF_CNNL,
        "copies of elements, at the strides of both ends",
        "each tensor within one allocation; a workspace as large as the input",
        "a transpose writes its workspace",
    ),
    Semantic(
        TOP_K,
        "the first k of each row in order, and their indices",
        "float; the last axis; a workspace as large as the input",
        "NaN is the largest; of equals, the first comes first",
    ),
    Semantic(
        UNIQUE,
        "the rows that differ, in ascending order; the number of each row's like, and of its likes",
        "int32; a workspace as large as the input",
    ),
    Semantic(
        SCATTER,
        "adds slices to those of the output that the indices name",
        "float, without an input",
        "passes over an index that is outside; adds in the order of the updates",
    ),
)

TITLE = """\
# Intrinsics on the CPU

Generated by `python -m mluops_tools.cpu.semantics > docs/cpu-intrinsics.md`; do not edit.

A name stands for `__bang_NAME` or `__NAME`; `*` stands for any characters. Functions of CNNL have their full
names; they answer a demand that is not met with a status. If another demand is not met, the kernel ends with
a trap. "NRAM" demands that all operands lie in NRAM, each within one buffer, that the
count is 0 or more, and that the destination is one of the sources or does not overlap any. No public
document states what the column "assumed" says: a device may behave otherwise. A switch is a word of
`MLUOPS_CPU_MODEL`, or a variable of its own.
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
