"""Numbers of the headers."""

from __future__ import annotations

from enum import IntEnum

import pytest
from mluops import constants


@pytest.mark.parametrize(
    ("member", "number"),
    [
        (constants.mluOpStatus_t.MLUOP_STATUS_BAD_PARAM, 3),
        (constants.mluOpStatus_t.MLUOP_STATUS_NUMERICAL_OVERFLOW, 8),
        (constants.mluOpDataType_t.MLUOP_DTYPE_HALF, 1),
        (constants.mluOpDataType_t.MLUOP_DTYPE_INT32, 6),
        (constants.mluOpDataType_t.MLUOP_DTYPE_DOUBLE, 14),
        (constants.mluOpDataType_t.MLUOP_DTYPE_BFLOAT16, 17),
        (constants.mluOpTensorLayout_t.MLUOP_LAYOUT_ARRAY, 4),
        (constants.mluOpTensorLayout_t.MLUOP_LAYOUT_NCL, 10),
        (constants.mluOpAtomicsMode_t.MLUOP_ATOMICS_ALLOWED, 2),
        (constants.cnrtMemTransDir_t.cnrtMemcpyDevToDev, 1),
        (constants.cnrtMemTransDir_t.cnrtMemcpyDevToHost, 2),
        (constants.cnrtRet_t.cnrtErrorNotReady, 1),
        (constants.cnrtRet_t.cnrtErrorNoDevice, 100004),
        (constants.cnrtRet_t.cnrtErrorBusy, 632014),
        (constants.cnrtDeviceAttr_t.cnrtAttrISAVersion, 0x20A),
        (constants.cnrtDeviceAttr_t.cnrtAttrNramSizePerMcore, 0x302),
        (constants.cnrtFunctionType_t.cnrtFuncTypeUnion4, 16),
        (constants.cnrtNotifierFlags.CNRT_NOTIFIER_DISABLE_TIMING_ALL, 4),
    ],
    ids=str,
)
def test_number(member: IntEnum, number: int) -> None:
    assert member == number


def test_no_enum_has_two_names_for_a_number() -> None:
    enums = [
        value for value in vars(constants).values() if isinstance(value, type) and issubclass(value, IntEnum)
    ]
    for enum in enums:
        assert len(enum.__members__) == len(list(enum)), enum.__name__
