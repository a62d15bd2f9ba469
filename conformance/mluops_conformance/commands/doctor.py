"""List what this machine has for running on a device, what is missing, and how to get it."""

from __future__ import annotations

import argparse
import shlex
from typing import TYPE_CHECKING, Iterator, Tuple

from mluops_conformance import exit_codes
from mluops_conformance.errors import NoDeviceError
from mluops_conformance.execution.options import RunOptions
from mluops_conformance.support.flags import add_flags, flag_names

if TYPE_CHECKING:
    from mluops import Library

EPILOG = "Exit code 0: cases can run on a device; 6: they can only be emulated.\n"
_OURS = {"library", "cnrt"}

Rows = Iterator[Tuple[str, str]]


def configure(parser: argparse.ArgumentParser) -> None:
    add_flags(RunOptions, parser.add_argument, except_for=set(flag_names(RunOptions)) - _OURS)


def run(args: argparse.Namespace) -> int:
    from mluops_conformance.execution.backends import open_backend
    from mluops_conformance.nativelog import silenced

    options = RunOptions(backend="device", library=args.library, cnrt=args.cnrt)
    try:
        with silenced():
            library = open_backend(options).library
            rows = list(_findings(library))
            found = _devices_in_words(library)
    except NoDeviceError as error:
        with silenced():
            rows = list(_findings(_loaded(options)))
        _print_table(rows)
        print(f"\nNo device can be used.\n{error.__cause__}")
        print("\nEmulated, cases run anywhere: mluops-conformance run --backend emulator")
        return exit_codes.NO_DEVICE
    _print_table(rows)
    words = " ".join(map(shlex.quote, options.arguments()))
    print(f"\nCases run on {found}: mluops-conformance run {words}")
    return exit_codes.PASSED


def _loaded(options: RunOptions) -> Library | None:
    """The library, if it loads, so that what was found can be told although it is of no use."""
    import mluops

    try:
        return mluops.load(options.library or None, cnrt=options.cnrt or None)
    except mluops.LoadError:
        return None


def _print_table(rows: list[tuple[str, str]]) -> None:
    from tabulate import tabulate

    print(tabulate(rows, tablefmt="plain", disable_numparse=True))


def _findings(library: Library | None) -> Rows:
    if library is not None:
        yield from _libraries(library)
        yield from _devices(library)
        yield from _gaps(library)
    yield from _surroundings()


def _libraries(library: Library) -> Rows:
    from mluops_conformance.results.environment import describe_library

    found = describe_library(library)
    mluops, cnrt, driver = found["library"], found["cnrt"], found["driver"]
    yield "mlu-ops", f"{mluops['version'] or '?'}, {mluops['path']} ({mluops['found_via']})"
    yield "CNRT", f"{cnrt['version'] or '?'}, {cnrt['path']}"
    yield "driver", driver["version"] or "?"


def _devices(library: Library) -> Rows:
    from mluops_conformance.results.environment import describe_device

    for ordinal in range(_count(library)):
        device = describe_device(library, ordinal)
        asked = {name: "?" if value is None else value for name, value in device.items()}
        yield f"device {ordinal}", _DEVICE.format(**asked)


_DEVICE = (
    "{name}: instruction set {isa_version}, {clusters} clusters of {cores_per_cluster} cores, "
    "{nram_bytes} bytes of NRAM a core"
)


def _gaps(library: Library) -> Rows:
    """Yield the reasons for which cases are left out: functions that the library lacks."""
    from mluops_conformance.execution.session import NO_DRIVER, can_limit_clusters, missing_function
    from mluops_conformance.operators import operators

    for name, operator in operators().items():
        missing = missing_function(operator, library)
        if missing:
            yield "left out", f"{name}: {missing}"
    if not can_limit_clusters(library):
        yield "left out", f"cases that limit clusters: {NO_DRIVER}"


def _surroundings() -> Rows:
    from mluops_conformance.results.environment import describe_process

    found = describe_process()
    yield "host", "{name}, {system}, {cpus} CPUs".format(**found["host"])
    yield "Python", f"{found['python']}, NumPy {found['numpy']} ({found['blas'] or 'BLAS unknown'})"
    for name, value in found["variables"].items():
        yield "variable", f"{name}={shlex.quote(value)}"


def _count(library: Library) -> int:
    import mluops

    try:
        return mluops.Device.count(library)
    except mluops.Error:
        return 0


def _devices_in_words(library: Library) -> str:
    count = _count(library)
    return "this device" if count == 1 else f"these {count} devices, one worker each"
