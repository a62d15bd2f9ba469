"""Building the library: CMake and Ninja run, what does not compile is left out, and the rest is linked."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Iterable, Sequence

from mluops_conformance.errors import UserError

from mluops_tools.cpu.checkout import Checkout, Unit, chosen, read_checkout, with_needed
from mluops_tools.cpu.compiler_errors import Problem, core_problem, problems, unresolved
from mluops_tools.cpu.metadata import LeftOut, Metadata, read_metadata
from mluops_tools.cpu.project import CXX, OBJECTS, Project, home_of, parts_of, runtime_lists
from mluops_tools.cpu.toolchain import Toolchain, find_toolchain

RUNTIME = ("cnrt", "cndrv", "cnnl", "bang")
Say = Callable[[str], None]


@dataclass(frozen=True)
class Wishes:
    """The request of a build.

    Parameters
    ----------
    operators : tuple of str
        Names of operators or folders; none for all.
    arch : str
    sanitize : tuple of str
    jobs : int
        Compilers at once; 0 for one a core.
    """

    operators: tuple[str, ...] = ()
    arch: str = "592"
    sanitize: tuple[str, ...] = ()
    jobs: int = 0


def build(path: Path, folder: Path, wishes: Wishes, say: Say) -> Metadata:
    """Build a checkout into a folder.

    Parameters
    ----------
    path : Path
        The checkout, which is not written to.
    folder : Path
        Where everything goes, and stays for the next time.
    wishes : Wishes
    say : callable
        Gets a line for each step.

    Returns
    -------
    Metadata
        It is stored in the folder as well.

    Raises
    ------
    UserError
        The checkout is none, a tool is missing, or what every library needs does not compile.
    """
    checkout = read_checkout(path)
    units = _asked_for(checkout.units(), wishes.operators)
    toolchain = find_toolchain()
    known = _still_left_out(checkout, folder, wishes, units)
    tried = tuple(unit for unit in units if unit.name not in known)
    folder.mkdir(parents=True, exist_ok=True)
    if _forget_what_was_moved(folder):
        say(f"{folder} was built in another place: everything is compiled anew")
    project = Project(folder.resolve(), checkout, tried, wishes.arch, wishes.sanitize)
    project.write()
    say(f"compiling {sum(len(unit.host) + len(unit.kernels) for unit in tried)} files of kernels")
    found = _made(project, _Tools(project.folder, toolchain, wishes.jobs))
    return _stored(project, units, {**known, **_left_out(checkout, tried, found)})


def build_runtime(folder: Path, arch: str) -> None:
    """Build the device's libraries alone, without mlu-ops: for kernels of one's own.

    Raises
    ------
    UserError
        A tool is missing, or fails.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _forget_what_was_moved(folder)
    (folder / "CMakeLists.txt").write_text(runtime_lists(arch), encoding="utf-8")
    tools = _Tools(folder, find_toolchain(), 0)
    tools.configure()
    ok, output = tools.make(RUNTIME)
    if not ok:
        raise UserError(output.strip())


def _forget_what_was_moved(folder: Path) -> bool:
    """Remove the objects of a folder that was moved or copied; return whether there were some."""
    moved = home_of(folder) not in ("", str(folder.resolve()))
    if moved:
        shutil.rmtree(folder / OBJECTS)
    return moved


class _Tools:
    """CMake and Ninja in one folder."""

    def __init__(self, folder: Path, toolchain: Toolchain, jobs: int) -> None:
        self.folder = folder
        self.toolchain = toolchain
        self.jobs = jobs or os.cpu_count() or 1

    def configure(self) -> None:
        """Write what Ninja reads.

        Raises
        ------
        UserError
        """
        cmake, compiler, ninja = self.toolchain.cmake, self.toolchain.compiler, self.toolchain.ninja
        command = [cmake, "-G", "Ninja", "-S", ".", "-B", OBJECTS, f"-DCMAKE_CXX_COMPILER={compiler}"]
        ok, output = self._run([*command, f"-DCMAKE_MAKE_PROGRAM={ninja}"])
        if not ok:
            raise UserError(f"cmake failed in {self.folder}:\n{output.strip()}")

    def make(self, targets: Iterable[str]) -> tuple[bool, str]:
        """Make targets, as many as can be made; return whether all were, and what the compilers say."""
        return self._run([self.toolchain.ninja, "-C", OBJECTS, "-k", "0", f"-j{self.jobs}", *targets])

    def _run(self, command: Sequence[str]) -> tuple[bool, str]:
        done = subprocess.run(
            command,
            cwd=self.folder,
            env={**os.environ, "LC_ALL": "C", "NINJA_STATUS": "[%f/%t] "},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        return done.returncode == 0, done.stdout


def _made(project: Project, tools: _Tools) -> dict[str, Problem]:
    """Build all that can be built; return why the rest cannot."""
    root = project.checkout.root
    tools.configure()
    ok, output = tools.make([*RUNTIME, "core"])
    if not ok:
        raise _failure(core_problem(output, root), root)
    targets = [f"{unit.target}_{part}" for unit in project.units for part in parts_of(unit)]
    _, output = tools.make(targets) if targets else (True, "")
    return _linked(project, tools, problems(output, project.units, root))


def _linked(project: Project, tools: _Tools, found: dict[str, Problem]) -> dict[str, Problem]:
    """Link what compiled, without what the linker then misses something for."""
    while True:
        left = [unit for unit in project.units if unit.name not in found]
        project.link(left)
        ok, output = tools.make(["mluops"])
        if ok:
            return found
        missing = unresolved(output, left, project.checkout.root)
        if not missing:
            raise _failure(core_problem(output, project.checkout.root), project.checkout.root)
        found = {**found, **missing}


def _failure(problem: Problem, root: Path) -> UserError:
    place = f"{root / problem.place}: " if problem.place else ""
    return UserError(f"{place}{problem.reason}\nNothing is built: every library needs this file.")


def _asked_for(units: tuple[Unit, ...], names: Sequence[str]) -> tuple[Unit, ...]:
    """Return the units that were asked for, and those that they need; all where none was."""
    return with_needed(units, chosen(units, names)) if names else units


def _still_left_out(
    checkout: Checkout, folder: Path, wishes: Wishes, units: Sequence[Unit]
) -> dict[str, LeftOut]:
    """Return the units that did not compile the last time and have not changed since."""
    before = read_metadata(folder)
    if before is None or (before.arch, before.sanitize) != (wishes.arch, wishes.sanitize):
        return {}
    earlier = {entry.folder: entry for entry in before.left_out}
    return {
        unit.name: earlier[unit.name]
        for unit in units
        if unit.name in earlier and earlier[unit.name].digest == _digest(checkout, unit)
    }


def _left_out(checkout: Checkout, units: Iterable[Unit], found: dict[str, Problem]) -> dict[str, LeftOut]:
    return {
        unit.name: LeftOut(unit.name, unit.functions, *found[unit.name], digest=_digest(checkout, unit))
        for unit in units
        if unit.name in found
    }


def _stored(project: Project, units: Sequence[Unit], left_out: dict[str, LeftOut]) -> Metadata:
    checkout = project.checkout
    metadata = Metadata(
        checkout.title,
        checkout.release,
        checkout.commit,
        project.arch,
        project.sanitize,
        {unit.name: unit.functions for unit in units if unit.name not in left_out},
        tuple(left_out[name] for name in sorted(left_out)),
    )
    metadata.write(project.folder)
    return metadata


def _digest(checkout: Checkout, unit: Unit) -> str:
    """Return the digest of all that decides whether a unit compiles."""
    digest = hashlib.sha256()
    ours = sorted(path for path in CXX.rglob("*") if path.is_file())
    for path in [*unit.host, *unit.kernels, *checkout.headers, *ours]:
        digest.update(path.read_bytes())
    return digest.hexdigest()
