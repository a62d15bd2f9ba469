"""Say what this machine has for running on a device, what is missing, and how to get it."""

from __future__ import annotations

import argparse
from typing import Any, Iterator, Mapping

from mluops_conformance import exit_codes
from mluops_conformance.errors import NoDeviceError
from mluops_conformance.options import RunOptions, add_to
from mluops_conformance.performance.options import PERF_NAMES

EPILOG = "Exit code 0: cases would run on a device; 6: only emulated.\n"
_ONLY = frozenset(
    {"backend", "emulated-device", "cases", "seed", "threshold", "static-thresholds", "timeout"}
)


def configure(parser: argparse.ArgumentParser) -> None:
    add_to(parser.add_argument, except_for=(*_ONLY, *PERF_NAMES))


def run(args: argparse.Namespace) -> int:
    from mluops_conformance.execution.backends import open_backend
    from mluops_conformance.results.environment import describe

    try:
        backend = open_backend(RunOptions(backend="device", library=args.library, cnrt=args.cnrt))
    except NoDeviceError as error:
        _print_table(describe(open_backend(RunOptions(backend="emulator")).library))
        print(f"\nNo device can be used, cases run emulated only.\n{error}")
        return exit_codes.NO_DEVICE
    _print_table(describe(backend.library))
    print(f"\n{backend.notice()}\nCases will run on this device: mluops-conformance run --backend device")
    return exit_codes.PASSED


def _print_table(environment: Mapping[str, Any]) -> None:
    from tabulate import tabulate

    print(tabulate(list(_flat(environment)), tablefmt="plain"))


def _flat(value: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, entry in value.items():
        if isinstance(entry, Mapping):
            yield from _flat(entry, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", "-" if entry is None else str(entry)
