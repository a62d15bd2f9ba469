"""Planted faults: the refused ones, the replaced functions, and the clean-up."""

from __future__ import annotations

import pkgutil
import threading
from dataclasses import replace

import mluops.operators
import pytest
from mluops.errors import ArgumentValueError
from mluops_emulator.faults import FAULTS, Planted, UnknownFault, faults_named
from mluops_emulator.faults.alterations import instead
from mluops_emulator.faults.fault import Fault
from mluops_emulator.operators import overlaps

OPERATORS = [
    module.name for module in pkgutil.iter_modules(mluops.operators.__path__) if module.name[0] != "_"
]
AT_THRESHOLD = "nms_rotated/at-threshold"


class Place:
    """Something to plant faults into."""

    number = 1


PLUS_TEN = Fault("any/plus-ten", Place, "number", lambda number: number + 10, "adds ten")
TIMES_TWO = Fault("any/times-two", Place, "number", lambda number: number * 2, "doubles")


def changes_something(fault):
    right = vars(fault.owner)[fault.attribute]
    wrong = fault.alter(right)
    return wrong is not right and wrong != right


def test_each_fault_replaces_what_is_there_by_something_else():
    assert [name for name, fault in FAULTS.items() if not changes_something(fault)] == []


def test_each_fault_says_what_goes_wrong():
    assert [name for name, fault in FAULTS.items() if not fault.description] == []


def test_each_fault_says_what_it_replaces():
    assert [name for name, fault in FAULTS.items() if not fault.place.endswith(f".{fault.attribute}")] == []


@pytest.mark.parametrize("operator", OPERATORS)
def test_there_are_faults_of_every_operator(operator):
    assert [fault for fault in FAULTS.values() if fault.group == operator]


def test_all_other_faults_are_of_any_call_or_of_the_workspace():
    assert {fault.group for fault in FAULTS.values()} - set(OPERATORS) == {"any", "workspace"}


def test_an_unknown_fault_is_refused_with_those_like_it():
    with pytest.raises(ArgumentValueError, match="no fault 'nms_rotated/at-treshold'; did you mean nms_"):
        mluops.load("emulator", faults=["nms_rotated/at-treshold"])


def test_a_fault_unlike_any_is_refused_with_the_command_that_lists_them():
    with pytest.raises(UnknownFault, match="selftest --list"):
        faults_named(["xyzzy"])


def test_a_fault_is_in_place_only_while_entered():
    planted = Planted([PLUS_TEN])
    with planted:
        inside = Place.number
    assert (inside, Place.number) == (11, 1)


def test_a_fault_is_taken_back_when_the_call_raises():
    with pytest.raises(KeyError), Planted([PLUS_TEN]):
        raise KeyError
    assert Place.number == 1


def test_faults_of_one_place_add_up_in_order():
    with Planted([PLUS_TEN, TIMES_TWO]):
        assert Place.number == 22


def test_an_emulator_entered_from_within_another_finds_its_own_faults():
    seen = []
    with Planted([PLUS_TEN]):
        with Planted():
            seen.append(Place.number)
            with Planted([TIMES_TWO]):
                seen.append(Place.number)
        seen.append(Place.number)
    assert seen == [1, 2, 11]


def test_an_emulator_entered_from_within_itself_keeps_its_faults():
    planted = Planted([PLUS_TEN])
    with planted, planted:
        inside = Place.number
    assert (inside, Place.number) == (11, 1)


def test_faults_are_made_of_what_is_right_also_while_others_are_in_place():
    with Planted([PLUS_TEN]):
        made_inside = Planted([TIMES_TWO])
    with made_inside:
        assert Place.number == 2


def test_another_thread_waits_and_finds_no_fault():
    seen = []

    def look():
        with Planted():
            seen.append(Place.number)

    thread = threading.Thread(target=look)
    with Planted([PLUS_TEN]):
        thread.start()
        thread.join(0.05)
        seen.append(Place.number)
    thread.join()
    assert seen == [11, 1]


def test_an_emulator_without_faults_is_right_beside_one_with_a_fault(handle_with, kept):
    faulty, right = handle_with(AT_THRESHOLD), handle_with()
    assert [kept(handle, 0.5) for handle in (faulty, right, faulty, right)] == [
        [2, 1],
        [2, 1, 0],
        [2, 1],
        [2, 1, 0],
    ]


def test_nothing_is_replaced_between_the_calls_of_a_faulty_emulator(handle_with, kept):
    right = overlaps.is_above
    kept(handle_with(AT_THRESHOLD), 0.5)
    assert overlaps.is_above is right


def test_an_emulator_names_its_faults(handle_with):
    assert handle_with(AT_THRESHOLD).library.symbols.faults == {AT_THRESHOLD}


def test_a_name_that_is_not_there_cannot_be_replaced():
    with pytest.raises(KeyError):
        Planted([replace(PLUS_TEN, attribute="absent", alter=instead(0))])
