"""A checkout of mlu-ops: its release, and the folders of kernels that are built one by one."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Sequence

from mluops_conformance.errors import UserError
from mluops_conformance.language.model import suggestion

LANDMARKS = ("mlu_op.h", "build.property", "core/context.cpp", "core/tensor.cpp", "kernels/kernel.h")
"""Files without which a folder is no checkout of a layout that is known."""

DEFINITION = re.compile(r"^mluOpStatus_t\s+(?:MLUOP_WIN_API\s+)?(mluOp\w+)\s*\(", re.MULTILINE)
DECLARATION = re.compile(r"\bMLUOP_WIN_API\s+(mluOp\w+)\s*\(")
OTHERS = re.compile(r'^#include "kernels/(\w+)/', re.MULTILINE)
HOST, KERNEL, HEADERS = (".cpp",), (".mlu",), (".h", ".hpp", ".mluh")


@dataclass(frozen=True)
class Unit:
    """A folder of kernels: what is built, or left out, as one.

    Parameters
    ----------
    name : str
        The folder's path below kernels/.
    host, kernels : tuple of Path
        Its source files.
    functions : tuple of str
        The public functions that they define.
    needs : frozenset of str
        Other folders whose headers they include: they may call their functions.
    """

    name: str
    host: tuple[Path, ...]
    kernels: tuple[Path, ...]
    functions: tuple[str, ...]
    needs: frozenset[str] = frozenset()

    @property
    def target(self) -> str:
        """Its name in the build."""
        return "unit_" + self.name.replace("/", "_")


@dataclass(frozen=True)
class Checkout:
    """The sources of one release or commit."""

    root: Path
    release: str
    commit: str

    @property
    def title(self) -> str:
        """The commit, or the release of sources without one."""
        return self.commit or f"v{self.release}"

    @property
    def core(self) -> tuple[Path, ...]:
        """The sources that every build has."""
        return tuple(sorted((self.root / "core").rglob("*.cpp")))

    @property
    def headers(self) -> tuple[Path, ...]:
        """The headers that kernels may include."""
        return tuple(sorted(path for path in (self.root / "kernels").rglob("*") if path.suffix in HEADERS))

    @property
    def functions(self) -> tuple[str, ...]:
        """The public functions, of mlu_op.h."""
        return tuple(dict.fromkeys(DECLARATION.findall(_text(self.root / "mlu_op.h"))))

    def units(self) -> tuple[Unit, ...]:
        """The folders of kernels."""
        folders = (path for path in sorted((self.root / "kernels").iterdir()) if path.is_dir())
        public = frozenset(self.functions)
        return tuple(unit for folder in folders for unit in _units_of(folder, self.root / "kernels", public))


def read_checkout(path: Path) -> Checkout:
    """Recognize a checkout.

    Raises
    ------
    UserError
        The folder is none, or its layout is not known.
    """
    if not path.is_dir():
        raise UserError(f"{path}: no such folder; give a checkout of mlu-ops")
    missing = [name for name in LANDMARKS if not (path / name).is_file()]
    if len(missing) == len(LANDMARKS):
        raise UserError(
            f"{path}: not a checkout of mlu-ops: it has neither {LANDMARKS[0]} nor kernels/kernel.h"
        )
    if missing:
        raise UserError(
            f"{path}: a checkout of a layout that is not known: {', '.join(missing)} is missing. "
            "The layout of v1.11.1 is known; is the checkout complete?"
        )
    root = path.resolve()
    return Checkout(root, _release(root), _commit(root))


def chosen(units: Sequence[Unit], names: Sequence[str]) -> tuple[Unit, ...]:
    """Return the folders that were asked for, by operator or by folder.

    Raises
    ------
    UserError
        A name stands for none of them.
    """
    wanted: dict[str, Unit] = {}
    for name in names:
        found = [unit for unit in units if is_named(unit, name)]
        if not found:
            known = {snake(function) for unit in units for function in unit.functions} | {
                u.name for u in units
            }
            raise UserError(f"--operators {name}: the checkout has no such operator{suggestion(name, known)}")
        wanted.update((unit.name, unit) for unit in found)
    return tuple(wanted.values())


def with_needed(units: Sequence[Unit], wanted: Sequence[Unit]) -> tuple[Unit, ...]:
    """Return units and those that they need, in the order of all units."""
    names = {unit.name for unit in wanted}
    while True:
        needed = frozenset().union(*(unit.needs for unit in units if unit.name in names))
        more = {unit.name for unit in units if unit.name.split("/")[0] in needed}
        if more <= names:
            return tuple(unit for unit in units if unit.name in names)
        names |= more


def is_named(unit: Unit, name: str) -> bool:
    """Return True if an operator's or a folder's name means this unit."""
    folders = unit.name.split("/")
    return name in (unit.name, folders[0], folders[-1]) or name in map(snake, unit.functions)


def snake(function: str) -> str:
    """Return an operator's name of its C function's: mluOpNmsRotated is nms_rotated."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", function[len("mluOp") :])
    return words.lower()


def _units_of(folder: Path, kernels: Path, public: frozenset[str]) -> list[Unit]:
    """Return one unit for a folder with sources of its own, else one for each folder in it that has some."""
    if any(path.suffix in HOST + KERNEL for path in folder.iterdir()):
        return [_unit(folder, kernels, public)]
    inner = [path for path in sorted(folder.iterdir()) if path.is_dir()]
    return [
        _unit(path, kernels, public) for path in inner if any(path.rglob("*.cpp")) or any(path.rglob("*.mlu"))
    ]


def _unit(folder: Path, kernels: Path, public: frozenset[str]) -> Unit:
    host = tuple(sorted(path for path in folder.rglob("*") if path.suffix in HOST))
    device = tuple(sorted(path for path in folder.rglob("*") if path.suffix in KERNEL))
    name = folder.relative_to(kernels).as_posix()
    defined = (name for path in (*host, *device) for name in DEFINITION.findall(_text(path)))
    sources = (path for path in folder.rglob("*") if path.suffix in HOST + KERNEL + HEADERS)
    needs = frozenset(other for path in sources for other in OTHERS.findall(_text(path)))
    return Unit(
        name,
        host,
        device,
        tuple(dict.fromkeys(filter(public.__contains__, defined))),
        needs - {name.split("/")[0]},
    )


def _release(root: Path) -> str:
    try:
        version = json.loads(_text(root / "build.property"))["version"]
    except (ValueError, KeyError, TypeError):
        raise UserError(f"{root / 'build.property'}: has no version; complete the checkout") from None
    return str(version).split("-")[0]


def _commit(root: Path) -> str:
    """Return the commit that is checked out, marked where files differ from it; empty without git."""
    if not (root / ".git").exists():
        return ""
    try:
        described = subprocess.run(
            ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return described.stdout.strip()


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}") from None
