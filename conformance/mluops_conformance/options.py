"""The options of a run: one table for the command line and for pytest, where they begin with `mluop-`."""

from __future__ import annotations

import argparse
import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Mapping, Sequence

from mluops_conformance.errors import UserError
from mluops_conformance.execution.placement import KINDS as PLACEMENTS
from mluops_conformance.performance.options import MODES, PERF_FLAGS
from mluops_conformance.support.argument_types import real
from mluops_conformance.support.locations import cases_root

BACKEND_VARIABLE = "MLUOPS_BACKEND"
BACKENDS = ("auto", "device", "cpu", "emulator")
EMULATED_DEVICES = ("MLU370", "MLU590")

# flag, what argparse and pytest's addoption both understand
FLAGS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    (
        "backend",
        {
            "choices": BACKENDS,
            "default": os.environ.get(BACKEND_VARIABLE) or "auto",
            "help": "auto: a device where there is one, the emulator otherwise; device: nothing else; "
            "cpu: a library that build-cpu made",
        },
    ),
    (
        "library",
        {
            "metavar": "FILE",
            "default": "",
            "help": "libmluops.so to load, or its folder (default: MLUOPS_LIBRARY, NEUWARE_HOME, ...)",
        },
    ),
    ("cnrt", {"metavar": "FILE", "default": "", "help": "libcnrt.so to load"}),
    (
        "emulated-device",
        {"choices": EMULATED_DEVICES, "default": EMULATED_DEVICES[0], "help": "what the emulator answers as"},
    ),
    (
        "fault",
        {
            "action": "append",
            "default": [],
            "metavar": "NAME",
            "help": "plant a fault into the emulator (repeatable; 'selftest --list' names them)",
        },
    ),
    (
        "cases",
        {
            "action": "append",
            "default": [],
            "metavar": "PATH",
            "help": "case file or folder (repeatable; default: the built-in cases)",
        },
    ),
    (
        "known-issues",
        {
            "action": "append",
            "default": [],
            "metavar": "FILE",
            "help": "known issues beside the built-in ones (repeatable)",
        },
    ),
    (
        "placement",
        {
            "choices": PLACEMENTS,
            "default": PLACEMENTS[0],
            "help": "of buffers: as allocated, off their alignment, or that in any order",
        },
    ),
    ("seed", {"type": int, "default": 0, "metavar": "N", "help": "another seed gives every case other data"}),
    (
        "threshold",
        {
            "action": "append",
            "default": [],
            "metavar": "MEASURE=VALUE",
            "help": "override a threshold in every case (repeatable)",
        },
    ),
    (
        "static-thresholds",
        {
            "action": "store_true",
            "default": False,
            "help": "judge by the documents' static thresholds, whatever error a baseline has",
        },
    ),
    (
        "timeout",
        {
            "type": real,
            "default": 300.0,
            "metavar": "SECONDS",
            "help": "limit of one case without a limit of its own",
        },
    ),
    *PERF_FLAGS,
)


@dataclass(frozen=True)
class RunOptions:
    """What decides the outcome of a case besides the case itself."""

    backend: str = "auto"
    library: str = ""
    cnrt: str = ""
    emulated_device: str = EMULATED_DEVICES[0]
    fault: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    known_issues: tuple[str, ...] = ()
    placement: str = PLACEMENTS[0]
    seed: int = 0
    threshold: tuple[str, ...] = ()
    static_thresholds: bool = False
    timeout: float = 300.0
    mode: str = MODES[0]
    perf_repeats: int = 100
    perf_seconds: float = 10.0
    peak_bandwidth: float = 0.0
    peak_compute: float = 0.0

    @classmethod
    def read(cls, value_of: Callable[[str], Any]) -> RunOptions:
        """Collect the options from anything that gives a value by flag name."""
        given: dict[str, Any] = {flag.replace("-", "_"): _frozen(value_of(flag)) for flag, _ in FLAGS}
        return cls(**given)

    @classmethod
    def of(cls, args: argparse.Namespace) -> RunOptions:
        """Collect the options from a command's arguments, by default where the command has no such option."""
        return cls.read(
            lambda flag: getattr(args, flag.replace("-", "_"), getattr(cls(), flag.replace("-", "_")))
        )

    def arguments(self, prefix: str = "--") -> tuple[str, ...]:
        """The options that differ from their defaults, with MLUOPS_BACKEND set or not, as words."""
        words = []
        for flag, settings in FLAGS:
            value, default = (getattr(source, flag.replace("-", "_")) for source in (self, RunOptions()))
            if value is True:
                words.append(prefix + flag)
            elif value != default or value != _frozen(settings["default"]):
                for item in value if isinstance(value, tuple) else (value,):
                    text = str(item)
                    odd = text.startswith(("-", "@"))  # what argparse takes for a flag, pytest for a file
                    words += [f"{prefix}{flag}={text}"] if odd else [prefix + flag, text]
        return tuple(words)

    def check(self) -> None:
        """Refuse values that no case could be run with.

        Raises
        ------
        UserError
        """
        from mluops_conformance.judging.measures import ACCEPTANCE
        from mluops_conformance.language.problems import suggestion
        from mluops_conformance.performance.options import check

        check(self)
        if self.backend not in BACKENDS:
            raise UserError(f"{BACKEND_VARIABLE} is {self.backend!r}; it may be {', '.join(BACKENDS)}")
        if self.backend == "emulator" and (self.library or self.cnrt):
            raise UserError("--library and --cnrt name a device's libraries, and --backend emulator has none")
        if not 0 < self.timeout < math.inf:
            raise UserError(f"--timeout {self.timeout:g}: write seconds above 0")
        for measure, value in self.thresholds.items():
            if measure not in ACCEPTANCE:
                raise UserError(f"--threshold {measure}: no such measure{suggestion(measure, ACCEPTANCE)}")
            if not value >= 0 and measure != "diff4":
                raise UserError(f"--threshold {measure}={value:g}: write a number that is not negative")

    @property
    def thresholds(self) -> dict[str, float]:
        """Thresholds of the command line by measure.

        Raises
        ------
        UserError
            An entry is not MEASURE=VALUE.
        """
        return dict(_threshold(text) for text in self.threshold)


def add_to(add: Callable[..., Any], prefix: str = "--", except_for: Sequence[str] = ()) -> None:
    """Declare every flag with argparse's `add_argument` or pytest's `addoption`."""
    for flag, settings in FLAGS:
        if flag not in except_for:
            add(prefix + flag, **settings)


def add_device(add: Callable[..., Any], default: str | None, meaning: str) -> None:
    """Declare `--emulated-device` with `add_argument`, for commands that execute nothing."""
    add("--emulated-device", choices=EMULATED_DEVICES, default=default, help=meaning)


def case_paths(given: Sequence[str]) -> tuple[Path, ...]:
    """The case files and folders named on the command line, or the built-in cases.

    Raises
    ------
    UserError
        One of them does not exist.
    """
    paths = tuple(Path(text) for text in given) or (cases_root(),)
    missing = [str(path) for path in paths if not path.exists()]
    if missing:
        raise UserError(f"no such case file or folder: {', '.join(missing)}")
    return paths


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _threshold(text: str) -> tuple[str, float]:
    measure, _, value = text.partition("=")
    try:
        return measure, float(value)
    except ValueError:
        raise UserError(f"--threshold {text}: write MEASURE=VALUE, as diff1=1e-4") from None
