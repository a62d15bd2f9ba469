"""The enums of gtest's schema, for text that gives a value by its number (mlu_op_test.proto, at edc7611)."""

from __future__ import annotations

__all__ = ["CRITERIA", "DEVICES", "DISTRIBUTIONS", "DTYPES", "LAYOUTS"]


def _numbered(*words: str) -> dict[int, str]:
    return dict(enumerate(words, 1))


LAYOUTS = {
    number: f"LAYOUT_{name}"
    for number, name in _numbered(
        *("NCHW", "NHWC", "HWCN", "NDHWC", "ARRAY", "TNC", "NTC", "NCDHW", "NC", "NLC", "NCL")
    ).items()
}
DTYPES = {
    number: f"DTYPE_{name}"
    for number, name in {
        **_numbered("HALF", "FLOAT", "INT8", "INT16", "INT31", "INT32", "BFLOAT16", "DOUBLE", "UINT8"),
        **{10: "UINT16", 11: "UINT32", 12: "BOOL", 13: "COMPLEX64", 14: "COMPLEX128", 15: "INVALID"},
        **{16: "INT64", 17: "UINT64", 18: "COMPLEX_HALF", 19: "COMPLEX_FLOAT", 20: "COMPLEX_DOUBLE"},
    }.items()
}
DEVICES = _numbered("CPU", "GPU", "CMODEL", "GENERATOR_CPU")
CRITERIA = _numbered(
    *("MAPE", "SMAPE", "MAXAPE", "SMAXAPE", "NRMSE"),
    *("DIFF1", "DIFF2", "DIFF3", "DIFF3_2", "DIFF4", "DIFF_KL"),
)
DISTRIBUTIONS = _numbered("UNIFORM", "GAUSSIAN", "SAMPLE", "BINOMIAL", "DISCRETE_UNIFORM", "CERTAIN")
