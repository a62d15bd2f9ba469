"""Run a command and print what it took, as JSON: wall and CPU seconds, peak bytes of its largest process.

A program of its own, and a small one: what Linux calls the peak of a process begins with that of the process
which started it.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time


def main() -> None:
    """Run the command that the arguments are; end as it did."""
    start = time.perf_counter()
    status = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)
    wall = time.perf_counter() - start
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = usage.ru_utime + usage.ru_stime
    print(json.dumps({"wall": wall, "cpu": cpu, "memory": usage.ru_maxrss * 1024}))
    sys.exit(status)


if __name__ == "__main__":
    main()
