from __future__ import annotations

import pytest
from mluops_conformance.support.formatting import per_cent, seconds, size


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.5, "1.5 s"),
        (2.5e-3, "2.5 ms"),
        (12.34e-6, "12.34 us"),
        (4e-9, "0.004 us"),
        (0.0, "0 us"),
        (-2e-6, "-2 us"),
    ],
)
def test_a_time_has_a_unit_of_its_size(value: float, text: str) -> None:
    assert seconds(value) == text


@pytest.mark.parametrize(
    ("nbytes", "text"),
    [(0, "0 B"), (1023, "1023 B"), (1024, "1 KiB"), (2252800, "2.148 MiB"), (3 << 30, "3 GiB")],
)
def test_bytes_have_a_unit_of_their_size(nbytes: int, text: str) -> None:
    assert size(nbytes) == text


def test_a_part_is_written_in_per_cent() -> None:
    assert per_cent(0.042681) == "4.27 %"
