"""A process that samples benchmarks: it reads their names and answers each with a line of JSON.

Started by `sides`. What a benchmark prints goes to standard error. A benchmark stays prepared, and its inputs
in memory, until the next name.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TextIO

from mluops_tools.bench.benchmark import Probe
from mluops_tools.bench.registry import ALL


def main() -> None:
    """Answer requests until there are no more."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    serve(sys.stdin, answers)


def serve(requests: TextIO, answers: TextIO) -> None:
    """Answer `{"wall", "cpu", "memory"}`, or `{"error"}` where a benchmark does not work."""
    prepared, probe = "", None
    for line in requests:
        name = line.strip()
        try:
            if name != prepared or probe is None:
                prepared, probe = name, None  # its inputs go before the next ones come
                probe = ALL[name].prepare()
            answer = _sampled(probe)
        except Exception as error:  # a checkout may be of any age: what fails in it is reported, not hidden
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


def _sampled(probe: Probe) -> dict[str, object]:
    sample = probe.sample()
    return {**sample._asdict(), "memory": probe.memory}


if __name__ == "__main__":
    main()
