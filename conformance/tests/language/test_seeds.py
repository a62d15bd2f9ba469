"""Seeds are the same everywhere and unrelated between operands, cases and user seeds."""

from __future__ import annotations

import hashlib

from mluops_conformance.fills.stream import seed_for


def test_a_seed_is_the_head_of_a_digest() -> None:
    digest = hashlib.sha256(b"7\nnms_rotated/network-34\nboxes").digest()
    assert seed_for("nms_rotated/network-34", "boxes", 7) == int.from_bytes(digest[:8], "little")


def test_a_seed_never_changes() -> None:
    assert seed_for("nms_rotated/network-34", "boxes") == 3803687055645480575


def test_operands_cases_and_user_seeds_have_different_seeds() -> None:
    seeds = {
        seed_for(case, operand, user) for case in ("a", "b") for operand in ("x", "y") for user in (0, 1)
    }
    assert len(seeds) == 8
