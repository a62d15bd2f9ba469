"""The functions that a library for the CPU does not have, as `build-cpu` wrote it beside the library."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Sequence

FILE_NAME = "mluops-cpu.json"


def why_left_out(library_path: str, functions: Sequence[str]) -> str:
    """Return why a library has none of these functions; empty where it has one, or nothing is known of it."""
    stored = _stored(Path(library_path).parent)
    if not stored or any(name in stored["functions"] for name in functions):
        return ""
    for entry in stored["left_out"]:
        if any(name in entry["functions"] for name in functions):
            place = f" ({entry['place']})" if entry["place"] else ""
            return f"left out of the library for the CPU: {entry['reason']}{place}"
    return f"{functions[0]} was not asked for when the library for the CPU was built"


@lru_cache(maxsize=4)
def _stored(folder: Path) -> dict[str, Any]:
    try:
        stored: dict[str, Any] = json.loads((folder / FILE_NAME).read_text(encoding="utf-8"))
        return stored if {"functions", "left_out"} <= stored.keys() else {}
    except (OSError, ValueError, AttributeError):
        return {}
