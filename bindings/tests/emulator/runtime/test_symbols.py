from __future__ import annotations

from threading import Thread

import pytest
from mluops.constants import mluOpStatus_t
from mluops.errors import MissingSymbol
from mluops.signatures import CNRT, MLUOP


def test_every_public_function_has_an_address(machine):
    missing = [name for name in (*MLUOP, *CNRT) if machine.emulator.address(name) is None]
    assert missing == []


def test_an_address_stays_the_same(machine):
    assert machine.emulator.address("mluOpCreate") == machine.emulator.address("mluOpCreate")


def test_threads_that_ask_at_once_get_the_same_address(machine, monkeypatch):
    """Each would otherwise release the code that the other one is about to call."""
    emulator, guarded, given = machine.emulator, machine.emulator._guarded, []

    def interrupted(function):
        monkeypatch.undo()
        other = Thread(target=lambda: given.append(emulator.address(function.name)))
        other.start()
        other.join()
        return guarded(function)

    monkeypatch.setattr(emulator, "_guarded", interrupted)
    assert [emulator.address("mluOpSetQuantizeRoundMode")] == given


def test_a_name_of_no_header_has_no_address(machine):
    assert machine.emulator.address("mluOpNoSuchFunction") is None


def test_what_the_emulator_does_not_implement_is_not_supported(machine, capfd):
    status = machine.library.mluOpAbs(None, None, None, None, None)
    assert status == mluOpStatus_t.MLUOP_STATUS_NOT_SUPPORTED
    assert "[mluOpAbs] the emulator has no such function." in capfd.readouterr().err


def test_the_releases_are_answered(machine):
    assert (machine.library.version, machine.library.cnrt_version) == ((1, 11, 1), (6, 14, 1))


def test_another_release_can_be_answered(make_machine):
    machine = make_machine(version=(0, 9, 0), cnrt_version=(6, 5, 0))
    assert (machine.library.version, machine.library.cnrt_version) == ((0, 9, 0), (6, 5, 0))


@pytest.mark.parametrize(
    ("name", "release", "there"),
    [
        ("mluOpRoiAwarePool3dBackward", (0, 11, 0), False),
        ("mluOpRoiAwarePool3dBackward", (1, 0, 0), True),
        ("mluOpRoiawarePool3dBackward", (0, 11, 0), True),
        ("mluOpNmsRotated", (0, 4, 2), True),
        ("mluOpNmsRotated", (0, 5, 0), False),
        ("mluOpNmsRotated", (0, 5, 1), True),
        ("mluOpSetTensorDescriptor_v2", (0, 6, 0), False),
    ],
)
def test_a_release_has_the_functions_of_its_header(make_machine, name, release, there):
    assert make_machine(version=release).library.has(name) is there


def test_calling_a_function_that_came_later_names_its_release(make_machine):
    with pytest.raises(MissingSymbol, match=r"v1\.0\.0"):
        make_machine(version=(0, 11, 0)).library.mluOpRoiAwarePool3dBackward()
