"""A library with one change: one folder of kernels compiled from patched files, linked with what is built.

    base = Path("build")                       # of build-cpu
    build_variant(base, "nms_rotated", {"kernels/nms_rotated/nms_utils.h": text}, Path("variant.so"))

Only the files that the change can reach are compiled; nothing in the base is written.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Mapping, Sequence

from mluops_conformance.errors import UserError

from mluops_tools.cpu.conversion import converted

HEADERS = (".h", ".hpp", ".mluh")


class VariantError(UserError):
    """A patched file that does not compile, or does not link: its compiler's message."""


def build_variant(base: Path, unit: str, patched: Mapping[str, str], output: Path) -> None:
    """Build a library of which one folder of kernels, or a file of core/, is patched.

    Parameters
    ----------
    base : Path
        A folder that `build-cpu` filled.
    unit : str
        The folder of kernels, as "nms_rotated"; "core" for files of core/.
    patched : mapping
        Texts of files by their path in the checkout. A header of kernels/ changes this folder's files alone.
    output : Path
        The shared library to be written; it needs those of `base`, and is loaded with `base`'s libcnrt.so.

    Raises
    ------
    VariantError
        The patched sources do not compile, or do not link.
    """
    objects = base / "objects"
    target = "core" if unit == "core" else "unit_" + unit.replace("/", "_")
    link = _commands(objects, "mluops")[-1]
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="mluops-variant-") as name:
        folder = Path(name)
        _copy_unit(folder, base, unit)
        _write_patched(folder, patched, _checkout(objects))
        replaced = {}
        for command in _commands(objects, f"{base.resolve() / 'libmluops.so'}"):
            source = _source(command)
            if source and f"/{target}" in _output(command) and _is_reached(source, patched):
                replaced[_output(command)] = _compile(objects, folder, command)
        _link(objects, link, replaced, output)


def _copy_unit(folder: Path, base: Path, unit: str) -> None:
    """Copy a folder of kernels beside what is patched, so that its files include each other."""
    for tree, origin in (("sources", base / "sources"), ("checkout", Path(_checkout(base / "objects")))):
        if (origin / "kernels" / unit).is_dir():
            shutil.copytree(origin / "kernels" / unit, folder / tree / "kernels" / unit)


def _write_patched(folder: Path, patched: Mapping[str, str], checkout: str) -> None:
    """Write patched files into a tree that is searched before the checkout's: as they are, and converted."""
    for path, text in patched.items():
        as_it_is, as_cpp = folder / "checkout" / path, folder / "sources" / path
        if path.endswith(".mlu"):
            as_cpp = as_cpp.with_name(as_cpp.name + ".cpp")
        for place, content in ((as_it_is, text), (as_cpp, converted(text, f"{checkout}/{path}"))):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(content, encoding="utf-8")


def _is_reached(source: str, patched: Mapping[str, str]) -> bool:
    """Return True if a change can reach a source file: the file is patched, or a header is."""
    return any(path.endswith(HEADERS) or f"/{path}" in source for path in patched)


def _compile(objects: Path, folder: Path, command: Sequence[str]) -> str:
    """Compile what a command compiles, from the patched tree where the file is there."""
    source = _source(command)
    tree, root = (folder / "sources", objects.parent / "sources")
    if not source.startswith(f"{root.resolve()}/"):
        tree, root = folder / "checkout", Path(_checkout(objects))
    own = tree / Path(source).relative_to(root)
    target = str(folder / f"{own.name}.o")
    words = [word for word in command[1:] if not word.endswith((".o", ".o.d"))]
    words = [word for word in words if word not in ("-MD", "-MT", "-MF", "-o", "-c", source)]
    chosen = str(own if own.is_file() else source)
    done = _run([command[0], f"-I{tree}", *words, "-c", chosen, "-o", target], objects)
    if done:
        raise VariantError(done)
    return target


def _link(objects: Path, command: Sequence[str], replaced: Mapping[str, str], output: Path) -> None:
    words = [replaced.get(word, word) for word in command if word not in (":", "&&")]
    at = words.index("-o")
    words[at + 1] = str(output.resolve())
    done = _run([*words, f"-Wl,-rpath,{objects.resolve().parent}"], objects)
    if done:
        raise VariantError(done)


def _commands(objects: Path, target: str) -> list[list[str]]:
    done = subprocess.run(
        ["ninja", "-C", str(objects), "-t", "commands", target], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise UserError(f"{objects.parent}: not a folder that build-cpu filled: {done.stderr.strip()}")
    lines = (line for line in done.stdout.splitlines() if not line.startswith("ninja:"))
    return [shlex.split(line) for line in lines]


def _source(command: Sequence[str]) -> str:
    """Return what a command compiles; empty for one that links."""
    return command[-1] if "-c" in command else ""


def _output(command: Sequence[str]) -> str:
    return command[command.index("-o") + 1] if "-o" in command else ""


def _checkout(objects: Path) -> str:
    for line in (objects.parent / "CMakeLists.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("set(CHECKOUT "):
            return line.split('"')[1]
    raise UserError(f"{objects.parent / 'CMakeLists.txt'}: not written by build-cpu")


def _run(command: Sequence[str], objects: Path) -> str:
    """Run a command; return what it says where it fails."""
    done = subprocess.run(command, cwd=objects, capture_output=True, text=True, errors="replace", check=False)
    return "" if done.returncode == 0 else done.stderr or f"{command[0]} failed"
