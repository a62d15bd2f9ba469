"""The log of the native library: on stdout, passed on, and kept in the exception of a refused call."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Any

import mluops
import numpy as np
import pytest
from mluops import Handle, operators
from mluops.errors import BadParam
from mluops.library import Library
from mluops.log import STDERR, STDOUT, Logged, legible, redirected

C = ctypes.CDLL(None)


def test_a_call_returns_with_what_c_wrote_and_passes_it_on(capfd: pytest.CaptureFixture[str]) -> None:
    result, log = Logged(STDOUT).call(C.puts, b"Check failed")
    assert (result >= 0, log) == (True, "Check failed")
    assert capfd.readouterr().out == "Check failed\n"


def test_what_was_written_before_a_call_is_not_in_its_log(capfd: pytest.CaptureFixture[str]) -> None:
    print("before")
    C.puts(b"before, and buffered by C")
    assert Logged(STDOUT).call(C.puts, b"in it")[1] == "in it"


def test_a_stream_that_a_call_does_not_log_to_is_left_alone() -> None:
    assert Logged(STDERR).call(C.puts, b"elsewhere")[1] == ""


def test_a_call_within_a_call_runs_and_has_no_log() -> None:
    inner: list[tuple[object, str]] = []
    logged = Logged(STDOUT)
    logged.call(lambda: inner.append(logged.call(os.write, 1, b"x")))
    assert inner == [(1, "")]


def test_an_exception_of_a_call_leaves_the_stream_as_it_was(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ZeroDivisionError):
        Logged(STDOUT).call(lambda: 1 / 0)
    os.write(1, b"there\n")
    assert capfd.readouterr().out == "there\n"


def test_colours_are_no_part_of_a_log() -> None:
    assert legible(b"\x1b[31m[ERROR]\x1b[0m Check failed\n") == "[ERROR] Check failed"


def test_both_streams_can_go_to_one_file(tmp_path: Path) -> None:
    with open(tmp_path / "log", "wb") as file, redirected(file.fileno(), STDOUT, STDERR):
        os.write(1, b"one, ")
        os.write(2, b"two")
    assert (tmp_path / "log").read_text() == "one, two"


def refused(library: Library) -> BadParam:
    null = None
    with pytest.raises(BadParam) as caught:
        library.mluOpNmsRotated.checked(null, 0.5, null, null, null, null, null, 0, null, null, null)
    return caught.value


def test_a_refused_call_says_which_check_failed_where_the_log_is_kept(
    capfd: pytest.CaptureFixture[str],
) -> None:
    library = mluops.load("emulator")
    library.keeps_log = True
    error = refused(library)
    assert error.log.endswith("[mluOpNmsRotated] Check failed: handle must not be NULL.")
    assert str(error).endswith(f"The library's log: {error.log}")
    assert error.log in capfd.readouterr().err


def test_an_operator_on_arrays_keeps_the_log_too() -> None:
    library = mluops.load("emulator")
    library.keeps_log = True
    boxes = np.zeros((2, 5))  # float64
    with Handle(library) as handle, pytest.raises(BadParam) as caught:
        operators.nms_rotated(handle, boxes, np.zeros(2, np.float32), 0.5)
    assert "mluOpNmsRotated" in caught.value.log


def test_unless_it_is_kept_the_log_goes_where_the_library_writes_it(
    capfd: pytest.CaptureFixture[str],
) -> None:
    error = refused(mluops.load("emulator"))
    assert error.log == ""
    assert "Library.keeps_log" in str(error)
    assert "Check failed: handle must not be NULL." in capfd.readouterr().err


@pytest.mark.parametrize(("kind", "stream"), [("device", STDOUT), ("cpu", STDOUT), ("emulator", STDERR)])
def test_the_log_of_a_library_is_read_where_it_writes_it(
    capfd: pytest.CaptureFixture[str], kind: str, stream: int
) -> None:
    class Nothing:
        path = "nothing"

        def address(self, name: str) -> None:
            return None

    nothing: Any = Nothing()
    nothing.kind = kind
    log = Library(nothing, "test").log
    assert log.call(os.write, stream, b"refused\n")[1] == "refused"
