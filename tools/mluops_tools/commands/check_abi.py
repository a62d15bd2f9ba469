"""Compare an installed mlu_op.h, and the library beside it, with what the binding declares.

Reports, in both directions, every function, parameter, type and enum value that differs, and the functions
that the library does not export.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Iterator, Sized

from mluops_conformance import exit_codes
from mluops_conformance.errors import UserError
from mluops_conformance.support.files import LARGEST, regular_file
from mluops_conformance.support.formatting import counted

if TYPE_CHECKING:
    from mluops_tools.abi.header import Header

EPILOG = """\
Exit code 0: nothing differs; 1: something does.

examples:
  mluops-conformance check-abi $NEUWARE_HOME/include/mlu_op.h
  mluops-conformance check-abi mlu_op.h --library $NEUWARE_HOME/lib64/libmluops.so
"""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("header", type=Path, metavar="HEADER", help="an mlu_op.h")
    parser.add_argument("--library", metavar="FILE", help="the libmluops.so that must export the functions")
    parser.add_argument("--cnrt", metavar="FILE", help="the libcnrt.so to load with it")


def run(args: argparse.Namespace) -> int:
    from mluops_tools.abi.drift import drifts
    from mluops_tools.abi.header import read_header

    header = read_header(_text(args.header))
    if not header.functions:
        raise UserError(f"{args.header} declares no function: is it an mlu_op.h?")
    found = [drift.at(args.header) for drift in drifts(header)]
    if args.library:
        found += _unexported(header, args.library, args.cnrt)
    print("\n".join([*found, _summary(args.header, header, len(found))]))
    return exit_codes.FAILED if found else exit_codes.PASSED


def _text(path: Path) -> str:
    try:
        return regular_file(path, LARGEST).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}") from None


def _unexported(header: Header, library: str, cnrt: str | None) -> Iterator[str]:
    import mluops

    try:
        symbols = mluops.load(library, cnrt=cnrt).symbols
    except mluops.LoadError as error:
        raise UserError(str(error)) from None
    for name in header.functions:
        if symbols.address(name) is None:
            yield f"{symbols.path}: does not export {name}"


def _summary(path: Path, header: Header, count: int) -> str:
    from mluops.signatures import MLUOP

    from mluops_tools.abi.drift import is_in, release_of

    release = release_of(header)
    printed = "of unknown release" if release is None else ".".join(map(str, release))
    later = sum(not is_in(function, release) for function in MLUOP.values())
    verb = "is" if later == 1 else "are"
    newer = f"; {counted(later, 'function')} of the binding {verb} newer" if later else ""
    declared: dict[str, Sized] = {"function": header.functions, "enum": header.enums, "type": header.types}
    things = ", ".join(counted(len(names), noun) for noun, names in declared.items())
    return f"{path.name} {printed}: {things}, {counted(count, 'difference')}{newer}"
