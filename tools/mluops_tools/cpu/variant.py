"""A library with one change: files of a folder of kernels compiled from patched texts, linked with a build.

    base = Path("build")                       # of build-cpu
    build_variant(base, "nms_rotated", {"kernels/nms_rotated/nms_utils.h": text}, Path("variant.so"))

Only the files that the change can reach are compiled; nothing in the base is written.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator, Mapping, NamedTuple, Sequence

from mluops_conformance.errors import UserError

from mluops_tools.cpu.conversion import converted
from mluops_tools.cpu.project import home_of

SHARED = re.compile(r'#include (<|"(core|kernels/utils)/|"kernels/kernel\.h")')
"""The lines that include headers which no folder of kernels has of its own."""


class VariantError(UserError):
    """A patched file that does not compile, or does not link: its compiler's message."""


class Flags(NamedTuple):
    """Flags of the compiler that come after the build's own: those of host code, and those of kernels."""

    host: tuple[str, ...] = ()
    kernels: tuple[str, ...] = ()


AS_BUILT = Flags()


@dataclass(frozen=True)
class Compiled:
    """The objects of a change.

    Parameters
    ----------
    objects : Path
        The folder of the base in which Ninja builds.
    link_command : tuple of str
        It links the base's library.
    replaced : mapping of str to str
        Files of objects that take the place of the base's.
    """

    objects: Path
    link_command: tuple[str, ...]
    replaced: Mapping[str, str]

    def digest(self) -> str:
        """Return the digest of all code and data: equal for changes that change nothing."""
        digest = hashlib.sha256()
        for name, path in sorted(self.replaced.items()):
            stripped = f"{path}.stripped"
            _run(["objcopy", "--strip-debug", path, stripped], self.objects)
            digest.update(name.encode() + Path(stripped).read_bytes())
        return digest.hexdigest()[:16]

    def link(self, output: Path) -> None:
        """Write the library.

        Raises
        ------
        VariantError
            A function is missing.
        """
        output.parent.mkdir(parents=True, exist_ok=True)
        words = [self.replaced.get(word, word) for word in self.link_command if word not in (":", "&&")]
        words[words.index("-o") + 1] = str(output.resolve())
        _run([*words, f"-Wl,-rpath,{self.objects.resolve().parent}"], self.objects)


def build_variant(base: Path, unit: str, patched: Mapping[str, str], output: Path) -> None:
    """Build a library of which files of one folder of kernels are patched; see `Variants.compiled`.

    Parameters
    ----------
    output : Path
        The shared library to be written; it needs those of `base`, and is loaded with `base`'s libcnrt.so.
    """
    with Variants(base).compiled(unit, patched) as objects:
        objects.link(output)


class Variants:
    """Compiles variants of a base.

    Parameters
    ----------
    base : Path
        A folder that `build-cpu` filled.
    flags : Flags
    headers : Path, optional
        A folder in which the headers of each file are kept compiled: other variants of it take half the time.

    Raises
    ------
    UserError
        The base is no folder of `build-cpu`, or its checkout is gone.
    """

    def __init__(self, base: Path, flags: Flags = AS_BUILT, headers: Path | None = None) -> None:
        self.base = base.resolve()
        self.checkout = checkout_of(self.base)
        self.flags = flags
        self.headers = headers
        self._objects = self.base / "objects"
        *self._compilations, self._link = _commands(self._objects)

    @contextmanager
    def compiled(self, unit: str, patched: Mapping[str, str]) -> Iterator[Compiled]:
        """Compile what patched files reach; the objects are removed at the end of the context.

        Parameters
        ----------
        unit : str
            The folder of kernels, as "nms_rotated".
        patched : mapping
            Texts of files by their path in the checkout. A header changes this folder's files alone.

        Raises
        ------
        VariantError
            The patched sources do not compile.
        UserError
            No file of the folder is, or includes, a patched file.
        """
        reached = [words for words in self._compilations if _is_reached(self._objects, unit, words, patched)]
        if not reached:
            raise UserError(f"{self.base}: no file of {unit} is compiled from {', '.join(patched)}")
        with tempfile.TemporaryDirectory(prefix="mluops-variant-") as name:
            trees = {self.base / "sources": Path(name, "sources"), self.checkout: Path(name, "checkout")}
            for root, tree in trees.items():
                shutil.copytree(root / "kernels" / unit, tree / "kernels" / unit)
            _write_patched(Path(name), patched, self.checkout)
            replaced = {_output(words): self._compile(trees, words) for words in reached}
            yield Compiled(self._objects, tuple(self._link), replaced)

    def _compile(self, trees: Mapping[Path, Path], command: Sequence[str]) -> str:
        """Compile a source file from the patched tree; __FILE__ stays what it is in the base."""
        source = Path(_source(command))
        root, tree = next((root, tree) for root, tree in trees.items() if root in source.parents)
        flags = self.flags.kernels if source.suffixes[-2:] == [".mlu", ".cpp"] else self.flags.host
        words = [*command[: command.index("-MD")], *flags]
        if self.headers is not None:
            words = self._with_compiled_headers(words, source)
        places = [f"-ffile-prefix-map={tree}={root}", f"-I{tree}"]
        target = str(tree.parent / f"{source.name}.o")
        chosen = str(tree / source.relative_to(root))
        _run([words[0], *places, *words[1:], "-c", chosen, "-o", target], self._objects)
        return target

    def _with_compiled_headers(self, words: Sequence[str], source: Path) -> list[str]:
        """Return a command that begins with the headers of a file, other than its own folder's, compiled."""
        assert self.headers is not None
        words = list(words)
        included = [line for line in source.read_text(encoding="utf-8").splitlines() if SHARED.match(line)]
        while "-include" in words:
            at = words.index("-include")
            included.insert(0, f'#include "{words[at + 1]}"')
            del words[at : at + 2]
        text = "\n".join(included) + "\n"
        header = self.headers / f"{hashlib.sha256(repr((words, text)).encode()).hexdigest()[:16]}.h"
        if not header.with_suffix(".h.gch").is_file():
            self.headers.mkdir(parents=True, exist_ok=True)
            header.write_text(text, encoding="utf-8")
            own = f"{header}.gch.{os.getpid()}"
            _run([*words, "-x", "c++-header", str(header), "-o", own], self._objects)
            os.replace(own, f"{header}.gch")
        return [*words, "-include", str(header)]


def checkout_of(base: Path) -> Path:
    """Return the checkout that a folder was built from.

    Raises
    ------
    UserError
        The folder is none of `build-cpu`, or the checkout is gone.
    """
    lists = base / "CMakeLists.txt"
    lines = lists.read_text(encoding="utf-8").splitlines() if lists.is_file() else []
    named = [Path(line.split('"')[1]) for line in lines if line.startswith("set(CHECKOUT ")]
    if not named or not (base / "objects/build.ninja").is_file():
        raise UserError(
            f"{base}: no build of mlu-ops; 'mluops-conformance build-cpu PATH -o {base}' makes one"
        )
    if home_of(base) not in ("", str(base.resolve())):
        raise UserError(f"{base}: built at {home_of(base)} and moved since; build again in {base}")
    if not (named[0] / "kernels").is_dir():
        raise UserError(
            f"{base}: built from {named[0]}, which has no sources now; build again from a checkout"
        )
    return named[0]


def _write_patched(folder: Path, patched: Mapping[str, str], checkout: Path) -> None:
    """Write patched files into trees that are searched before the base's: as they are, and converted."""
    for path, text in patched.items():
        as_it_is, as_cpp = folder / "checkout" / path, folder / "sources" / path
        if path.endswith(".mlu"):
            as_cpp = as_cpp.with_name(as_cpp.name + ".cpp")
        for place, content in ((as_it_is, text), (as_cpp, converted(text, f"{checkout}/{path}"))):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(content, encoding="utf-8")


def _is_reached(objects: Path, unit: str, command: Sequence[str], patched: Mapping[str, str]) -> bool:
    """Return True if a command compiles a file of the unit that is patched, or includes a patched one."""
    if f"/kernels/{unit}/" not in _source(command):
        return False
    included = _ninja(objects, "deps", _output(command)).splitlines()
    texts = [line.strip() for line in included] + [_source(command)]
    return any(text.endswith((f"/{path}", f"/{path}.cpp")) for text in texts for path in patched)


def _commands(objects: Path) -> list[list[str]]:
    """Return the commands that make the library: those that compile, and at the end the one that links."""
    lines = [shlex.split(line) for line in _ninja(objects, "commands", "mluops").splitlines()]
    return [words for words in lines if _source(words)] + lines[-1:]


def _ninja(objects: Path, tool: str, target: str) -> str:
    done = subprocess.run(
        ["ninja", "-C", str(objects), "-t", tool, target], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise UserError(f"{objects.parent}: ninja cannot read the build; build again: {done.stderr.strip()}")
    return "\n".join(line for line in done.stdout.splitlines() if not line.startswith("ninja:"))


def _source(command: Sequence[str]) -> str:
    """Return what a command compiles; empty for one that links."""
    return command[-1] if "-c" in command else ""


def _output(command: Sequence[str]) -> str:
    return command[command.index("-o") + 1]


def _run(command: Sequence[str], objects: Path) -> None:
    """Run a command.

    Raises
    ------
    VariantError
        It fails by an error in the sources.
    UserError
        It is ended by the machine.
    """
    done = subprocess.run(command, cwd=objects, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode < 0 or "Killed signal" in done.stderr:
        raise UserError(f"{command[0]} was ended from outside: is there enough memory? {done.stderr.strip()}")
    if done.returncode:
        raise VariantError(done.stderr.strip() or f"{command[0]} failed")
