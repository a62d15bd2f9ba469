"""Where the time of a case went."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import Iterator


class Clock:
    """Sums wall seconds by the name of what was done."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def measuring(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start
