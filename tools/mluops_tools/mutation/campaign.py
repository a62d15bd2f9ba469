"""Build one changed library after the other, and run cases on each until one catches the change."""

from __future__ import annotations

import hashlib
import json
import tempfile
import time
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import asdict, dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Callable, Iterable, Iterator, Sequence, TypeVar

from mluops_conformance.errors import UserError
from mluops_conformance.execution.basis import basis_of
from mluops_conformance.language.load import select
from mluops_conformance.operators import the_operator

from mluops_tools.cpu.checkout import HEADERS, Unit, chosen, read_checkout
from mluops_tools.cpu.conversion import converted
from mluops_tools.cpu.metadata import Metadata, read_metadata
from mluops_tools.cpu.variant import Flags, VariantError, Variants, checkout_of
from mluops_tools.fuzz.campaign import numbers, pairs_of
from mluops_tools.fuzz.draw import Space
from mluops_tools.fuzz.pool import Drawing, Task
from mluops_tools.mutation.changes import Change, changes_of
from mluops_tools.mutation.search import searched
from mluops_tools.mutation.store import CAUGHT, EQUIVALENT, SURVIVED, UNCOMPILED, Result, Store, Suite
from mluops_tools.mutation.trial import PASSED, Observation, observe, options_of
from mluops_tools.processes import leave_signals_to_parent

if TYPE_CHECKING:
    from mluops_conformance.execution.options import RunOptions
    from mluops_conformance.language.model import Case
    from mluops_conformance.operators.base import Operator

FAST = Flags(("-g0", "-O0"), ("-g0", "-O1"))
"""Flags of the libraries that are tried: they compile in half the time, and kernels are as fast."""
THOROUGH = Flags(("-g0", "-O2"), ("-g0", "-O2"))
"""Flags to compare a survivor with the unchanged sources: they make more of the equivalent code equal."""

DIGESTED = 32
"""Examples of each operator and dtype that show a change of the draw."""

Entry = TypeVar("Entry", Suite, Result)


@dataclass(frozen=True)
class Setting:
    """The things that every trial of a campaign shares.

    Parameters
    ----------
    base : Path
        A folder that `build-cpu` filled.
    headers : Path
        A folder for compiled headers.
    options : RunOptions
    queries : tuple of str
        They select the cases, or the examples of a search.
    search : float
        Processor time of a search for each operator; 0: written cases are tried instead.
    """

    base: Path
    headers: Path
    options: RunOptions
    queries: tuple[str, ...]
    search: float = 0.0


@dataclass(frozen=True)
class Target:
    """A folder of kernels into which faults are planted.

    Parameters
    ----------
    unit : Unit
    texts : dict of str to str
        Its files by their paths in the checkout.
    sources : str
        Their digest, with the architecture.
    """

    unit: Unit
    texts: dict[str, str]
    sources: str

    def changes(self) -> list[Change]:
        """Return all changes of all files."""
        return [change for path, text in self.texts.items() for change in changes_of(path, text)]


def targets(base: Path, names: Sequence[str]) -> list[Target]:
    """Return the folders of a build, all or those that are named.

    Raises
    ------
    UserError
        The base is no folder of `build-cpu`, a name stands for none of its folders, or the sources have
        changed since it was built.
    """
    root = checkout_of(base)
    metadata = read_metadata(base)
    if metadata is None:
        raise UserError(f"{base}: the build is not finished; 'mluops-conformance build-cpu' finishes it")
    units = read_checkout(root).units()
    built = [unit for unit in units if unit.functions and unit.name in metadata.folders]
    wanted = chosen(units, names) if names else built
    missing = [unit.name for unit in wanted if unit not in built]
    if missing:
        raise UserError(f"{base}: {missing[0]} is not built there; build it with 'build-cpu --operators'")
    return [_target(base, root, unit, metadata) for unit in wanted]


def _target(base: Path, root: Path, unit: Unit, metadata: Metadata) -> Target:
    headers = (path for path in (root / "kernels" / unit.name).rglob("*") if path.suffix in HEADERS)
    files = sorted([*unit.host, *unit.kernels, *headers])
    texts = {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8", errors="replace")
        for path in files
    }
    for path, text in texts.items():
        built = base / "sources" / (f"{path}.cpp" if path.endswith(".mlu") else path)
        if built.is_file() and built.read_text(encoding="utf-8") != converted(text, f"{root}/{path}"):
            raise UserError(f"{root / path} has changed since {base} was built; build again with 'build-cpu'")
    return Target(unit, texts, _digest([metadata.arch, metadata.release, texts]))


def planned(changes: Iterable[Change], seed: int) -> list[Change]:
    """Return changes in an order that follows from the seed; further changes leave the order of others."""
    return sorted(changes, key=lambda change: hashlib.sha256(f"{seed} {change.id}".encode()).digest())


def cases_of(unit: Unit, setting: Setting) -> list[Case]:
    """Return the selected cases that call a function of a folder."""
    selected = _selected(setting.options.cases, setting.queries)
    return [
        case for case in selected if not set(unit.functions).isdisjoint(the_operator(case.operator).functions)
    ]


def pairs_met(unit: Unit, setting: Setting) -> list[tuple[Operator, str]]:
    """Return the operators, with their dtypes, that call a function of a folder and may be searched."""
    return [pair for pair in _pairs(setting.queries) if not set(unit.functions).isdisjoint(pair[0].functions)]


def is_idle(unit: Unit, setting: Setting) -> bool:
    """Return True if no case that may be tried calls a function of a folder."""
    return not (pairs_met if setting.search else cases_of)(unit, setting)


@lru_cache(maxsize=1)
def _pairs(queries: tuple[str, ...]) -> Sequence[tuple[Operator, str]]:
    return pairs_of(queries)


@lru_cache(maxsize=2)
def _selected(paths: tuple[str, ...], queries: tuple[str, ...]) -> Sequence[Case]:
    return select(paths, queries)


def suites(store: Store, setting: Setting, found: Sequence[Target], workers: int) -> dict[str, Suite]:
    """Return the suites of folders; cases that are not stored are run without a fault first."""
    if setting.search:
        return {target.unit.name: searching(setting, target) for target in found}
    known, jobs = {}, []
    for target in found:
        digest = _digest(asdict(basis_of(cases_of(target.unit, setting), setting.options)))
        stored = store.suite(target.unit.name, target.sources, digest)
        if stored:
            known[stored.unit] = stored
        else:
            jobs.append(partial(measure, setting, target, digest))
    return {**known, **{suite.unit: suite for suite in _kept(store, jobs, workers)}}


def measure(setting: Setting, target: Target, digest: str) -> Suite:
    """Run the cases of a folder on unchanged sources, built as the changed ones are."""
    with tempfile.TemporaryDirectory(prefix="mluops-mutation-") as folder:
        library = Path(folder, "libmluops.so")
        sources = {path: text for path, text in target.texts.items() if not path.endswith(HEADERS)}
        with _variants(setting, FAST).compiled(target.unit.name, sources) as objects:
            objects.link(library)
        options = options_of(setting.options, library, setting.base)
        seen = list(observe(cases_of(target.unit, setting), options, {}, until_caught=False))
    return Suite(
        target.unit.name,
        target.sources,
        digest,
        {one.case: one.seconds for one in seen if one.outcome == PASSED},
        {one.case: one.outcome for one in seen if one.outcome != PASSED},
    )


def searching(setting: Setting, target: Target) -> Suite:
    """Return the search of a folder; its digest is that of the first examples, which follow from the draw."""
    first = numbers(pairs_met(target.unit, setting), 0, DIGESTED)
    drawing = Drawing(Space())
    basis = basis_of([drawing.example(number).case for number in first], setting.options)
    return Suite(
        target.unit.name, target.sources, _digest([asdict(basis), setting.queries]), {}, {}, setting.search
    )


def campaign(
    store: Store, setting: Setting, plan: Sequence[tuple[Target, Change, Suite]], workers: int
) -> Iterator[Result]:
    """Try changes; results come as they end, and are stored. Those that are stored already are not tried.

    Parameters
    ----------
    plan : sequence of (Target, Change, Suite)
        The changes in their order, with their folders.

    Raises
    ------
    KeyboardInterrupt
        Changes that are being tried meanwhile are tried to the end, and stored.
    """
    jobs = [
        partial(attempt, setting, target, change, suite)
        for target, change, suite in plan
        if store.result(change.id, suite) is None
    ]
    yield from _kept(store, jobs, workers)


def attempt(setting: Setting, target: Target, change: Change, suite: Suite) -> Result:
    """Build a library with a change, and run cases on it until one catches it, the cheapest first."""
    begun = time.monotonic()
    verdict, seen, reason = _tried(setting, target, change, suite)
    last = seen[-1] if verdict == CAUGHT else Observation("", "")
    return Result(
        change.id,
        suite.unit,
        change.kind,
        verdict,
        tried=len(seen),
        case=last.case,
        how=last.how,
        reason=reason or last.reason,
        seconds=round(time.monotonic() - begun, 2),
        spent=_spent(seen, last),
        search=suite.search,
        sources=suite.sources,
        suite=suite.digest,
    )


def _tried(
    setting: Setting, target: Target, change: Change, suite: Suite
) -> tuple[str, list[Observation], str]:
    patched = {change.path: change.applied(target.texts[change.path])}
    with tempfile.TemporaryDirectory(prefix="mluops-mutation-") as folder:
        library = Path(folder, "libmluops.so")
        try:
            with _variants(setting, FAST).compiled(target.unit.name, patched) as objects:
                if objects.digest() == _unchanged(setting, FAST, target.unit.name, change.path):
                    return EQUIVALENT, [], ""
                objects.link(library)
        except VariantError as error:
            return UNCOMPILED, [], _first_error(str(error))
        seen = list((_searched if suite.search else _observed)(setting, target, suite, library))
    if seen and not seen[-1].is_good:
        return CAUGHT, seen, ""
    with _variants(setting, THOROUGH).compiled(target.unit.name, patched) as objects:
        same = objects.digest() == _unchanged(setting, THOROUGH, target.unit.name, change.path)
    return (EQUIVALENT if same else SURVIVED), seen, ""


def _observed(setting: Setting, target: Target, suite: Suite, library: Path) -> Iterator[Observation]:
    cases = [case for case in cases_of(target.unit, setting) if case.id in suite.seconds]
    cases.sort(key=lambda case: suite.seconds[case.id])
    return observe(cases, options_of(setting.options, library, setting.base), suite.seconds)


def _searched(setting: Setting, target: Target, suite: Suite, library: Path) -> Iterator[Observation]:
    faulty, unchanged = (
        options_of(setting.options, path, setting.base) for path in (library, setting.base / library.name)
    )
    pairs = pairs_met(target.unit, setting)
    return searched(pairs, Task(faulty, queries=setting.queries), unchanged, suite.search)


def _spent(seen: Sequence[Observation], last: Observation) -> float:
    """Return the processor time of all cases, or of those of the operator of the last one."""
    operator = last.case[: last.case.find("/") + 1]
    return round(sum(one.seconds for one in seen if one.case.startswith(operator)), 2)


@lru_cache(maxsize=4)
def _variants(setting: Setting, flags: Flags) -> Variants:
    return Variants(setting.base, flags, setting.headers)


@lru_cache(maxsize=None)
def _unchanged(setting: Setting, flags: Flags, unit: str, path: str) -> str:
    """Return the digest of the code that a file reaches, without a change."""
    variants = _variants(setting, flags)
    text = (variants.checkout / path).read_text(encoding="utf-8", errors="replace")
    with variants.compiled(unit, {path: text}) as objects:
        return objects.digest()


def _first_error(text: str) -> str:
    lines = [line for line in text.splitlines() if "error:" in line or "undefined" in line]
    return (lines or text.splitlines() or [""])[0].strip()


def _kept(store: Store, jobs: Sequence[Callable[[], Entry]], workers: int) -> Iterator[Entry]:
    """Do jobs in worker processes, and store each entry as it comes."""
    if not jobs:
        return
    left, running = iter(jobs), set()
    with ProcessPoolExecutor(workers, initializer=leave_signals_to_parent) as pool:
        try:
            running = {pool.submit(job) for _, job in zip(range(workers), left)}
            while running:
                ended, running = wait(running, return_when=FIRST_COMPLETED)
                running |= {pool.submit(job) for _, job in zip(ended, left)}
                yield from _stored(store, ended)
        except KeyboardInterrupt:
            list(_stored(store, running))
            raise


def _stored(store: Store, ended: Iterable[Future[Entry]]) -> Iterator[Entry]:
    for future in ended:
        entry = future.result()
        store.add(entry)
        yield entry


def _digest(values: object) -> str:
    return hashlib.sha256(json.dumps(values, sort_keys=True, default=str).encode()).hexdigest()[:16]
