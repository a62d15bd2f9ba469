"""Exceptions and what they say."""

from __future__ import annotations

import pickle

import pytest
from mluops import errors
from mluops.constants import cnrtRet_t, mluOpStatus_t
from mluops.errors import BadParam, CnrtError, MluOpError, status_error


@pytest.mark.parametrize("status", list(mluOpStatus_t)[1:], ids=str)
def test_each_status_of_mlu_ops_has_a_class(status: mluOpStatus_t) -> None:
    error = status_error("mluOpCreate", status)
    assert type(error) is not MluOpError
    assert isinstance(error, MluOpError)


@pytest.mark.parametrize("status", list(cnrtRet_t)[1:], ids=str)
def test_each_status_of_cnrt_has_a_class(status: cnrtRet_t) -> None:
    error = status_error("cnrtMalloc", status)
    assert type(error) is not CnrtError
    assert isinstance(error, CnrtError)


def test_the_message_names_function_status_and_remedy() -> None:
    error = status_error("mluOpNmsRotated", mluOpStatus_t.MLUOP_STATUS_INTERNAL_ERROR)
    assert str(error) == (
        "mluOpNmsRotated returned MLUOP_STATUS_INTERNAL_ERROR (4): an operation inside the library failed. "
        "MLUOP_MIN_LOG_LEVEL=0 shows all of the log. The library's log on stdout may say why; "
        "Library.keeps_log = True puts it here."
    )


def test_the_message_ends_with_what_the_library_logged() -> None:
    error = status_error(
        "mluOpNmsRotated", mluOpStatus_t.MLUOP_STATUS_BAD_PARAM, log="Check failed: boxes != NULL."
    )
    assert isinstance(error, MluOpError)
    assert error.log == "Check failed: boxes != NULL."
    assert str(error).endswith("the function takes. The library's log: Check failed: boxes != NULL.")


def test_a_class_is_named_after_its_status() -> None:
    assert type(status_error("mluOpX", mluOpStatus_t.MLUOP_STATUS_BAD_PARAM)) is BadParam
    assert type(status_error("cnrtX", cnrtRet_t.cnrtErrorNoMem)) is errors.CnrtNoMem


def test_an_unknown_status_keeps_its_number_and_the_words_of_the_library() -> None:
    error = status_error("cnrtMalloc", 424242, "the card is on fire")
    assert type(error) is CnrtError
    assert error.status == 424242
    assert str(error) == "cnrtMalloc returned an unknown status (424242): the card is on fire."


def test_a_status_of_the_driver_is_none_of_mlu_ops_or_cnrt() -> None:
    error = status_error("cnCtxGetCurrent", 3)
    assert type(error) is errors.CndrvError
    assert str(error) == "cnCtxGetCurrent returned an unknown status (3)."


def test_no_device_says_what_is_visible(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLU_VISIBLE_DEVICES", "7")
    error = status_error("cnrtGetDeviceCount", cnrtRet_t.cnrtErrorNoDevice)
    assert "MLU_VISIBLE_DEVICES is '7'" in str(error)


def test_errors_survive_pickling_as_between_test_workers() -> None:
    error = status_error("mluOpNmsRotated", mluOpStatus_t.MLUOP_STATUS_BAD_PARAM, log="[line]")
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), copy.status) == (type(error), str(error), error.status)


def test_errors_are_hashable() -> None:
    assert len({status_error("mluOpX", 3), status_error("mluOpX", 3)}) == 2


def test_everything_raised_here_has_one_base() -> None:
    own = [
        value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, Exception)
    ]
    assert all(issubclass(value, errors.Error) for value in own)
