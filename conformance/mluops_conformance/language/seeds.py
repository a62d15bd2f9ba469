"""The seed of each operand of each case."""

from __future__ import annotations

import hashlib

__all__ = ["seed_for"]


def seed_for(case_id: str, operand: str, user_seed: int = 0) -> int:
    """The seed of one operand of a case: the same on every machine, and unrelated between operands.

    Returns
    -------
    int
        Below 2^64: the first eight bytes, little-endian, of the SHA-256 digest of user seed, case id and
        operand, as UTF-8 text with a line feed between them.
    """
    digest = hashlib.sha256(f"{user_seed}\n{case_id}\n{operand}".encode()).digest()
    return int.from_bytes(digest[:8], "little")
