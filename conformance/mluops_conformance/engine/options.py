"""The options of a run as one object, for the command and for pytest, whose flags begin with `--mluop-`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable

from mluops_conformance.artefacts.keeper import SaveOptions
from mluops_conformance.execution.options import CacheOptions, RunOptions
from mluops_conformance.support.flags import Flags, add_flags, flag

PREFIX = "--mluop-"


@dataclass(frozen=True)
class PlanOptions(Flags):
    """Narrow the cases of a run."""

    query: tuple[str, ...] = flag((), "run only the cases that a query selects")
    shard: str = flag("", "run the i-th of N parts; every machine splits alike", metavar="i/N")
    times: str = flag("", "an earlier run; its times balance the parts", metavar="DIR")
    resume: bool = flag(False, "leave out what is finished in the folder for the results")
    rerun_changed: bool = flag(False, "with --resume: run edited cases again")


@dataclass(frozen=True)
class OutOptions(Flags):
    """Name the folder for the results; without one, none are stored."""

    out: str = flag("", "folder for the results of the run", metavar="DIR")


@dataclass(frozen=True)
class Options:
    """All options of a run.

    Parameters
    ----------
    run : RunOptions
        They decide the outcome of a case.
    plan : PlanOptions
        They narrow the cases.
    out : str
        The folder for the results, or empty.
    """

    run: RunOptions = field(default_factory=RunOptions)
    plan: PlanOptions = field(default_factory=PlanOptions)
    save: SaveOptions = field(default_factory=SaveOptions)
    cache: CacheOptions = field(default_factory=CacheOptions)
    out: str = ""

    @classmethod
    def read(cls, value_of: Callable[[str], Any]) -> Options:
        """Collect the options from anything that gives a value by flag name."""
        return cls(
            RunOptions.read(value_of),
            PlanOptions.read(value_of),
            SaveOptions.read(value_of),
            CacheOptions.read(value_of),
            value_of("out") or "",
        )

    def words(self) -> tuple[str, ...]:
        """Return what differs from the defaults as words, for the pytest of a worker."""
        parts = (OutOptions(self.out), self.run, self.plan, self.save, self.cache)
        return tuple(word for part in parts for word in part.arguments(PREFIX))

    def check(self) -> None:
        """Refuse values that no run could be made with.

        Raises
        ------
        UserError
        """
        self.run.check()
        if self.cache.folder:
            self.cache.open()


def add_words(add: Callable[..., Any]) -> None:
    """Declare every flag with pytest's `addoption`."""
    for kind in (RunOptions, PlanOptions, SaveOptions, CacheOptions, OutOptions):
        add_flags(kind, add, PREFIX)
