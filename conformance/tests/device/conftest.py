"""Stand-ins for libcnrt.so and libmluops.so, and the command that runs cases on them as on a device.

The stand-ins carry the whole way of a case: their operators compute, and go wrong in the ways that a test
names (`native/standin.h`). They are compiled once a session; without a C compiler the tests are skipped.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Callable, Mapping, NamedTuple

import pytest
from forked import run_forked

SOURCES = Path(__file__).parent / "native"
HIDDEN = ("MLUOPS_", "MLUOP_", "MLU_", "NEUWARE_HOME", "PYTEST_", "STANDIN_")
"""Beginnings of the variables that a command under test does not inherit."""

Build = Callable[..., Path]


@pytest.fixture(scope="session")
def build(shared_library: Build) -> Build:
    """Compile a source of `native` as the library of one release."""

    def compiled(source: str, version: str, *flags: str) -> Path:
        names = ("VERSION_MAJOR", "VERSION_MINOR", "VERSION_PATCH")
        macros = [f"-D{name}={number}" for name, number in zip(names, version.split("."))]
        return shared_library(SOURCES / f"{source}.c", ["-std=gnu11", "-O2", *macros], [*flags, "-lm"])

    return compiled


class Done(NamedTuple):
    """A command that has ended, and the folder of the run that it wrote, if it wrote one."""

    code: int
    out: str
    err: str
    folder: Path

    @property
    def events(self) -> list[dict[str, Any]]:
        """The events of the run, in order."""
        lines = (self.folder / "results.jsonl").read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines]

    @property
    def records(self) -> dict[str, dict[str, Any]]:
        """The last record of each case, by id."""
        return {event["id"]: event for event in self.events if event["event"] == "finished"}


class StandIn:
    """A device that is none: the command with a pair of libraries.

    Parameters
    ----------
    mluops, cnrt : Path
        The libraries.
    """

    def __init__(self, mluops: Path, cnrt: Path) -> None:
        self.mluops = mluops
        self.cnrt = cnrt

    def command(self, folder: Path, *words: str, **variables: str) -> Done:
        """Call a command in `folder`, with the libraries named and these variables set."""
        return self.plain(
            folder, *words, "--library", str(self.mluops), "--cnrt", str(self.cnrt), **variables
        )

    @staticmethod
    def plain(folder: Path, *words: str, **variables: str) -> Done:
        """Call a command that takes no libraries."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(HIDDEN)}
        done = run_forked(words, folder, {**inherited, **variables}, timeout=300)
        return Done(done.returncode, done.stdout, done.stderr, folder / "r")

    def run(
        self, folder: Path, *words: str, cases: Mapping[str, str] | None = None, **variables: str
    ) -> Done:
        """Run cases on the stand-in: the built-in ones, or files whose text is given by name."""
        for name, text in (cases or {}).items():
            (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
        given = ("--cases", ".") if cases else ()
        return self.command(folder, "run", "--backend", "device", "--out", "r", *given, *words, **variables)


@pytest.fixture(scope="session")
def standin(build: Build) -> Callable[..., StandIn]:
    """A stand-in of one release of mlu-ops with one of CNRT, and with the driver's library if wanted."""

    def made(version: str = "1.11.1", cnrt: str = "6.14.1", driver: bool = False) -> StandIn:
        needed = ("-Wl,--no-as-needed", str(build("cndrv", "2.7.0"))) if driver else ()
        return StandIn(build("mluops", version, *needed), build("cnrt", cnrt))

    return made


@pytest.fixture
def device(standin: Callable[..., StandIn]) -> StandIn:
    """The newest stand-in."""
    return standin()
