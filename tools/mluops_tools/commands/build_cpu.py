"""Build mlu-ops' own host code and kernels for the CPU, from an unmodified checkout.

`run --library DIR` then runs cases on them. That is evidence about their code, not about hardware.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Iterator

from mluops_conformance import exit_codes
from mluops_conformance.errors import UserError
from mluops_conformance.support.formatting import counted

if TYPE_CHECKING:
    from mluops_tools.cpu.metadata import LeftOut, Metadata

EPILOG = """\
Needs g++ 12 or later, CMake, Ninja and the headers of fmt; no CNToolkit. The build leaves out, and names,
kernels with an intrinsic that is not modelled; their functions answer NOT_SUPPORTED. It writes only in DIR.

Exit code 0: built; 1: a folder that --operators names is left out.

examples:
  mluops-conformance build-cpu mlu-ops -o build
  mluops-conformance build-cpu mlu-ops -o build --operators nms_rotated deform_roi_pool_forward --arch 372
  mluops-conformance build-cpu mlu-ops -o build-asan --sanitize address,undefined
"""


def configure(parser: argparse.ArgumentParser) -> None:
    from mluops_tools.cpu.project import ARCHITECTURES

    add = parser.add_argument
    add("checkout", type=Path, metavar="PATH", help="a checkout of mlu-ops")
    add("-o", "--output", type=Path, required=True, metavar="DIR", help="where to build")
    names = "operators, or folders of kernels/ (default: all)"
    # Not `operators`, where other commands keep folders of operators outside of the package.
    add("--operators", dest="kernels", nargs="+", default=[], metavar="NAME", help=names)
    add(
        "--arch",
        choices=sorted(ARCHITECTURES),
        default="592",
        help="instruction set of the reported device (default: 592)",
    )
    add("--sanitize", default="", metavar="NAMES", help="the compiler's: address, undefined, or both")
    add("-j", "--jobs", type=int, default=0, metavar="N", help="compilers at once (default: one a core)")


def run(args: argparse.Namespace) -> int:
    from mluops_tools.cpu.building import Wishes, build

    if args.jobs < 0:
        raise UserError(f"-j {args.jobs}: write a number above 0")
    wishes = Wishes(tuple(args.kernels), args.arch, _sanitizers(args.sanitize), args.jobs)
    metadata = build(args.checkout, args.output, wishes, lambda line: print(line, file=sys.stderr))
    print("\n".join(_lines(metadata, args.output)))
    asked = bool(args.kernels)
    return exit_codes.FAILED if metadata.left_out and asked else exit_codes.PASSED


def _sanitizers(text: str) -> tuple[str, ...]:
    from mluops_tools.cpu.project import SANITIZERS

    names = tuple(filter(None, text.split(",")))
    unknown = [name for name in names if name not in SANITIZERS]
    if unknown:
        raise UserError(f"--sanitize {unknown[0]}: it may be {' or '.join(SANITIZERS)}")
    return names


def _lines(metadata: Metadata, folder: Path) -> Iterator[str]:
    from mluops_tools.cpu.checkout import snake

    built = sorted(map(snake, metadata.functions))
    what = f"mlu-ops {metadata.source} for architecture {metadata.arch}"
    yield f"built from {what}: {counted(len(built), 'function')}"
    if metadata.left_out:
        yield f"left out: {counted(len(metadata.left_out), 'folder')}"
        yield from map(_left_out, metadata.left_out)
    yield f"{folder / 'libmluops.so'}: run cases with 'mluops-conformance run --library {folder}'"


def _left_out(entry: LeftOut) -> str:
    place = f" ({entry.place})" if entry.place else ""
    return f"  {entry.folder}: {entry.reason}{place}"
