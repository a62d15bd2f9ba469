"""Faults that a device may forgive: each ends the kernel with its name, its place and the buffer."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.slow

TRAP = 100132


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("read_behind_nram", "reads 4 bytes 4 bytes behind the end of NRAM buffer 'left' of 65536 bytes"),
        (
            "read_behind_tensor",
            "reads 4 bytes 0 bytes behind the end of allocation 2 of device memory of 16 bytes",
        ),
        (
            "copy_behind_tensor",
            "reads 20 bytes at byte 0 of allocation 2 of device memory of 16 bytes, 4 past",
        ),
        ("write_behind_tensor", "writes 4 bytes 0 bytes behind the end of allocation 1"),
        ("write_null", "writes 4 bytes at the address NULL"),
        ("intrinsic_behind_nram", "__bang_add at"),
        ("wrong_direction", "reads NRAM where GDRAM is demanded"),
        ("argmax_of_nothing", "takes no elements"),
        ("int322int16_at_1", "has a fixed point at 1"),
        ("short_vector_that_does_not_divide", "takes 10 elements and a short vector of 3"),
        ("uneven_copy_to_wram", "copies 100 bytes, which the 64 parts of WRAM cannot share"),
        ("division_by_zero", "divides an integer by 0"),
        ("filters_in_nram", "reads NRAM where WRAM is demanded"),
        ("overlapping_operands", "has a destination that overlaps a source"),
    ],
)
def test_a_trap_names_what_is_wrong_with_kernel_task_and_line(apart: Any, name: str, said: str) -> None:
    outcome, log = apart(name, other=4)
    assert outcome["status"] == TRAP
    assert said in log
    assert f"kernel trap: kernel_{name}, task 0:" in log
    assert "intrinsics.mlu:" in log


def test_cores_at_different_barriers_are_named(apart: Any) -> None:
    outcome, log = apart("another_barrier", tasks=4, kind=4)
    assert outcome["status"] == TRAP
    assert "deadlock" in log
    assert "task 0 waits in __sync_all_ipu," in log
    assert "task 1 waits in __sync_all_ipu_within_cluster," in log


class TestRaces:
    def test_two_tasks_that_write_the_same_bytes_are_named(self, apart: Any) -> None:
        outcome, log = apart("racing_writes", {"MLUOPS_CPU_CHECK": "races"}, tasks=4, kind=4)
        assert outcome["status"] == TRAP
        assert "race: bytes of GDRAM are written that task 0 has written at" in log

    def test_are_none_with_a_barrier_between(self, apart: Any) -> None:
        outcome, _ = apart("barrier_between", {"MLUOPS_CPU_CHECK": "races"}, tasks=4, kind=4)
        assert (outcome["status"], outcome["result"][0]) == (0, 2)

    def test_are_none_between_the_pieces_of_other_tasks(self, apart: Any) -> None:
        outcome, _ = apart("interleaved_stores", {"MLUOPS_CPU_CHECK": "races"}, results=8, tasks=4, kind=4)
        assert outcome == {"status": 0, "result": [-1] * 8}

    def test_are_none_between_the_memories_of_clusters(self, apart: Any) -> None:
        outcome, _ = apart("sram_of_each", {"MLUOPS_CPU_CHECK": "races"}, tasks=8, kind=4)
        assert outcome["status"] == 0

    def test_are_none_among_atomics(self, apart: Any) -> None:
        outcome, _ = apart("atomic_add", {"MLUOPS_CPU_CHECK": "races"}, dtype="float32", tasks=4, kind=4)
        assert outcome["status"] == 0


class TestAsynchronousCopies:
    def test_are_early_by_default(self, apart: Any) -> None:
        outcome, _ = apart("missing_sync", dtype="float32")
        assert outcome["result"] == [2, 4, 6, 8]

    @pytest.mark.parametrize("options", [{"MLUOPS_CPU_COPIES": "late"}, {"MLUOPS_CPU_SEED": "1"}])
    def test_are_late_where_that_is_asked_for(self, apart: Any, options: dict[str, str]) -> None:
        outcome, _ = apart("missing_sync", options, dtype="float32")
        assert outcome["result"] != [2, 4, 6, 8]

    def test_are_in_order_within_nram(self, apart: Any) -> None:
        outcome, _ = apart("copy_within_nram", {"MLUOPS_CPU_COPIES": "late"}, dtype="float32")
        assert outcome["result"] == [2, 4, 6, 8]


def test_on_chip_memory_is_poisoned_before_each_task(apart: Any) -> None:
    assert apart("poison")[0]["result"] == [-1] * 4
    assert apart("poison", {"MLUOPS_CPU_POISON": "0"})[0]["result"] == [0] * 4


def test_a_store_of_what_nobody_wrote_is_found(apart: Any) -> None:
    outcome, log = apart("store_of_unwritten", {"MLUOPS_CPU_CHECK": "unwritten"})
    assert outcome["status"] == TRAP
    assert "of which byte 0 was never written" in log
